"""Model text to thinking stripped, answer, amounts, citations, programs, reports: one function a kind."""
