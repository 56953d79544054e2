"""Servers to measure: this tree, an older commit, and bare pages with the same charts; and what a server takes."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BARE = """
import pickle
from pathlib import Path

import streamlit as st


@st.cache_resource
def prepared():
    return pickle.loads(Path(__file__).with_name("figures.pickle").read_bytes())


st.set_page_config(layout="wide")
steps = list(prepared())
with st.sidebar:
    step = FIELD
for name, figure in prepared()[step]:
    st.plotly_chart(figure, theme=None, key=name)
"""
FIELDS = {
    "text": 'st.text_input("step", steps[0], key="epsilon_text")',
    "slider": 'st.select_slider("step", steps, key="step")',
}
FIGURES = """
import json, pickle, sys
from pages.export import exhibits_of

link, steps, n = json.load(sys.stdin)
made = {}
for step in steps:
    charts = [(each.name, each.picture) for each in exhibits_of(link + step)[0] if isinstance(each.picture, dict)]
    made[step] = charts[:n]
sys.stdout.buffer.write(pickle.dumps(made))
"""


@dataclass(frozen=True)
class Server:
    """A running Streamlit."""

    address: str
    process: int

    @property
    def processor_time(self) -> float:
        """The ms of processor that it has taken (Linux)."""
        user, system = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()[11:13]
        return 1000 * (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """The tree of a commit, in a folder of its own for as long as it is used."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", str(tree), commit], check=True, capture_output=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True, capture_output=True)


@contextmanager
def bare(tree: Path, link: str, steps: Sequence[str], kind: str, n: int | None = None) -> Iterator[Path]:
    """A page of one field, which takes the steps, and the first n charts that the link and a step open in a tree."""
    asked = json.dumps([link, steps, n]).encode()
    made = subprocess.run([sys.executable, "-c", FIGURES], cwd=tree, input=asked, check=True, stdout=subprocess.PIPE)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder)
        shutil.copytree(tree / ".streamlit", page / ".streamlit")
        (page / "app.py").write_text(BARE.replace("FIELD", FIELDS[kind]))
        (page / "figures.pickle").write_bytes(made.stdout)
        yield page


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    """A server of a folder's app.py, as `streamlit run app.py` starts it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            time.sleep(0.1)
            if process.poll() is not None:
                raise RuntimeError(f"the server of {folder} stopped at its start")
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
                break
            except OSError:
                continue
        else:
            raise RuntimeError(f"the server of {folder} did not start")
        yield Server(address, process.pid)
    finally:
        process.terminate()
        process.wait()


def machine() -> str:
    """The processor on which all this ran, and how busy it was."""
    known = dict(line.split("\t: ") for line in Path("/proc/cpuinfo").read_text().split("\n") if "\t: " in line)
    return f"{known.get('model name', 'unknown processor')}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
