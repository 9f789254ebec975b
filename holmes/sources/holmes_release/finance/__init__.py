"""The finance part of the HOLMES release."""
