"""Default-deny seccomp filters for a Prolog child, built as classic BPF.

The filter of an embedded engine is split: the large part is installed once in the server (`server_filter`), a few
instructions in each child (`child_filter`); the kernel takes the stricter of the two answers. An own `swipl` a program
gets one filter (`exec_filter`), under which a single exec, from one secret address, is possible.
x86-64 is tested on hardware; the aarch64 filters are tested only by the BPF interpreter of ``tests/prolog``.
"""

from __future__ import annotations

import ctypes
import os
import struct

ALLOW, KILL, REFUSE, MISSING = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026  # the last two: EPERM, ENOSYS
TRAP = 0x00030000  # SIGSYS with the number of the call: the compiled server's handler notes it and ends the process
MARKER = 0x5A17BEEF  # stands where each child puts its process id
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06

_WRITE_FLAGS = 0x1 | 0x2 | 0x40 | 0x200 | 0x400  # O_WRONLY O_RDWR O_CREAT O_TRUNC O_APPEND; O_TMPFILE needs one of them
_PROT_EXEC = 0x4
_CLONE_THREAD = 0x10000
_TCGETS = 0x5401
_FCNTL = (1, 2, 3, 4)  # get and set descriptor and status flags
_SELF = (6, 11, 12)  # SIGABRT, SIGSEGV, and SIGUSR2, by which Prolog wakes a thread: all a process may send to itself
_SIGSYS = 31
_REAL_TIMER = 0


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _numbers(text: str) -> dict[str, int]:
    """Read ``name number, name number, …``."""
    return {name: int(number) for name, number in map(str.split, text.split(",")[:-1])}


# architecture -> (audit value, name -> number)
ARCHITECTURES: dict[str, tuple[int, dict[str, int]]] = {
    "x86_64": (
        0xC000003E,
        _numbers("""
            pwrite64 18, pipe 22, dup2 33, setitimer 38, wait4 61, uname 63, ftruncate 77, getdents 78, readlink 89,
            sysinfo 99, setpgid 109, getppid 110, statfs 137, fstatfs 138, arch_prctl 158, sched_getaffinity 204,
            getdents64 217, set_tid_address 218, waitid 247, readlinkat 267, set_robust_list 273, dup3 292,
            pipe2 293, rseq 334, close_range 436,
            read 0, write 1, open 2, close 3, fstat 5, poll 7, lseek 8, mmap 9, mprotect 10, munmap 11,
            brk 12, rt_sigaction 13, rt_sigprocmask 14, rt_sigreturn 15, ioctl 16, pread64 17, writev 20,
            access 21, select 23, sched_yield 24, mremap 25, madvise 28, nanosleep 35, getpid 39, socket 41,
            connect 42, accept 43, sendto 44, sendmsg 46, bind 49, listen 50, socketpair 53, clone 56,
            fork 57, vfork 58, execve 59, exit 60, kill 62, fcntl 72, getcwd 79, gettimeofday 96,
            getrusage 98, times 100, ptrace 101, getuid 102, getgid 104, setuid 105, setgid 106,
            geteuid 107, getegid 108, setreuid 113, setregid 114, setgroups 116, setresuid 117,
            setresgid 119, sigaltstack 131, pivot_root 155, prctl 157, chroot 161, mount 165, umount2 166,
            swapon 167, reboot 169, init_module 175, delete_module 176, gettid 186, tkill 200, time 201,
            futex 202, restart_syscall 219, clock_gettime 228, clock_nanosleep 230, exit_group 231,
            tgkill 234, kexec_load 246, add_key 248, request_key 249, keyctl 250, openat 257,
            newfstatat 262, pselect6 270, ppoll 271, unshare 272, perf_event_open 298, prlimit64 302,
            setns 308, process_vm_readv 310, process_vm_writev 311, finit_module 313, seccomp 317,
            getrandom 318, memfd_create 319, bpf 321, execveat 322, userfaultfd 323, pidfd_send_signal 424,
            io_uring_setup 425, io_uring_enter 426, io_uring_register 427, pidfd_open 434, clone3 435,
            pidfd_getfd 438,
        """),
    ),
    "aarch64": (
        0xC00000B7,
        _numbers("""
            dup3 24, statfs 43, fstatfs 44, ftruncate 46, pipe2 59, getdents64 61, pwrite64 68, readlinkat 78,
            waitid 95, set_tid_address 96, set_robust_list 99, setitimer 103, sched_getaffinity 123, setpgid 154,
            uname 160, getppid 173, sysinfo 179, wait4 260, rseq 293, close_range 436,
            getcwd 17, fcntl 25, ioctl 29, umount2 39, mount 40, pivot_root 41, faccessat 48, chroot 51,
            openat 56, close 57, lseek 62, read 63, write 64, writev 66, pread64 67, pselect6 72, ppoll 73,
            newfstatat 79, fstat 80, exit 93, exit_group 94, unshare 97, futex 98, nanosleep 101,
            kexec_load 104, init_module 105, delete_module 106, clock_gettime 113, clock_nanosleep 115,
            ptrace 117, sched_yield 124, restart_syscall 128, kill 129, tkill 130, tgkill 131,
            sigaltstack 132, rt_sigaction 134, rt_sigprocmask 135, rt_sigreturn 139, reboot 142,
            setregid 143, setgid 144, setreuid 145, setuid 146, setresuid 147, setresgid 149, times 153,
            setgroups 159, getrusage 165, prctl 167, gettimeofday 169, getpid 172, getuid 174, geteuid 175,
            getgid 176, getegid 177, gettid 178, socket 198, socketpair 199, bind 200, listen 201,
            accept 202, connect 203, sendto 206, sendmsg 211, brk 214, munmap 215, mremap 216, add_key 217,
            request_key 218, keyctl 219, clone 220, execve 221, mmap 222, swapon 224, mprotect 226,
            madvise 233, perf_event_open 241, prlimit64 261, setns 268, process_vm_readv 270,
            process_vm_writev 271, finit_module 273, seccomp 277, getrandom 278, memfd_create 279, bpf 280,
            execveat 281, userfaultfd 282, pidfd_send_signal 424, io_uring_setup 425, io_uring_enter 426,
            io_uring_register 427, pidfd_open 434, clone3 435, pidfd_getfd 438, faccessat2 439,
        """),
    ),
}  # fmt: skip

# Most frequent first: a filter is a list of comparisons.
PLAIN = _words(
    "read write futex brk munmap mremap madvise lseek close fstat newfstatat access faccessat faccessat2 "
    "clock_gettime rt_sigprocmask rt_sigreturn getpid gettid exit_group exit pread64 writev getrandom "
    "clock_nanosleep nanosleep sched_yield restart_syscall sigaltstack poll ppoll select pselect6 getcwd getrusage "
    "times time gettimeofday getuid geteuid getgid getegid"
)
CHECKED = (
    "open", "openat", "mmap", "mprotect", "ioctl", "fcntl", "prlimit64", "kill", "tgkill", "clone", "clone3",
    "rt_sigaction", "setitimer",
)  # fmt: skip
# What the server alone may do; refused in its children, the second row fatal there.
SERVER = _words(
    "pipe pipe2 dup2 dup3 setpgid getppid wait4 waitid pwrite64 ftruncate close_range set_robust_list rseq "
    "set_tid_address"
)
SERVER_FATAL = _words("memfd_create prctl seccomp pidfd_open fork vfork")
# What a `swipl` that starts afresh needs besides.
STARTING = _words(
    "arch_prctl set_tid_address set_robust_list rseq readlink readlinkat getdents getdents64 uname sysinfo statfs "
    "fstatfs getppid sched_getaffinity"
)
DEADLY = "kexec_load"  # kills at once, whatever `fatal` is: by this call the handler of TRAP ends the process
FATAL = _words(
    "execve execveat fork vfork socket socketpair connect accept sendto sendmsg bind listen kill tkill ptrace "
    "process_vm_readv process_vm_writev prctl seccomp bpf perf_event_open mount umount2 pivot_root chroot unshare "
    "setns init_module finit_module delete_module reboot swapon keyctl add_key request_key userfaultfd "
    "memfd_create io_uring_setup io_uring_enter io_uring_register pidfd_open pidfd_getfd pidfd_send_signal setuid "
    "setgid setreuid setregid setresuid setresgid setgroups"
)


def _op(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _argument(index: int, high: bool = False) -> bytes:
    return _op(_LOAD, 16 + 8 * index + (4 if high else 0))


def _answer(value: int) -> bytes:
    return _op(_RETURN, value)


def _group(numbers: list[int], value: int) -> bytes:
    """Give `value` for any of the calls; they share one answer, since each instruction costs time at every fork."""
    if not numbers:
        return b""
    last = len(numbers) - 1
    code = b"".join(_op(_EQUAL, n, last - i, 0 if i < last else 1) for i, n in enumerate(numbers))
    return code + _answer(value)


def _no_bit(index: int, bits: int) -> bytes:
    return _argument(index) + _op(_ANY_BIT, bits, 0, 1) + _answer(REFUSE) + _answer(ALLOW)


def _common() -> dict[str, bytes]:
    """Return, for each call that depends on its arguments alone, the instructions that decide it."""
    return {
        "open": _no_bit(1, _WRITE_FLAGS),
        "openat": _no_bit(2, _WRITE_FLAGS),
        "mmap": _no_bit(2, _PROT_EXEC),
        "mprotect": _no_bit(2, _PROT_EXEC),
        "ioctl": _argument(1) + _group([_TCGETS], ALLOW) + _answer(REFUSE),
        "fcntl": _argument(1) + _group(list(_FCNTL), ALLOW) + _answer(REFUSE),
        "clone3": _answer(MISSING),  # its flags lie in memory; the C library then falls back to clone
        "rt_sigaction": _argument(0) + _group([_SIGSYS], REFUSE) + _answer(ALLOW),  # nobody unsets TRAP's handler
        "setitimer": _argument(0) + _group([_REAL_TIMER], ALLOW) + _answer(REFUSE),
    }


def _own(pid: int, fatal: int) -> dict[str, bytes]:
    """Return the instructions for the calls that only the server may make freely."""
    null = _op(_EQUAL, 0, 1, 0) + _answer(REFUSE)
    own = _argument(0) + _op(_EQUAL, pid, 1, 0) + _answer(fatal)
    return {
        "prlimit64": _argument(2) + null + _argument(2, high=True) + null + _answer(ALLOW),  # read only
        "kill": own + _argument(1) + _group(list(_SELF), ALLOW) + _answer(REFUSE),
        "tgkill": own + _argument(2) + _group(list(_SELF), ALLOW) + _answer(REFUSE),
        # A thread is refused, so that Prolog names it; a new process is a violation.
        "clone": _argument(0) + _op(_ANY_BIT, _CLONE_THREAD, 0, 1) + _answer(REFUSE) + _answer(fatal),
    }


def _numbers_of(numbers: dict[str, int], names: tuple[str, ...]) -> list[int]:
    return [numbers[name] for name in names if name in numbers]


def _blocks(numbers: dict[str, int], blocks: dict[str, bytes]) -> bytes:
    return b"".join(
        _op(_EQUAL, numbers[name], 0, len(block) // 8) + block for name, block in blocks.items() if name in numbers
    )


def _start(machine: str) -> bytes:
    code = _op(_LOAD, 4) + _op(_EQUAL, ARCHITECTURES[machine][0], 1, 0) + _answer(KILL) + _op(_LOAD, 0)
    if machine == "x86_64":
        code += _op(_AT_LEAST, 0x40000000, 0, 1) + _answer(KILL)  # the x32 calls
    return code


def _end(numbers: dict[str, int], fatal: int, spared: tuple[str, ...] = ()) -> bytes:
    names = tuple(name for name in FATAL if name not in spared)
    return _group([numbers[DEADLY]], KILL) + _group(_numbers_of(numbers, names), fatal) + _answer(REFUSE)


def server_filter(machine: str, fatal: int = KILL) -> bytes:
    """Return the part that the server installs once: BPF instructions of 8 bytes each.

    machine: ``x86_64`` or ``aarch64``. fatal: KILL or TRAP, the answer to calls that mean harm. Calls on no list give
    EPERM. Raises KeyError for another machine.
    """
    numbers = ARCHITECTURES[machine][1]
    allowed = (*PLAIN, *SERVER, *SERVER_FATAL, "prlimit64", "kill", "tgkill", "clone")
    code = _start(machine) + _group(_numbers_of(numbers, allowed), ALLOW) + _blocks(numbers, _common())
    return code + _end(numbers, fatal, (*SERVER_FATAL, "kill"))


def child_filter(machine: str, pid: int = MARKER, fatal: int = KILL) -> bytes:
    """Return the part that each child adds: it takes away what only the server may do.

    pid: the process that will run under it, the only one it may send a signal to. Everything else is left to
    `server_filter`, which is in force already.
    """
    numbers = ARCHITECTURES[machine][1]
    code = _op(_LOAD, 0) + _group(_numbers_of(numbers, SERVER), REFUSE)
    return (
        code + _group(_numbers_of(numbers, SERVER_FATAL), fatal) + _blocks(numbers, _own(pid, fatal)) + _answer(ALLOW)
    )


def exec_filter(machine: str, pid: int, address: int) -> bytes:
    """Return the whole filter for a process that turns itself into a `swipl` of its own.

    address: of the path given to execve, the only one from which the call is allowed; it is secret, and gone after the
    exec. Code may be mapped, because a program that starts has to.
    """
    numbers = ARCHITECTURES[machine][1]
    blocks = {**_common(), **_own(pid, KILL)}
    del blocks["mmap"], blocks["mprotect"]
    low = _argument(0) + _op(_EQUAL, address & 0xFFFFFFFF, 1, 0) + _answer(KILL)
    high = _argument(0, high=True) + _op(_EQUAL, address >> 32, 1, 0) + _answer(KILL)
    blocks["execve"] = low + high + _answer(ALLOW)
    allowed = (*PLAIN, *STARTING, "mmap", "mprotect")
    code = _start(machine) + _group(_numbers_of(numbers, allowed), ALLOW) + _blocks(numbers, blocks)
    return code + _end(numbers, KILL, ("execve", "kill"))


def names(machine: str) -> dict[int, str]:
    """Return number -> name of the calls known here."""
    return {number: name for name, number in ARCHITECTURES[machine][1].items()}


class Program(ctypes.Structure):
    """A filter as the kernel takes it: number of instructions, their address."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


_CALL = ARCHITECTURES.get(os.uname().machine, (0, {"seccomp": -1}))[1]["seccomp"]  # asked now: later uname is refused


def install(libc: ctypes.CDLL, program: Program) -> None:
    """Lock this process under a filter for ever; raises OSError when the kernel refuses."""
    # 38: PR_SET_NO_NEW_PRIVS, without which an ordinary user may not; 4: no speculation slow-down
    if libc.prctl(38, 1, 0, 0, 0) or libc.syscall(_CALL, 1, 4, ctypes.byref(program)):
        raise OSError(ctypes.get_errno(), "seccomp")
