% attack: install a package from the network
% expect: error ok violation
:- catch(pack_install(achelois, [interactive(false)]), _, true).
:- catch(attach_packs('@SCRATCH@'), _, true).
