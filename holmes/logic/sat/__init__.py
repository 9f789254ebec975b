"""Rule bases as propositional formulas: equivalence, witnesses, checks of meaning."""
