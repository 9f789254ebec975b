"""The rule-base language: expressions, rule bases, their reading and checking."""
