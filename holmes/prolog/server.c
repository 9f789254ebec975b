/* The Prolog server, compiled: forks one sealed child a program and reports what became of it.

   Started by holmes.prolog.worker; speaks the frames of holmes.prolog.wire on descriptor 3; descriptor 4 is a
   pidfd of the client where the kernel has them. What is loaded, which files stay readable and both seccomp filters
   come in the first frame, so that this server and the interpreted one (server.py) have one source of truth. */
#include "server_seal.h"

struct child { pid_t pid; int control, file, out, err; };
struct text { char *at; size_t size, room; };

static int program_file = -1;       /* the place of the program where there is no /proc */
static IOSTREAM *printed[2];
static predicate_t run_it;
static sigset_t ordinary;           /* the signal mask of children */
static int parent = -1;             /* a pidfd of the client, where the kernel has them */

static void rang(int number) { (void)number; }

/* '$holmes_timer'(+Seconds): one SIGALRM after so many seconds; 0 for none. */
static foreign_t timer(term_t seconds) {
  double value;
  if (!PL_get_float_ex(seconds, &value)) return FALSE;
  if (value > 0 && value < 1e-6) value = 1e-6;
  if (value > 1e8) value = 1e8;
  pl_sigaction_t bell = {.sa_predicate = PL_predicate("rang", 1, "time"), .sa_flags = PLSIG_SYNC};
  if (PL_sigaction(SIGALRM, &bell, NULL) < 0) return FALSE; /* the one kind that tight loops heed */
  struct itimerval when = {{0, 0}, {(time_t)value, (suseconds_t)((value - (time_t)value) * 1e6)}};
  return setitimer(ITIMER_REAL, &when, NULL) == 0;
}

/* When Prolog's own at_halt hooks have run: flush what was printed, tear nothing down. */
static int leave(int status, void *closure) {
  (void)closure;
  Sflush(printed[0]);
  Sflush(printed[1]);
  _exit(status & 0xFF);
}

static int goal(const char *text) {
  term_t term = PL_new_term_ref();
  return PL_chars_to_term(text, term) && PL_call(term, NULL);
}

static void become(int control, int file, int out, int err) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != server) _exit(97);
  signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN), signal(SIGINT, SIG_IGN); /* the server ends it by SIGKILL */
  signal(SIGCHLD, SIG_DFL);
  dup2(out, 1), dup2(err, 2);
  if (file >= 0) dup2(file, LINK); else close(LINK);
  dup2(control, PARENT);
  close_from(5, MOST_FILES);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_FSIZE, &none);   /* here: the server still has to write programs */
  sigprocmask(SIG_SETMASK, &ordinary, NULL);
  pid_t own = getpid();
  for (uint32_t i = 0; i + 8 <= field[INNER].size; i += 8)
    if (*(uint32_t *)(field[INNER].at + i + 4) == MARKER) *(uint32_t *)(field[INNER].at + i + 4) = own;
  seal(INNER);
  uint64_t stack;
  if (read(PARENT, &stack, sizeof stack) != sizeof stack) _exit(97); /* no program will come */
  close(PARENT);
  if (stack != 1u << 30) {
    char text[80];
    snprintf(text, sizeof text, "set_prolog_flag(stack_limit, %llu)", (unsigned long long)stack);
    goal(text);
  }
  PL_call_predicate(NULL, PL_Q_NORMAL, run_it, PL_new_term_refs(0));
  _exit(99);
}

static void shut(int *handle) {
  if (*handle >= 0) close(*handle);
  *handle = -1;
}

static const char *lacking;

/* Fork a child that waits for its program; 0 when the machine does not give what it takes. */
static int prepare(struct child *c) {
  int control[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1}, fine;
  *c = (struct child){0, -1, -1, -1, -1};
  lacking = "pipe";
  fine = !pipe(control) && !pipe(out) && !pipe(err);
  if (fine && program_file < 0) lacking = "memfd_create", fine = (c->file = memfd_create("program", 0)) >= 0;
  if (fine) {
    lacking = "fork";
    fcntl(out[0], F_SETFL, O_NONBLOCK), fcntl(err[0], F_SETFL, O_NONBLOCK);
    c->pid = fork();
    if (c->pid == 0) become(control[0], c->file, out[1], err[1]);
    fine = c->pid > 0;
  }
  int why = errno;
  shut(&control[0]), shut(&out[1]), shut(&err[1]);
  c->control = control[1], c->out = out[0], c->err = err[0];
  if (!fine) {
    shut(&c->control), shut(&c->file), shut(&c->out), shut(&c->err);
    c->pid = 0;
  }
  errno = why;
  return fine;
}

static int end(struct child *c, struct rusage *usage) {
  int status = 0;
  kill(-c->pid, SIGKILL);           /* the group exists only once the child has made it */
  kill(c->pid, SIGKILL);
  while (wait4(c->pid, &status, 0, usage) < 0 && errno == EINTR) {}
  shut(&c->control), shut(&c->file), shut(&c->out), shut(&c->err);
  c->pid = 0;
  return status;
}

static int ended(pid_t pid) {
  siginfo_t info = {0};
  return waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/* Read what is there; 0 at the end of the stream, -1 when there is nothing now. */
static int drain(int handle, struct text *into) {
  if (into->room - into->size < 65536) {
    into->room = into->room * 2 + 65536;
    if (!(into->at = realloc(into->at, into->room))) _exit(1);
  }
  ssize_t done = read(handle, into->at + into->size, 65536);
  if (done > 0) into->size += done;
  return done > 0 ? 1 : done == 0 ? 0 : -1;
}

static void answer(struct reply *r, struct text *out, struct text *err, const char *note) {
  memcpy(r->key, key, KEY);
  r->out = out->size, r->err = err->size, r->note = strlen(note);
  size_t size = sizeof *r + r->out + r->err + r->note;
  char *frame = malloc(size), *at = frame;
  if (!frame) _exit(1);
  at = mempcpy(at, r, sizeof *r), at = mempcpy(at, out->at, r->out), at = mempcpy(at, err->at, r->err);
  memcpy(at, note, r->note);
  put(frame, size);
  explicit_bzero(frame, KEY);       /* a child inherits what malloc had */
  free(frame);
  explicit_bzero(r->key, KEY);
}

static void execute(struct request *q, const char *program, struct child *spare) {
  static struct text out, err;
  struct reply r = {.refused = -1};
  struct rusage usage = {0};
  double asked = now(), started, stop;
  out.size = err.size = 0;
  if (!spare->pid && !prepare(spare)) {
    r.reason = UNABLE;
    char note[120];
    snprintf(note, sizeof note, "%s: %s", lacking, strerror(errno));
    answer(&r, &out, &err, note);
    return;
  }
  struct child c = *spare;
  *refused = -1;
  rlim_t whole = (rlim_t)q->timeout + 2;
  limit(c.pid, RLIMIT_CPU, whole, whole + 1);
  limit(c.pid, RLIMIT_AS, q->memory, q->memory);
  int file = program_file >= 0 ? program_file : c.file;
  if (program_file >= 0 && ftruncate(file, 0)) r.reason = UNABLE;
  for (size_t done = 0; done < q->length && !r.reason;) { /* the child's descriptor must stay at the beginning */
    ssize_t more = pwrite(file, program + done, q->length - done, done);
    if (more < 0 && errno != EINTR) r.reason = UNABLE;
    done += more > 0 ? more : 0;
  }
  started = now(), stop = started + q->timeout;
  int why = errno;
  if (!r.reason && write(c.control, &q->stack, sizeof q->stack) != sizeof q->stack) r.reason = LOST;
  shut(&c.control), shut(&c.file);
  spare->pid = 0;
  if (r.reason == EXITED) {
    prepare(spare);                 /* while the program runs */
    struct pollfd watch[4] = {{c.out, POLLIN, 0}, {c.err, POLLIN, 0}, {LINK, POLLIN, 0}, {parent, POLLIN, 0}};
    while (!ended(c.pid)) {
      double left = stop - now();
      if (left <= 0) { r.reason = TIMEOUT; break; }
      struct timespec most = {(time_t)left, (long)((left - (time_t)left) * 1e9)};
      if (most.tv_sec >= 1) most = (struct timespec){1, 0};
      int found = ppoll(watch, 4, &most, &ordinary); /* SIGCHLD interrupts it */
      if (found < 0) continue;
      if (watch[0].revents && drain(c.out, &out) == 0) watch[0].fd = -1;
      if (watch[1].revents && drain(c.err, &err) == 0) watch[1].fd = -1;
      if (watch[2].revents || (watch[3].revents & (POLLIN | POLLHUP))) { end(&c, &usage); _exit(0); }
      if (out.size + err.size > q->output) { r.reason = OUTPUT_LIMIT; break; }
    }
  }
  r.seconds = now() - started;
  if (r.reason == EXITED)
    while (drain(c.out, &out) > 0 || drain(c.err, &err) > 0)
      if (out.size + err.size > q->output) { r.reason = OUTPUT_LIMIT; break; }
  if (out.size > q->output) out.size = q->output;
  if (err.size > q->output) err.size = q->output;
  r.status = end(&c, &usage);
  r.cpu = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  r.resident = usage.ru_maxrss, r.faults = usage.ru_minflt, r.refused = *refused, r.waited = started - asked;
  answer(&r, &out, &err, r.reason == UNABLE ? strerror(why) : "");
}

static void set_up(void) {
  uint32_t length;
  key = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  refused = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (key == MAP_FAILED || refused == MAP_FAILED) _exit(1);
  get(key, KEY);
  if (madvise(key, 4096, MADV_WIPEONFORK)) refuse("the kernel has no MADV_WIPEONFORK: %s", strerror(errno));
  for (int i = 0; i < FIELDS; i++) {
    get(&length, 4);
    field[i].size = length;
    if (!(field[i].at = calloc(length + 1, 1))) _exit(1);
    get(field[i].at, length);
  }
  deadly = strtol(field[DEADLY].at, NULL, 10);
  setenv("SWI_HOME_DIR", field[HOME].at, 1);
  static char *words[] = {"swipl", "-q", "-f", "/program.pl", NULL}; /* no such file yet */
  if (!PL_initialise(4, words)) refuse("libswipl does not initialise");
  unsetenv("SWI_HOME_DIR");
  PL_register_foreign_in_module("system", "$holmes_timer", 1, timer, 0);
  for (char *at = field[GOALS].at, *last = at + field[GOALS].size; at < last; at += strlen(at) + 1)
    if (!goal(at)) refuse("SWI-Prolog refuses to set itself up: %.80s", at);
  for (char *at = field[NATIVE].at, *last = at + field[NATIVE].size; at < last; at += strlen(at) + 1)
    dlopen(at, RTLD_LAZY | RTLD_LOCAL);
  IOSTREAM **streams = _PL_streams(); /* the real ones; a program may rename its own */
  printed[0] = streams[1], printed[1] = streams[2];
  PL_on_halt(leave, NULL);
  run_it = PL_predicate("$holmes_run", 0, "system");
  if (field[PROGRAM].at[1] != 'p' || strncmp(field[PROGRAM].at, "/proc/", 6)) {
    program_file = open(field[PROGRAM].at, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (program_file < 0) refuse("%s: %s", field[PROGRAM].at, strerror(errno));
  }
}

/* server LINK PARENT: two inherited descriptors, PARENT -1 for none. */
int main(int count, char **word) {
  struct rlimit open_files;
  if (count != 3) return 2;
  server = getpid();
  unsetenv("LD_BIND_NOW");
  getrlimit(RLIMIT_NOFILE, &open_files);
  int link = fcntl(atoi(word[1]), F_DUPFD, 10), client_handle = fcntl(atoi(word[2]), F_DUPFD, 10);
  if (link < 0) return 2;
  dup2(link, LINK);
  if (client_handle >= 0) dup2(client_handle, parent = PARENT);
  else dup2(LINK, PARENT);          /* nothing else may take that place */
  close_from(5, open_files.rlim_max < 65536 ? open_files.rlim_max : 65536);
  set_up();
  limit(0, RLIMIT_CORE, 0, 0);
  limit(0, RLIMIT_NOFILE, MOST_FILES, MOST_FILES);
  struct sigaction trap = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO}, bell = {.sa_handler = rang};
  sigaction(SIGSYS, &trap, NULL);
  sigaction(SIGCHLD, &bell, NULL);
  signal(SIGINT, SIG_DFL), signal(SIGTERM, SIG_DFL), signal(SIGHUP, SIG_DFL); /* Prolog has put its own handlers in */
  signal(SIGPIPE, SIG_IGN);
  sigset_t bells;
  sigemptyset(&bells);
  sigaddset(&bells, SIGCHLD);
  sigprocmask(SIG_BLOCK, &bells, &ordinary);
  restrict_files();
  seal(OUTER);
  pid_t client = getppid();
  struct child spare = {0};
  char *program = NULL;
  size_t room = 0;
  greet(READY, "compiled");
  for (;;) {
    struct pollfd watch[2] = {{LINK, POLLIN, 0}, {parent, POLLIN, 0}};
    if (!spare.pid) prepare(&spare);
    int found = poll(watch, 2, 1000);
    if ((found > 0 && (watch[1].revents & (POLLIN | POLLHUP))) || getppid() != client) break;
    if (found <= 0 || !watch[0].revents) continue;
    struct request q;
    get(&q, sizeof q);
    if (q.length + 1ul > room && !(program = realloc(program, room = q.length + 1ul))) break;
    get(program, q.length);
    execute(&q, program, &spare);
  }
  if (spare.pid) end(&spare, &(struct rusage){0});
  return 0;
}
