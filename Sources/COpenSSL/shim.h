// OpenSSL's TLS and what Swift cannot import of it: macros that call, and functions with a variable
// number of arguments. Everything else is called by its own name.
#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// TLS 1.3 and nothing older. 1 on success.
static inline int copenssl_set_tls13_only(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1 &&
         SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1;
}

// For sockets that do not block: a write returns after each whole record, and is repeated from
// wherever the bytes lie by then; buffers go while a connection is idle; a read returns after a
// message of TLS itself; what the socket has is read at once. No session is kept for resumption.
static inline void copenssl_set_up(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}

// Adds a certificate between the server's own and the root. 1 on success.
static inline long copenssl_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
  return SSL_CTX_add1_chain_cert(context, certificate);
}

// Asks for the certificate of this name (SNI). 1 on success.
static inline long copenssl_set_server_name(SSL *ssl, const char *name) {
  return SSL_set_tlsext_host_name(ssl, name);
}

// A new key on the curve P-256, or NULL.
static inline EVP_PKEY *copenssl_make_key(void) { return EVP_EC_gen("P-256"); }
