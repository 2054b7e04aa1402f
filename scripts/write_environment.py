"""Write environment.yml: the conda environment of Binder and of classrooms, with the versions of requirements.lock.

`make lock` runs it with the exact requirements of `pyramide[lab,study]` on its standard input, one a line. Conda brings
Python and pip alone; everything else comes from pip, because a version that the lock names need not exist as a conda
package, and an environment that cannot be solved would only be noticed on Binder.
"""

import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent

HEAD = """\
# Written by `make lock`; edit pyproject.toml instead. Binder and `conda env create --file environment.yml` read it.
# It holds what `pyramide`, its studies and JupyterLab need, in the versions of requirements.lock. The package itself is
# not in it: afterwards, in this folder, run: python -m pip install --no-deps --editable .
name: pyramide
channels:
  - conda-forge
dependencies:
  - python=3.12
  - pip
  - pip:
"""


def direct_names() -> set[str]:
    """Return the normalised names that pyproject.toml itself asks for, at run time, for JupyterLab and for studies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + extras["lab"] + extras["study"]
    return {canonicalize_name(Requirement(line).name) for line in wanted}


def environment(pins: list[str]) -> str:
    """Return the text of environment.yml for exact requirements, the project's own choices first.

    An environment marker holds quotes of its own, so such a line is quoted for YAML.
    """
    direct = direct_names()
    groups: tuple[list[str], list[str]] = ([], [])
    for pin in pins:
        groups[canonicalize_name(Requirement(pin).name) not in direct].append(pin)
    titles = ("what pyproject.toml asks for", "what those need")
    lines = [HEAD]
    for title, group in zip(titles, groups, strict=True):
        lines.append(f"      # {title}\n")
        lines += [f'      - "{pin}"\n' if ";" in pin else f"      - {pin}\n" for pin in group]
    return "".join(lines)


def main() -> None:
    """Read the pins from standard input and write environment.yml beside pyproject.toml."""
    pins = [line.strip() for line in sys.stdin if line.strip() and not line.startswith("#")]
    if not pins:
        sys.exit("write_environment: no requirement on standard input, environment.yml is left as it was.")
    (ROOT / "environment.yml").write_text(environment(pins), encoding="utf-8")


if __name__ == "__main__":
    main()
