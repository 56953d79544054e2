"""Run the journey of journey.js in Firefox and in WebKit: `python -m tests.engines`, or with the names of engines."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.servers import ROOT, running

MINIBROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
PACKAGES = {"firefox": "firefox-esr", "webkit": "webkit2gtk-driver, xvfb and xauth"}


def find_engine(engine: str) -> dict[str, str]:
    """Return the environment with the path of an engine, or exit with a sentence on its installation."""
    if engine == "firefox":
        path = shutil.which("firefox-esr") or shutil.which("firefox")
        environment = {"FIREFOX": path}
    else:
        programs = [shutil.which("WebKitWebDriver"), shutil.which("xvfb-run"), shutil.which("xauth")]
        path = next(map(str, sorted(Path("/").glob(MINIBROWSERS[1:]))), None) if all(programs) else None
        environment = {"MINIBROWSER": path}
    if path is None:
        sys.exit(f"The journey can't run in {engine}: install Debian's {PACKAGES[engine]} with apt-get.")
    return {key: str(value) for key, value in environment.items()}


def main() -> None:
    """Run the journey in each engine that is named, and fail where it fails in one."""
    engines = sys.argv[1:] or [*PACKAGES]
    environments = {engine: find_engine(engine) for engine in engines}
    journey = ["node", str(Path(__file__).with_name("journey.js"))]
    with running(ROOT) as server:
        failed = [
            engine
            for engine, environment in environments.items()
            if subprocess.run([*journey, engine, server.address], env=os.environ | environment).returncode
        ]
    if failed:
        sys.exit(f"The journey fails in {' and in '.join(failed)}.")


if __name__ == "__main__":
    main()
