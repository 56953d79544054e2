"""Start the dashboard on this computer: `dp-explorer`, or `python -m dp_explorer` in a checkout."""

import argparse
import os
import runpy
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_FOLDERS = _HERE / "dashboard", _HERE.parent  # of an installed wheel, and of a checkout
MAX_PORT = 65_535
REMEDY = 'The dashboard needs Streamlit and a few more packages: install it with the extra "app", as in'
REMEDY += ' pip install ".[app]". dpcore, the computation, works without them.'


def main(arguments: Sequence[str] | None = None) -> None:
    """Start the server of the dashboard and open it in the browser; return when it has been stopped (Ctrl+C)."""
    parser = argparse.ArgumentParser("dp-explorer", description="Start the DP Trade-off Explorer on this computer.")
    parser.add_argument("--port", type=_port, help="the port; by default 8501, or the next one that is free")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    options = parser.parse_args(arguments)
    try:
        metadata.distribution("streamlit")
    except metadata.PackageNotFoundError:
        parser.exit(1, f"{REMEDY}\n")
    command = ["streamlit", "run", str(dashboard_folder() / "app.py")]
    command += ["--server.port", str(options.port)] if options.port else []  # else Streamlit looks for a free one
    command += ["--server.headless", "true"] if options.no_browser else []
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # before NumPy is there; threads of its own slow those of sessions
    sys.argv = command
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def dashboard_folder() -> Path:
    """Return the folder that has app.py, the pages and the configuration of Streamlit."""
    return next(folder for folder in _FOLDERS if (folder / "app.py").is_file())


def _port(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= MAX_PORT):
        raise argparse.ArgumentTypeError(f"must be in [1, {MAX_PORT}], got {text}")
    return int(text)


if __name__ == "__main__":
    main()
