"""One folder a domain; services know them as objects only."""
