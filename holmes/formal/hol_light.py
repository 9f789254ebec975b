"""Printing of the intermediate form for HOL Light: one phrase a declaration, in the words of `checker.ml`."""

from __future__ import annotations

from collections.abc import Mapping

from holmes.formal.claims import Proposition
from holmes.formal.ir import (
    Apply,
    Binder,
    Datatype,
    Declaration,
    Definition,
    FormalType,
    Function,
    Grounded,
    ListOf,
    Name,
    Named,
    Number,
    Op,
    Recursion,
    Term,
)
from holmes.formal.questions import Theorems, Universal
from holmes.formal.refutation import Split, Tree

_INFIX = {
    "and": "/\\",
    "or": "\\/",
    "imp": "==>",
    "iff": "<=>",
    "eq": "=",
    "le": "<=",
    "add": "+",
    "sub": "-",
    "mul": "*",
}
_BINDERS = {"fun": "\\", "all": "!", "some": "?"}
_AND = " /\\\n  "
VARIABLES = {"'p": "P_", "'c": "C_", "'a": "A_"}


def type_text(type_: FormalType) -> str:
    """Return a type in HOL Light's notation."""
    match type_:
        case Named(name=name):
            return VARIABLES.get(name, name)
        case ListOf(of=of):
            return f"({type_text(of)})list"
        case Function(source=source, target=target):
            return f"({type_text(source)}->{type_text(target)})"


def term_text(term: Term) -> str:
    """Return a term in HOL Light's notation, with all its parentheses."""
    match term:
        case Name(name=name):
            return name
        case Number(value=value):
            return f"(&{value})" if value >= 0 else f"(-- &{-value})"
        case Apply(function=function, args=args):
            return f"({' '.join(map(term_text, (function, *args)))})"
        case Binder(kind=kind, variable=variable, type=type_, body=body):
            return f"({_BINDERS[kind]}{variable}:{type_text(type_)}. {term_text(body)})"
        case Op(op=op, args=args):
            return _operator(op, [term_text(arg) for arg in args])


def _operator(op: str, args: list[str]) -> str:
    match op:
        case "true" | "false":
            return "T" if op == "true" else "F"
        case "undefined":
            return "h_undefined"
        case "not":
            return f"(~{args[0]})"
        case "neg":
            return f"(--{args[0]})"
        case "if":
            return f"(if {args[0]} then {args[1]} else {args[2]})"
        case "list":
            return f"[{'; '.join(args)}]"
        case "cons":
            return f"(CONS {args[0]} {args[1]})"
        case _:
            return f"({f' {_INFIX[op]} '.join(args)})"


def declaration_text(declaration: Declaration) -> str:
    """Return the phrase that declares something."""
    match declaration:
        case Datatype(name=name, constructors=constructors):
            made = [" ".join([c, *(f"({type_text(t)})" for t in types)]) for c, types in constructors]
            return f'h_type "{name}" "{" | ".join(made)}";;'
        case Definition(name=name, parameters=parameters, type=type_, body=body, note=note):
            left = " ".join([name, *(f"({v}:{type_text(t)})" for v, t in parameters)])
            sign = "<=>" if type_ == Named("bool") else "="
            return f"{_note(note)}h_def `{left} {sign} {term_text(body)}`;;"
        case Recursion(name=name, type=type_, over=over, clauses=clauses, note=note):
            told = [_clause(name, type_, left, right, first=not n) for n, (left, right) in enumerate(clauses)]
            return f'{_note(note)}h_rec "{over}" `{_AND.join(told)}`;;'
        case Grounded(
            name=name, semantics=semantics, overrides=overrides, applies=applies, losers=losers, relations=related
        ):
            rows = "; ".join(f"`{p}`,`{s}`,[{'; '.join(f'`{w}`' for w, _ in winners)}]" for p, s, winners in losers)
            names = "; ".join(f'"{r}"' for r in related)
            goal = f"!U. {semantics} {overrides} U ({applies} U)"
            return f'h_defeat "{name}" `{goal}` "{overrides}" [{names}] "{applies}" [{rows}];;'


def _clause(name: str, type_: FormalType, left: Term, right: Term, *, first: bool) -> str:
    assert isinstance(left, Apply)
    shown = f"(({name}:{type_text(type_)}) {' '.join(map(term_text, left.args))})" if first else term_text(left)
    free = sorted(_variables(left))
    bound = f"!{' '.join(free)}. " if free else ""
    return f"({bound}{shown} = {term_text(right)})"


def _variables(left: Apply) -> set[str]:
    """Return the variables of the left side of an equation: names of one sign or of those that the theories use."""
    found: set[str] = set()
    for arg in left.args:
        match arg:
            case Name(name=name) if "_" not in name:
                found.add(name)
            case Apply(args=args) | Op(args=args):
                found |= {a.name for a in args if isinstance(a, Name) and "_" not in a.name}
    return found


def _note(note: str) -> str:
    safe = note.encode("ascii", "replace").decode().replace("(*", "( *").replace("*)", "* )")
    safe = safe.translate(str.maketrans('"`{}|', "''()/"))
    return f"(* {safe} *)\n" if note else ""


def proposition_text(proposition: Proposition) -> str:
    """Return the phrase that proves the claims about one part of a case from its facts."""
    facts = ";\n  ".join(f"`{term_text(term)}`" for _, term in proposition.facts)
    claims = ";\n  ".join(f'"{claim.label}",`{term_text(claim.term)}`' for claim in proposition.claims)
    return f'h_case "{proposition.id}"\n [{facts}]\n [{claims}];;'


def theorems_text(theorems: Theorems) -> str:
    """Return the phrases that prove the answer of a question about policies."""
    if theorems.told is not None:
        return proposition_text(theorems.told)
    lines = [f'h_question "{theorems.id}";;']
    for lemma in theorems.lemmas:
        head = f'"{theorems.id}" "lemma:{lemma.label}" `{term_text(lemma.goal)}`'
        if isinstance(lemma, Universal):
            place = {atom: number for number, atom in enumerate(lemma.atoms)}
            atoms = ";\n  ".join(f"`{term_text(atom)}`" for atom in lemma.atoms)
            lines.append(f"h_universal {head}\n [{atoms}]\n {tree_text(lemma.tree, place)};;")
        else:
            facts = ";\n  ".join(f"`{term_text(term)}`" for _, term in lemma.facts)
            lines.append(f"h_existential {head}\n [{facts}];;")
    lines += [f'h_claim "{theorems.id}" "{c.label}" `{term_text(c.term)}`;;' for c in theorems.claims]
    return "\n".join(lines)


def tree_text(tree: Tree, place: Mapping[Term, int]) -> str:
    """Return a tree of case distinctions as a value of the checker."""
    if isinstance(tree, Split):
        return f"(Split ({place[tree.atom]},{tree_text(tree.yes, place)},{tree_text(tree.no, place)}))"
    match tree.kind:
        case "defined":
            return f"(Defined {place[tree.atoms[0]]})"
        case "order":
            return f"(Order ({place[tree.atoms[0]]},{place[tree.atoms[1]]}))"
        case kind:
            return kind.capitalize()
