% attack: print NUL bytes and broken UTF-8
% expect: ok error
:- set_stream(user_output, encoding(octet)), forall(member(B, [0, 255, 254, 128, 192, 10]), put_byte(user_output, B)).
:- set_stream(user_output, type(binary)), put_byte(user_output, 237), put_byte(user_output, 160), put_byte(user_output, 128).
:- put_char('\x0\').
