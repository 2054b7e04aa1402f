"""A program that plays games on a dashboard and is killed in the middle, again and again: see test_recorder.

Called with a database, a token and the numbers of the rounds. Each round forks a process that plays by clicking, and
kills it with signal 9 at a random moment. What the process was about to do and what it had done stands in a file.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from pyramide_core.ui.dashboard import Dashboard


def play(setting: str, token: str, journal: Path, seed: int) -> None:
    """Open the dashboard as a page does and click on it until killed; write down every action before and after it."""
    chance = random.Random(seed)
    dashboard = Dashboard(records=setting)
    dashboard.hear("ready", {"query": "", "token": token})
    game = dashboard.game
    if game is None:
        raise RuntimeError("no game was dealt")
    with journal.open("a", encoding="utf-8", buffering=1) as out:
        out.write(f"open {game.deal.code} {' '.join(map(str, game.log))}\n")
        while True:
            if game.outcome is not None:
                dashboard.new_game()
                game = dashboard.game
                out.write(f"open {game.deal.code}\n")
            keys = [key for key, button in dashboard.buttons.items() if key != "foundation" and not button.disabled]
            # The stock more often than a random card, as most cards are blocked.
            key = "stock" if chance.random() < 0.3 else chance.choice(keys)
            button = dashboard._undo if chance.random() < 0.05 else dashboard.buttons[key]
            before = len(game.log)
            out.write("act\n")
            button.click()
            if len(game.log) > before:
                out.write(f"done {game.log[-1]}\n")


def main() -> None:
    """Run the rounds."""
    setting, token, folder, *rounds = sys.argv[1:]
    chance = random.Random(4)
    for number in map(int, rounds):
        journal = Path(folder) / f"{number}.txt"
        child = os.fork()
        if child == 0:
            try:
                play(setting, token, journal, number)
            finally:
                os._exit(1)
        # After a number of clicks, so that a busy machine plays as much as an idle one; then at any moment of one.
        clicks = chance.randrange(1, 25)
        while not journal.exists() or journal.read_text(encoding="utf-8").count("act\n") < clicks:
            time.sleep(0.01)
        time.sleep(chance.uniform(0.0, 0.03))
        os.kill(child, signal.SIGKILL)
        _pid, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            sys.exit(f"round {number}: the player ended by itself")


if __name__ == "__main__":
    main()
