"""Records: saved games, statistics and classes, in a database. Knows the core, and nothing of how anything is shown.

The parts, from the plain to the stored:

- `saved`: a game as it is kept, made from a live game and turned back into one by replaying it; `memory`: the same as
  the text that the player's browser keeps.
- `summaries`, `charts`: statistics and rankings of kept games, and pictures of them.
- `exchange`: CSV and transcripts, written and read.
- `tokens`: the secrets that keep players apart, and the names and class codes that people type.
- `daily`: the deal of the day.
- `models`, `database`, `store`, `classes`, `migrations`: the database. Only these import SQLAlchemy, and nothing imports
  them before a database is opened.
- `recorder`: what saves a game while it is played.
"""
