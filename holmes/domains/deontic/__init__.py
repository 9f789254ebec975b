"""Statute cases: an income tax written here, its questions, text, prompts."""
