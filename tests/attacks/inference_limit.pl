% attack: catch the inference limit and go on
% expect: timeout
p :- call_with_inference_limit((repeat, fail), 1000000, _), p.
:- p.
