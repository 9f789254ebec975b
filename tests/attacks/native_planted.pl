% attack: load a native library that the caller planted
% expect: error violation
:- use_foreign_library('@SCRATCH@/evil.so').
:- load_foreign_library('@SCRATCH@/evil.so').
