// Linux calls that Swift's Glibc module hides or imports awkwardly. Every function returns zero or a
// count on success and a negative errno value on failure, so that no caller reads errno itself; calls
// that a signal may cut short (EINTR) are repeated here and nowhere else.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// One readiness event: what happened (the clinux_event_* bits) and the token given at registration.
typedef struct clinux_ready {
  uint64_t token;
  uint32_t events;
} clinux_ready;

// The far end of an accepted connection.
typedef struct clinux_peer {
  int32_t family;     // AF_UNIX, AF_INET or AF_INET6
  uint32_t user;      // AF_UNIX: effective user id of the peer when it connected
  uint8_t address[16]; // AF_INET: the first four bytes; AF_INET6: all; network order
} clinux_peer;

// A socket address of any family, ready for bind(2) and connect(2).
typedef struct clinux_address {
  struct sockaddr_storage storage;
  socklen_t length;
} clinux_address;

// Bits of an event: EPOLLIN and its like, whose own enum Swift imports as a type of its own.
enum {
  clinux_event_readable = 0x001,       // EPOLLIN
  clinux_event_writable = 0x004,       // EPOLLOUT
  clinux_event_error = 0x008,          // EPOLLERR
  clinux_event_hangup = 0x010,         // EPOLLHUP
  clinux_event_peer_finished = 0x2000, // EPOLLRDHUP
};

enum { CLINUX_READY_MAX = 256, CLINUX_UNIX_PATH_MAX = 107 };

// A new epoll descriptor, closed on exec.
int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int descriptor);
// Fills at most min(max, CLINUX_READY_MAX) events and returns how many; timeout 0 does not wait.
int clinux_epoll_wait(int epoll, clinux_ready *ready, int max, int timeout_ms);

// A non-blocking stream socket, closed on exec.
int clinux_socket(int family);
// Accepts one connection, non-blocking and closed on exec, and says who is there.
int clinux_accept(int listener, clinux_peer *peer);
// The user whose process made the other end of a Unix socket (SO_PEERCRED).
int clinux_peer_user(int descriptor, uint32_t *user);
// Bytes moved; receive returns 0 at the end of the stream. Sending never raises SIGPIPE.
ssize_t clinux_receive(int descriptor, void *bytes, size_t count);
ssize_t clinux_send(int descriptor, const void *bytes, size_t count);
int clinux_set_option(int descriptor, int level, int option, int value);
int clinux_set_no_delay(int descriptor);
int clinux_set_reuse_address(int descriptor);
// Lets an IPv6 listener take IPv4 connections too, whatever the system's default.
int clinux_set_dual_stack(int descriptor);
// The pending error of a socket (SO_ERROR) as a negative errno value, 0 when there is none.
int clinux_pending_error(int descriptor);
int clinux_bind(int descriptor, const clinux_address *address);
int clinux_listen(int descriptor, int backlog);
// 0 when connected at once, -EINPROGRESS when the outcome shows as writability.
int clinux_connect(int descriptor, const clinux_address *address);
int clinux_shutdown_output(int descriptor);
// The port a bound IPv4 or IPv6 socket has.
int clinux_local_port(int descriptor);

void clinux_address_ipv4(clinux_address *address, const uint8_t host[4], uint16_t port);
void clinux_address_ipv6(clinux_address *address, const uint8_t host[16], uint16_t port);
// -ENAMETOOLONG beyond CLINUX_UNIX_PATH_MAX bytes.
int clinux_address_unix(clinux_address *address, const char *path);

// Takes the exclusive lock of an open file without waiting: -EWOULDBLOCK when another holds it.
int clinux_lock_exclusive(int descriptor);
int clinux_unlock(int descriptor);
// Makes sure that the first `bytes` of a file have room on disk.
int clinux_allocate(int descriptor, int64_t bytes);
// Bytes an unprivileged process may still write to the file system of `path`.
int64_t clinux_free_bytes(const char *path);
// Fills the buffer from the kernel's random source; waits only before the source is first seeded.
int clinux_random(void *bytes, size_t count);

// What a thread does to one account: the words of a slot of deciding.map. See WorkMap.
typedef struct clinux_work {
  uint64_t phase; // 1 to 255
  uint64_t account[2];
  uint64_t incarnation[2];
  uint64_t number;
  uint64_t body_hash;
} clinux_work;

enum { CLINUX_WORK_SLOT_BYTES = 64 };

// Writes what the calling thread begins, and clears it. Stores into shared memory survive the
// process however it ends; whatever part of them was done, a torn slot is not believed. One slot
// has one writer at a time.
void clinux_work_begin(void *slot, const clinux_work *work);
void clinux_work_end(void *slot);
// 0: nothing, or torn; 1: what the slot says; 2: and its thread was the one that crashed.
int clinux_work_read(const void *slot, clinux_work *work);
// From now on a thread that crashes (SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT) marks its
// slot first, and then ends the process as before. Once a process.
void clinux_work_mark_crashes(void);
