"""The page: one file without network, its numbers those of the JSON, and at work in a real browser."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from holmes.commands.main import run as holmes
from holmes.report.caseview import locate
from holmes.report.document import document
from holmes.report.faults import ClaimView
from holmes.report.page import render
from holmes.report.runs import load
from tests.report import planted

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here; .ci/setup test installs it")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_it_needs_no_network(report):
    """No address is loaded: no src, no stylesheet, no import, no url() but data."""
    text = text_of(report.page)
    shown = re.sub(r'<script type="application/octet-stream".*?</script>', "", text, flags=re.S)
    assert not re.search(r"<(?:script|img|iframe|link)[^>]+(?:src|href)=\"(?!data:|#)", shown)
    assert not re.search(r"@import|url\((?!#|data:)|fetch\(|XMLHttpRequest|import\(", shown)


def test_every_number_of_its_tables_stands_in_the_json(report):
    """What a cell of the page shows is the text, or the range, of a cell of the document."""
    known = {str(part) for table in report.told["tables"].values() for row in table["rows"] for cell in row
             for part in (cell["text"], cell.get("range")) if part}  # fmt: skip
    known |= {str(v) for fact in report.told["published"]["facts"] for v in fact.values()}
    body = text_of(report.page).partition('id="cases"')[0]
    cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", body, flags=re.S)
    heads = {head for table in report.told["tables"].values() for head in table["heads"]}
    checked = 0
    for cell in cells:
        for part in re.split(r"<[^>]+>", cell):
            if (words := html.unescape(part).strip()) and words not in heads | {"paper", "about", "figure", "value"}:
                assert words in known, words
                checked += 1
    assert checked > 200
    for sentence in report.told["glance"]:
        assert html.escape(sentence).replace("&#x27;", "&#39;") in body


def unpacked(page: str, name: str):
    """A compressed block of the page."""
    found = re.search(rf'id="z-{name}"[^>]*>([^<]+)<', page)
    assert found, name
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_every_number_of_its_cases_stands_in_the_json(report):
    """Difficulty, number of derivations, value and parts of every reply in the browser are those of the document."""
    page, rows = text_of(report.page), {(row["run"], row["id"]): row for row in report.told["cases"]}
    index = unpacked(page, "index")
    checked = 0
    for place, (id, *_) in enumerate(index["cases"]):
        found = unpacked(page, str(place // index["block"]))[place % index["block"]]
        view, known = found["view"], report.told["difficulty"][id]
        assert {**view["difficulty"], "derivations": view["count"]} == known and len(known) > 3
        for number, (reply,) in found["replies"].items():
            row = rows[index["runs"][int(number)], id]
            assert (reply["value"], reply["parts"]) == (row["value"], row["parts"])
            checked += len(reply["parts"])
    assert checked > 100


def test_it_is_the_same_twice(report):
    """Nothing random, no date: two renderings are equal byte by byte."""
    runs = load([str(report.folders["quick"])])
    told = document(runs)
    assert render(told, runs) == render(told, load([str(report.folders["quick"])]))


def test_claims_are_found_in_replies():
    """Marks, citations and line breaks between the words do not hide a claim; what is not there has no place."""
    text = "So **Rule 3**, clearly:\nthe  *condition* “peril” holds [Rule 3]."
    there, missing = (
        ClaimView("the condition “peril” holds", "x", "right"),
        ClaimView("quite other words", "y", "wrong"),
    )
    told = [ClaimView(words, "x", "wrong") for words in ("@12  is not triggered. ⟨12⟩", "@29(2)  defeats @4 . ⟨29⟩")]
    spans = [
        slice(*span) for span in locate("Rule 12 is not triggered. [Rule 12]\nSection 29(2) defeats Section 4.", told)
    ]
    assert spans == [slice(0, 24), slice(36, 67)]
    spans = locate(text, [there, missing])
    assert re.fullmatch(r"the  \*condition\* “peril” holds", text[slice(*spans[0])]) and spans[1] == (-1, -1)


# ---------------------------------------------------------------- in a browser
READY = "document.documentElement.dataset.ready === 'yes'"


def in_browser(page: Path, script: str, *flags: str, ready: str = READY) -> dict:
    """Run a script in the page once it is ready; it returns JSON, which is left in the document's title."""
    added = (
        # messages, not timers: virtual time would run ahead of the threads that decompress
        "<script>(async()=>{const tick=()=>new Promise(r=>{const c=new MessageChannel();c.port1.onmessage=r;"
        "c.port2.postMessage(0);});"
        "const until=async(f)=>{for(let i=0;i<300000;i++){if(f())return true;await tick();}return false;};"
        f"await until(()=>{ready});"
        f"const out=await (async()=>{{{script}}})();"
        "document.body.setAttribute('data-out',JSON.stringify(out));})()</script></body>"
    )
    copy = page.with_name("tried.html")
    copy.write_text(text_of(page).replace("</body>", added), encoding="utf-8")
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", *flags, "--dump-dom",
         copy.as_uri()], capture_output=True, text=True, timeout=240, check=True,
    )  # fmt: skip
    found = re.search(r'data-out="([^"]*)"', done.stdout)
    assert found, done.stderr[-2000:]
    return json.loads(html.unescape(found[1]))


@browser
def test_the_case_browser_filters_and_opens(report):
    """All cases are listed; filters by ending and by text narrow them; a case opens with claims, graph and steps."""
    told = in_browser(report.page, """
      const all = document.querySelectorAll('#list button[data-place]').length;
      const form = document.getElementById('filters');
      const set = (id, value) => {
        document.getElementById(id).value = value; form.dispatchEvent(new Event('input'));
      };
      const list = () => [...document.querySelectorAll('#list .id')].map((node) => node.textContent);
      set('f-run', '0'); set('f-class', '1'); const unsound = list();
      document.querySelector('#list button').click();
      await until(() => document.querySelector('#view .text mark.wrong'));
      const first = document.querySelector('#view').textContent.match(/First false step: “(.*)” — what holds/)?.[1];
      const marks = document.querySelectorAll('#view .text mark.right').length;
      const boxes = document.querySelectorAll('#view svg g').length;
      const crit = document.querySelectorAll('#view svg g.crit').length;
      const steps = document.querySelectorAll('#view .steps li').length;
      set('f-class', ''); set('f-run', ''); set('f-text', 'zzzz no such word'); const none = list().length;
      return { all, unsound, first, marks, boxes, crit, steps, none };
    """)  # fmt: skip
    wanted = {id for id, kind in report.plans["slow"].items() if kind == "term"}
    assert told["all"] == 12 and set(told["unsound"]) == wanted and told["none"] == 0
    assert "condition" in told["first"] and told["marks"] > 3 and told["steps"] > 5
    if shutil.which("dot"):
        assert told["boxes"] > 5 and told["crit"] > 0


@browser
def test_keys_walk_the_list_and_the_theme_turns(report):
    """j opens the next case, / goes to the search box, the button turns light to dark and back."""
    told = in_browser(report.page, """
      const current = () => document.querySelector('#list button[aria-current=true]').dataset.place;
      const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      const before = current(); press('j'); const after = current(); press('k'); const back = current(); press('/');
      const focus = document.activeElement.id;
      const ink = () => getComputedStyle(document.body).color;
      const light = ink(); document.getElementById('theme').click(); const dark = ink();
      return { before, after, back, focus, light, dark };
    """)  # fmt: skip
    assert (told["before"], told["after"], told["back"], told["focus"]) == ("0", "1", "0", "f-text")
    assert told["light"] != told["dark"]


@browser
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_is_wider_than_the_window(report, width):
    """On a phone and on a desk the page itself never scrolls sideways, and every control has a name."""
    frame = report.page.with_name("frame.html")
    frame.write_text(f'<body><iframe id="f" src="{report.page.name}" width="{width}" height="800"></iframe></body>')
    script = """
      const inner = () => document.getElementById('f').contentDocument;
      await until(() => inner()?.documentElement?.dataset.ready === 'yes' && inner().querySelector('#view .text'));
      const named = [...inner().querySelectorAll('button, select, input')].filter((node) =>
        !(node.textContent.trim() || node.getAttribute('aria-label') || node.closest('label'))).length;
      const root = inner().documentElement;
      return { page: root.scrollWidth, window: root.clientWidth, nameless: named };
    """
    told = in_browser(frame, script, "--allow-file-access-from-files", "--window-size=1400,900", ready="true")
    assert told["window"] <= width and told["page"] <= told["window"] and told["nameless"] == 0


@browser
def test_one_case_alone(tmp_path, capsys):
    """`holmes show CASE --html` prints the same view: text, shortest derivation, graph."""
    case = planted.law_cases(1)[0]
    assert holmes(["show", case.id, "--html"]) == 0
    page = tmp_path / "case.html"
    page.write_text(capsys.readouterr().out, encoding="utf-8")
    script = "return { text: document.body.textContent, steps: document.querySelectorAll('.steps li').length };"
    told = in_browser(page, script)
    assert case.case[:40] in told["text"] and told["steps"] > 5
    assert planted.spelling(case, case.answer) in told["text"]
