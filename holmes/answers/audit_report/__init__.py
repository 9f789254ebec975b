"""Reports of audits: verdicts by subject with the rules that failed."""
