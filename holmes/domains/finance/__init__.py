"""Our own finance domain: a reimbursement policy of a fictional university, its cases, prompts and gates."""
