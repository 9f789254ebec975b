"""Isabelle theories of cases: a locale whose assumptions are the facts, staged lemmas, and a theorem a claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from holmes.formal.claims import Claim, Proposition
from holmes.formal.ir import Apply, Binder, Definition, Name, Number, Op, Term, call, equal, names, negate
from holmes.formal.isabelle import declaration_text, term_text
from holmes.formal.questions import Existential, Theorems, Universal
from holmes.formal.refutation import Split, Tree, substitute
from holmes.formal.rules import RuleTheory, Stage
from holmes.formal.vocabulary import CASE, identifier
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.language.model import Value

SIMPS = "known facts h_simps"


def told_text(proposition: Proposition, name: str) -> str:
    """Return the locale of one part of a case with all its theorems, and the record that satisfies it.

    name: of the locale.
    """
    rules = proposition.rules
    lines = [_locale(name, rules, proposition.facts), "begin\n", _staged(rules, proposition.values)]
    named: dict[str, int] = {}
    for claim in proposition.claims:
        told = claim.term if claim.holds else negate(claim.term)
        label = _label(claim)
        named[label] = named.get(label, 0) + 1  # two labels may have one spelling
        label += f"_{named[label]}" if named[label] > 1 else ""
        proof = f"by (simp add: {_unfolding(claim, rules)}{SIMPS})"
        lines.append(f'theorem {label}: "{term_text(told)}"\n  {proof}\n')
    lines += ["end\n", _consistent(name, rules, proposition.values)]
    return "\n".join(lines)


def _label(claim: Claim) -> str:
    return f"claim_{identifier(claim.label)}"


def _unfolding(claim: Claim, rules: RuleTheory) -> str:
    """Return the definitions that a claim needs beside what is known; the rest was evaluated in stages."""
    own = [n for n in sorted(names(claim.term)) if n.startswith("q_") or n == rules.coherent]
    return "".join(f"{n}_def " for n in own)


def _locale(name: str, rules: RuleTheory, facts: Sequence[tuple[str, Term]]) -> str:
    told = "\n    and ".join(f'f{number}: "{term_text(term)}"' for number, (_, term) in enumerate(facts, 1))
    return f'locale {name} =\n  fixes c :: "{rules.words.case_type}"\n  assumes {told}'


def _staged(rules: RuleTheory, values: Mapping[str, Value]) -> str:
    """Return the lemmas that evaluate a case, definition by definition, in an order that never looks ahead."""
    solved = evaluate(rules.base, values)
    count = sum(fact.type.kind != "name" for name, fact in rules.base.facts.items() if name in values)
    lines = [f"lemmas facts = {' '.join(f'f{number}' for number in range(1, count + 1))}\n"]
    known: list[str] = []
    for stage in rules.stages:
        name = f"k_{stage.constant}"
        told = term_text(_value(stage, rules, solved))
        before = _earlier(stage, rules, known)
        lines.append(f'lemma {name}: "{told}"\n  by (simp add: {stage.constant}_def {before}facts h_simps)\n')
        known.append(name)
    result = equal(call(rules.decision, CASE), Name(rules.answers[str(solved.answer)]))
    every = " ".join(known)
    gates = "".join(
        f"{n}_def "
        for n in (rules.words.name("mandatory", ""), rules.words.name("standard", ""))
        if n in rules.theory.declarations
    )
    lines.append(
        f'lemma k_{rules.decision}: "{term_text(result)}"\n'
        f"  by (simp add: {rules.decision}_def {gates}{every} facts h_simps)\n"
    )
    known.append(f"k_{rules.decision}")
    if rules.amount and solved.amount is not None:
        amount = equal(call(rules.amount, CASE), Number(int(solved.amount * rules.scales["amount"])))
        lines.append(
            f'lemma k_{rules.amount}: "{term_text(amount)}"\n'
            f"  by (simp add: {rules.amount}_def {' '.join(known)} facts h_simps)\n"
        )
        known.append(f"k_{rules.amount}")
    lines.append(f"lemmas known = {' '.join(known)}\n")
    return "\n".join(lines)


def _earlier(stage: Stage, rules: RuleTheory, known: Sequence[str]) -> str:
    """Return the lemmas that a definition rests on."""
    declared = rules.theory.declarations[stage.constant]
    assert isinstance(declared, Definition)
    used = names(declared.body)
    if stage.kind == "applies":  # its own trigger is an argument there
        used |= {rules.when[stage.name], *(rules.when[w] for w in rules.attackers.get(stage.name, ()))}
    return "".join(f"{name} " for name in known if name.removeprefix("k_") in used)


def _value(stage: Stage, rules: RuleTheory, solved: Evaluation) -> Term:
    """Return what a defined thing is in an evaluated case, as a term."""
    if stage.kind == "concept":
        type_ = rules.base.concepts[stage.name].type
        left = call(stage.constant, CASE)
        value = solved.concepts[stage.name]
        if type_.kind == "bool":
            return left if value else negate(left)
        if type_.kind == "enum":
            return equal(left, Name(rules.words.enum(type_.values, stage.name)[1][str(value)]))
        assert isinstance(value, Fraction)
        return equal(left, Number(int(value * rules.scales[stage.name])))
    if stage.kind == "policy":
        left = call(stage.constant, CASE)
        return left if solved.triggered[stage.name] else negate(left)
    left = call(stage.constant, CASE) if stage.kind == "inner" else call(stage.constant, Name(rules.triggered), CASE)
    return left if solved.applies[stage.name] else negate(left)


def _consistent(name: str, rules: RuleTheory, values: Mapping[str, Value]) -> str:
    """Return the record of a case as a value, and the theorem that it satisfies all facts."""
    record = term_text(rules.words.record(values))
    return (
        f'definition {name}_record :: "{rules.words.case_type}" where\n  "{name}_record = {record}"\n\n'
        f'theorem {name}_consistent: "{name} {name}_record"\n'
        f"  by unfold_locales (simp_all add: {name}_record_def)\n"
    )


# ---------------------------------------------------------------- questions about policies
def question_text(theorems: Theorems) -> str:
    """Return definitions, lemmas and theorems of a question about policies."""
    rules = theorems.rules
    declared = rules.theory.declarations
    lines = [declaration_text(declared[name]) for name in theorems.defined]
    tag = f"q_{identifier(theorems.id)}"
    if theorems.told is not None:
        return "\n".join([*lines, told_text(theorems.told, f"{tag}_case")])
    settled: list[str] = []
    for number, lemma in enumerate(theorems.lemmas, 1):
        name = f"{tag}_lemma{number}"
        if isinstance(lemma, Universal):
            lines.append(_universal(name, lemma, rules, theorems.defined))
        else:
            lines.append(_existential(name, lemma, rules, theorems.defined))
        settled.append(name)
    for claim in theorems.claims:
        lines.append(_settled(f"{tag}_{_label(claim)}", claim, settled, theorems.defined))
    return "\n".join(lines)


def _relation(goal: Term, rules: RuleTheory) -> tuple[Term, Term]:
    """Return what is given and what is claimed of a case under a relation."""
    assert isinstance(goal, Apply) and isinstance(goal.function, Name)
    declared = rules.theory.declarations[goal.function.name]
    assert isinstance(declared, Definition) and isinstance(declared.body, Binder)
    inner = declared.body.body
    assert isinstance(inner, Op)
    values = dict(zip((v for v, _ in declared.parameters), goal.args, strict=True))
    given, body = (substitute(part, values) for part in inner.args)
    return given, body


def _universal(name: str, lemma: Universal, rules: RuleTheory, defined: Sequence[str]) -> str:
    given, body = _relation(lemma.goal, rules)
    operator = _head(lemma.goal)
    unfold = " ".join([*(f"{n}_def" for n in defined), f"{rules.coherent}_def"])
    writer = _Replay(lemma, unfold, rules)
    return (
        f'lemma {name}: "{term_text(lemma.goal)}"\n  unfolding {operator}_def\n'
        "proof (rule allI, rule impI)\n"
        f'  fix c :: "{rules.words.case_type}"\n'
        f'  assume h0: "{term_text(given)}"\n'
        f'  show "{term_text(body)}"\n'
        "  proof (rule ccontr)\n"
        f'    assume g0: "{term_text(Op("not", (body,)))}"\n'
        f"    show False\n{writer.text(lemma.tree, (), 3)}"
        "  qed\nqed\n"
    )


def _head(goal: Term) -> str:
    assert isinstance(goal, Apply) and isinstance(goal.function, Name)
    return goal.function.name


class _Replay:
    """Writes a tree of case distinctions as nested proofs by cases; each end is one step of simplification."""

    def __init__(self, lemma: Universal, unfold: str, rules: RuleTheory) -> None:
        self.unfold, self.rules = unfold, rules
        self.place = {atom: number for number, atom in enumerate(lemma.atoms)}

    def text(self, tree: Tree, path: tuple[Term, ...], depth: int) -> str:
        """Return the proof of a contradiction; path: the atoms distinguished above."""
        pad = "  " * depth
        if isinstance(tree, Split):
            label, told = f"l{self.place[tree.atom]}", term_text(tree.atom)
            inside = (*path, tree.atom)
            return (
                f'{pad}proof (cases "{told}")\n'
                f'{pad}  assume {label}: "{told}"\n{pad}  show False\n{self.text(tree.yes, inside, depth + 2)}'
                f"{pad}next\n"
                f'{pad}  assume {label}: "(\\<not> {told})"\n{pad}  show False\n{self.text(tree.no, inside, depth + 2)}'
                f"{pad}qed\n"
            )
        labels = {atom: f"l{self.place[atom]}" for atom in path}
        if tree.kind == "order":
            one, two = (labels[atom] for atom in tree.atoms)
            return f"{pad}using {one} {two} by linarith\n"
        if tree.kind == "defined":
            (atom,) = tree.atoms
            rest = "".join(f" {label}" for other, label in labels.items() if other != atom)
            return f"{pad}using {labels[atom]} by (simp add: {self._definition(atom)}{rest} h_simps split: if_splits)\n"
        rest = "".join(f" {label}" for label in labels.values())
        side = {"given": "h0", "goal": "g0"}[tree.kind]
        return f"{pad}using {side} by (simp add: {self.unfold}{rest} h_simps split: if_splits)\n"

    def _definition(self, atom: Term) -> str:
        if isinstance(atom, Op):
            return f"{self.rules.decision}_def"
        return f"{_head(atom)}_def"


def _existential(name: str, lemma: Existential, rules: RuleTheory, defined: Sequence[str]) -> str:
    given, body = _relation(lemma.goal, rules)
    place = f"{name}_case"
    unfold = " ".join([*(f"{n}_def" for n in defined), f"{rules.coherent}_def"])
    lines = [
        _locale(place, rules, lemma.facts),
        "begin\n",
        _staged(rules, lemma.record),
        f'lemma occurs: "{term_text(given)}"\n  by (simp add: {unfold} {SIMPS})\n',
        f'lemma broken: "{term_text(Op("not", (body,)))}"\n  by (simp add: {unfold} {SIMPS})\n',
        "end\n",
        _consistent(place, rules, lemma.record),
        f'lemma {name}: "{term_text(Op("not", (lemma.goal,)))}"\n'
        f"  unfolding {_head(lemma.goal)}_def\n"
        f"  using {place}.occurs [OF {place}_consistent] {place}.broken [OF {place}_consistent]\n"
        "  by blast\n",
    ]
    return "\n".join(lines)


def _settled(name: str, claim: Claim, settled: Sequence[str], defined: Sequence[str]) -> str:
    """Return the theorem that rests on the relations settled before."""
    told = claim.term if claim.holds else negate(claim.term)
    listed = " ".join(settled)
    head = f'theorem {name}: "{term_text(told)}"\n'
    family = next((f"{n}_def" for n in defined if n.endswith("_family")), "")
    term = claim.term
    if isinstance(term, Binder):
        inner = term_text(term.body)
        proved = f'  show "{inner}"\n    by (cases p) (simp_all add: {family} {listed})\n'
        return f"{head}proof (rule allI)\n  fix p\n{proved}qed\n"
    if _is(term, "h_throughout"):
        if not claim.holds:
            return f"{head}  unfolding h_throughout_def {family}\n  using {listed}\n  by blast\n"
        return (
            f"{head}  unfolding h_throughout_def\nproof (rule allI)\n  fix p\n"
            f'  show "{_each(term)}"\n    by (cases p) (simp_all add: {family} {listed})\nqed\n'
        )
    return f"{head}  by (simp add: h_comparable_def {listed})\n"


def _is(term: Term, name: str) -> bool:
    return isinstance(term, Apply) and term.function == Name(name)


def _each(term: Term) -> str:
    assert isinstance(term, Apply)
    family, member = term.args
    assert isinstance(member, Binder)
    return term_text(Op("imp", (call(family.name, Name("p")), member.body)))  # type: ignore[union-attr]
