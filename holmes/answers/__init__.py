"""Kinds of answer: what a prompt asks for, how a reply is read and judged."""
