% attack: damage the libraries
% expect: ok error violation
:- absolute_file_name(library(lists), F, [file_type(prolog), access(read)]), catch(delete_file(F), E, (print_message(informational, E))), catch(open(F, append, _), _, true).
