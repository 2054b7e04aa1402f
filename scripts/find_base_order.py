"""Find the base order of the deal generator: the script that found `pyramide_core.deals.BASE_ORDER`.

Two facts about deals are documented: PY1-N-AAAAAAS shows 29 known cards, and PY1-N-AAAAAAJ never lets more than 14
cards go under the `pyramide` rules. A Fisher-Yates shuffle permutes a base order, so the first fact fixes 29 cards
of the base order, and the other 23 can be tried in random orders until the second fact holds. The tries come from
the project's own generator, so the script finds the same order every time.

    python scripts/find_base_order.py        (about a minute)
"""

from pyramide_core.cards import DECK, KING, Card
from pyramide_core.deals import shuffle
from pyramide_core.tableau import bits, pyramid

DOCUMENTED = """JD 6C 7H AS 4D QS 5H 3D 6H 8S KH KC AD KS 9C QC 2C 8D 10D 10S JS 7C 10C 3H 4H 3S KD 7S 7D"""
DOCUMENTED_SEED, STUCK_SEED, STUCK_CARDS = 18, 9, 14
TABLEAU = pyramid(7)


def most_removed(cards: tuple[Card, ...], enough: int) -> int:
    """Return how many cards the best line of play removes, or a number above `enough` as soon as one is found.

    With unlimited passes any talon card can be brought to the top, so a state is the pyramid's shape and the
    number of talon cards left of each rank; every order of removals is searched.
    """
    ranks = [card.rank for card in cards]
    n = len(TABLEAU)
    counts = tuple(ranks[n:].count(rank) for rank in range(KING + 1))
    seen = set()
    best = 0
    todo = [(TABLEAU.full, counts, 0)]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        shape, talon, removed = state
        best = max(best, removed)
        if best > enough:
            return best
        exposed = list(bits(TABLEAU.exposed(shape)))
        for i, p in enumerate(exposed):
            partner = KING - ranks[p]
            if not partner:
                todo.append((shape & ~(1 << p), talon, removed + 1))
                continue
            if talon[partner]:
                less = (*talon[:partner], talon[partner] - 1, *talon[partner + 1 :])
                todo.append((shape & ~(1 << p), less, removed + 2))
            for q in exposed[i + 1 :]:
                if ranks[q] == partner:
                    todo.append((shape & ~(1 << p | 1 << q), talon, removed + 2))
        if talon[KING]:
            todo.append((shape, (*talon[:KING], talon[KING] - 1), removed + 1))
    return best


def base_order_of(deal: list[Card], seed: int) -> tuple[Card, ...]:
    """Return the base order that the shuffle of a seed turns into a deal."""
    order = [deal[0]] * len(deal)
    for place, origin in enumerate(shuffle(range(len(deal)), seed)):
        order[origin] = deal[place]
    return tuple(order)


def main() -> None:
    """Print the first base order for which both facts hold."""
    known = [Card.parse(word) for word in DOCUMENTED.split()]
    unknown = [card for card in DECK if card not in known]
    attempt = 0
    while True:
        base = base_order_of([*known, *shuffle(unknown, attempt)], DOCUMENTED_SEED)
        if most_removed(shuffle(base, STUCK_SEED), STUCK_CARDS) == STUCK_CARDS:
            print(f"attempt {attempt}:")
            print(*base)
            return
        attempt += 1


if __name__ == "__main__":
    main()
