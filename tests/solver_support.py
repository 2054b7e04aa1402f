"""What the tests of the solver share: small deals under any rules, and the plain breadth-first search that judges them."""

import random
from collections import deque
from dataclasses import dataclass, replace

from pyramide_core.cards import DECK, Card
from pyramide_core.deals import Deal
from pyramide_core.moves import parse_move
from pyramide_core.position import Position
from pyramide_core.rules import Rules
from pyramide_core.tableau import bits
from tests.naive import USUAL, NaiveGame, spell

STATES = 600
"""A game with more states than this is not judged: the plain search is slow."""


@dataclass(frozen=True)
class Truth:
    """What the plain search found: the length of a shortest win (None: no win), and the most cards that can go."""

    shortest: int | None
    most: int


def naive_game(deal: Deal, rules: Rules) -> NaiveGame:
    return NaiveGame([str(card) for card in deal.cards], {name: getattr(rules, name) for name in USUAL})


def state(game: NaiveGame) -> tuple:
    begun = game.passes_begun if game.options["passes"] is not None else 0
    return frozenset(game.table.values()), tuple(game.stock), tuple(map(tuple, game.piles)), begun


def cards_left(game: NaiveGame) -> int:
    return len(game.table) + len(game.stock) + sum(map(len, game.piles))


def search(start: NaiveGame, states: int = STATES) -> Truth | None:
    """Look at every state of a game in the order of moves made; None when there are too many."""
    seen = {state(start)}
    waiting = deque([(start, 0)])
    shortest, fewest = None, cards_left(start)
    while waiting:
        game, made = waiting.popleft()
        fewest = min(fewest, cards_left(game))
        if game.won():
            shortest = made if shortest is None else shortest
            continue
        for move in sorted(game.moves(), key=spell):
            after = game.copy()
            after.play(move)
            if state(after) not in seen:
                seen.add(state(after))
                waiting.append((after, made + 1))
        if len(seen) > states:
            return None
    return Truth(shortest, cards_left(start) - fewest)


def random_rules(rng: random.Random) -> Rules:
    """Return rules with every option that changes play drawn at random, usual values more often."""
    piles = rng.choice([1, 1, 1, 1, 2, 3])
    return Rules(
        layout=rng.choice(["pyramid_3", "pyramid_3", "pyramid_4", "pyramid_5"]),
        draws_at_start=rng.choice([0, 1, 2]),
        draw_count=piles * rng.choice([1, 1, 1, 2, 3]),
        waste_piles=piles,
        passes=rng.choice([None, None, None, 1, 1, 2, 3, 40]),
        stock_playable=rng.random() < 0.5,
        talon_pairs=rng.random() < 0.5,
        drawn_pairs=rng.random() < 0.3,
        cover_pairs=rng.random() < 0.3,
        pairing=rng.choice(["thirteen", "thirteen", "thirteen", "neighbours"]),
        goal=rng.choice(["pyramid", "all"]),
    )


def random_deal(rng: random.Random, size: int) -> Deal:
    """Return a deal of so many cards, of few ranks and mostly in fitting pairs, so that many can be won."""
    low = rng.sample(range(1, 7), min(6, -(-size // 8) + rng.randint(0, 1)))
    ranks = {*low, *(13 - rank for rank in low)} | ({13} if rng.random() < 0.5 else set())
    pool = [card for card in DECK if card.rank in ranks]
    rng.shuffle(pool)
    if len(pool) < size:
        pool = rng.sample(DECK, 52)
    chosen: list[Card] = []
    while len(chosen) < size:
        card = pool.pop()
        partner = next((other for other in pool if other.rank + card.rank == 13), None)
        chosen.append(card)
        if partner and rng.random() < 0.9:
            pool.remove(partner)
            chosen.append(partner)
    chosen = chosen[:size]
    rng.shuffle(chosen)
    return Deal.of(chosen)


def random_case(seed: int, rules: Rules | None = None) -> tuple[NaiveGame, Position]:
    """Return a position of a small game in mid-play, as both implementations have it."""
    rng = random.Random(seed)
    rules = rules or random_rules(rng)
    size = len(rules.tableau)
    talon = rng.randint(0 if size > 6 else 4, 10 if size < 10 else 7 if size < 15 else 3)
    deal = random_deal(rng, size + talon)
    game, position = naive_game(deal, rules), Position.start(deal, rules)
    for _move in range(rng.choice([0, 0, 1, 2, 4, 8])):
        moves = sorted(game.moves(), key=spell)
        if not moves:
            break
        # Mostly removals, or play would turn the stock and no more.
        removals = [move for move in moves if not isinstance(move, str)]
        move = rng.choice(removals if removals and rng.random() < 0.7 else moves)
        game.play(move)
        position = position.apply(parse_move(spell(move)))
    return game, position


def late_case(seed: int, rules: Rules) -> tuple[NaiveGame, Position]:
    """Return a position with few cards left of a full layout, in fitting pairs where that can be."""
    rng = random.Random(seed)
    tableau = rules.tableau
    left = tableau.full
    target = rng.randint(6, 16)
    while left.bit_count() > target:
        left &= ~(1 << rng.choice(list(bits(tableau.exposed(left)))))
    talon = rng.sample(range(len(tableau), 52), min(rng.randint(0, 6), rules.talon_size))
    places = [*bits(left), *talon]
    rng.shuffle(places)
    cards = list(random_deal(rng, len(places)).cards)
    others = [card for card in rng.sample(DECK, 52) if card not in cards]
    rest = [place for place in range(52) if place not in places]
    order = dict(zip([*places, *rest], [*cards, *others], strict=True))
    deal = Deal.of(order[place] for place in range(52))
    gone = sum(1 << place for place in rest)
    game = naive_game(deal, replace(rules, draws_at_start=0))
    game.play(frozenset(str(order[place]) for place in rest))
    return game, Position.start(deal, replace(rules, draws_at_start=0)).removed(gone)
