"""A default-deny seccomp filter for a Prolog child: built as classic BPF, installed through ctypes.

x86-64 is tested on hardware; the aarch64 filter is tested only by the BPF interpreter of ``tests/prolog``.
Runs inside the Prolog server, so it imports nothing heavy.
"""

from __future__ import annotations

import ctypes
import struct

ALLOW, KILL, REFUSE, MISSING = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026  # the last two: EPERM, ENOSYS
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06

_WRITE_FLAGS = 0x1 | 0x2 | 0x40 | 0x200 | 0x400  # O_WRONLY O_RDWR O_CREAT O_TRUNC O_APPEND; O_TMPFILE needs one of them
_PROT_EXEC = 0x4
_CLONE_THREAD = 0x10000
_TCGETS = 0x5401
_FCNTL = (1, 2, 3, 4)  # get and set descriptor and status flags
_SELF = (6, 11, 12)  # SIGABRT, SIGSEGV, and SIGUSR2, by which Prolog wakes a thread: all a process may send to itself


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

# Most frequent first: the filter is a list of comparisons.
PLAIN = _words(
    "read write futex brk munmap mremap madvise lseek close fstat newfstatat access faccessat faccessat2 "
    "clock_gettime rt_sigprocmask rt_sigaction rt_sigreturn getpid gettid exit_group exit pread64 writev getrandom "
    "clock_nanosleep nanosleep sched_yield restart_syscall sigaltstack poll ppoll select pselect6 getcwd getrusage "
    "times time gettimeofday getuid geteuid getgid getegid"
)
CHECKED = ("open", "openat", "mmap", "mprotect", "ioctl", "fcntl", "prlimit64", "tgkill", "clone", "clone3")
FATAL = _words(
    "execve execveat fork vfork socket socketpair connect accept sendto sendmsg bind listen kill tkill ptrace "
    "process_vm_readv process_vm_writev prctl seccomp bpf perf_event_open mount umount2 pivot_root chroot unshare "
    "setns init_module finit_module delete_module kexec_load reboot swapon keyctl add_key request_key userfaultfd "
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
    last = len(numbers) - 1
    code = b"".join(_op(_EQUAL, n, last - i, 0 if i < last else 1) for i, n in enumerate(numbers))
    return code + _answer(value)


def _checks(pid: int) -> dict[str, bytes]:
    """Return, for each call that depends on its arguments, the instructions that decide it."""

    def no_bit(index: int, bits: int) -> bytes:
        return _argument(index) + _op(_ANY_BIT, bits, 0, 1) + _answer(REFUSE) + _answer(ALLOW)

    null = _op(_EQUAL, 0, 1, 0) + _answer(REFUSE)
    own = _argument(0) + _op(_EQUAL, pid, 1, 0) + _answer(KILL)
    return {
        "open": no_bit(1, _WRITE_FLAGS),
        "openat": no_bit(2, _WRITE_FLAGS),
        "mmap": no_bit(2, _PROT_EXEC),
        "mprotect": no_bit(2, _PROT_EXEC),
        "ioctl": _argument(1) + _group([_TCGETS], ALLOW) + _answer(REFUSE),
        "fcntl": _argument(1) + _group(list(_FCNTL), ALLOW) + _answer(REFUSE),
        "prlimit64": _argument(2) + null + _argument(2, high=True) + null + _answer(ALLOW),  # read only
        "tgkill": own + _argument(2) + _group(list(_SELF), ALLOW) + _answer(REFUSE),
        # A thread is refused, so that Prolog names it; a new process is a violation.
        "clone": _argument(0) + _op(_ANY_BIT, _CLONE_THREAD, 0, 1) + _answer(REFUSE) + _answer(KILL),
        "clone3": _answer(MISSING),  # its flags lie in memory; the C library then falls back to clone
    }


def build(machine: str, pid: int) -> bytes:
    """Return the filter as BPF instructions of 8 bytes each.

    machine: ``x86_64`` or ``aarch64``. pid: the process that will run under it (only it may be sent a signal).
    Calls on no list give EPERM. Raises KeyError for another machine.
    """
    audit, numbers = ARCHITECTURES[machine]
    code = _op(_LOAD, 4) + _op(_EQUAL, audit, 1, 0) + _answer(KILL) + _op(_LOAD, 0)
    if machine == "x86_64":
        code += _op(_AT_LEAST, 0x40000000, 0, 1) + _answer(KILL)  # the x32 calls
    code += _group([numbers[name] for name in PLAIN if name in numbers], ALLOW)
    for name, block in _checks(pid).items():
        if name in numbers:
            code += _op(_EQUAL, numbers[name], 0, len(block) // 8) + block
    return code + _group([numbers[name] for name in FATAL if name in numbers], KILL) + _answer(REFUSE)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class Filter:
    """A filter built once, with the process id patched in, and installed after a fork with little work."""

    def __init__(self, machine: str) -> None:
        marker = 0x5A17BEEF
        code = build(machine, marker)
        self._at = code.index(struct.pack("=I", marker))
        self._buffer = ctypes.create_string_buffer(code, len(code))
        self._program = _Program(len(code) // 8, ctypes.addressof(self._buffer))
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._call = {"x86_64": 317, "aarch64": 277}[machine]

    def install(self, pid: int) -> None:
        """Lock the calling thread under the filter for ever; raises OSError when the kernel refuses."""
        self._patch(pid)
        no_new_privileges(self._libc)
        if self._libc.syscall(self._call, 1, 4, ctypes.byref(self._program)):  # 4: no speculation slow-down
            raise OSError(ctypes.get_errno(), "seccomp")

    def _patch(self, pid: int) -> None:
        struct.pack_into("=I", self._buffer, self._at, pid)


def no_new_privileges(libc: ctypes.CDLL) -> None:
    """Set PR_SET_NO_NEW_PRIVS, without which an ordinary user may install neither filter nor ruleset."""
    if libc.prctl(38, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs")
