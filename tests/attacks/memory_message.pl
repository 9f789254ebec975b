% attack: pose as out of memory
% expect: error
:- format(user_error, '[FATAL ERROR: Could not allocate memory]~nERROR: not enough memory~n', []), halt(134).
