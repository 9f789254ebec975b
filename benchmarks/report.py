"""Prints how long a report of several runs takes to make, how large its page is, how fast a browser opens it.

    python benchmarks/report.py [--cases 40] [--runs 5] [--tasks holmes_law,holmes_finance_approval]

The replies are gold replies and gold replies with planted faults. `make nightly` runs it small; the sizes of the issue
(5 runs × 1,539 cases) need `--cases 1539` and some minutes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from holmes.report.document import document
from holmes.report.made import faulty_reply, gold_reply
from holmes.report.page import render
from holmes.report.runs import load
from holmes.tasks import cases_of, task_spec

_ASK = """<script>(async()=>{
while(document.documentElement.dataset.ready!=='yes'||!document.querySelector('#view .text'))
await new Promise(r=>setTimeout(r,5));document.title='opened '+Math.round(performance.now());})()</script></body>"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=40, help="A task, at most.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--tasks", default="holmes_law,holmes_finance_approval")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name, f"run-{number}") for number in range(given.runs)]
        total = 0
        for task in given.tasks.split(","):
            spec = task_spec(task)
            cases = cases_of(spec, "test")[: given.cases]
            total += len(cases)
            for number, folder in enumerate(folders):
                folder.mkdir(exist_ok=True)
                rows = [
                    (case, faulty_reply if (place + number) % 3 else gold_reply) for place, case in enumerate(cases)
                ]
                lines = [json.dumps({"id": case.id, "outputs": [reply(case, spec)]}) for case, reply in rows]
                (folder / f"samples_{task}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        marks = [time.perf_counter()]
        runs = load([str(folder) for folder in folders], workers=given.workers)
        marks.append(time.perf_counter())
        told = document(runs)
        marks.append(time.perf_counter())
        page = Path(name, "report.html")
        page.write_text(render(told, runs).replace("</body>", _ASK), encoding="utf-8")
        marks.append(time.perf_counter())
        scored, analysed, rendered = (b - a for a, b in itertools.pairwise(marks))
        print(f"{given.runs} runs × {total} cases: scored in {scored:.1f} s, analysed in {analysed:.1f} s, "
              f"rendered in {rendered:.1f} s, {page.stat().st_size / 1e6:.2f} MB")  # fmt: skip
        browser = shutil.which("chromium") or shutil.which("google-chrome")
        if browser is None:
            print("no chromium here: opening is not timed")
            return
        start = time.perf_counter()
        done = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", "--dump-dom",
             page.as_uri()], capture_output=True, text=True, check=True,
        )  # fmt: skip
        opened = re.search(r"<title>opened (\d+)", done.stdout)
        print(f"opened in chromium: {opened[1] if opened else '?'} ms on the page's clock, "
              f"{time.perf_counter() - start:.1f} s with the start of the browser")  # fmt: skip


if __name__ == "__main__":
    main()
