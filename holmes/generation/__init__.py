"""Making cases: from a record to a case, drawing records, keeping splits apart."""
