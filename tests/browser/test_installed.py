"""The wheel: installed into an empty environment outside the checkout, its command starts the dashboard."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Page, expect

from dp_explorer import __main__ as command
from tests.browser import reading
from tests.browser.conftest import ROOT, free_port, running_server

PYTHON = (sys.executable, "-m")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([*PYTHON, "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the programs of an environment that has the wheel, and else what this environment has."""
    environment = tmp_path_factory.mktemp("installed")
    programs = environment / "bin"
    venv.create(environment, symlinks=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    install = (*PYTHON, "pip", "--python", programs / "python", "install", "--no-deps", "--no-index", "--no-compile")
    subprocess.run([*install, "--disable-pip-version-check", wheel], cwd=environment, check=True)
    return programs


def sources(*folders: str) -> set[str]:
    """Return the files of some folders of the checkout, without what Python writes there."""
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    return {path.relative_to(ROOT).as_posix() for path in paths if path.suffix != ".pyc"}


def test_the_wheel_has_dpcore_the_command_and_the_whole_dashboard_in_one_folder(wheel: Path):
    packages = sources("dpcore", "dp_explorer")
    dashboard = {".streamlit/config.toml", "app.py", "start.py", *sources("pages")}
    files = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert files == packages | {f"dp_explorer/dashboard/{name}" for name in dashboard}
    assert {"dpcore/py.typed", "dpcore/tradeoff/__init__.py", "dp_explorer/__main__.py"} <= packages
    assert {"pages/framework/browser/page.bundle.js", "pages/framework/chart/figure_sans.ttf"} <= dashboard


def test_the_command_of_the_wheel_opens_the_browser_on_pages_that_draw(installed: Path, page: Page, tmp_path: Path):
    opener, opened = tmp_path / "opener", tmp_path / "opened.txt"
    opener.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    opener.chmod(0o755)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "DISPLAY": ":0", "DP_WORKERS": "0"}
    environment["BROWSER"] = str(opener)
    port, log = free_port(), tmp_path / "log.txt"
    run = ["/usr/bin/env", "-u", "STREAMLIT_SERVER_HEADLESS", "-u", "STREAMLIT_SERVER_PORT"]
    run += [str(installed / "dp-explorer"), "--port", str(port)]
    with running_server(log, port, run, tmp_path, environment) as address:
        reading.visit(page, f"{address}/?epsilon=2", reading.PATHS["/"])
        reading.go_to(page, "Gaussian bounds")
        expect(reading.answer(page)).to_contain_text("At ε = 2,")
        reading.expect_no_error(page)
    assert opened.read_text() == address
    assert address in log.read_text(), "the address that the configuration beside the app sets is printed"


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ([], []),
        (["--no-browser"], ["--server.headless", "true"]),
        (["--port", "8600"], ["--server.port", "8600"]),
    ],
)
def test_the_command_starts_the_app_of_a_checkout_with_its_options(monkeypatch, options, settings):
    started = []
    monkeypatch.setattr(command.runpy, "run_module", lambda name, **_: started.append([name, *sys.argv]))
    monkeypatch.setattr(sys, "argv", ["dp-explorer"])
    monkeypatch.setattr(os, "environ", {})
    command.main(options)
    assert started == [["streamlit", "streamlit", "run", str(ROOT / "app.py"), *settings]]
    assert os.environ == {"OPENBLAS_NUM_THREADS": "1"}


@pytest.mark.parametrize("port", ["0", "65536", "-1", "x", "1.5"])
def test_the_command_refuses_a_port_that_there_is_not(capsys, port):
    with pytest.raises(SystemExit):
        command.main([f"--port={port}"])
    assert f"must be in [1, 65535], got {port}" in capsys.readouterr().err


def test_the_command_says_what_to_install_where_the_wheel_is_installed_without_its_extra(monkeypatch, capsys):
    monkeypatch.setattr(sys, "path", [str(ROOT)])  # without the packages of this environment
    with pytest.raises(SystemExit) as ended:
        command.main([])
    assert ended.value.code == 1
    assert capsys.readouterr().err == f"{command.REMEDY}\n"
