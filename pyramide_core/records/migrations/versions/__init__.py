"""One module for each schema; a published one is never changed."""
