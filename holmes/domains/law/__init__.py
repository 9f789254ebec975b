"""Law cases: rule bases, planner, text, prompts."""
