"""One HOL Light process over many jobs: a slim load list, one fork a job, nothing believed that is not in its log."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from holmes.errors import EnvironmentFailure
from holmes.formal.script import Job, check

FOLDER = "/usr/share/hol-light"
MISSING = "hol-light is not installed: apt-get install --no-install-recommends hol-light libnum-ocaml-dev"
# files of HOL Light's own load list that the checker needs not
LEFT_OUT = ["metis", "thecops", "quot", "impconv", "compute", "sets", "iterate", "cart", "define", "help", "database"]
_FAILING = re.compile(r'else \(Format\.print_string\("Error in included file "\^s\);\s*Format\.print_newline\(\)\);;')
_PRELUDE = """#load "unix.cma";;
let h_wait () = let p,s = Unix.wait () in
  p,(match s with Unix.WEXITED n -> n | Unix.WSIGNALED n -> 1000 + abs n | Unix.WSTOPPED n -> 2000);;
"""
_DRIVER = """
let h_use file = if not (Toploop.use_silently Format.std_formatter file) then
  (Printf.printf "\\nHOLCHK\\tFATAL\\tload\\t%s\\n%!" file; exit 4);;
h_use "checker.ml";;
Printf.printf "\\nHOLJOB\\tready\\n%!";;
let h_running = ref [];;
let h_reap () = let p,code = h_wait () in
  let name = assoc p !h_running in
  h_running := filter (fun (q,_) -> q <> p) !h_running;
  Printf.printf "\\nHOLJOB\\tdone\\t%s\\t%d\\n%!" name code;;
let h_start most name =
  if List.length !h_running >= most then h_reap ();
  let p = Unix.fork () in
  if p = 0 then begin
    Unix.dup2 (Unix.descr_of_out_channel (open_out (name ^ ".log"))) Unix.stdout;
    Unix.dup2 Unix.stdout Unix.stderr;
    h_word := (let i = open_in (name ^ ".word") in let w = input_line i in close_in i; w);
    h_use (name ^ ".ml"); h_finish (); exit 0 end
  else h_running := (p,name) :: !h_running;;
"""


@dataclass(frozen=True, slots=True)
class Raw:
    """What one job left: the word of the run, its output, and how it ended (0 well; above 1000 by a signal)."""

    job: Job
    word: str
    text: str
    code: int


def folder() -> Path:
    """Return where HOL Light lies; raises EnvironmentFailure where it, or the numbers library, is missing."""
    place = Path(os.environ.get("HOLLIGHT_DIR") or FOLDER)
    if shutil.which("hol-light") is None or not (place / "hol.ml").is_file() or not (place / "ocaml").is_file():
        raise EnvironmentFailure(MISSING)
    return place


def version() -> str:
    """Return the version of HOL Light as Debian has it, or its own."""
    text = (folder() / "hol.ml").read_text(encoding="utf-8", errors="replace")
    own = re.search(r'hol_version = "([^"]+)"', text)
    packaged = (
        subprocess.run(["dpkg-query", "-W", "-f=${Version}", "hol-light"], capture_output=True, text=True)
        if (shutil.which("dpkg-query"))
        else None
    )
    found = packaged.stdout.strip() if packaged is not None and packaged.returncode == 0 else own and own[1]
    return str(found or "unknown")


def loader(text: str) -> str:
    """Return HOL Light's own load file with what the checker needs: fewer files, and a failing one ends the process.

    text: of ``hol.ml``. Raises EnvironmentFailure where it is not as expected.
    """
    text, fatal = _FAILING.subn(r'else (Printf.printf "\\nHOLCHK\\tFATAL\\tload\\t%s\\n%!" s; exit 4);;', text)
    for name in LEFT_OUT:
        text, gone = re.subn(rf'(?m)^loads "{name}\.ml";;.*\n', "", text)
        fatal = fatal and gone
    if not fatal:
        raise EnvironmentFailure(
            "hol-light: found another load file than that of version 20230128, expected its load list"
        )
    return _PRELUDE + text


def run(
    jobs: Sequence[Job],
    *,
    workers: int = 0,
    notify: Callable[[str], None] = lambda text: None,
    trusted: bool = False,
    hook: Callable[[subprocess.Popen[str], str], None] | None = None,
    timeout: float = 7200,
) -> list[Raw]:
    """Run jobs in one HOL Light process that loads once and forks for each.

    jobs: their scripts must pass `holmes.formal.script.check`, unless `trusted` (for tests of the checker alone).
    workers: jobs at a time, by default the processors. notify: told about progress. hook: called with the process and
    each of its lines. timeout: seconds for everything. Returns what each job left, in order; a job that never ended has
    a code other than 0. Raises EnvironmentFailure where the prover is missing or does not load.
    """
    place = folder()
    for job in jobs:
        if not trusted:
            check(job.script, f"script {job.name}")
    with tempfile.TemporaryDirectory(prefix="holmes-proof-") as name:
        here = Path(name)
        (here / "load.ml").write_text(loader((place / "hol.ml").read_text(encoding="utf-8")), encoding="utf-8")
        shutil.copy(Path(__file__).with_name("checker.ml"), here / "checker.ml")
        words = [secrets.token_hex(8) for _ in jobs]
        for number, (job, word) in enumerate(zip(jobs, words, strict=True)):
            (here / f"job{number}.ml").write_text(job.script, encoding="utf-8")
            (here / f"job{number}.word").write_text(word + "\n", encoding="utf-8")
        most = workers or os.cpu_count() or 1
        starts = "\n".join(f'h_start {most} "job{number}";;' for number in range(len(jobs)))
        drive = f"{starts}\nwhile !h_running <> [] do h_reap () done;;\nexit 0;;\n"
        codes, ready = _drive(place, here, drive, [job.name for job in jobs], notify, hook, timeout)
        if not ready:
            raise EnvironmentFailure(f"hol-light did not load: {_last(here)}; {MISSING}")
        return [
            Raw(job, word, _read(here / f"job{number}.log"), codes.get(f"job{number}", -1))
            for number, (job, word) in enumerate(zip(jobs, words, strict=True))
        ]


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def _last(here: Path) -> str:
    lines = [line for line in _read(here / "out.log").splitlines() if line.strip()]
    return next(
        (line for line in lines if "FATAL" in line or "Cannot find" in line), lines[-1] if lines else "no output"
    )


def _drive(
    place: Path,
    here: Path,
    drive: str,
    names: Sequence[str],
    notify: Callable[[str], None],
    hook: Callable[[subprocess.Popen[str], str], None] | None,
    timeout: float,
) -> tuple[dict[str, int], bool]:
    """Run the process to its end; returns how each job ended and whether the checker was loaded.

    The jobs are told only once it is ready: should this process be gone by then, the other ends, its input at an end.
    """
    codes: dict[str, int] = {}
    ready = False
    environment = {**os.environ, "HOLLIGHT_DIR": str(place)}
    with (here / "out.log").open("w") as kept:
        process = subprocess.Popen(
            [str(place / "ocaml"), "-init", "load.ml"],
            cwd=here,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=environment,
            start_new_session=True,
        )
        clock = threading.Timer(timeout, lambda: _kill(process))
        clock.start()
        notify("hol-light: loading")
        try:
            assert process.stdout is not None and process.stdin is not None
            _tell(process, _DRIVER)
            for line in process.stdout:
                kept.write(line)
                fields = line.rstrip("\n").removeprefix("# ").split("\t")
                if fields[0] == "HOLJOB" and fields[1] == "ready":
                    ready = True
                    notify("hol-light: loaded")
                    _tell(process, drive)
                    _end_input(process)
                elif fields[0] == "HOLJOB" and len(fields) == 4:
                    codes[fields[2]] = int(fields[3])
                    notify(f"hol-light: {len(codes)} of {len(names)} scripts, {names[int(fields[2][3:])]} done")
                if hook is not None:
                    hook(process, line)
            process.wait()
        finally:
            clock.cancel()
            _kill(process)
            process.wait()
            _end_input(process)
    return codes, ready


def _tell(process: subprocess.Popen[str], text: str) -> None:
    """Give the process phrases to run; one that is gone already takes none."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(text)
        process.stdin.flush()


def _end_input(process: subprocess.Popen[str]) -> None:
    """Close the input; what a process that is gone has not taken is flushed once more by that, and refused again."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()


def _kill(process: subprocess.Popen[str]) -> None:
    """End the process and its forks, which share its session."""
    try:
        os.killpg(process.pid, 9)
    except (ProcessLookupError, PermissionError):
        return
