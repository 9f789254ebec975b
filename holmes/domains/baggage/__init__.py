"""What a passenger of a fictional airline owes for checked baggage."""
