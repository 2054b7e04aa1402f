"""The project's own files agree with each other, hold nothing of one machine, and are what Binder and pip make of them."""

import importlib
import importlib.metadata
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pip._internal.models.index import PyPI

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pyramide_core"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
TARGETS = ("play", "lab", "test", "lint", "bench", "lock", "clean")

LINUX = {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux"}
MAC = {"sys_platform": "darwin", "os_name": "posix", "platform_system": "Darwin"}
WINDOWS = {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows"}


def machine(python: str, platform: dict[str, str]) -> dict[str, str]:
    """Return the environment in which markers are judged for a Python such as 3.12 on a platform."""
    return {**default_environment(), **platform, "python_version": python, "python_full_version": f"{python}.9"}


def pins(lines: list[str], where: dict[str, str]) -> dict[str, str]:
    """Return the version that exact requirements give each package on a machine; a doubled one is a mistake."""
    found: dict[str, str] = {}
    for line in lines:
        requirement = Requirement(line)
        if requirement.marker is not None and not requirement.marker.evaluate(where):
            continue
        (specifier,) = requirement.specifier
        assert specifier.operator == "==", line
        name = canonicalize_name(requirement.name)
        assert name not in found, f"{name} is pinned twice"
        found[name] = specifier.version
    return found


def lock_lines() -> list[str]:
    """Return the requirements of the lock without comments."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return [bare for line in lines if (bare := line.partition("#")[0].strip())]


def environment_file() -> tuple[list[str], list[str]]:
    """Return what environment.yml takes from conda and what from pip."""
    dependencies = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    from_conda = [entry for entry in dependencies if isinstance(entry, str)]
    (from_pip,) = (entry["pip"] for entry in dependencies if isinstance(entry, dict))
    return from_conda, from_pip


def closure(requirements: list[str], where: dict[str, str]) -> dict[str, Requirement]:
    """Return all that requirements need, directly or not, as the installed packages tell it."""
    needed: dict[str, Requirement] = {}
    waiting = [(Requirement(line), "") for line in requirements]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({**where, "extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        if name in needed and not requirement.extras:
            continue
        needed[name] = requirement
        try:
            further = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # needed on another machine than this one
        waiting += [(Requirement(line), extra) for line in further for extra in ("", *requirement.extras)]
    return needed


def tracked_files() -> list[Path]:
    """Return the files that git tracks, or skip in a copy without git."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if listing.returncode != 0:
        pytest.skip("this copy of the project is no git repository")
    files = [ROOT / name for name in listing.stdout.split("\0") if name]
    return [path for path in files if path.is_file()]


# Versions -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("platform", [LINUX, MAC, WINDOWS], ids=["linux", "mac", "windows"])
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_lock_fulfils_pyproject(python: str, platform: dict[str, str]) -> None:
    locked = pins(lock_lines(), machine(python, platform))
    for line in [*PROJECT["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]:
        requirement = Requirement(line)
        version = locked[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{line}, but {version} is locked"


def test_lock_holds_all_that_is_needed_in_the_versions_installed_here() -> None:
    python = "{}.{}".format(*sys.version_info)
    here = default_environment()
    locked = pins(lock_lines(), here)
    wanted = [*PROJECT["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]
    needed = closure(wanted, here)
    assert needed.keys() <= locked.keys()
    installed = {name: importlib.metadata.version(name) for name in needed}
    assert installed == {name: locked[name] for name in needed}, f"on Python {python}; `make test` installs"


@pytest.mark.parametrize("platform", [LINUX, MAC, WINDOWS], ids=["linux", "mac", "windows"])
def test_environment_has_the_versions_of_the_lock(platform: dict[str, str]) -> None:
    where = machine("3.12", platform)
    from_conda, from_pip = environment_file()
    # An exact minor version: Binder does not recognise a range and silently takes another Python.
    assert from_conda == ["python=3.12", "pip"]
    chosen = pins(from_pip, where)
    locked = pins(lock_lines(), where)
    assert chosen == {name: locked[name] for name in chosen}
    if platform is LINUX:
        assert chosen.keys() == closure([*PROJECT["dependencies"], *EXTRAS["lab"], *EXTRAS["study"]], where).keys()


def test_version_stands_in_the_package_too() -> None:
    namespace = re.search(r'^__version__ = "(.+)"$', (PACKAGE / "__init__.py").read_text(encoding="utf-8"), re.M)
    assert namespace is not None
    assert namespace[1] == PROJECT["version"]


# Nothing of one machine -----------------------------------------------------------------------------------------------

SETTINGS = ("requirements.lock", "environment.yml", "pyproject.toml", "Makefile", ".ci/run", "binder/postBuild")


@pytest.mark.parametrize("name", SETTINGS)
def test_no_setting_holds_an_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.findall(r"\w+://\S*|.* @ .*|--(?:extra-)?index-url|--find-links|--trusted-host", text) == []


def machine_words() -> Iterator[str]:
    """Yield patterns for what belongs to one machine: its folders, and the hosts that pip takes packages from."""
    for folder in (ROOT.parent, Path.home(), Path(tempfile.gettempdir())):
        if folder != Path(folder.root):
            yield rf"(?<![\w.]){re.escape(folder.as_posix())}/"
    settings = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, encoding="utf-8", check=False
    ).stdout
    settings += "\n".join(value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_")))
    hosts = {PyPI.netloc, PyPI.file_storage_domain, *re.findall(r"\w+://(?:[^/\s'\"@]*@)?([^/\s'\":]+)", settings)}
    for host in sorted(hosts):
        if not host.startswith(("localhost", "127.")):
            yield rf"\b{re.escape(host)}\b"


def test_no_tracked_file_names_a_place_of_this_machine() -> None:
    words = re.compile("|".join(machine_words()))
    found = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a compiled catalogue
        found += [f"{path.relative_to(ROOT)}: {match[0]}" for match in words.finditer(text)]
    assert found == []


# Binder ---------------------------------------------------------------------------------------------------------------


def test_binder_reads_the_environment_of_the_top_level() -> None:
    link = ROOT / "binder" / "environment.yml"
    # Where git makes no links (Windows), it writes the link's target as text.
    if link.is_symlink():
        assert link.resolve() == ROOT / "environment.yml"
    else:
        assert link.read_text(encoding="utf-8") == "../environment.yml"


def test_binder_would_build_this_repository() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(ROOT)],
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "Building conda environment for python=3.12" in said
    # The pins hold no local path, so that Binder can make the environment before it copies the repository.
    assert "COPY --chown=0:0 src/binder/environment.yml" in said
    assert 'env update -p ${NB_PYTHON_PREFIX} --file "binder/environment.yml"' in said
    assert "./binder/postBuild" in said


@pytest.mark.parametrize("name", [".ci/run", "binder/postBuild", "scripts/lock.sh", "scripts/setup_venv.sh"])
def test_script_is_executable_and_stops_at_the_first_error(name: str) -> None:
    listing = subprocess.run(
        ["git", "ls-files", "--stage", name], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    if listing.returncode != 0:
        pytest.skip("this copy of the project is no git repository")
    assert listing.stdout.startswith("100755")
    text = (ROOT / name).read_text(encoding="utf-8")
    assert text.startswith("#!")
    assert re.search(r"^set -e", text, re.M)


# The package ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel_files(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Build the wheel and return the names of the files in it."""
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_wheel_holds_code_styles_scripts_and_catalogues(wheel_files: set[str]) -> None:
    wanted = {path.relative_to(ROOT).as_posix() for path in tracked_files() if path.is_relative_to(PACKAGE)}
    assert wanted
    assert wanted <= wheel_files


def test_wheel_puts_the_voila_template_where_voila_looks(wheel_files: set[str]) -> None:
    share = ROOT / "share" / "jupyter" / "voila" / "templates" / "pyramide"
    wanted = {path.relative_to(ROOT).as_posix() for path in tracked_files() if path.is_relative_to(share)}
    assert wanted
    data = f"pyramide-{PROJECT['version']}.data/data/"
    assert {data + name for name in wanted} <= wheel_files


def test_wheel_brings_the_pages(wheel_files: set[str]) -> None:
    wanted = {path.relative_to(ROOT).as_posix() for path in tracked_files() if path.is_relative_to(ROOT / "notebooks")}
    assert "notebooks/play.ipynb" in wanted
    data = f"pyramide-{PROJECT['version']}.data/data/share/pyramide/"
    assert {data + name for name in wanted | {"voila.json"}} <= wheel_files


def test_wheel_holds_nothing_else(wheel_files: set[str]) -> None:
    tops = {name.partition("/")[0] for name in wheel_files}
    assert tops == {"pyramide_core", "pyramide-0.1.0.data", "pyramide-0.1.0.dist-info"}


# Direction of imports -------------------------------------------------------------------------------------------------

NOT_AT_IMPORT = {
    "IPython",
    "alembic",
    "anywidget",
    "distributed",
    "ipywidgets",
    "matplotlib",
    "numba",
    "pandas",
    "pyarrow",
    "sqlalchemy",
    "voila",
}
# The compiled part of the solver is numba's through and through; nothing imports it before it is needed.
COMPILED = {"pyramide_core.solver.kernel", "pyramide_core.solver.decided"}
# This is Voila's application with what the game adds to it; `serve` imports it when it starts.
SERVER = {"pyramide_core.voila_app"}
# These are the database; nothing imports them before records are opened.
DATABASE = re.compile(r"pyramide_core\.records\.(models|database|store|classes|migrations)\b")


def core_modules() -> list[str]:
    """Return the dotted names of all modules but those of the widget layer."""
    paths = sorted(path.relative_to(ROOT) for path in PACKAGE.rglob("*.py"))
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return [
        name
        for name in names
        if not name.startswith("pyramide_core.ui")
        and not name.endswith("__main__")
        and name not in COMPILED | SERVER
        and not DATABASE.match(name)
    ]


@pytest.mark.parametrize("module", core_modules())
def test_core_module_alone_imports_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.split()
    assert module in loaded
    assert NOT_AT_IMPORT.isdisjoint(name.partition(".")[0] for name in loaded)
    assert not [
        name for name in loaded if name.startswith("pyramide_core.ui") or name in COMPILED or DATABASE.match(name)
    ]


# Words ----------------------------------------------------------------------------------------------------------------


GLOSSARY = ROOT / "GLOSSARY.md"


def glossary() -> dict[str, str]:
    """Return the words of GLOSSARY.md with their text, in the order of the page."""
    entries = re.findall(r"^- \*\*(.+?)\*\*: (.+?)(?=\n- |\Z)", GLOSSARY.read_text(encoding="utf-8"), re.M | re.S)
    return dict(entries)


WORDS = (
    "tableau pyramid stock waste foundation talon draw recycle passes deal exposed available cover rank suit "
    "cleared won blocked verdict"
).split()


def test_glossary_has_the_words_of_the_game_in_order() -> None:
    words = list(glossary())
    assert {*WORDS, "dead end"} <= set(words)
    assert words == sorted(words)
    assert len(words) == GLOSSARY.read_text(encoding="utf-8").count("\n- ")


def test_glossary_points_to_what_is_there() -> None:
    pointers = [name for text in glossary().values() for name in re.findall(r"`([a-z]+(?:\.\w+)+)`", text)]
    assert pointers
    for pointer in pointers:
        module, *names = pointer.split(".")
        thing = importlib.import_module(f"pyramide_core.{module}")
        for name in names:
            fields = getattr(thing, "__annotations__", {})
            assert hasattr(thing, name) or name in fields, f"GLOSSARY.md points to {pointer}, which is not there"
            thing = getattr(thing, name, None)


# Commands -------------------------------------------------------------------------------------------------------------


def test_makefile_and_readme_name_the_same_targets() -> None:
    rules = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert set(TARGETS) <= set(rules)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake ([a-z]+)\b", "\n".join(re.findall(r"`[^`]*`|^```.*?^```", readme, re.M | re.S))))
    assert named <= set(rules)
    assert set(TARGETS) <= named


def test_readme_launches_the_dashboard_on_binder() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (notebook,) = set(re.findall(r"\?urlpath=voila%2Frender%2F([\w%.-]+)", readme))
    assert (ROOT / notebook.replace("%2F", "/")).is_file()


def setup_in_a_copy(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run setup_venv.sh in a copy of what it needs, so that the .venv of this folder stays as it is."""
    for name in ("pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, folder)
    (folder / "scripts").mkdir()
    script = shutil.copy(ROOT / "scripts" / "setup_venv.sh", folder / "scripts")
    return subprocess.run(
        ["sh", script, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def false_python(folder: Path, script: str) -> str:
    """Write a program that stands in for a Python and return its path."""
    program = folder / "stand-in"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


needs_sh = pytest.mark.skipif(shutil.which("sh") is None, reason="no POSIX shell here")


@needs_sh
def test_old_python_is_refused_in_one_sentence(tmp_path: Path) -> None:
    old = false_python(tmp_path, 'if [ "$1" = --version ]; then echo Python 3.9.2; else exit 1; fi')
    done = setup_in_a_copy(tmp_path, "play", PYTHON=old)
    assert done.returncode == 1
    assert done.stderr == (
        f"pyramide: Python 3.11 or newer is needed, and {old} is Python 3.9.2; "
        "install a newer one, or name it with PYTHON=...\n"
    )
    assert not (tmp_path / ".venv").exists()


@needs_sh
def test_missing_python_is_named(tmp_path: Path) -> None:
    done = setup_in_a_copy(tmp_path, "play", PYTHON="python-that-is-not-there")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "python-that-is-not-there does not run here" in done.stderr


@needs_sh
def test_python_without_venv_is_told_what_to_install(tmp_path: Path) -> None:
    bare = false_python(tmp_path, 'case "$2" in *ensurepip*) exit 1;; esac')
    done = setup_in_a_copy(tmp_path, "test", PYTHON=bare)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "python3-venv" in done.stderr
    assert not (tmp_path / ".venv").exists()


@needs_sh
def test_unknown_set_up_is_refused(tmp_path: Path) -> None:
    done = setup_in_a_copy(tmp_path, "everything")
    assert done.returncode == 1
    assert done.stderr == "pyramide: setup_venv.sh takes play, lab or test, not 'everything'.\n"
