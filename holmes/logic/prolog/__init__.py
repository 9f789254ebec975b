"""Rule bases and cases as Prolog programs."""
