"""The Voila application that `pyramide play` runs: what it adds to Voila, and nothing about cards or the command line.

- `/` is the game itself, with its query (`/?code=…&rules=…`); the other notebooks are pages under `/voila/render/`.
- The first part of a page, which holds the picture of the table, is sent before a kernel is asked for.
- Page code is sent compressed, and a browser keeps it: Voila's own setting for that comes too late to have an effect,
  and its scripts would be asked for again on every visit.
- A page whose kernel cannot start ends with the mark that makes it say so (`page.js` of the template).

Imports Voila, so nothing in the core imports this module.
"""

import asyncio
import contextlib
import gzip
import hashlib
import mimetypes
import re
import shutil
import signal
import socket
import urllib.parse
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import IO, Any, ClassVar

import tornado.httpserver
import tornado.httputil
import tornado.ioloop
import tornado.iostream
import tornado.web
import tornado.websocket
import voila
from jupyter_core.utils import run_sync
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from jupyter_server.utils import url_path_join
from voila.app import Voila
from voila.notebook_renderer import NotebookRenderer
from voila.tornado.handler import TornadoVoilaHandler

from pyramide_core.messages import (
    N_,
    SOURCE_LANGUAGE,
    available_languages,
    first_available,
    language,
    translation_in,
)
from pyramide_core.serve import HOME_NOTEBOOK

HEAD_END = "<!-- pyramide:head -->"
"""Where the template's part ends that is the same for every visitor of a notebook."""
CONTENT_TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml"}
COMPRESSION = 4
"""Of the levels 1 to 9: within 5 of 100 as small as the highest, in a third of its time, which a first visitor waits."""
FAILED_END = '<div class="pyramide-cell-failed" hidden></div></div></div></body></html>'
"""How a page ends that could not be finished: with the template's mark of a failed cell."""

PAGE_TEXTS = {
    "opening": N_("Pyramide is opening…"),
    "noscript": N_("Pyramide needs JavaScript. Please switch it on for this page and reload it."),
    "slow": N_("This takes longer than usual. You can wait a little more, or reload the page."),
    "failed": N_("This page could not be opened. Please reload it."),
    "lost": N_("The connection to the game is lost. The game goes on when it comes back, or when you reload the page."),
    "stopped": N_("The game has been stopped on the server. Please reload the page: the game goes on."),
    "reload": N_("Reload"),
    "missing": N_("This page does not exist."),
    "home": N_("To the game"),
}
"""The sentences of the page template, by name: the template has the same English for when Voila runs by itself."""

LESSON_NAME = re.compile(r"\d\d_")
"""How the names of notebooks with prose start: its language is that of their folder."""
LANGUAGE_COOKIE = "pyramide-language"
"""Where the page keeps the language that the player chose last (companion.js), so that it opens in it."""


def page_resources(code: str) -> dict[str, Any]:
    """Return what the template needs to speak a language."""
    texts = {name: translation_in(code, text) for name, text in PAGE_TEXTS.items()}
    return {"language_code": code, "pyramide_texts": texts}


def language_of_request(request: tornado.httputil.HTTPServerRequest, notebook: str = "") -> str:
    """Return the language of a page: that of a lesson, else the link's, the last choice, the browser's, the program's."""
    folder, _slash, name = notebook.rpartition("/")
    if folder in available_languages():
        return folder
    if LESSON_NAME.match(name):
        return SOURCE_LANGUAGE
    asked = [value.decode("utf-8", "replace") for value in request.arguments.get("lang", [])[-1:]]
    chosen = [request.cookies[LANGUAGE_COOKIE].value] if LANGUAGE_COOKIE in request.cookies else []
    accepted = accepted_languages(request.headers.get("Accept-Language", ""))
    return first_available([*asked, *chosen, *accepted, language()])


def accepted_languages(header: str) -> list[str]:
    """Return the languages of an Accept-Language header, the most wanted first.

    >>> accepted_languages("en;q=0.5, th-TH, fr;q=0.9, de;q=0, x;q=?")
    ['th-TH', 'fr', 'en']
    """
    weights: list[tuple[float, str]] = []
    for part in header.split(","):
        code, _semicolon, weight = part.partition(";q=")
        try:
            weights.append((float(weight or 1), code.strip()))
        except ValueError:
            continue
    return [code for weight, code in sorted(weights, key=lambda pair: -pair[0]) if code and weight > 0]


class PageHandler(TornadoVoilaHandler):  # type: ignore[misc]
    """Send a notebook as a page: its head at once, then what Voila makes of its cells."""

    @tornado.web.authenticated
    async def get(self, path: str | None = None) -> None:
        """Answer a request for a page; `path` is the notebook, relative to the notebooks' folder."""
        notebook = self.notebook_path or path or ""
        if not notebook.endswith(".ipynb"):
            raise tornado.web.HTTPError(404)
        if path and (better := self._translated(path)):
            self.redirect(better)
            return
        head = await self.settings["pyramide_head"](notebook, language_of_request(self.request, notebook))
        self.set_header("Content-Type", "text/html; charset=UTF-8")
        self.set_header("Cache-Control", "no-store")
        # Asking for the token sets its cookie, without which the server would not hear a page that is left, and its
        # kernel would stay until it is culled.
        _token = self.xsrf_token
        self.write(head)
        try:
            await self.flush()
            async for part in after(HEAD_END, self.get_generator(path=path)):
                self.write(part)
                await self.flush()
        except tornado.iostream.StreamClosedError:
            return
        except Exception:
            # The head is on its way, so no error page can be sent any more.
            self.log.exception("the page of %s could not be finished", notebook)
            self.write(FAILED_END)

    def _translated(self, path: str) -> str | None:
        """Return the address of the same notebook for this visitor's language, if that is another one.

        The lessons are translated as notebooks in a folder for each language; the game changes its language by itself.
        Who comes from another lesson has followed a link, which leads where it says.
        """
        folder, _slash, name = path.rpartition("/")
        query = f"?{self.request.query}" if self.request.query else ""
        if name == HOME_NOTEBOOK and folder in ("", *available_languages()):
            # The class or the code of a link comes along; a language in the link counts for more than the folder.
            rest = urllib.parse.parse_qsl(self.request.query, keep_blank_values=True)
            wanted = [value for field, value in rest if field == "lang"]
            values = {**dict(rest), "lang": first_available([*wanted[-1:], folder])}
            return f"{self.base_url}?{urllib.parse.urlencode(values)}" if folder else None
        lessons = url_path_join(self.base_url, "voila/render/")
        came_from = urllib.parse.urlsplit(self.request.headers.get("Referer", "")).path
        asked = language_of_request(self.request) if "lang" in self.request.arguments or not folder else folder
        if came_from.startswith(lessons) or asked == (folder or SOURCE_LANGUAGE):
            return None
        better = name if asked == SOURCE_LANGUAGE else f"{asked}/{name}"
        is_there = folder in ("", *available_languages()) and (Path(self.settings["pyramide_root"]) / better).is_file()
        return f"{lessons}{better}{query}" if is_there else None

    @property
    def template_namespace(self) -> dict[str, Any]:
        """What a template gets by name: an error is told in the language of the page."""
        return {**super().template_namespace, "resources": page_resources(language_of_request(self.request))}

    def should_use_rendered_notebook(self, notebook_data: dict[str, Any], *arguments: Any) -> bool:
        """Return whether a page prepared in advance is ready; to wait for one takes longer than to start a kernel."""
        notebook = self.notebook_path or self.path_args[0]
        # No public name tells a kernel that is ready from one that is still starting.
        pool: list[Any] = self.kernel_manager._pools.get(notebook, [])
        while pool and pool[0].done() and (pool[0].cancelled() or pool[0].exception()):
            pool.pop(0)
        if not pool or not pool[0].done():
            return False
        return bool(super().should_use_rendered_notebook(notebook_data, *arguments))


class MissingHandler(PageHandler):
    """Say at every address that is nobody's that there is no such page, and lead to the game."""

    async def get(self, path: str | None = None) -> None:
        """Answer with the page of error 404."""
        raise tornado.web.HTTPError(404)


async def after(mark: str, parts: AsyncIterator[str]) -> AsyncIterator[str]:
    """Yield what follows a mark in a text that comes in parts."""
    text = ""
    found = False
    async for part in parts:
        if found:
            yield part
            continue
        text += part
        _before, found_mark, rest = text.partition(mark)
        if found_mark:
            found = True
            yield rest


def forgive_closed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Let what was still to be sent to a closed page go by; log every other error that nobody caught."""
    closed = tornado.websocket.WebSocketClosedError, tornado.iostream.StreamClosedError
    if not isinstance(context.get("exception"), closed):
        loop.default_exception_handler(context)


class Heads:
    """The heads of pages by notebook and language, made anew when the notebook changes."""

    def __init__(self, root: Path, renderer: Callable[[str], NotebookRenderer]) -> None:
        self._root = root
        self._renderer = renderer
        self._made: dict[tuple[str, str], tuple[int, str]] = {}

    async def head(self, notebook: str, spoken: str) -> str:
        """Return a notebook's page in a language, up to and with HEAD_END; HTTPError 404 if there is no such notebook."""
        try:
            changed = (self._root / notebook).stat().st_mtime_ns
        except (OSError, ValueError):
            raise tornado.web.HTTPError(404) from None
        made = self._made.get((notebook, spoken))
        if made is None or made[0] != changed:
            made = self._made[notebook, spoken] = (changed, await self._make(notebook, spoken))
        return made[1]

    async def _make(self, notebook: str, spoken: str) -> str:
        renderer = self._renderer(notebook)
        await renderer.initialize()
        renderer.resources.update(page_resources(spoken))
        # The exporter writes its own language over that of the resources.
        renderer.exporter.language_code = spoken
        parts = renderer.generate_content_generator()
        text = ""
        async for part, _resources in parts:
            text += part
            if HEAD_END in text:
                break
        await parts.aclose()
        return text.partition(HEAD_END)[0] + HEAD_END


def existing(folders: Iterable[str]) -> tuple[Path, ...]:
    """Return those of some folders that there are, resolved."""
    return tuple(Path(folder).resolve() for folder in folders if Path(folder).is_dir())


class AssetHandler(tornado.web.RequestHandler):
    """Send a script or style of the page, compressed once, with leave to keep it where its address tells its version."""

    _found: ClassVar[dict[tuple[tuple[Path, ...], str], Path]] = {}
    _packed: ClassVar[dict[Path, tuple[int, bytes, str]]] = {}
    HASHED_NAME = re.compile(r"\.[0-9a-f]{8,}\.\w+$")

    def initialize(self, folders: tuple[Path, ...], versioned: bool) -> None:
        """Serve files of folders (resolved), the first that has one; `versioned` when an address tells its version."""
        self.folders = folders
        self.versioned = versioned

    def get(self, path: str) -> None:
        """Answer with a file, or 404."""
        file = self._find(path)
        body, self._etag = self._pack(file)
        # Windows lets programs say what a script is, and some say that it is text.
        content_type = CONTENT_TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
        self.set_header("Content-Type", content_type or "application/octet-stream")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Vary", "Accept-Encoding")
        keep = self.versioned or self.HASHED_NAME.search(file.name)
        self.set_header("Cache-Control", "public, max-age=31536000, immutable" if keep else "no-cache")
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.finish(body)
        else:
            self.finish(gzip.decompress(body))

    def _find(self, path: str) -> Path:
        if (self.folders, path) in self._found:
            return self._found[self.folders, path]
        for folder in self.folders:
            try:
                file = (folder / path).resolve()
                if file.is_relative_to(folder) and file.is_file():
                    self._found[self.folders, path] = file
                    return file
            except (OSError, ValueError):
                continue
        raise tornado.web.HTTPError(404)

    def _pack(self, file: Path) -> tuple[bytes, str]:
        changed = file.stat().st_mtime_ns
        packed = self._packed.get(file)
        if packed is None or packed[0] != changed:
            plain = file.read_bytes()
            packed = (
                changed,
                gzip.compress(plain, COMPRESSION, mtime=0),
                f'"{hashlib.sha256(plain).hexdigest()[:32]}"',
            )
            self._packed[file] = packed
        return packed[1], packed[2]

    def compute_etag(self) -> str | None:
        """Return the mark of the file's content, made once."""
        return self._etag


class QuietKernels(AsyncMappingKernelManager):
    """Kernels that write to the log what would else stand in the terminal of whoever serves the game."""

    async def start_kernel(self, **options: Any) -> str:  # type: ignore[override]
        """Start a kernel and return its id; `options` are those of the class above."""
        output = getattr(self.parent, "kernel_output", None)
        return str(await super().start_kernel(**{"stdout": output, "stderr": output, **options}))


class Dashboard(Voila):  # type: ignore[misc]
    """Voila with the game at `/`, on a socket that is already listening."""

    def __init__(
        self,
        listener: socket.socket,
        when_listening: Callable[[], None],
        kernel_output: IO[bytes] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        # Voila never shows the outputs that a notebook was saved with, so whether they can be trusted is no matter.
        self.log.addFilter(lambda record: record.msg != "Notebook %s is not trusted")
        self.listener = listener
        self.when_listening = when_listening
        self.kernel_output = kernel_output

    def initialize(self, argv: list[str] | None = None) -> None:
        """Read the configuration."""
        super().initialize(argv)
        self.port = self.listener.getsockname()[1]
        self.voila_configuration.page_config_hook = self._name_versions
        self.voila_configuration.multi_kernel_manager_class = QuietKernels

    def _name_versions(self, page_config: dict[str, Any], **_context: Any) -> dict[str, Any]:
        """Put Voila's version into the address of its scripts: their own names stay the same when they change."""
        page_config["fullStaticUrl"] = url_path_join(self.base_url, "voila/static", voila.__version__)
        return page_config

    def init_handlers(self) -> list[Any]:
        """Return what answers which address; the first that fits is taken."""
        self.app.transforms.append(tornado.web.GZipContentEncoding)
        # Addresses that are Voila's own tell their errors in the language of the program.
        self.app.settings["voila_jinja2_env"].globals["resources"] = page_resources(language())
        heads = Heads(Path(self.root_dir), self.kernel_manager._notebook_renderer_factory)
        self.app.settings["pyramide_head"] = heads.head
        self.app.settings["pyramide_root"] = self.root_dir
        page = {
            "template_paths": self.template_paths,
            "config": self.config,
            "voila_configuration": self.voila_configuration,
        }
        versioned = re.escape(voila.__version__)
        ours: list[Any] = [
            (url_path_join(self.server_url, "/"), PageHandler, {**page, "notebook_path": HOME_NOTEBOOK}),
            (url_path_join(self.server_url, "/voila/render/(.*)"), PageHandler, page),
            (
                url_path_join(self.server_url, f"/voila/static/{versioned}/(.*)"),
                AssetHandler,
                {"folders": existing(self.static_paths), "versioned": True},
            ),
            (
                url_path_join(self.server_url, "/voila/labextensions/(.*)"),
                AssetHandler,
                {"folders": existing(self.labextensions_path), "versioned": False},
            ),
        ]
        return [*ours, *super().init_handlers(), (url_path_join(self.server_url, "/.*"), MissingHandler, page)]

    async def _announce(self) -> None:
        """Make the head of the game's page, so that the first player need not wait for it, and say that all is ready."""
        try:
            await self.app.settings["pyramide_head"](HOME_NOTEBOOK, language())
        except Exception:
            self.log.exception("the head of the game's page could not be made")
        self.when_listening()

    def listen(self) -> None:
        """Serve until the program is told to stop, and end all kernels then."""
        server = tornado.httpserver.HTTPServer(self.app)
        server.add_socket(self.listener)
        self.ioloop = tornado.ioloop.IOLoop.current()
        self.ioloop.asyncio_loop.set_exception_handler(forgive_closed)  # type: ignore[attr-defined]
        self.ioloop.add_callback(self._announce)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._handle_signal_stop)
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            self.log.info("stopping")
        finally:
            server.stop()
            self.stop()

    def _handle_signal_stop(self, number: int, _frame: object) -> None:
        """End the server at a signal: in good order the first time, at once the second time or before it stands."""
        signal.signal(number, signal.default_int_handler)
        if not hasattr(self, "ioloop"):
            raise KeyboardInterrupt
        self.ioloop.add_callback_from_signal(self.ioloop.stop)

    def stop(self) -> None:
        """End all kernels, those too that are still starting."""
        shutil.rmtree(self.connection_dir, ignore_errors=True)
        try:
            run_sync(self.kernel_manager.shutdown_all)(now=True)
        except Exception:
            # One that ends by itself meanwhile stops the ending of the others.
            for kernel in list(self.kernel_manager.list_kernel_ids()):
                with contextlib.suppress(Exception):
                    run_sync(self.kernel_manager.shutdown_kernel)(kernel, now=True)
