"""Other systems than Linux: the app runs without what only Linux or Unix has."""

import os
import subprocess
import sys
from pathlib import Path

from pages.export import __main__
from pages.shared import site_map
from tests.pages.conftest import ROOT
from tests.pages.framework import other_system


def test_every_page_draws_without_fork_resource_signals_and_proc():
    environment = {name: value for name, value in os.environ.items() if name != "DP_WORKERS"}
    command = [sys.executable, "-m", other_system.__name__]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.splitlines()) == (0, [entry.name for entry in site_map.PAGES]), run.stderr


def test_a_browser_of_windows_is_found_where_its_installer_puts_it(monkeypatch, tmp_path: Path):
    monkeypatch.setattr(__main__.shutil, "which", lambda _: None)
    monkeypatch.setattr(__main__, "MAC_APPLICATIONS", ())
    for name in ("ProgramFiles", "ProgramFiles(x86)", "LocalAppData"):
        monkeypatch.delenv(name, raising=False)
    assert __main__._installed() is None
    program = Path(rf"{tmp_path / 'Programs'}\{__main__.WINDOWS_PROGRAMS[1]}")
    program.touch()
    monkeypatch.setenv("ProgramFiles(x86)", str(tmp_path / "Programs"))
    assert __main__._installed() == str(program)
