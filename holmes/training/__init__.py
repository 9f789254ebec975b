"""Data for training: programs curated from a chat model, hard sets, exports for trainers."""
