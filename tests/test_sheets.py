"""Printable sheets: what stands on them, as text and as ink."""

import io
import itertools
from pathlib import Path

import matplotlib.image
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from pyramide_core.deals import Deal
from pyramide_core.errors import IllegalMoveError
from pyramide_core.messages import set_language
from pyramide_core.moves import parse_move
from pyramide_core.position import Position
from pyramide_core.rules import VARIANTS, Rules
from pyramide_core.sheets import Sheet, SheetError
from pyramide_core.solver import verdict
from tests.tables import after, small_deal

DEAL = Deal.from_code("PY1-N-AAAAAAS")
START = Position.start(DEAL, VARIANTS["pyramide"])
PYRAMID = "J♦ 6♣ 7♥ A♠ 4♦ Q♠ 5♥ 3♦ 6♥ 8♠ K♥ K♣ A♦ K♠ 9♣ Q♣ 2♣ 8♦ 10♦ 10♠ J♠ 7♣ 10♣ 3♥ 4♥ 3♠ K♦ 7♠".split()


def texts(sheet: Sheet) -> list[str]:
    return [text.get_text() for text in sheet.figure().axes[0].texts]


def test_a_sheet_has_every_card_of_the_pyramid_and_the_stock_in_order() -> None:
    found = texts(Sheet(START))
    assert [text for text in found if text in PYRAMID] == PYRAMID
    start = found.index("Stock, next card first:")
    assert found[start + 1 : start + 24] == [card.symbol for card in DEAL.cards[29:]]
    waste = found.index("Waste, top card first:")
    assert found[waste + 1] == "7♦"
    assert "PY1-N-AAAAAAS · Rules: Pyramide" in found


def test_removed_cards_are_not_there_and_blocked_ones_are_grey() -> None:
    found = texts(Sheet(after(DEAL, VARIANTS["pyramide"], "KD 10C+3S"), stock=False))
    assert not {"K♦", "10♣", "3♠", "Stock, next card first:"} & set(found)
    figure = Sheet(START, stock=False).figure()
    white = [patch for patch in figure.axes[0].patches if patch.get_facecolor()[:3] == (1, 1, 1)]
    assert len(figure.axes[0].patches) == 28
    assert len(white) == 7, "the cards of the last row"


def test_lines_to_write_on_or_the_solution() -> None:
    moves = [parse_move(word) for word in "KD 10C+3S D D".split()]
    solved = texts(Sheet(START, solution=moves))
    assert solved[-6:] == ["1.", "K♦", "2.", "10♣ + 3♠", "3.", "touch the stock 2 times"]
    assert "Solution" in solved
    blank = texts(Sheet(START))
    assert "Moves" in blank
    assert sum(set(text) == {"_"} for text in blank) >= 9


def test_a_solution_must_be_playable() -> None:
    with pytest.raises(IllegalMoveError, match="QC"):
        Sheet(START, solution=[parse_move("QC+AD")]).figure()


def test_a_long_solution_stays_on_the_page() -> None:
    quick = (
        "10C+3S KD 10S+3H D*2 JC+2C D*4 9D+4H D*2 8D+5S D KC D*7 7C+6S 10D+3C KS QC+AD KH 7S+6H D*4 JS+2S D*2 "
        "10H+3D D 9C+4D 8S+5H QS+AS 7H+6C R D*2 JD+2D"
    )
    moves = [
        parse_move(word) for part in quick.split() for word in [part.split("*")[0]] * int((part + "*1").split("*")[1])
    ]
    axes = Sheet(START, solution=moves).figure().axes[0]
    assert all(0.5 < text.get_position()[1] < 11.5 for text in axes.texts)
    assert all(0.5 < text.get_position()[0] < 8 for text in axes.texts)


@pytest.mark.parametrize("language", ["en", "th"])
def test_the_solution_of_a_whole_game_can_be_read(language: str) -> None:
    """No two texts of it lie on each other; a strict win takes the most lines."""
    rules = Rules(goal="all")
    starts = [Position.start(Deal.from_seed(seed), rules) for seed in range(100)]
    start, line = next((start, found.line) for start in starts if (found := verdict(start)).line)
    set_language(language)
    try:
        figure = Sheet(start, task=12 * "long task ", solution=line).figure()
    finally:
        set_language("en")
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [text.get_window_extent(renderer) for text in figure.axes[0].texts]
    assert len(boxes) > 28 + 24 + 2 * 40
    assert all(box.y0 > 0 for box in boxes)
    for box, other in itertools.combinations(boxes, 2):
        # Half a point is the space around letters.
        assert not (
            box.x0 + 0.7 < other.x1 and other.x0 + 0.7 < box.x1 and box.y0 + 0.7 < other.y1 and other.y0 + 0.7 < box.y1
        )


def test_each_waste_pile_has_a_line_of_its_own() -> None:
    found = texts(Sheet(after(DEAL, VARIANTS["thirteen_three_piles"], "D D")))
    # The first six cards after the pyramid, turned onto the piles in turn: 7♦ 2♦ J♣, then 5♣ J♥ A♥.
    for number, cards in enumerate((["5♣", "7♦"], ["J♥", "2♦"], ["A♥", "J♣"]), 1):
        start = found.index(f"Waste {number}, top card first:")
        assert found[start + 1 : start + 3] == cards


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_every_layout_fits_on_the_page(name: str) -> None:
    axes = Sheet(Position.start(DEAL, VARIANTS[name]), task=20 * "long task ").figure().axes[0]
    for patch in axes.patches:
        box = patch.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= axes.figure.bbox.x1
        assert box.y0 >= 0
    assert min(text.get_position()[1] for text in axes.texts) > 0.3


def test_face_down_cards_do_not_give_themselves_away() -> None:
    found = texts(Sheet(Position.start(DEAL, VARIANTS["pyramid_thirteen"]), stock=False))
    assert [text for text in found if text in PYRAMID] == PYRAMID[21:]


def test_a_small_deal_without_a_code_has_a_sheet() -> None:
    deal = small_deal("9C KS 4H 5D KH 8S 6C QD AC 7H")
    found = texts(Sheet(Position.start(deal, Rules(layout="pyramid_4", draws_at_start=0)), task="Remove both kings."))
    assert "Remove both kings." in found
    assert "Stock, next card first:" not in found


def test_files(tmp_path: Path) -> None:
    pdf = Sheet(START).save(tmp_path / "sheet.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf == Sheet(START).as_bytes("pdf"), "the same sheet is the same file"
    picture = matplotlib.image.imread(io.BytesIO(Sheet(START).as_bytes("png")))
    assert picture.shape[0] > picture.shape[1]
    with pytest.raises(SheetError, match="pdf, png, not “doc”"):
        Sheet(START).save(tmp_path / "sheet.doc")
    assert not (tmp_path / "sheet.doc").exists()
