"""Tests of the formal side: translation, scripts, theories, and the kernel itself."""
