"""The Runner: what a program does, its limits, many threads, forks, and the cache."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time

import pytest

from holmes.errors import EnvironmentFailure, InputError
from holmes.prolog import Limits, Run, Runner, RunOutcome, default_runner

LOOP = "p :- p.\n:- p.\n"


@pytest.fixture(scope="module")
def runner():
    with Runner(workers=2) as one:
        yield one


def test_a_program_gives_its_output_and_ends_well(runner: Runner) -> None:
    """A program that prints and halts is ok, with exit code 0 and nothing on stderr."""
    run = runner.run("tax(5).\n:- tax(X), format('Tax result: ~w~n', [X]).\n:- halt.\n")
    assert (run.outcome, run.stdout, run.stderr, run.exit_code) == (RunOutcome.OK, "Tax result: 5\n", "", 0)
    assert run.clean and run.note == "" and run.seconds > 0


def test_output_survives_a_load_error_that_is_reported(runner: Runner) -> None:
    """A syntax error drops a clause; the wrong total is printed, and the run is an error that names it."""
    run = runner.run(
        "fee(1, 40).\nfee(2, 60) fee(3, 150).\n"
        ":- findall(F, fee(_, F), L), sum_list(L, T), format('Total cost: ~w~n', [T]).\n:- halt.\n"
    )
    assert (run.outcome, run.stdout, run.exit_code) == (RunOutcome.ERROR, "Total cost: 40\n", 0)
    assert "Syntax error" in run.load_errors[0] and "/program.pl:2:" in run.load_errors[0]


def test_a_singleton_is_a_warning_and_not_an_error(runner: Runner) -> None:
    """Style warnings leave the outcome ok but the run is not clean."""
    run = runner.run("p(X) :- q.\nq.\n:- halt.\n")
    assert run.outcome is RunOutcome.OK and not run.clean and "Singleton" in run.warnings[0]


def test_a_loop_is_stopped_and_its_output_kept_apart(runner: Runner) -> None:
    """A program beyond its time is a timeout."""
    run = runner.run(":- format('Tax result: 1~n').\n" + LOOP, Limits(timeout=0.5))
    assert run.outcome is RunOutcome.TIMEOUT and run.seconds >= 0.5


def test_queueing_does_not_count_as_run_time() -> None:
    """Thirty programs of a tenth of a second behind one worker all finish, none of them stopped."""
    wait = ":- get_time(A), repeat, get_time(B), B - A > 0.1, !, writeln(done).\n:- halt.\n"
    with Runner(Limits(timeout=2.0), workers=1) as one:
        threads_runs: list[Run] = []
        threads = [threading.Thread(target=lambda: threads_runs.append(one.run(wait))) for _ in range(30)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [run.stdout for run in threads_runs] == ["done\n"] * 30


def test_endless_output_is_cut_at_the_limit(runner: Runner) -> None:
    """A program that prints without end is an output_limit, with at most the limit kept."""
    run = runner.run("p :- writeln(x), p.\n:- p.\n", Limits(output=10_000))
    assert run.outcome is RunOutcome.OUTPUT_LIMIT and len(run.stdout) <= 10_000


def test_output_of_exactly_the_limit_is_not_cut(runner: Runner) -> None:
    """The limit itself is allowed; one byte more is not."""
    program = ":- forall(between(1, 999, _), write(x)), nl.\n:- halt.\n"
    assert runner.run(program, Limits(output=1000)).outcome is RunOutcome.OK
    assert runner.run(program, Limits(output=999)).outcome is RunOutcome.OUTPUT_LIMIT


def test_memory_beyond_the_limit_is_a_memory_limit(runner: Runner) -> None:
    """Clauses asserted without end hit the address-space limit, not the time limit."""
    run = runner.run(
        ":- dynamic z/1.\nq(N) :- atom_concat(a, N, A), atom_concat(A, A, B), assertz(z(B)), "
        "M is N+1, q(M).\n:- q(0).\n",
        Limits(memory=256 << 20),
    )
    assert run.outcome is RunOutcome.MEMORY_LIMIT


def test_stack_overflow_is_an_ordinary_error(runner: Runner) -> None:
    """Unbounded recursion throws inside Prolog, later directives run, and the run is an error."""
    run = runner.run(
        "p(X) :- p(Y), q(X, Y).\n:- p(1).\n:- format('Result: Contradiction~n').\n:- halt.\n", Limits(stack=32 << 20)
    )
    assert (run.outcome, run.stdout) == (RunOutcome.ERROR, "Result: Contradiction\n")
    assert any("Stack limit" in message for message in run.load_errors)


def test_exit_codes_are_those_of_plain_swipl(runner: Runner) -> None:
    """A failing main exits 1, a throwing main 2 (1 in later versions), halt(3) exits 3."""
    assert runner.run(":- initialization(main, main).\nmain :- fail.\n").exit_code == 1
    assert runner.run(":- initialization(main, main).\nmain :- throw(x).\n").exit_code in (1, 2)
    assert runner.run(":- halt(3).\n").exit_code == 3


def test_text_is_utf8_whatever_the_locale_of_the_caller(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Non-ASCII source is read and printed unharmed, also when the caller runs under LC_ALL=C."""
    monkeypatch.setenv("LC_ALL", "C")
    with Runner() as fresh:
        assert fresh.run("nm('张三').\n:- nm(X), format('~w ¥650~n', [X]).\n:- halt.\n").stdout == "张三 ¥650\n"


def test_odd_text_is_run_and_does_not_disturb_the_server(runner: Runner) -> None:
    """NUL, lone surrogates, an empty text, a byte-order mark and a megabyte of comment all run."""
    assert runner.run("").outcome is RunOutcome.OK
    assert runner.run("a('\x00').\n:- writeln(ok).\n:- halt.\n").stdout.endswith("ok\n")
    assert runner.run("% \ud800\n:- writeln(ok).\n:- halt.\n").stdout == "ok\n"
    assert runner.run("\ufeff:- writeln(ok).\n:- halt.\n").stdout == "ok\n"
    assert runner.run("% " + "x" * 1_000_000 + "\n:- writeln(ok).\n:- halt.\n").stdout == "ok\n"


def test_run_many_keeps_the_order(runner: Runner) -> None:
    """Results come in the order of the programs."""
    runs = runner.run_many(f":- writeln({n}).\n:- halt.\n" for n in range(40))
    assert [run.stdout for run in runs] == [f"{n}\n" for n in range(40)]


def test_threads_share_a_runner(runner: Runner) -> None:
    """Sixteen threads get each their own result."""
    found: dict[int, str] = {}

    def work(number: int) -> None:
        for step in range(5):
            found[number * 10 + step] = runner.run(f":- writeln({number * 10 + step}).\n:- halt.\n").stdout

    threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80 and all(text == f"{number}\n" for number, text in found.items())


def test_a_forked_process_opens_a_server_of_its_own(runner: Runner) -> None:
    """A runner inherited through a fork works in both processes, with different servers."""
    assert runner.run(":- writeln(parent).\n:- halt.\n").stdout == "parent\n"
    servers = {worker.pid for worker in runner._idle}
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = runner.run(":- writeln(child).\n:- halt.\n").stdout
            apart = not servers & {worker.pid for worker in runner._idle}
            runner.close()
            os.write(write, f"{text.strip()} {apart}".encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        assert pipe.read() == "child True"
    os.waitpid(child, 0)
    assert runner.run(":- writeln(again).\n:- halt.\n").stdout == "again\n"
    assert servers & {worker.pid for worker in runner._idle}


def test_a_closed_runner_refuses() -> None:
    """After close, run raises one clear error, and closing again does nothing."""
    one = Runner()
    one.close()
    one.close()
    with pytest.raises(EnvironmentFailure, match="closed"):
        one.run(":- halt.\n")


def test_the_default_runner_is_one_for_the_process() -> None:
    """default_runner returns the same runner each time."""
    assert default_runner() is default_runner()
    assert default_runner().run(":- writeln(x).\n:- halt.\n").stdout == "x\n"
    default_runner().close()
    assert default_runner().run(":- writeln(y).\n:- halt.\n").stdout == "y\n"


def test_wrong_limits_are_refused_by_name() -> None:
    """A limit outside its range names field, found and expected."""
    for wrong in ({"timeout": 0}, {"timeout": float("nan")}, {"memory": 1}, {"output": 0}, {"stack": -1}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            Limits(**wrong)
    with pytest.raises(InputError, match="workers"):
        Runner(workers=0)


def test_without_swipl_one_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """A machine without swipl gets the apt command."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with Runner() as one, pytest.raises(EnvironmentFailure, match="apt-get install swi-prolog-nox"):
        one.run(":- halt.\n")


def test_the_cache_keeps_only_what_is_deterministic(tmp_path) -> None:
    """A result is kept by program, limits and engine; a timeout is not kept."""
    program = ":- get_time(X), writeln(X).\n:- halt.\n"
    with Runner(cache=tmp_path / "runs.sqlite") as one:
        first = one.run(program)
        assert one.run(program) == first
        assert one.run(program, Limits(timeout=5.0)).stdout != first.stdout
        limits = Limits(timeout=0.2)
        assert one.run(LOOP, limits).outcome is RunOutcome.TIMEOUT
        assert one.cache.get(one.key(LOOP, limits)) is None and one.cache.get(one.key(program)) == first
    with Runner(cache=tmp_path / "runs.sqlite") as other:
        assert other.run(program) == first
    with Runner() as none:
        assert none.run(program).stdout != none.run(program).stdout


def test_a_broken_cache_file_costs_the_cache_and_not_the_result(tmp_path) -> None:
    """A file that is no database is named when it is opened; one that breaks later is left aside with a warning."""
    (tmp_path / "text").write_text("this is no database, but long enough to be taken for a broken one " * 20)
    with Runner(cache=tmp_path / "text") as one, pytest.raises(EnvironmentFailure, match="text: the cache"):
        one.run(":- halt.\n")
    path = tmp_path / "runs.sqlite"
    with Runner(cache=path) as one:
        one.run(":- writeln(1).\n:- halt.\n")
        with sqlite3.connect(path) as other:
            other.execute("DROP TABLE runs")
        with pytest.warns(UserWarning, match="memory only"):
            assert one.run(":- writeln(2).\n:- halt.\n").stdout == "2\n"
        assert one.run(":- writeln(3).\n:- halt.\n").stdout == "3\n"


def test_a_server_is_replaced_after_its_share_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh server takes over now and then, unnoticed in the results."""
    monkeypatch.setattr(sys.modules["holmes.prolog.runner"], "RESTART_AFTER", 3)
    with Runner() as one:
        servers = set()
        for number in range(7):
            assert one.run(f":- writeln({number}).\n:- halt.\n").stdout == f"{number}\n"
            servers |= {worker.pid for worker in one._idle}
    assert len(servers) == 3


def test_a_server_whose_canary_fails_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server is asked for what is known now and then; when it is wrong, the program runs elsewhere."""
    from holmes.prolog.worker import Worker

    monkeypatch.setattr(sys.modules["holmes.prolog.runner"], "CANARY_EVERY", 2)
    asked: list[Worker] = []
    healthy = Worker.healthy

    def once_wrong(self: Worker) -> bool:
        asked.append(self)
        return healthy(self) and len(asked) != 2

    monkeypatch.setattr(Worker, "healthy", once_wrong)
    with Runner() as one:
        servers = set()
        for number in range(6):
            assert one.run(f":- writeln({number}).\n:- halt.\n").stdout == f"{number}\n"
            servers |= {worker.pid for worker in one._idle}
    assert len(servers) == 2 and len(asked) >= 3


def test_a_long_program_does_not_delay_the_answer_of_a_short_one(runner: Runner) -> None:
    """Two workers run two programs at the same time."""
    slow = threading.Thread(target=runner.run, args=(LOOP, Limits(timeout=3.0)))
    slow.start()
    time.sleep(0.2)
    assert runner.run(":- writeln(x).\n:- halt.\n").stdout == "x\n"
    assert slow.is_alive()
    slow.join()


@pytest.mark.parametrize(
    ("program", "named"),
    [
        (":- use_foreign_library(foreign(process)).", "refused: native library process"),
        (":- use_module(library(socket)).", "refused: native library socket"),
        (":- open('/etc/passwd', read, _).", "refused: open '/etc/passwd'"),
        (":- tell('/tmp/x').", "refused: open '/tmp/x'"),
        (":- shell(ls).", "refused: a new process"),
        (":- open(pipe(ls), read, _).", "refused: open pipe(ls)"),
        (":- thread_create(true, _, []).", "refused: threads"),
    ],
)
def test_what_is_refused_is_named(program: str, named: str) -> None:
    """A program that asks for a native library or for threads goes on without, and the note says what was refused."""
    with Runner() as runner:
        run = runner.run(program + "\n:- writeln(done).\n")
    assert (run.stdout.startswith("done") or run.outcome is RunOutcome.VIOLATION) and named in run.note


def test_a_machine_that_fails_for_good_is_reported_once_with_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half-way through a batch no server starts any more: one error, which holds the runs that were made."""
    from holmes.prolog import BatchFailure, worker

    for workers in (1, 2):
        with Runner(workers=workers) as one:
            monkeypatch.setattr(sys.modules["holmes.prolog.runner"], "RESTART_AFTER", 3)
            first = one.run_many([f":- writeln({n}).\n:- halt.\n" for n in range(2)])
            assert [run.stdout for run in first] == ["0\n", "1\n"]

            def none(*_: object, **__: object) -> None:
                raise OSError(24, "Too many open files")

            with monkeypatch.context() as patch, pytest.raises(BatchFailure, match="Too many open files") as caught:
                patch.setattr(worker.subprocess, "Popen", none)
                one.run_many([f":- writeln({n}).\n:- halt.\n" for n in range(12)])
            made = [run.stdout if run else None for run in caught.value.runs]
            assert len(made) == 12 and made[0] == "0\n" and made[-1] is None
            assert all(text in (None, f"{n}\n") for n, text in enumerate(made))


def test_good_programs_have_their_libraries(runner: Runner) -> None:
    """Time limits, concurrency and harmless native libraries do what they do in plain swipl."""
    program = """
:- use_module(library(uri)).
:- use_module(library(pcre)).
:- use_module(library(yaml)).
:- use_module(library(porter_stem)).
:- use_module(library(isub)).
:- use_module(library(unicode)).
:- use_module(library(crypto)).
:- use_module(library(sgml)).
t(G) :- catch(( G -> true ; writeln(failed(G)) ), E, ( print_message(error, E), writeln(error) )).
:- initialization(main, main).
main :-
    t(( call_with_time_limit(5, X = 1), writeln(X) )),
    t(( catch(call_with_time_limit(0.05, ( repeat, fail )), E, true), writeln(E) )),
    t(( concurrent_maplist([A, B]>>( B is A * 2 ), [1, 2, 3], L), writeln(L) )),
    t(( concurrent(2, [C = 1, D = 2], []), writeln(C-D) )),
    t(( concurrent_forall(member(F, [1, 2]), F > 0), writeln(all) )),
    t(( first_solution(G, [G = 1, G = 2], []), integer(G), writeln(first) )),
    t(( uri_encoded(path, 'a b', U), writeln(U) )),
    t(( re_match("a+"/i, "xAAy"), writeln(matched) )),
    t(( yaml_read(string("a: 1"), Y), get_dict(a, Y, V), writeln(V) )),
    t(( porter_stem(running, P), writeln(P) )),
    t(( isub(hello, hello, S, []), writeln(S) )),
    t(( unicode_nfkc(abc, N), writeln(N) )),
    t(( crypto_data_hash(abc, H, []), atom_length(H, HL), writeln(HL) )),
    t(( open_string("<a>x</a>", In), load_xml(stream(In), [element(El, _, _)], []), writeln(El) )).
"""
    run = runner.run(program)
    assert run.stdout.split("\n")[:-1] == [
        "1", "time_limit_exceeded", "[2,4,6]", "1-2", "all", "first", "a%20b", "matched", "1", "run", "1.0", "abc",
        "64", "a",
    ], run.stderr  # fmt: skip
    assert run.clean and run.note == ""
