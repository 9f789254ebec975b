% attack: start an interpreter by every way there is
% expect: violation error ok
:- forall(( member(P, ['/usr/bin/python3', '/usr/bin/perl', '/bin/sh', '/usr/bin/env', '/usr/bin/swipl', '/proc/self/exe']),
            member(G, [ open(pipe(P), read, _), shell(P), ( use_module(library(process)), process_create(P, [], []) ),
                        ( use_module(library(unix)), exec(P) ) ]) ),
          catch(G, _, true)).
:- writeln('started nothing').
