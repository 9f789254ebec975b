"""The helper clauses that a Prolog program may need: days of the calendar and exact decimal text."""

CIVIL_DAYS = """\
% The number of a day, counted from a fixed day; leap years as in the Gregorian calendar.
day_number(date(Year, Month, Day), Number) :-
    ( Month > 2 -> Y = Year, M is Month - 3 ; Y is Year - 1, M is Month + 9 ),
    Number is 365 * Y + Y // 4 - Y // 100 + Y // 400 + (153 * M + 2) // 5 + Day."""

EXACT_TEXT = """\
% An exact number as text: an integer, a decimal, or else a fraction.
exact_text(Number, Number) :- integer(Number), !.
exact_text(Number, Text) :-
    between(1, 18, Places),
    Scaled is Number * 10 ** Places,
    integer(Scaled), !,
    format(atom(Text), '~*d', [Places, Scaled]).
exact_text(Number, Text) :-
    rational(Number, Numerator, Denominator),
    format(atom(Text), '~d/~d', [Numerator, Denominator])."""
