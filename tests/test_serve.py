"""How the game and the lessons are started: ports, files, addresses, the end; the pages are in tests/browser."""

import asyncio
import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import psutil
import pytest

from pyramide_core import messages, serve, voila_app

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = ROOT / "share" / "jupyter" / "voila" / "templates" / "pyramide"


@pytest.fixture
def busy() -> Iterator[int]:
    """A port of this computer on which somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield taken.getsockname()[1]


# Ports ----------------------------------------------------------------------------------------------------------------


def test_listens_on_this_computer_only() -> None:
    with serve.listen(0, 0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_port_asked_for_is_used(busy: int) -> None:
    with serve.listen(0, busy) as free:
        port = free.getsockname()[1]
    with serve.listen(port, busy) as listener:
        assert listener.getsockname()[1] == port


def test_busy_port_asked_for_is_an_error_in_a_sentence(busy: int) -> None:
    with pytest.raises(serve.ServeError, match=rf"^Port {busy} cannot be used: .* in use\. .*\.$"):
        serve.listen(busy, 0)


def test_busy_usual_port_is_said_and_another_is_taken(busy: int, capsys: pytest.CaptureFixture[str]) -> None:
    with serve.listen(None, busy) as listener:
        port = listener.getsockname()[1]
    assert port != busy
    assert capsys.readouterr().out == f"Port {busy} is busy, so port {port} is used.\n"


@pytest.mark.parametrize("port", [-1, 65536, 10**9])
def test_number_that_is_no_port(port: int) -> None:
    with pytest.raises(serve.ServeError, match=f"^{port} is no port"):
        serve.listen(port, 0)


def test_two_servers_never_share_a_port() -> None:
    with serve.listen(0, 0) as first, pytest.raises(serve.ServeError):
        serve.listen(first.getsockname()[1], 0)


# Files ----------------------------------------------------------------------------------------------------------------


def test_home_is_the_checkout() -> None:
    home = serve.find_home()
    assert home.root == ROOT
    assert home.is_checkout
    assert (home.notebooks / "play.ipynb").is_file()


def test_home_of_an_installation_is_its_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "pyramide_core" / "__init__.py"
    monkeypatch.setattr("pyramide_core.__file__", str(package))
    monkeypatch.setattr(serve, "data_folders", lambda: [str(tmp_path / "data")])
    with pytest.raises(serve.ServeError, match=r"^The notebooks of Pyramide were not found; looked for notebooks/play"):
        serve.find_home()
    notebooks = tmp_path / "data" / "share" / "pyramide" / "notebooks"
    notebooks.mkdir(parents=True)
    (notebooks / "play.ipynb").touch()
    assert serve.find_home() == serve.Home(notebooks.parent, is_checkout=False)


def test_checkout_comes_first_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["elsewhere", str(ROOT)]))
    monkeypatch.delenv("JUPYTER_PATH", raising=False)
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "0")
    serve.prepare_environment(serve.Home(ROOT, is_checkout=True))
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [str(ROOT), "elsewhere"]
    assert os.environ["JUPYTER_PATH"].split(os.pathsep)[0] == str(ROOT / "share" / "jupyter")
    assert os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] == "0"


def test_installation_leaves_the_way_to_code_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("JUPYTER_PATH", "mine")
    serve.prepare_environment(serve.Home(tmp_path, is_checkout=False))
    assert "PYTHONPATH" not in os.environ
    assert os.environ["JUPYTER_PATH"].split(os.pathsep)[-1] == "mine"


# Configuration --------------------------------------------------------------------------------------------------------


def test_configuration_keeps_what_must_be_kept() -> None:
    settings = json.loads((ROOT / "voila.json").read_text(encoding="utf-8"))
    voila = settings["VoilaConfiguration"]
    assert voila["strip_sources"] is True
    assert voila["show_tracebacks"] is False
    assert voila["allow_template_override"] == voila["allow_theme_override"] == "NO"
    assert settings["Voila"]["ip"] == "127.0.0.1"
    assert settings["Voila"]["tornado_settings"]["allow_remote_access"] is False
    assert settings["MappingKernelManager"]["cull_idle_timeout"] > 0
    assert settings["MappingKernelManager"]["cull_connected"] is False


def test_binder_has_the_same_settings_of_kernels_and_pages() -> None:
    alone, below_jupyter = (
        json.loads((ROOT / name).read_text(encoding="utf-8")) for name in ("voila.json", "jupyter_config.json")
    )
    for section in ("MappingKernelManager", "VoilaExecutor", "VoilaExporter"):
        assert alone[section] == below_jupyter[section]
    assert below_jupyter["ServerApp"]["tornado_settings"]["compress_response"] is True


def test_every_setting_is_one_that_exists() -> None:
    """Jupyter lets a misspelt setting go by without a word."""
    from jupyter_client.manager import KernelManager
    from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
    from voila.app import Voila
    from voila.configuration import VoilaConfiguration
    from voila.execute import VoilaExecutor
    from voila.exporter import VoilaExporter
    from voila.voila_kernel_manager import voila_kernel_manager_factory

    known = {
        "Voila": Voila,
        "VoilaConfiguration": VoilaConfiguration,
        "VoilaExecutor": VoilaExecutor,
        "VoilaExporter": VoilaExporter,
        "VoilaKernelManager": voila_kernel_manager_factory(AsyncMappingKernelManager, True, 0),
        "MappingKernelManager": AsyncMappingKernelManager,
        "KernelManager": KernelManager,
    }
    settings = json.loads((ROOT / "voila.json").read_text(encoding="utf-8"))
    for section, values in settings.items():
        traits: dict[str, Any] = known[section].class_traits(config=True)
        assert set(values) <= set(traits), section


def test_template_says_the_same_as_the_catalogue() -> None:
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATE), autoescape=False)
    texts = environment.from_string("{% import 'texts.html.j2' as texts with context %}{{ texts.all() }}")
    assert json.loads(texts.render()) == voila_app.PAGE_TEXTS
    given = texts.render(resources={"pyramide_texts": {"reload": "Recharger"}})
    assert json.loads(given) == voila_app.PAGE_TEXTS | {"reload": "Recharger"}


def test_nothing_in_the_template_comes_from_elsewhere() -> None:
    for file in TEMPLATE.rglob("*"):
        if file.is_file():
            addresses = re.findall(r"(?:https?:)?//[\w.-]+\.\w+", file.read_text(encoding="utf-8"))
            assert set(addresses) <= {"http://www.w3.org"}, file


# Parts of a page ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parts",
    [["a<m>b"], ["a", "<m>", "b"], ["a<", "m", ">b"], ["a<m>", "b"], ["", "a", "", "<m>b", ""], ["a<m>b<m>"]],
)
def test_what_follows_a_mark(parts: list[str]) -> None:
    async def stream() -> AsyncIterator[str]:
        for part in parts:
            yield part

    async def collect() -> str:
        return "".join([part async for part in voila_app.after("<m>", stream())])

    assert asyncio.run(collect()) == "".join(parts).partition("<m>")[2]


class Renderer:
    """Stands in for Voila's: counts how often it is made, and never gets to the kernel."""

    def __init__(self, made: list[str], notebook: str) -> None:
        made.append(notebook)
        self.resources: dict[str, object] = {}
        self.exporter = SimpleNamespace()

    async def initialize(self) -> None:
        pass

    async def generate_content_generator(self) -> AsyncIterator[tuple[str, None]]:
        yield "<html>", None
        yield f"head{voila_app.HEAD_END}rest", None
        raise AssertionError("the kernel was asked for")


def test_head_is_made_once_until_the_notebook_changes(tmp_path: Path) -> None:
    notebook = tmp_path / "play.ipynb"
    notebook.touch()
    made: list[str] = []
    heads = voila_app.Heads(tmp_path, lambda name: Renderer(made, name))
    for _time in range(2):
        assert asyncio.run(heads.head("play.ipynb", "en")) == f"<html>head{voila_app.HEAD_END}"
    assert made == ["play.ipynb"]
    os.utime(notebook, ns=(1, 1))
    asyncio.run(heads.head("play.ipynb", "en"))
    assert made == ["play.ipynb"] * 2
    asyncio.run(heads.head("play.ipynb", "fr"))
    assert made == ["play.ipynb"] * 3


@pytest.mark.parametrize("name", ["none.ipynb", "bad\0name.ipynb"])
def test_head_of_a_notebook_that_is_not_there(tmp_path: Path, name: str) -> None:
    heads = voila_app.Heads(tmp_path, lambda _name: pytest.fail("nothing to render"))
    with pytest.raises(voila_app.tornado.web.HTTPError, match="404"):
        asyncio.run(heads.head(name, "en"))


# The browser ----------------------------------------------------------------------------------------------------------


class Browser(webbrowser.BaseBrowser):
    """Notes what it is asked to open."""

    def __init__(self, works: bool = True) -> None:
        super().__init__("stand-in")
        self.works = works
        self.opened: list[str] = []

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
        self.opened.append(url)
        return self.works


def test_browser_opens_what_answers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    browser = Browser()
    monkeypatch.setattr(webbrowser, "get", lambda: browser)
    monkeypatch.setattr(serve, "answers", lambda _address: True)
    serve.show("http://127.0.0.1:1/?code=X")
    assert browser.opened == ["http://127.0.0.1:1/?code=X"]
    assert capsys.readouterr().out == ""


def refused() -> webbrowser.BaseBrowser:
    raise webbrowser.Error("could not locate runnable browser")


@pytest.mark.parametrize(
    "get",
    [lambda: Browser(works=False), refused, lambda: webbrowser.GenericBrowser("lynx")],
    ids=["fails", "none", "text"],
)
def test_no_browser_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], get: Any) -> None:
    monkeypatch.setattr(webbrowser, "get", get)
    monkeypatch.setattr(serve, "answers", lambda _address: True)
    serve.show("http://127.0.0.1:1/")
    assert capsys.readouterr().out == "No browser could be opened: please open the address yourself.\n"


def test_nobody_answers(busy: int) -> None:
    with serve.listen(0, 0) as free:
        nobody = free.getsockname()[1]
    assert not serve.answers(f"http://127.0.0.1:{nobody}/", seconds=0.3)


# Whole commands -------------------------------------------------------------------------------------------------------


def run(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "pyramide_core", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        **options,
    )


@pytest.mark.parametrize("command", ["play", "lab"])
def test_busy_port_on_the_command_line(command: str, busy: int, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = run(command, "--port", str(busy), "--no-browser", cwd=tmp_path, env=environment)
    said, _nothing = process.communicate(timeout=60)
    assert process.returncode == 2
    assert len(said.splitlines()) == 1
    assert f"Port {busy} cannot be used" in said


needs_signals = pytest.mark.skipif(os.name != "posix", reason="Ctrl-C cannot be sent to one process here")


def until_answered(address: str) -> None:
    end = time.monotonic() + 60
    while not serve.answers(address, seconds=2):
        assert time.monotonic() < end


@needs_signals
def test_play_from_any_folder_until_it_is_interrupted(tmp_path: Path) -> None:
    with serve.listen(0, 0) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")}
    process = run("play", "PY1-N-AAAAAAS", "--port", str(port), "--no-browser", cwd=tmp_path, env=environment)
    until_answered(f"http://127.0.0.1:{port}/voila/templates/pyramide/static/icon.svg")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as page:
        assert b"pyramide-opening" in page.read()
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.send_signal(signal.SIGINT)
    said, _nothing = process.communicate(timeout=60)
    assert process.returncode == 0
    assert said.splitlines() == [
        f"Pyramide is at http://127.0.0.1:{port}/?code=PY1-N-AAAAAAS (end it with Ctrl-C).",
        "Pyramide has ended.",
    ]
    _gone, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []
    with serve.listen(port, 0):
        pass


@needs_signals
def test_play_that_is_told_to_end_ends_its_kernels_too(tmp_path: Path) -> None:
    with serve.listen(0, 0) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")}
    process = run("play", "--port", str(port), "--no-browser", cwd=tmp_path, env=environment)
    until_answered(f"http://127.0.0.1:{port}/voila/templates/pyramide/static/icon.svg")
    children = psutil.Process(process.pid).children(recursive=True)
    process.terminate()
    said, _nothing = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in said
    _gone, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []


@needs_signals
@pytest.mark.skipif(importlib.util.find_spec("jupyterlab") is None, reason="JupyterLab is not installed here")
def test_lab_shows_the_notebooks_to_this_computer_only(tmp_path: Path) -> None:
    with serve.listen(0, 0) as free:
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"),
        "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
        "JUPYTER_TOKEN": "secret",
    }
    process = run("lab", "--port", str(port), "--no-browser", cwd=tmp_path, env=environment)
    try:
        until_answered(f"http://127.0.0.1:{port}/api")
        address = f"http://127.0.0.1:{port}/api/contents"
        with urllib.request.urlopen(f"{address}?token=secret", timeout=60) as answer:
            assert "play.ipynb" in {item["name"] for item in json.load(answer)["content"]}
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(address, timeout=60)
    finally:
        process.send_signal(signal.SIGINT)
        said, _nothing = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in said


def test_lab_without_jupyterlab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(serve.ServeError, match=r"^JupyterLab is not installed"):
        serve.lab()


def test_language_of_the_command_is_that_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[str] = []
    monkeypatch.setattr(serve, "serve_dashboard", lambda _home, _listener, page, _open: pages.append(page))
    monkeypatch.setattr(messages, "_language", "fr")
    assert serve.play(port=0, code="PY1-N-AAAAAAS") == 0
    assert pages[0].endswith("/?code=PY1-N-AAAAAAS&lang=fr")
