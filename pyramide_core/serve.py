"""Start the game or the lessons in the browser: where their files are, a free port, the address, the browser.

Everything listens on this computer only, unless a class is to play over the network. Knows no cards and no page; Voila
and JupyterLab are imported when they start.
"""

import importlib
import importlib.util
import logging
import os
import socket
import subprocess
import sys
import sysconfig
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pyramide_core
from pyramide_core.errors import PyramideError
from pyramide_core.messages import SOURCE_LANGUAGE, _, language

LOOPBACK = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
CLASSROOM = "voila/render/classroom.ipynb"
"""Where the teacher's page is, from the root of the server on."""
PLAY_PORT = 8866
LAB_PORT = 8888
HOME_NOTEBOOK = "play.ipynb"
ANSWER_SECONDS = 60.0
"""How long a server may take before it answers, in seconds."""


class ServeError(PyramideError):
    """The game or the lessons cannot be started as asked."""


@dataclass(frozen=True)
class Home:
    """Where the files are that are not code: `root` holds `voila.json` and `notebooks/`, and in a checkout the code."""

    root: Path
    is_checkout: bool

    @property
    def notebooks(self) -> Path:
        """The folder of the notebooks."""
        return self.root / "notebooks"


def find_home() -> Home:
    """Return where the notebooks are: beside the code in a checkout, else where an installation puts them.

    Raises ServeError when they are in neither place.
    """
    checkout = Path(pyramide_core.__file__).resolve().parent.parent
    places = [checkout, *(Path(folder) / "share" / "pyramide" for folder in data_folders())]
    for place in places:
        if (place / "notebooks" / HOME_NOTEBOOK).is_file():
            return Home(place, is_checkout=place == checkout)
    raise ServeError(
        _("The notebooks of Pyramide were not found; looked for {notebook} in {places}.").format(
            notebook=f"notebooks/{HOME_NOTEBOOK}", places=", ".join(str(place) for place in places)
        )
    )


def data_folders() -> list[str]:
    """Return the folders into which an installation may have put data: the environment's and the user's."""
    user_scheme = sysconfig.get_preferred_scheme("user")
    return list(dict.fromkeys([sysconfig.get_path("data"), sysconfig.get_path("data", user_scheme)]))


def prepare_environment(home: Home) -> None:
    """Let Voila, JupyterLab and their kernels find this installation's template, kernel and code, and start quickly."""
    share = [str(Path(folder) / "share" / "jupyter") for folder in data_folders()[:1]]
    if home.is_checkout:
        share.insert(0, str(home.root / "share" / "jupyter"))
        _put_first("PYTHONPATH", [str(home.root)])
    _put_first("JUPYTER_PATH", share)
    # Without it every kernel start prints a warning of the debugger, which nobody uses here.
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    # Jupyter can check international addresses in its messages, which hold none, with a grammar that it builds when it
    # starts: that took longer than everything else of the start together. Where the module is missing, it does without.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


def _put_first(variable: str, folders: list[str]) -> None:
    old = [folder for folder in os.environ.get(variable, "").split(os.pathsep) if folder and folder not in folders]
    os.environ[variable] = os.pathsep.join([*folders, *old])


def listen(port: int | None, default: int, host: str = LOOPBACK) -> socket.socket:
    """Return a socket that listens on this computer: on the port asked for, or near the default one where none is asked.

    It takes only what comes from this computer itself, unless the host says otherwise.

    Raises ServeError when the port asked for is no port or is busy. A busy default is said, and another is taken.
    """
    if port is not None:
        if not 0 <= port <= 65535:
            raise ServeError(_("{port} is no port: a port is a number from 0 to 65535.").format(port=port))
        try:
            return _listener(port, host)
        except OSError as error:
            raise ServeError(
                _("Port {port} cannot be used: {reason}. Choose another one, or leave it to Pyramide.").format(
                    port=port, reason=(error.strerror or str(error)).lower()
                )
            ) from None
    try:
        return _listener(default, host)
    except OSError:
        listener = _listener(0, host)
        say(
            _("Port {busy} is busy, so port {port} is used.").format(busy=default, port=listener.getsockname()[1]),
        )
        return listener


def _listener(port: int, host: str) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            # A port just left may be taken again at once. Elsewhere the option would let two programs share a port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
        listener.setblocking(False)
    except (OSError, OverflowError):
        listener.close()
        raise
    return listener


def network_address() -> str:
    """Return the address by which the other computers of the network reach this one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only chooses the way to an address that belongs to nobody.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return LOOPBACK


def say(text: str) -> None:
    """Tell the person at the command line something."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def play(
    port: int | None = None,
    open_browser: bool = True,
    code: str | None = None,
    rules: str | None = None,
    network: bool = False,
) -> int:
    """Serve the game until it is interrupted, and return the exit code.

    `code` and `rules` name the game that the page opens with; they are not checked here, as the page says what is wrong
    with them. With `network` every computer of the network can play, as a class does. Raises ServeError when it cannot
    start: files missing, or the port asked for is busy.
    """
    home = find_home()
    listener = listen(port, PLAY_PORT, EVERYWHERE if network else LOOPBACK)
    spoken = language() if language() != SOURCE_LANGUAGE else None
    asked = {name: value for name, value in (("code", code), ("rules", rules), ("lang", spoken)) if value}
    address = f"http://{network_address() if network else LOOPBACK}:{listener.getsockname()[1]}/"
    if network:
        say(
            _("Everybody in your network can play here. The teacher's page: {address}").format(
                address=address + CLASSROOM
            )
        )
    page = address + (f"?{urllib.parse.urlencode(asked)}" if asked else "")
    try:
        serve_dashboard(home, listener, page, open_browser)
    except KeyboardInterrupt:
        # A second one, while kernels are being ended, or one before the server stood.
        pass
    finally:
        listener.close()
    say(_("Pyramide has ended."))
    return 0


def serve_dashboard(home: Home, listener: socket.socket, page: str, open_browser: bool) -> None:
    """Run the dashboard on a listening socket until it is interrupted."""
    prepare_environment(home)
    log, output = log_to_file(f"pyramide-play-{listener.getsockname()[1]}.log")
    # Imports Voila, which takes a second: nothing else of the command line has to wait for it.
    from pyramide_core.voila_app import Dashboard

    def announce() -> None:
        say(_("Pyramide is at {address} (end it with Ctrl-C).").format(address=page))
        if open_browser:
            threading.Thread(target=show, args=(page,), daemon=True).start()

    app = Dashboard(
        listener,
        announce,
        output,
        config_file_paths=[str(home.root)],
        # The log goes to the file, and to the terminal only sentences made for a person.
        logging_config={"handlers": {"console": {"level": "CRITICAL"}}},
        log_level=logging.WARNING,
    )
    for handler in log:
        app.log.addHandler(handler)
    app.initialize([str(home.notebooks), "--no-browser"])
    if listener.getsockname()[0] != LOOPBACK:
        # Other computers know this one by names that it does not know itself.
        app.tornado_settings = {**app.tornado_settings, "allow_remote_access": True}
    solver = compile_solver()
    try:
        app.start()
    finally:
        if solver:
            solver.terminate()


def compile_solver() -> "subprocess.Popen[bytes] | None":
    """Bring the solver's compiled search into the compiler's cache, in a process that gives way to everything else.

    The first time on a machine it takes half a minute, which a player would otherwise wait for at the first hint. Where
    the cache beside the code is newer than the code, nothing is started.
    """
    kernel = Path(pyramide_core.__file__).parent / "solver" / "kernel.py"
    cached = [file.stat().st_mtime for file in (kernel.parent / "__pycache__").glob("kernel.*.nbi")]
    if cached and max(cached) > kernel.stat().st_mtime:
        return None
    code = (
        "import os; getattr(os, 'nice', id)(15); from pyramide_core.solver.compiled import load; load()"  # not a text
    )
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-c", code], stdin=quiet, stdout=quiet, stderr=quiet)


class Hint(logging.Handler):
    """Say once, at the first error that is logged, where the log is."""

    def __init__(self, file: Path) -> None:
        super().__init__(logging.ERROR)
        self.file = file
        self.said = False

    def emit(self, record: logging.LogRecord) -> None:
        """Say where the log is."""
        if not self.said:
            self.said = True
            say(_("Something went wrong while serving; {file} has the whole story.").format(file=self.file))


def log_to_file(name: str) -> tuple[list[logging.Handler], IO[bytes] | None]:
    """Send warnings and errors to a file of Jupyter's folder for running programs.

    Returns the handlers that do so, for loggers that pass nothing on, and the file for the output of other programs.
    """
    from jupyter_core.paths import jupyter_runtime_dir

    file = Path(jupyter_runtime_dir()) / name
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.write_bytes(b"")
        # To append, as there are several writers; and Jupyter's set-up of logging closes every handler, of which only
        # one that appends opens its file again.
        output = file.open("ab")
        handlers = [logging.FileHandler(file, mode="a", encoding="utf-8"), Hint(file)]
    except OSError:
        # A home that cannot be written to is no reason not to play.
        return [], None
    handlers[0].setLevel(logging.WARNING)
    handlers[0].setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    for handler in handlers:
        logging.getLogger().addHandler(handler)
    return handlers, output


def show(address: str) -> None:
    """Open an address in the browser as soon as it answers, or say that there is no browser to open."""
    if not answers(urllib.parse.urljoin(address, "/voila/templates/pyramide/static/icon.svg")):
        return
    try:
        browser = webbrowser.get()
        # A browser in the terminal would take the terminal away from the server.
        in_terminal = type(browser) is webbrowser.GenericBrowser
        opened = not in_terminal and browser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        say(_("No browser could be opened: please open the address yourself."))


def answers(address: str, seconds: float = ANSWER_SECONDS) -> bool:
    """Wait until an address answers, and return whether it did in time."""
    end = time.monotonic() + seconds
    # Nothing on this computer is behind a proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.monotonic() < end:
        try:
            with opener.open(address, timeout=5):
                return True
        except urllib.error.HTTPError:
            return True
        except (OSError, ValueError):
            time.sleep(0.1)
    return False


def lab(port: int | None = None, open_browser: bool = True) -> int:
    """Open the notebooks in JupyterLab until it is interrupted, and return the exit code.

    Raises ServeError when it cannot start: JupyterLab is not installed, files missing, or the port asked for is busy.
    """
    home = find_home()
    if importlib.util.find_spec("jupyterlab") is None:
        raise ServeError(_("JupyterLab is not installed; install Pyramide with its extra “lab”."))
    # JupyterLab makes its own socket, so a port is looked for and let go.
    with listen(port, LAB_PORT) as listener:
        free = listener.getsockname()[1]
    prepare_environment(home)
    lab_app = importlib.import_module("jupyterlab.labapp").LabApp
    arguments = [
        f"--ServerApp.root_dir={home.notebooks}",
        f"--ServerApp.ip={LOOPBACK}",
        f"--ServerApp.port={free}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.open_browser={open_browser}",
        "--ServerApp.answer_yes=True",
        # It says the address and what goes wrong, as `play` does, and runs for whoever may start it.
        "--ServerApp.allow_root=True",
        "--Application.log_level=WARN",
        # Nothing is fetched from elsewhere: no news, no list of extensions.
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]
    say(_("The lessons open in JupyterLab (end it with Ctrl-C)."))
    try:
        lab_app.launch_instance(arguments)
    except KeyboardInterrupt:
        pass
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0
