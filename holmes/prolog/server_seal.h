/* The compiled Prolog server (server.c): its frames, and how it shuts itself and its children in. */
#define _GNU_SOURCE
#include <SWI-Prolog.h>
#include <SWI-Stream.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LINK = 3, PARENT = 4, MOST_FILES = 64, KEY = 16, FIELDS = 10, READY = 1, REFUSED = 0 };
enum { PROGRAM, HOME, OUTER, INNER, RULES, PATHS, GOALS, NATIVE, DEADLY, EXECUTABLE };
enum { EXITED, TIMEOUT, OUTPUT_LIMIT, LOST, UNABLE };
#define MARKER 0x5A17BEEFu

#pragma pack(push, 1)
struct request { double timeout; uint64_t memory, output, stack; uint32_t length; };
struct reply {
  uint8_t key[KEY], reason; int32_t status; double seconds, cpu, waited;
  uint64_t resident; int32_t refused; uint32_t faults, out, err, note;
};
struct rule { uint64_t access; int32_t handle; };
#pragma pack(pop)

static struct { char *at; uint32_t size; } field[FIELDS];
static uint8_t *key;                /* in a page that no child inherits */
static volatile int *refused;       /* in a page shared with the children, written by the handler of SIGSYS alone */
static pid_t server;
static long deadly;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static void put(const void *data, size_t size) {
  for (const char *at = data; size;) {
    ssize_t done = write(LINK, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(0);        /* the client is gone */
    at += done;
    size -= done;
  }
}

static void get(void *data, size_t size) {
  for (char *at = data; size;) {
    ssize_t done = read(LINK, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(0);
    at += done;
    size -= done;
  }
}

static void greet(int kind, const char *text) {
  uint32_t length = strlen(text);
  uint8_t head[5] = {kind};
  memcpy(head + 1, &length, 4);
  put(key, KEY);
  put(head, 5);
  put(text, length);
}

static void refuse(const char *format, ...) {
  char text[600];
  va_list rest;
  va_start(rest, format);
  vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  greet(REFUSED, text);
  _exit(1);
}

/* Close every descriptor from `first` on, also on kernels without close_range. */
static void close_from(unsigned first, unsigned most) {
  if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
  for (unsigned n = first; n < most; n++) close(n);
}

static void limit(pid_t pid, int kind, rlim_t soft, rlim_t hard) {
  struct rlimit most, value = {soft, hard};
  if (prlimit(0, kind, NULL, &most) == 0 && most.rlim_max != RLIM_INFINITY) {
    if (value.rlim_max > most.rlim_max) value.rlim_max = most.rlim_max;
    if (value.rlim_cur > value.rlim_max) value.rlim_cur = value.rlim_max;
  }
  prlimit(pid, kind, &value, NULL);
}

/* SIGSYS by the filter: note the number of the call and end the process by a call that kills at once. */
static void trapped(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  *refused = info->si_syscall;
  syscall(deadly);
  _exit(96);
}

static void seal(int which) {
  struct sock_fprog code = {field[which].size / 8, (struct sock_filter *)field[which].at};
  if (!code.len) return;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_seccomp, 1, 4, &code)) { /* 4: no speculation slow-down */
    if (getpid() == server) refuse("seccomp: %s", strerror(errno));
    _exit(95);
  }
}

static void restrict_files(void) {
  if (!field[RULES].size) return;
  int rules = syscall(444, field[RULES].at, (size_t)field[RULES].size, 0);
  if (rules < 0) refuse("landlock: %s", strerror(errno));
  for (char *at = field[PATHS].at, *end = at + field[PATHS].size; at < end; at += strlen(at) + 1) {
    char *path;
    struct rule rule = {strtoull(at, &path, 10), -1};
    rule.handle = open(++path, O_PATH | O_CLOEXEC);
    if (rule.handle < 0 || syscall(445, rules, 1, &rule, 0)) refuse("landlock: %s: %s", path, strerror(errno));
    close(rule.handle);
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(446, rules, 0)) refuse("landlock: %s", strerror(errno));
  close(rules);
}

