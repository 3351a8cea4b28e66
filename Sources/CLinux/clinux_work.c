#include "clinux.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

// A slot: phase (bits 0-7) and the mark of a crash, the six words of clinux_work, their checksum.
enum { words_count = 8, crashed = 0x100 };

// The slot of what this thread is doing.
static _Thread_local uint64_t *current;

static uint64_t checksum(const uint64_t words[words_count]) {
  uint64_t sum = 0x9E3779B97F4A7C15u;
  for (int i = 0; i < words_count - 1; i++) {
    sum = (sum ^ (i == 0 ? words[0] & 0xFF : words[i])) * 0xBF58476D1CE4E5B9u;
    sum ^= sum >> 29;
  }
  return sum;
}

void clinux_work_begin(void *slot, const clinux_work *work) {
  uint64_t *words = slot;
  uint64_t next[words_count] = {
    work->phase & 0xFF, work->account[0], work->account[1], work->incarnation[0],
    work->incarnation[1], work->number, work->body_hash,
  };
  next[words_count - 1] = checksum(next);
  // Empty while the others change; the phase is there only when they are.
  __atomic_store_n(&words[0], 0, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  for (int i = 1; i < words_count; i++) __atomic_store_n(&words[i], next[i], __ATOMIC_RELAXED);
  __atomic_store_n(&words[0], next[0], __ATOMIC_RELEASE);
  current = words;
}

void clinux_work_end(void *slot) {
  current = NULL;
  __atomic_store_n((uint64_t *)slot, 0, __ATOMIC_RELEASE);
}

int clinux_work_read(const void *slot, clinux_work *work) {
  uint64_t words[words_count];
  memcpy(words, slot, sizeof words);
  if ((words[0] & 0xFF) == 0 || words[words_count - 1] != checksum(words)) return 0;
  *work = (clinux_work){
    .phase = words[0] & 0xFF,
    .account = {words[1], words[2]},
    .incarnation = {words[3], words[4]},
    .number = words[5],
    .body_hash = words[6],
  };
  return words[0] & crashed ? 2 : 1;
}

static const int signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { signals_count = sizeof signals / sizeof signals[0] };
static struct sigaction before[signals_count];

static void mark(int signal, siginfo_t *info, void *context) {
  (void)context;
  // si_code > 0: the kernel's own, a fault of this thread. Otherwise somebody sent it: abort(3) and
  // raise(3) are ours, kill(2) from elsewhere says nothing about what this thread does.
  int is_fault = info->si_code > 0;
  int is_ours = is_fault || (info->si_code == SI_TKILL && info->si_pid == getpid());
  if (is_ours && current != NULL) __atomic_or_fetch(current, crashed, __ATOMIC_SEQ_CST);
  for (int i = 0; i < signals_count; i++) {
    if (signals[i] == signal) sigaction(signal, &before[i], NULL);
  }
  // A fault comes again by itself; what was sent does not. It waits until this handler has returned.
  if (!is_fault) raise(signal);
}

void clinux_work_mark_crashes(void) {
  static int is_done;
  if (__atomic_exchange_n(&is_done, 1, __ATOMIC_SEQ_CST)) return;
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
  action.sa_sigaction = mark;
  sigfillset(&action.sa_mask);
  for (int i = 0; i < signals_count; i++) {
    // What was there before is kept first: a crash between the two calls would lose it.
    sigaction(signals[i], NULL, &before[i]);
    sigaction(signals[i], &action, NULL);
  }
}
