"""A second implementation of the rules, made to check the first: slow, plain, and without a line of the engine's code.

Cards are strings such as "10C", piles are lists, the table is a dict. It was written from the rules in words
(docs/variants.md), one rule set at a time, and knows nothing of masks, of `Rules` or of `Deal`.

`python -m tests.naive` writes the golden counts of tests/data/perft.json anew.
"""

import itertools
import json
import random
from pathlib import Path

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
DECK = [rank + suit for suit in "CDHS" for rank in RANKS]
GOLDEN = Path(__file__).parent / "data" / "perft.json"

# What a rule set says when it says nothing else.
USUAL = {
    "layout": "pyramid",
    "draws_at_start": 0,
    "draw_count": 1,
    "waste_piles": 1,
    "passes": None,
    "stock_playable": False,
    "talon_pairs": False,
    "drawn_pairs": False,
    "cover_pairs": False,
    "pairing": "thirteen",
    "goal": "pyramid",
    "scoring": "ten_a_card",
}
_FAMILY = {"draws_at_start": 1, "passes": 3, "stock_playable": True, "talon_pairs": True, "goal": "all"}
RULE_SETS = {
    "pyramide": {"draws_at_start": 1},
    "classic": {},
    "thirteen": {"passes": 1},
    "thirteen_three_piles": {"passes": 1, "draw_count": 3, "waste_piles": 3, "talon_pairs": True},
    "three_passes": {"passes": 3, "stock_playable": True, "talon_pairs": True, "scoring": "rows"},
    "pyramid": _FAMILY,
    "relaxed_pyramid": _FAMILY | {"goal": "pyramid"},
    "pyramid_thirteen": _FAMILY | {"passes": 1},
    "giza": {"layout": "giza", "goal": "all"},
    "triangle": _FAMILY | {"layout": "triangle"},
    "tuts_tomb": {"draws_at_start": 1, "draw_count": 3},
    "apophis": _FAMILY | {"draw_count": 3, "waste_piles": 3, "stock_playable": False},
    "cheops": _FAMILY | {"passes": 1, "pairing": "neighbours"},
    "pharaohs": {"layout": "pharaohs", "goal": "all"},
}
# The pyramids of each layout, by their rows; "giza" has 8 columns of 3 besides.
PYRAMIDS = {"pyramid": [7], "giza": [7], "pharaohs": [2, 7, 6]} | {f"pyramid_{n}": [n] for n in (3, 4, 5, 6)}


def rank(card):
    return RANKS.index(card[:-1]) + 1


class NaiveGame:
    """A game of 52 cards (apex first, the stock in its order at the end) under options as in USUAL."""

    def __init__(self, cards, options):
        self.options = USUAL | {name: value for name, value in options.items() if name in USUAL}
        self.order = list(cards)
        self.table = {}
        cards = list(cards)
        for spot in self.spots():
            self.table[spot] = cards.pop(0)
        self.stock = cards
        self.piles = [[] for _ in range(self.options["waste_piles"])]
        self.passes_begun = 1
        self.removals = 0
        for _ in range(self.options["draws_at_start"]):
            if self.stock:
                self.draw()

    def spots(self):
        """All spots of the layout in dealing order: (part, row, place in the row)."""
        layout = self.options["layout"]
        if layout == "triangle":
            return [("triangle", row, place) for row in range(7) for place in range(7 - row)]
        spots = [
            (f"pyramid {number}", row, place)
            for number, rows in enumerate(PYRAMIDS[layout])
            for row in range(rows)
            for place in range(row + 1)
        ]
        if layout == "giza":
            spots += [(f"column {column}", depth, 0) for column in range(8) for depth in range(3)]
        return spots

    def coverers(self, spot):
        """The spots whose cards lie on this one's card and are still there."""
        part, row, place = spot
        if part.startswith("column"):
            on_top = [(part, row + 1, 0)]
        elif part == "triangle":
            on_top = [(part, row + 1, place - 1), (part, row + 1, place)]
        else:
            on_top = [(part, row + 1, place), (part, row + 1, place + 1)]
        return [spot for spot in on_top if spot in self.table]

    def go_together(self, a, b):
        if self.options["pairing"] == "neighbours":
            return abs(rank(a) - rank(b)) <= 1
        return rank(a) + rank(b) == 13

    def free_on_table(self):
        return [card for spot, card in self.table.items() if not self.coverers(spot)]

    def free_in_talon(self):
        free = [pile[-1] for pile in self.piles if pile]
        if self.options["stock_playable"] and self.stock:
            free.append(self.stock[0])
        return free

    def moves(self):
        """All moves: a frozenset of cards for a removal, "D", "R". None when the game is won."""
        if self.won():
            return set()
        moves = set()
        table, talon = self.free_on_table(), self.free_in_talon()
        if self.options["pairing"] == "thirteen":
            moves |= {frozenset([card]) for card in table + talon if card.startswith("K")}
        pairs = list(itertools.combinations(table, 2)) + list(itertools.product(table, talon))
        if self.options["talon_pairs"]:
            pairs += itertools.combinations(talon, 2)
        if self.options["drawn_pairs"]:
            pairs += [(pile[-1], pile[-2]) for pile in self.piles if len(pile) > 1]
        if self.options["cover_pairs"]:
            for spot, card in self.table.items():
                upper = self.coverers(spot)
                if len(upper) == 1 and not self.coverers(upper[0]):
                    pairs.append((card, self.table[upper[0]]))
        moves |= {frozenset(pair) for pair in pairs if self.go_together(*pair)}
        if self.stock:
            moves.add("D")
        elif any(self.piles) and (self.options["passes"] is None or self.passes_begun < self.options["passes"]):
            moves.add("R")
        return moves

    def draw(self):
        for number in range(self.options["draw_count"]):
            if self.stock:
                self.piles[number % len(self.piles)].append(self.stock.pop(0))

    def play(self, move):
        if move == "D":
            self.draw()
        elif move == "R":
            self.stock = sorted((card for pile in self.piles for card in pile), key=self.order.index)
            self.piles = [[] for _ in self.piles]
            self.passes_begun += 1
        else:
            self.table = {spot: card for spot, card in self.table.items() if card not in move}
            self.stock = [card for card in self.stock if card not in move]
            self.piles = [[card for card in pile if card not in move] for pile in self.piles]
            self.removals += 1

    def pyramid_left(self):
        return [spot for spot in self.table if not spot[0].startswith("column")]

    def won(self):
        if self.options["goal"] == "all":
            return not (self.table or self.stock or any(self.piles))
        return not self.pyramid_left()

    def score(self):
        spots = [spot for spot in self.spots() if not spot[0].startswith("column")]
        if self.options["scoring"] == "ten_a_card":
            return 10 * (len(spots) - len(self.pyramid_left()))
        points = 5 * self.removals
        for part in {part for part, _, _ in spots}:
            rows = sorted({row for other, row, _ in spots if other == part}, reverse=True)
            for row, bonus in zip(rows, [25, 50, 75, 100, 150, 250, 500], strict=False):
                if not any(spot[:2] == (part, row) for spot in self.table):
                    points += bonus
        return points

    def copy(self):
        twin = object.__new__(NaiveGame)
        twin.__dict__ = self.__dict__ | {
            "table": dict(self.table),
            "stock": list(self.stock),
            "piles": [list(pile) for pile in self.piles],
        }
        return twin

    def count_sequences(self, depth):
        """How many sequences of so many moves there are."""
        if depth == 0:
            return 1
        total = 0
        for move in self.moves():
            twin = self.copy()
            twin.play(move)
            total += twin.count_sequences(depth - 1)
        return total


def spell(move):
    """A move as text, the higher rank first, equal ranks in the order of the suits C D H S."""
    if isinstance(move, str):
        return move
    return "+".join(sorted(move, key=lambda card: (-rank(card), card[-1])))


def unspell(text):
    return text if text in ("D", "R") else frozenset(text.split("+"))


def golden_cases():
    """The golden counts: every rule set and every option turned over, from the deal on and from mid-game."""
    cases = list(RULE_SETS.items())
    turned = {
        "draw_count": 3,
        "passes": 2,
        "stock_playable": True,
        "drawn_pairs": True,
        "cover_pairs": True,
        "pairing": "neighbours",
        "goal": "all",
        "draws_at_start": 2,
        "layout": "pyramid_3",
        "scoring": "rows",
    }
    for option, value in turned.items():
        options = RULE_SETS["pyramide"] | {option: value}
        word = "yes" if value is True else value
        cases.append((f"mix,{option}={word}", options))
    for (text, options), number in itertools.product(cases, range(3)):
        chance = random.Random(f"{text} {number}")
        cards = list(DECK)
        chance.shuffle(cards)
        played = random_line(NaiveGame(cards, options), chance, 80)
        played = played[: len(played) * number // 3]
        game = NaiveGame(cards, options)
        for move in played:
            game.play(unspell(move))
        counts = [1]
        while 0 < counts[-1] < 1500 and len(counts) < 11:
            counts.append(game.count_sequences(len(counts)))
        yield {"rules": text, "cards": " ".join(cards), "played": " ".join(played), "counts": counts}


def random_line(game, chance, most):
    """Play at random; draws are the likelier ones, so that the stock is gone through more than once."""
    line = []
    while len(line) < most and game.moves():
        removals = sorted(spell(move) for move in game.moves() if not isinstance(move, str))
        others = sorted(move for move in game.moves() if isinstance(move, str))
        move = chance.choice(others if others and (not removals or chance.random() < 0.7) else removals)
        game.play(unspell(move))
        line.append(move)
    return line


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(case) for case in golden_cases())
    GOLDEN.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
