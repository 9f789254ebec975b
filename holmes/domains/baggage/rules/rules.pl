% Sections 5 and 6: the bands of the legs, and the leading leg
leg_band(Leg, Band) :-
    leg(Leg, From, To, _Carrier),
    region(From, RegionFrom),
    region(To, RegionTo),
    band_between(RegionFrom, RegionTo, Band).

band_between(home, home, 1).
band_between(far, far, 2).
band_between(near, Other, 2) :- Other \== far.
band_between(home, near, 2).
band_between(far, Other, 3) :- Other \== far.
band_between(Other, far, 3) :- Other \== far.

leading_leg(Leg) :-
    leg_band(Leg, Band),
    \+ (leg_band(_, Higher), Higher > Band),
    \+ (leg_band(Earlier, Band), Earlier < Leg),
    !.

journey_band(Band) :- leading_leg(Leg), leg_band(Leg, Band).
journey_carrier(Carrier) :- leading_leg(Leg), leg(Leg, _, _, Carrier).

% Section 7: breaks and parts
journey_break(Leg) :-
    stop_after(Leg, Hours),
    Hours >= 24,
    \+ stop_caused_by_cancellation(Leg).

journey_parts(Parts) :- aggregate_all(count, journey_break(_), Breaks), Parts is Breaks + 1.

% Sections 8 and 9: the tariff and its day
order_of_aurelia_counts :- reissue_ordered_by_aurelia, \+ moved_to_higher_cabin_by_choice.

tariff_day(Day) :- ticket_reissued(Day), \+ order_of_aurelia_counts, !.
tariff_day(Day) :- ticket_issued(Day).

tariff(old) :- tariff_day(Day), Day @< day(2027, 3, 1), !.
tariff(new).

% Section 11: the card
flight_number_counts :-
    leading_leg(Leg),
    sold_under_aurelia_number(Leg),
    \+ (journey_carrier(corvid), cabin(Cabin), member(Cabin, [light, classic])).

card_counts :-
    card(Card),
    \+ (Card == silver, cabin(light)),
    ( journey_carrier(aurelia) -> true ; flight_number_counts ).

% Sections 10, 12 and 13: the free allowance and the weight limit of free pieces
free_allowance(Allowance) :-
    cabin(Cabin),
    journey_band(Band),
    cabin_pieces(Cabin, Band, Own),
    ( card_counts -> card(Card), card_pieces(Card, More) ; More = 0 ),
    Allowance is Own + More.

free_weight_limit(32) :- cabin(Cabin), member(Cabin, [comfort, premier]), !.
free_weight_limit(32) :- card_counts, card(Card), member(Card, [gold, platinum]), !.
free_weight_limit(23).

% Sections 14 and 15: measures and categories
linear_size(Piece, Size) :- piece(Piece, _, _, Sides), sum_list(Sides, Size).
piece_length(Piece, Length) :- piece(Piece, _, _, Sides), max_list(Sides, Length).
category(Piece, Category) :- piece(Piece, Kind, _, _), kind_category(Kind, Category).

kind_category(Kind, ordinary) :- member(Kind, [suitcase, trunk, duffel, rucksack]).
kind_category(Kind, sports) :- member(Kind, [skis, bicycle, surfboard, golf]).
kind_category(Kind, music) :- member(Kind, [cello, guitar]).
kind_category(Kind, mobility_aid) :- member(Kind, [wheelchair, crutches]).
kind_category(Kind, childrens) :- member(Kind, [stroller, seat]).

% Sections 16 to 18: exempt, cargo and counted pieces
small_child :-
    child_born(Birth),
    departure(Departure),
    days_between(Birth, Departure, Days),
    Days < 730.

exempt(Piece) :- category(Piece, mobility_aid).
exempt(Piece) :- category(Piece, childrens), small_child.

cargo(Piece) :-
    piece(Piece, _, Weight, _),
    \+ exempt(Piece),
    linear_size(Piece, Size),
    ( Weight > 45 -> true ; Size > 300 ).

counted(Piece) :- piece(Piece, _, _, _), \+ exempt(Piece), \+ cargo(Piece).

% Sections 19 and 20: steps
weight_step(Piece, Step) :-
    piece(Piece, _, Weight, _),
    ( Weight =< 23 -> Step = within ; Weight =< 32 -> Step = heavy ; Step = very_heavy ).

size_step(Piece, within) :- category(Piece, music).
size_step(Piece, Step) :-
    category(Piece, sports),
    piece_length(Piece, Length),
    ( Length > 190 -> Step = huge ; Step = within ).
size_step(Piece, Step) :-
    category(Piece, Category),
    member(Category, [ordinary, childrens]),
    linear_size(Piece, Size),
    ( Size =< 158 -> Step = within ; Size =< 203 -> Step = large ; Step = huge ).

% Sections 21 and 22: surcharges of charged and of free pieces
surcharge(Piece, WeightStep, SizeStep, Surcharge) :-
    journey_band(Band),
    overweight_surcharge(WeightStep, Band, Overweight),
    oversize_surcharge(SizeStep, Band, Oversize),
    ( category(Piece, sports) -> Surcharge is Overweight + Oversize ; Surcharge is max(Overweight, Oversize) ).

charged_surcharge(Piece, Surcharge) :-
    weight_step(Piece, WeightStep),
    size_step(Piece, SizeStep),
    surcharge(Piece, WeightStep, SizeStep, Surcharge).

free_surcharge(Piece, Surcharge) :-
    free_weight_step(Piece, WeightStep),
    free_size_step(Piece, SizeStep),
    surcharge(Piece, WeightStep, SizeStep, Surcharge).

free_weight_step(Piece, Step) :-
    piece(Piece, _, Weight, _),
    free_weight_limit(Limit),
    ( Weight =< Limit -> Step = within ; weight_step(Piece, Step) ).

free_size_step(Piece, Step) :-
    size_step(Piece, Own),
    ( Own == large -> Step = within ; Step = Own ).

% Section 23: handling
handling(Piece, 0) :- ( exempt(Piece) ; cargo(Piece) ), !.
handling(_, 0) :- card(platinum), card_counts, !.
handling(Piece, Fee) :- piece(Piece, Kind, _, _), handling_fee(Kind, Fee), !.
handling(_, 0).

% Sections 24 and 25: every choice of the free pieces, and the least fees
eligible(Piece) :- counted(Piece), \+ category(Piece, sports).
eligible(Piece) :- counted(Piece), category(Piece, sports), card(platinum), card_counts.

free_pieces(Free) :-
    findall(Piece, eligible(Piece), Eligible),
    length(Eligible, Number),
    free_allowance(Allowance),
    Size is min(Number, Allowance),
    length(Free, Size),
    sublist_of(Free, Eligible).

sublist_of([], _).
sublist_of([Piece|Free], [Piece|Rest]) :- sublist_of(Free, Rest).
sublist_of([Piece|Free], [_|Rest]) :- sublist_of([Piece|Free], Rest).

% Sections 26 to 28: piece fees, discount and peak addition
piece_fees(Charged, Fees) :-
    findall(Fee, (between(1, Charged, Place), Column is min(Place, 3), fee_of(Column, Fee)), List),
    sum_list(List, Fees).

fee_of(Column, Fee) :- tariff(Tariff), journey_band(Band), piece_fee(Tariff, Column, Band, Fee).

discount :- fees_paid_online(Hours), Hours >= 36, ( cabin(light) -> journey_band(3) ; true ).

peak_addition(Charged, Addition) :- peak_season, \+ orders_count, !, Addition is 15 * Charged.
peak_addition(_, 0).

peak_season :- departure(Day), Day @>= day(2027, 6, 15), Day @=< day(2027, 8, 31).

orders_count :-
    service_orders,
    ticket_issued(Issue),
    departure(Departure),
    days_between(Issue, Departure, Days),
    Days >= 14.

% Sections 29 and 30: the fees for one part, and the total
part_fees(Free, Fees) :-
    findall(Piece, (counted(Piece), \+ memberchk(Piece, Free)), ChargedPieces),
    length(ChargedPieces, Charged),
    piece_fees(Charged, PieceFees),
    ( discount -> Lowered is PieceFees * 4 rdiv 5 ; Lowered = PieceFees ),
    peak_addition(Charged, Peak),
    findall(Cost, piece_cost(Free, ChargedPieces, Cost), Costs),
    sum_list(Costs, Rest),
    Fees is Lowered + Peak + Rest.

piece_cost(Free, _, Cost) :- member(Piece, Free), free_surcharge(Piece, Cost).
piece_cost(_, Charged, Cost) :- member(Piece, Charged), charged_surcharge(Piece, Cost).
piece_cost(_, _, Cost) :- piece(Piece, _, _, _), handling(Piece, Cost).
piece_cost(_, _, Cost) :- cargo(_), journey_band(Band), cargo_fee(Band, Cost).

total_cost(Total) :-
    findall(Fees, (free_pieces(Free), part_fees(Free, Fees)), Choices),
    min_list(Choices, Least),
    ticket_price(Ticket),
    journey_parts(Parts),
    Total is Ticket + Least * Parts.

% The number of midnights between two days
days_between(From, To, Days) :- day_number(From, Start), day_number(To, End), Days is End - Start.

day_number(day(Year, Month, Day), Number) :-
    Shift is (14 - Month) // 12,
    Years is Year + 4800 - Shift,
    Months is Month + 12 * Shift - 3,
    Number is Day + (153 * Months + 2) // 5 + 365 * Years + Years // 4 - Years // 100 + Years // 400 - 32045.
