"""Printing of the intermediate form for Isabelle/HOL: definitions that match those for HOL Light one for one."""

from __future__ import annotations

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

_INFIX = {
    "and": r"\<and>",
    "or": r"\<or>",
    "imp": r"\<longrightarrow>",
    "iff": r"\<longleftrightarrow>",
    "eq": "=",
    "le": r"\<le>",
    "add": "+",
    "sub": "-",
    "mul": "*",
}
_BINDERS = {"fun": r"\<lambda>", "all": r"\<forall>", "some": r"\<exists>"}
UNFOLDED = ("h_greatest", "h_least", "h_defeated", "h_transformed", "h_except", "h_all_of", "h_any_of")
"""Operators that evaluation unfolds: the theorem collection ``h_simps`` of the base theory."""


def type_text(type_: FormalType) -> str:
    """Return a type in Isabelle's notation."""
    match type_:
        case Named(name=name):
            return name
        case ListOf(of=of):
            return f"({type_text(of)}) list"
        case Function(source=source, target=target):
            return rf"({type_text(source)} \<Rightarrow> {type_text(target)})"


def term_text(term: Term) -> str:
    """Return a term in Isabelle's notation, with all its parentheses."""
    match term:
        case Name(name=name):
            return name
        case Number(value=value):
            return f"({value}::int)" if value >= 0 else f"(- {-value}::int)"
        case Apply(function=function, args=args):
            return f"({' '.join(map(term_text, (function, *args)))})"
        case Binder(kind=kind, variable=variable, type=type_, body=body):
            return f"({_BINDERS[kind]}{variable}::{type_text(type_)}. {term_text(body)})"
        case Op(op=op, args=args):
            return _operator(op, [term_text(arg) for arg in args])


def _operator(op: str, args: list[str]) -> str:
    match op:
        case "true" | "false":
            return op.capitalize()
        case "undefined":
            return "undefined"
        case "not":
            return rf"(\<not> {args[0]})"
        case "neg":
            return f"(- {args[0]})"
        case "if":
            return f"(if {args[0]} then {args[1]} else {args[2]})"
        case "list":
            return f"[{', '.join(args)}]"
        case "cons":
            return f"({args[0]} # {args[1]})"
        case _:
            return f"({f' {_INFIX[op]} '.join(args)})"


def declaration_text(declaration: Declaration) -> str:
    """Return the commands that declare something."""
    match declaration:
        case Datatype(name=name, constructors=constructors):
            made = [" ".join([c, *(f'"{type_text(t)}"' for t in types)]) for c, types in constructors]
            return f"datatype {name} =\n    {_BAR.join(made)}\n"
        case Definition(name=name, parameters=parameters, body=body, note=note):
            left = " ".join([name, *(v for v, _ in parameters)])
            head = f'{_note(note)}definition {name} :: "{type_text(declaration.whole)}" where\n'
            return f'{head}  "{left} = {term_text(body)}"\n'
        case Recursion(name=name, type=type_, clauses=clauses, note=note):
            told = [f'"{term_text(left)} = {term_text(right)}"' for left, right in clauses]
            return f'{_note(note)}primrec {name} :: "{type_text(type_)}" where\n    {_BAR.join(told)}\n'
        case Grounded():
            return _defeat(declaration)


_BAR = "\n  | "


def _defeat(found: Grounded) -> str:
    """Return a lemma a policy, and the theorem that `applies` obeys the semantics of defeat for all triggers."""
    by = f"({found.applies} U)" if found.semantics == "h_grounded" else "U"
    relations = " ".join(f"{name}_def" for name in (found.overrides, *found.relations))
    lines, names = [], []
    for policy, standing, _ in found.losers:
        name = f"{standing}_stands"
        names.append(name)
        beaten = f"h_beaten {found.overrides} {by} {policy} c"
        lines.append(
            f'lemma {name}: "{standing} U c = (U {policy} c \\<and> (\\<not> ({beaten})))"\n'
            f"  by (auto simp add: {standing}_def h_beaten_def {relations} conj_disj_distribR ex_disj_distrib)\n"
        )
    beaten = f"h_beaten {found.overrides} {by} p c"
    lines.append(
        f'theorem {found.name}: "{found.semantics} {found.overrides} U ({found.applies} U)"\n'
        f"  unfolding {found.semantics}_def\n"
        "proof (intro allI)\n"
        "  fix p c\n"
        f'  show "{found.applies} U p c = (U p c \\<and> (\\<not> ({beaten})))"\n'
        f"    by (cases p) (simp_all add: {' '.join(names)})\n"
        "qed\n"
    )
    return "\n".join(lines)


def _note(note: str) -> str:
    """Return a note as a comment; symbols that would open another comment or a cartouche are taken out."""
    safe = note.encode("ascii", "replace").decode().replace("(*", "( *").replace("*)", "* )")
    safe = safe.replace("\\", "/").replace("@{", "@ {")
    return f"(* {safe} *)\n" if note else ""
