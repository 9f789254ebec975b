"""Small helpers without knowledge of the project: files, paths, chat requests."""
