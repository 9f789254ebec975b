"""Small made-up releases in the layout of the authors' ones; every word is ours."""

from __future__ import annotations

import json
from pathlib import Path

THEORY = r"""theory {name}
  imports Conflict
begin
consts
  actor :: person
axiomatization where
  f1: "{holds}picks_lock actor"
and f2: "\<not> has_key actor"
lemma derive_entry: "entry actor"
  using f1 f2
  unfolding entry_def
  by simp
lemma trigger_art_entry: "article_triggered Art_Entry actor"
  using derive_entry
  by simp
end
"""


def law_case(number: int, holds: bool = True) -> dict:
    """One law case: a picked lock and its consequence."""
    result = "night_ban" if holds else "No_Criminal_Liability"
    trace = {
        "target_articles": ["Art_Entry"] if holds else [],
        "positive_atomic_facts": ["picks_lock"] if holds else [],
        "triggered_middle_concepts": ["entry"] if holds else [],
        "triggered_articles": ["Art_Entry"] if holds else [],
        "stronger_conflicts": [],
        "exception_conflicts": [],
        "defeated_articles": [],
        "conflict_count": 0,
        "applicable_articles": ["Art_Entry"] if holds else [],
        "final_no_liability": not holds,
        "final_result": result,
        "gold_rule_trace": [1, 2, 2] if holds else [],
        "trigger_rule_numbers": [1, 2] if holds else [],
        "conflict_rule_numbers": [],
        "conclusion_rule_numbers": [2] if holds else [],
    }
    return {
        "case_id": f"lock_{number}",
        "bundle_name": "locks",
        "difficulty_profile": {
            "difficulty_level": "basic",
            "reasoning_step_count": 2,
            "triggered_middle_predicate_count": 1,
            "triggered_article_count": 1,
            "conflict_count": 0,
        },
        "gold_trace": trace,
        "rules_text": "1. Entry means picking a lock without a key.\n2. Entry leads to a night ban.",
        "case_text": f"Visitor {number} picked the lock and held no key.",
        "questions": [{"question_id": "q", "question": "What follows?", "answer": result}],
        "generation_trace": {"used_rules": []},
        "isabelle": {"theory_code": THEORY.format(name=f"lock_{number}", holds="" if holds else r"\<not> ")},
    }


def holmes_release(root: Path) -> Path:
    """Write a release with two law cases; returns its folder."""
    cases = [law_case(1), law_case(2, holds=False)]
    target = {
        "final_result_aliases": {"night_ban": ["a night ban", "night_ban"], "No_Criminal_Liability": ["no liability"]},
        "rule_catalog": [
            {"rule_number": 1, "rule_kind": "fact_to_concept", "target": "entry"},
            {"rule_number": 2, "rule_kind": "article", "target": "Art_Entry"},
        ],
        "allowed_rule_numbers": [1, 2],
    }
    bundle = {"bundle_name": "locks", "case_count": 2, "scoring_target": {"main": target}, "cases": cases}
    put(root / "law_data" / "datasets.json", {"bundles": [bundle]})
    lines = "Therefore, entry took place. [Rule 1]\nConsequently, the entry clause is triggered [Rule 2]."
    trace = {"bundle": "locks", "case_id": "lock_1", "natural_language_trace": lines}
    put(root / "law_data" / "law_nl_traces.json", {"traces": [trace]})
    return root


FORM, SEAL = "appointment form printed must be true", "invoice lacks supervision seal must be false"
OFFICE = [f"expense {what} must be false" for what in ("office stationery", "books", "printing materials")]
LOAN = [f"{what} must be true" for what in ("is special business for temp loan", "has unwritten off loan")]
LOAN += [f"is {where} settlement must be true" for where in ("same city", "nonlocal")]
FEES = [f"expense {what} must be true" for what in ("graduate thesis review defense", "lecture fees")]
FEES += [f"{what} must be false" for what in ("expense expert consultation fees", "consultation type in person")]
FEES += ["consultation days must be set to 0"]


def claim(number: int, rules: list[str], records: list[list[str]], category: str = "Judgment", **more: object) -> dict:
    """One finance case: a record of conditions a component."""
    names = [f"case {number} part {index}" for index in range(len(records))]
    return {
        "id": number,
        "case_ch": f"Claim {number} was filed.",
        "isabelle_case_names": names,
        "isabelle_case_conditions_nl": [
            {"case_name": name, "resolved_case_name": name, "condition_count": len(lines), "conditions_nl": lines}
            for name, lines in zip(names, records, strict=True)
        ],
        "reasoning_depth": len(records),
        "case_category": category,
        "rules_used": rules,
        "natural_language_trace": "Evaluating Rule 6 (Office).\n\nStep 1: Check — Some list. Result: PASS.",
        **more,
    }


def finance_release(root: Path) -> Path:
    """Write a finance release with a joint claim of each family and a case of each question type; returns its folder.

    The last two groups hold two cases each, so that golds can go astray.
    """
    folder = root / "finance_data"
    put(folder / "sample1.json", [claim(1, ["rule6", "rule20"], [OFFICE, LOAN], span=2)])
    put(folder / "sample2.json", [claim(1, ["rule13"], [FEES, FEES, FEES], span=3, case_rule="SR13")])
    kinds = (["rule3"], [[FORM]]), (["rule4"], [[SEAL]]), (["rule6"], [OFFICE]), (["rule20"], [LOAN])
    atomic = [claim(n, rules, records) for n, (rules, records) in enumerate(kinds, 1)]
    atomic += [claim(n, ["rule13"], [FEES]) for n in (5, 6)]
    atomic += [claim(n, ["rule13"], [FEES], "Reimbursable amount computation") for n in (8, 9)]
    put(folder / "sample3.json", atomic)
    golds: dict[str, list] = {
        "sample1top50": [["Full_Approval", "Rejection"]],
        "sample2_51_100": [["Rejection", "Full_Approval", "Unknown"]],
        "material": ["Material_Complete"],
        "invoice": ["Invoice_Error"],
        "approval6": ["Global_Reimbursement Partial_Approval"],
        "approval20": ["Global_Loan Can_Borrow"],
        "approval13": ["Global_Reimbursement Unknown", "Global_Reimbursement Rejection"],
        "amount": [0, 1200],
    }
    put(folder / "gold.json", {name: {"gold_values": values} for name, values in golds.items()})
    section = {"title": "1. Receipts", "content": "Keep them."}
    put(folder / "fudan_reimbursement_rules.json", {"sections": [section]})
    return root


def tax_case(number: int, label: object = 10, text: str = "") -> dict:
    """One tax case with a program in a fence."""
    story = text or f"Person {number} earned {number}00 crowns in year {2000 + number} by selling lamp {number}."
    program = f"```prolog\n:- format('Tax result: ~w~n', [{label}]).\n```"
    return {
        "id": f"t{number}",
        "text": story,
        "question": "How much is due?",
        "label": label,
        "reference_prolog": program,
    }


def deonticbench(root: Path) -> Path:
    """Write a release with one numeric and one yes/no domain; returns its folder."""
    whole = [tax_case(n) for n in range(1, 6)]
    copied = tax_case(9, text=whole[0]["text"].replace("lamp", "vase"))
    put(root / "data" / "sara_numeric" / "hard.json", [tax_case(1, "10"), tax_case(2)])
    put(root / "data" / "sara_numeric" / "whole.json", [*whole, copied])
    home = {
        "id": "h1",
        "state": "Freeland",
        "question": "May the owner enter?",
        "statutes": "No owner may enter.",
        "label": "no",
        "reference_prolog": ":- writeln('housing_answer(no)').",
    }
    put(root / "data" / "housing" / "hard.json", [home])
    for name, text in (("section10", "Ten."), ("section2", "Two."), ("section1", "One.")):
        (root / "statutes" / "sara").mkdir(parents=True, exist_ok=True)
        (root / "statutes" / "sara" / name).write_text(text)
    return root


def put(path: Path, value: object) -> None:
    """Write a JSON file and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def change(path: Path, edit) -> None:
    """Change a JSON file in place; edit gets the value and may return another one."""
    value = json.loads(path.read_text())
    put(path, edit(value) or value)
