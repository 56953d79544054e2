"""Servers for measurements: this tree, an older commit and bare pages with the same charts; and their resource use."""

import json
import os
import pickle
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
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
    step = st.select_slider("step", steps, key="step")
for name, figure in prepared()[step]:
    st.plotly_chart(figure, theme=None, key=name)
"""
STAGE = """
import json
import pickle
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component

stage = component("stage", js="export default () => {}", isolate_styles=False)


@st.cache_resource
def prepared():
    return pickle.loads(Path(__file__).with_name("messages.pickle").read_bytes())


def hear():
    for step in st.session_state["stage"].request.get("set", {}).values():
        st.session_state["step"] = step


st.set_page_config(layout="wide")
stage(key="stage", data=prepared()[st.session_state.get("step", next(iter(prepared())))], on_request_change=hear)
"""
FIGURES = """
import json, pickle, sys
from pages.export import exhibits_of

made = {
    step: [(each.name, each.picture) for each in exhibits_of(link)[0] if isinstance(each.picture, dict)]
    for step, link in json.load(sys.stdin).items()
}
sys.stdout.buffer.write(pickle.dumps(made))
"""


@dataclass(frozen=True)
class Server:
    """A running Streamlit."""

    address: str
    process: int

    @property
    def processor_time(self) -> float:
        """Return the processor time of the server's process in ms (Linux)."""
        return processor_time(self.process)

    @property
    def processor_time_of_all(self) -> float:
        """Return the processor time with that of the running workers."""
        return sum(map(processor_time, self._all()))

    @property
    def memory(self) -> float:
        """Return the memory of the server's process in MB."""
        return _kilobytes(self.process, "status", "VmRSS") / 1000

    @property
    def memory_of_all(self) -> float:
        """Return the memory of the server and its workers in MB; shared memory counts once."""
        return sum(_kilobytes(process_id, "smaps_rollup", "Pss") for process_id in self._all()) / 1000

    @property
    def workers(self) -> int:
        """Return the number of workers without the process that forks them."""
        return max(len(self._all()) - 2, 0)

    def _all(self) -> list[int]:
        """Return the server's process and its descendants."""
        return [self.process, *descendants(self.process)]


def descendants(process: int) -> list[int]:
    """Return the descendants of a process, parents before children."""
    parents = {
        int(process_folder.name): _parent(process_folder)
        for process_folder in Path("/proc").iterdir()
        if process_folder.name.isdecimal()
    }
    family = [process]
    for member in family:
        family += [child for child, parent in parents.items() if parent == member]
    return family[1:]


def processor_time(process: int) -> float:
    """Return the processor time of a process in ms; 0 if it does not exist."""
    try:
        user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    except OSError:
        return 0.0
    return 1000 * (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _kilobytes(process: int, file: str, name: str) -> int:
    try:
        lines = Path(f"/proc/{process}/{file}").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{name}:")), 0)


def _parent(folder: Path) -> int:
    try:
        return int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Yield a temporary folder with the tree of a commit."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", str(tree), commit], check=True, capture_output=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True, capture_output=True)


@contextmanager
def bare(tree: Path, links: dict[str, str]) -> Iterator[Path]:
    """Return a page with one slider for the steps, which shows the charts of the link of each in a tree."""
    payload = json.dumps(links).encode()
    completed = subprocess.run(
        [sys.executable, "-c", FIGURES], cwd=tree, input=payload, check=True, stdout=subprocess.PIPE
    )
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder)
        shutil.copytree(tree / ".streamlit", page / ".streamlit")
        (page / "app.py").write_text(BARE)
        (page / "figures.pickle").write_bytes(completed.stdout)
        yield page


@contextmanager
def bare_stage(messages: dict[str, bytes]) -> Iterator[Path]:
    """Return a page that answers each step by a stored message and computes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder)
        shutil.copytree(ROOT / ".streamlit", page / ".streamlit")
        (page / "app.py").write_text(STAGE)
        (page / "messages.pickle").write_bytes(pickle.dumps(messages))
        yield page


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    """Yield a server of the app.py of a folder, started by `streamlit run app.py`."""
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
    """Return the processor model and its load."""
    known = dict(line.split("\t: ") for line in Path("/proc/cpuinfo").read_text().split("\n") if "\t: " in line)
    return f"{known.get('model name', 'unknown processor')}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
