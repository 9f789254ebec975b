"""Adapters to lm-evaluation-harness and to RL trainers; thin, and the only place that knows them."""
