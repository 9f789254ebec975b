"""The authors' releases re-derived: rule bases recovered by program, golds recomputed, defects listed."""
