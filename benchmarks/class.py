"""Thirty learners of a class at once on the real server: how long a click takes, and how much memory it all needs.

A learner here is what the page's script does, without a browser: it fetches the page, talks to the kernel over the
websocket, joins the class and clicks cards at a person's pace. One learner alone is measured first in the same run.
Prints medians, 95 % values and what was aimed at; fails only when something does not work.
"""

import argparse
import asyncio
import json
import random
import re
import secrets
import statistics
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from pyramide_core import VARIANTS, Deal, Game, Remove  # noqa: E402
from pyramide_core.records.classes import Teacher  # noqa: E402
from pyramide_core.records.results import board  # noqa: E402
from pyramide_core.records.store import Records  # noqa: E402
from tests.browser.driving import serving  # noqa: E402

DEAL = "PY1-N-AAAAAAS"
PATIENCE = 240.0
AIM_MS = 100
PLAY_CLICKS = 25
PACE = (1.0, 3.0)
"""Seconds between two moves of a learner: from quick to slow."""


@dataclass
class Learner:
    """One simulated browser."""

    address: str
    code: str
    name: str
    clicks: list[float] = field(default_factory=list)
    opened: float = 0.0

    async def open(self) -> None:
        """Fetch the page, connect, and join the class."""
        start = time.perf_counter()
        client = AsyncHTTPClient()
        url = f"{self.address}?class={self.code}"
        answer = await client.fetch(HTTPRequest(url, request_timeout=PATIENCE, connect_timeout=PATIENCE))
        kernel = re.search(r'"kernelId": "([^"]+)"', answer.body.decode("utf-8"))
        if kernel is None:
            raise RuntimeError(f"{self.name}: the page has no kernel")
        channels = self.address.replace("http", "ws") + f"api/kernels/{kernel[1]}/channels?session_id={uuid.uuid4()}"
        self.socket: WebSocketClientConnection = await websocket_connect(
            HTTPRequest(channels, request_timeout=PATIENCE), max_message_size=2**26
        )
        await self.find_widgets()
        await self.tell({"event": "ready", "query": f"?class={self.code}", "token": secrets.token_hex(24)})
        await self.until(lambda: self.state.get("dialog", {}).get("id") == "class-join")
        await self.tell({"event": "dialog", "action": "class_join", "values": {"name": self.name}})
        await self.until(lambda: len(self.state.get("places", [])) == 28)
        self.opened = time.perf_counter() - start

    # The protocol ----------------------------------------------------------------------------------------------

    async def send(self, kind: str, content: dict[str, Any], version: str = "2.1.0") -> None:
        """Send a message of Jupyter's protocol on the shell channel."""
        header = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "session": "bench", "username": "", "version": "5.3"}
        message = {"header": header, "parent_header": {}, "metadata": {"version": version}, "content": content}
        await self.socket.write_message(json.dumps({**message, "channel": "shell", "buffers": []}))

    async def receive(self) -> dict[str, Any]:
        """Return the next message; a binary one carries buffers, whose state is in its first part."""
        raw = await asyncio.wait_for(self.socket.read_message(), PATIENCE)
        if raw is None:
            raise RuntimeError(f"{self.name}: the server closed the connection")
        if isinstance(raw, bytes):
            count = int.from_bytes(raw[:4], "big")
            offsets = [int.from_bytes(raw[4 * n : 4 * n + 4], "big") for n in range(1, count + 1)]
            raw = raw[offsets[0] : offsets[1] if count > 1 else None].decode("utf-8")
        message: dict[str, Any] = json.loads(raw)
        return message

    async def find_widgets(self) -> None:
        """Ask the kernel for all its widgets, as a page does when it connects."""
        self.state: dict[str, Any] = {}
        self.companion = ""
        self.buttons: dict[str, str] = {}
        control = uuid.uuid4().hex
        await self.send("comm_open", {"comm_id": control, "target_name": "jupyter.widget.control", "data": {}}, "1.0.0")
        await self.send("comm_msg", {"comm_id": control, "data": {"method": "request_states"}})
        while True:
            data = (await self.receive())["content"].get("data", {})
            if data.get("method") == "update_states":
                break
        for identity, model in data["states"].items():
            state = model["state"]
            if "places" in state and "piles" in state:
                self.companion, self.state = identity, dict(state)
        for identity, model in data["states"].items():
            names = model["state"].get("_dom_classes", [])
            for name in names:
                if name.startswith("py-k-"):
                    self.buttons[name.removeprefix("py-k-")] = identity

    async def until(self, condition: Any) -> None:
        """Take in what the kernel sends until the companion's state fulfils a condition."""
        while not condition():
            content = (await self.receive())["content"]
            data = content.get("data", {})
            if content.get("comm_id") == self.companion and data.get("method") == "update":
                self.state.update(data["state"])

    async def tell(self, content: dict[str, Any]) -> None:
        """Send the companion's own message."""
        await self.send("comm_msg", {"comm_id": self.companion, "data": {"method": "custom", "content": content}})

    async def click(self, key: str) -> None:
        """Click a button."""
        data = {"method": "custom", "content": {"event": "click"}}
        await self.send("comm_msg", {"comm_id": self.buttons[key], "data": data})

    # Playing ---------------------------------------------------------------------------------------------------

    async def play(self, clicks: int, pace: tuple[float, float]) -> None:
        """Make so many moves, and note how long each took from its last click to the new state."""
        chance = random.Random(self.name)
        game = Game(Deal.from_code(DEAL), VARIANTS["pyramide"])
        place = {str(card): number for number, card in enumerate(game.deal.cards)}
        for _number in range(clicks):
            await asyncio.sleep(chance.uniform(*pace))
            moves = [move for move in game.position.legal_moves() if not game.position.apply(move).is_won]
            if not moves:
                break
            move = chance.choice(moves)
            keys = ["stock"]
            if isinstance(move, Remove):
                keys = [self.key(place[str(card)]) for card in move.cards]
            game.play(move)
            for key in keys[:-1]:
                await self.click(key)
            start = time.perf_counter()
            await self.click(keys[-1])
            await self.until(lambda: self.state["figures"].get("moves") == game.moves)
            self.clicks.append(time.perf_counter() - start)

    @staticmethod
    def key(place: int) -> str:
        """Return the button of a place of the deal: a tableau card, or the top of the waste."""
        return f"t{place}" if place < 28 else "waste0"


def memory(server: int) -> tuple[float, list[float]]:
    """Return the memory of the server and of each of its kernels in MB, shared pages counted once (PSS)."""
    own = psutil.Process(server)
    kernels = [child for child in own.children(recursive=True) if any("ipykernel" in word for word in child.cmdline())]
    return own.memory_full_info().pss / 1e6, [kernel.memory_full_info().pss / 1e6 for kernel in kernels]


def processor_seconds(server: int) -> float:
    """Return the processor time that the server and its kernels have used so far, in seconds."""
    own = psutil.Process(server)
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(used.user + used.system for used in times)


def told(name: str, seconds: list[float], aim: str = "") -> None:
    """Print a line: median, 95 % and the longest."""
    ordered = sorted(seconds)
    late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    figures = f"median {1000 * statistics.median(ordered):7.0f} ms   95 % {1000 * late:7.0f} ms"
    print(f"{name:32} {figures}   longest {1000 * ordered[-1]:7.0f} ms   {aim}")


async def measure(address: str, server: int, database: str, learners: int, clicks: int) -> None:
    records = Records.open(database)
    teacher = Teacher(records, secrets.token_hex(24))
    task = teacher.open_class([Deal.from_code(DEAL)], VARIANTS["pyramide"], title="Benchmark")

    alone = Learner(address, task.code, "alone")
    await alone.open()
    await alone.play(clicks, (0.3, 0.6))

    everybody = [Learner(address, task.code, f"learner {number}") for number in range(1, learners + 1)]
    start = time.perf_counter()
    await asyncio.gather(*(learner.open() for learner in everybody))
    opening = time.perf_counter() - start
    before, start = processor_seconds(server), time.perf_counter()
    await asyncio.gather(*(learner.play(clicks, PACE) for learner in everybody))
    used, played = processor_seconds(server) - before, time.perf_counter() - start
    own, kernels = memory(server)
    start = time.perf_counter()
    lines = board(task, teacher.learners(task.code), records.wall())
    looked = time.perf_counter() - start

    together = [click for learner in everybody for click in learner.clicks]
    print(
        f"{learners} learners, {clicks} moves each, {PACE[0]:g} to {PACE[1]:g} s between moves, {psutil.cpu_count()} cores"
    )
    told("one learner, click", alone.clicks)
    told(f"{learners} learners, click", together, f"aim: below {AIM_MS} ms")
    print(f"{'ratio of the medians':32} {statistics.median(together) / statistics.median(alone.clicks):.2f}")
    print(
        f"{'moves a second':32} {len(together) / played:.1f}, each {1000 * used / len(together):.0f} ms of a processor"
    )
    told(f"page, {learners} learners at one moment", [learner.opened for learner in everybody])
    print(f"{'all pages open after':32} {opening:.1f} s")
    print(f"{'live board, one look':32} {1000 * looked:.0f} ms, {len(lines)} lines")
    print(f"{'memory: server':32} {own:.0f} MB")
    print(f"{'memory: kernels':32} {sum(kernels):.0f} MB in {len(kernels)}, {statistics.mean(kernels):.0f} MB each")
    expected = sum(len(learner.clicks) for learner in (*everybody, alone))
    kept = sum(made.facts.moves for learner in teacher.learners(task.code) for made in learner.tries)
    print(f"{'moves recorded':32} {kept} of {expected}")
    records.close()
    if kept != expected:
        sys.exit("the records do not hold all moves")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--learners", type=int, default=30)
    parser.add_argument("--clicks", type=int, default=PLAY_CLICKS)
    arguments, _others = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "records.sqlite3")
        with serving(PYRAMIDE_DATABASE=database) as server:
            asyncio.run(measure(server.address, server.process.pid, database, arguments.learners, arguments.clicks))


if __name__ == "__main__":
    main()
