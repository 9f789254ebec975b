"""What may be changed in a case, and what follows from it."""
