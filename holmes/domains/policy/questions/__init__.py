"""Policy questions: their terms, English and witnesses."""
