"""The headless browser that draws pictures, for `python -m pages.export` and for the tests."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Playwright

SHELL = "chromium-headless-shell"  # Debian's Chromium without a window, which is quicker
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPLICATIONS = ("Google Chrome", "Chromium")
WINDOWS_PROGRAMS = (r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe")
# Without this, each tab takes 0.8 s more to draw the suggestions of an invisible address bar.
_DISABLED_FEATURES = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "MediaRouter",
    "OptimizationHints",
)
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(_DISABLED_FEATURES)}",
)
REMEDY = "There is no browser: install Chromium or Chrome, or set DP_BROWSER to the path of one."


def find_browser(playwright: Playwright) -> str:
    """Return the path of a Chromium or Chrome; install one if there is none.

    In this order: the one that `$DP_BROWSER` names; one that is installed; as root on Debian `apt-get install
    chromium-headless-shell`, or `chromium`; Playwright's own download.

    Raises
    ------
    FileNotFoundError
        with the remedy, if none can be had.
    """
    with _only_process():
        return os.environ.get("DP_BROWSER") or _installed() or _from_apt() or _from_playwright(playwright)


@contextmanager
def _only_process() -> Iterator[None]:
    """Hold a lock, so that only one of several processes installs a browser; there is none on Windows."""
    try:
        import fcntl
    except ModuleNotFoundError:
        yield
        return
    with (Path(tempfile.gettempdir()) / f"find_browser_{os.getuid()}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _installed() -> str | None:
    on_path = [shutil.which(name) for name in NAMES]
    on_mac = [f"/Applications/{name}.app/Contents/MacOS/{name}" for name in MAC_APPLICATIONS]
    folders = [os.environ[name] for name in ("ProgramFiles", "ProgramFiles(x86)", "LocalAppData") if name in os.environ]
    on_windows = [rf"{folder}\{name}" for name in WINDOWS_PROGRAMS for folder in folders]
    return next((path for path in (*on_path, *on_mac, *on_windows) if path and Path(path).exists()), None)


def _from_apt() -> str | None:
    if not shutil.which("apt-get") or os.getuid() != 0:
        return None
    for arguments in (("update",), ("install", "-y", SHELL), ("install", "-y", "chromium")):
        if not _installed():
            subprocess.run(["apt-get", *arguments], check=False, capture_output=True)
    return _installed()


def _from_playwright(playwright: Playwright) -> str:
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    subprocess.run(command, check=False, capture_output=True)
    if not Path(playwright.chromium.executable_path).exists():
        raise FileNotFoundError(REMEDY)
    return playwright.chromium.executable_path
