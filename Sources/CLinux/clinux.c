#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <unistd.h>

_Static_assert(clinux_event_readable == EPOLLIN && clinux_event_writable == EPOLLOUT, "input, output");
_Static_assert(clinux_event_error == EPOLLERR && clinux_event_hangup == EPOLLHUP, "ends");
_Static_assert(clinux_event_peer_finished == EPOLLRDHUP, "half-close");

static int outcome(int result) { return result < 0 ? -errno : result; }

int clinux_epoll_create(void) { return outcome(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return outcome(epoll_ctl(epoll, operation, descriptor, &event));
}

int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_ADD, descriptor, events, token);
}

int clinux_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_MOD, descriptor, events, token);
}

int clinux_epoll_remove(int epoll, int descriptor) {
  return control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0);
}

int clinux_epoll_wait(int epoll, clinux_ready *ready, int max, int timeout_ms) {
  // struct epoll_event is packed on x86-64, which Swift cannot import faithfully: hence the copy.
  struct epoll_event events[CLINUX_READY_MAX];
  int count;
  do {
    count = epoll_wait(epoll, events, max < CLINUX_READY_MAX ? max : CLINUX_READY_MAX, timeout_ms);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return -errno;
  for (int i = 0; i < count; i++) {
    ready[i].token = events[i].data.u64;
    ready[i].events = events[i].events;
  }
  return count;
}

int clinux_socket(int family) {
  return outcome(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

int clinux_peer_user(int descriptor, uint32_t *user) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
  *user = credentials.uid;
  return 0;
}

int clinux_accept(int listener, clinux_peer *peer) {
  struct sockaddr_storage storage = {0};
  socklen_t length = sizeof storage;
  int descriptor;
  do {
    descriptor = accept4(listener, (struct sockaddr *)&storage, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return -errno;
  memset(peer, 0, sizeof *peer);
  peer->family = storage.ss_family;
  if (storage.ss_family == AF_INET) {
    memcpy(peer->address, &((struct sockaddr_in *)&storage)->sin_addr, 4);
  } else if (storage.ss_family == AF_INET6) {
    memcpy(peer->address, &((struct sockaddr_in6 *)&storage)->sin6_addr, 16);
  } else {
    peer->family = AF_UNIX;
    // Without credentials nobody is trusted: no user has the id of the overflow value -1.
    if (clinux_peer_user(descriptor, &peer->user) < 0) peer->user = UINT32_MAX;
  }
  return descriptor;
}

ssize_t clinux_receive(int descriptor, void *bytes, size_t count) {
  ssize_t received;
  do {
    received = recv(descriptor, bytes, count, MSG_DONTWAIT);
  } while (received < 0 && errno == EINTR);
  return received < 0 ? -errno : received;
}

ssize_t clinux_send(int descriptor, const void *bytes, size_t count) {
  ssize_t sent;
  do {
    sent = send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

int clinux_set_option(int descriptor, int level, int option, int value) {
  return outcome(setsockopt(descriptor, level, option, &value, sizeof value));
}

int clinux_set_no_delay(int descriptor) {
  return clinux_set_option(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
}

int clinux_set_reuse_address(int descriptor) {
  return clinux_set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1);
}

int clinux_set_dual_stack(int descriptor) {
  return clinux_set_option(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, 0);
}

int clinux_pending_error(int descriptor) {
  int error = 0;
  socklen_t length = sizeof error;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) < 0) return -errno;
  return -error;
}

int clinux_bind(int descriptor, const clinux_address *address) {
  return outcome(bind(descriptor, (const struct sockaddr *)&address->storage, address->length));
}

int clinux_listen(int descriptor, int backlog) { return outcome(listen(descriptor, backlog)); }

int clinux_connect(int descriptor, const clinux_address *address) {
  // Not repeated after EINTR: the connect goes on by itself, and its outcome shows as writability.
  int result = connect(descriptor, (const struct sockaddr *)&address->storage, address->length);
  return result < 0 ? (errno == EINTR ? -EINPROGRESS : -errno) : 0;
}

int clinux_shutdown_output(int descriptor) { return outcome(shutdown(descriptor, SHUT_WR)); }

int clinux_local_port(int descriptor) {
  struct sockaddr_storage storage = {0};
  socklen_t length = sizeof storage;
  if (getsockname(descriptor, (struct sockaddr *)&storage, &length) < 0) return -errno;
  if (storage.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&storage)->sin_port);
  if (storage.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&storage)->sin6_port);
  return -EAFNOSUPPORT;
}

void clinux_address_ipv4(clinux_address *address, const uint8_t host[4], uint16_t port) {
  memset(address, 0, sizeof *address);
  struct sockaddr_in *inet = (struct sockaddr_in *)&address->storage;
  inet->sin_family = AF_INET;
  inet->sin_port = htons(port);
  memcpy(&inet->sin_addr, host, 4);
  address->length = sizeof *inet;
}

void clinux_address_ipv6(clinux_address *address, const uint8_t host[16], uint16_t port) {
  memset(address, 0, sizeof *address);
  struct sockaddr_in6 *inet = (struct sockaddr_in6 *)&address->storage;
  inet->sin6_family = AF_INET6;
  inet->sin6_port = htons(port);
  memcpy(&inet->sin6_addr, host, 16);
  address->length = sizeof *inet;
}

int clinux_address_unix(clinux_address *address, const char *path) {
  memset(address, 0, sizeof *address);
  size_t length = strlen(path);
  if (length > CLINUX_UNIX_PATH_MAX) return -ENAMETOOLONG;
  struct sockaddr_un *local = (struct sockaddr_un *)&address->storage;
  local->sun_family = AF_UNIX;
  memcpy(local->sun_path, path, length);
  address->length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
  return 0;
}

int clinux_lock_exclusive(int descriptor) {
  int result;
  do {
    result = flock(descriptor, LOCK_EX | LOCK_NB);
  } while (result < 0 && errno == EINTR);
  return outcome(result);
}

int clinux_unlock(int descriptor) { return outcome(flock(descriptor, LOCK_UN)); }

int clinux_allocate(int descriptor, int64_t bytes) {
  int error;
  do {
    // posix_fallocate returns the error and leaves errno alone.
    error = posix_fallocate(descriptor, 0, bytes);
  } while (error == EINTR);
  return -error;
}

int64_t clinux_free_bytes(const char *path) {
  struct statvfs status;
  int result;
  do {
    result = statvfs(path, &status);
  } while (result < 0 && errno == EINTR);
  if (result < 0) return -errno;
  return (int64_t)status.f_bavail * (int64_t)status.f_frsize;
}

int clinux_random(void *bytes, size_t count) {
  uint8_t *next = bytes;
  while (count > 0) {
    ssize_t got = getrandom(next, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -errno;
    next += got;
    count -= (size_t)got;
  }
  return 0;
}
