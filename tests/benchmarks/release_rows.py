"""Make a file of many rows, run the program of a plan on it, and print the time and the peak memory.

A row is a visit of one of a quarter as many patients. The file is written and read in bounded memory, by Polars, or by
two workers of a Dask cluster on this machine.

.venv-peers/bin/python -m tests.benchmarks.release_rows [rows] [parts] [--dask]
"""

import argparse
import csv
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars  # pyright: ignore[reportMissingImports]
from distributed import Client, LocalCluster

from tests.benchmarks.big_tables import peak
from tests.programs import downloaded

PLAN = (
    "/Plan?promise=delta&queries=count:200*cap:4=Visits;sum:40000,0,500*cap:4=Costs;each:200,36,12,4*cap:12=By%20month"
)
BLOCK = 1_000_000  # rows that are written at once
MONTHS = polars.Series([f"{2024 + month // 12}-{month % 12 + 1:02}" for month in range(36)])
ARGUMENTS = ("--person", "patient", "--column", "Costs=costs", "--column", "By month=month")
ARGUMENTS += ("--categories", "By month=2024-01")
RUN = """\
import re, runpy, sys
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024)
"""


def write_rows(path: Path, n_rows: int) -> None:
    """Write a CSV file of visits: the patient, the month, and the costs."""
    rng = np.random.default_rng(57)
    with path.open("wb") as file:
        for start in range(0, n_rows, BLOCK):
            n = min(BLOCK, n_rows - start)
            columns = {
                "patient": rng.integers(0, max(n_rows // 4, 1), n),
                "month": MONTHS[rng.integers(0, 36, n)],
                "costs": np.round(rng.gamma(2.0, 40.0, n), 2),
            }
            polars.DataFrame(columns).write_csv(file, include_header=start == 0)


def run(folder: Path, *arguments: str) -> tuple[float, float]:
    """Run the program, which is in a folder beside the file; return the seconds and the peak of memory in MB."""
    start = time.perf_counter()
    command = [sys.executable, "-c", RUN, "release.py", "rows.csv", *ARGUMENTS, *arguments]
    surroundings = os.environ | {"TMPDIR": str(folder)}  # its parts go with the folder
    done = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return time.perf_counter() - start, float(done.stdout.split()[-1])


def main(n_rows: int, n_parts: int, *, by_dask: bool) -> None:
    """Print how long the file and its release take, and the memory of each process."""
    with TemporaryDirectory() as name:
        folder, start = Path(name), time.perf_counter()
        write_rows(folder / "rows.csv", n_rows)
        size = (folder / "rows.csv").stat().st_size / 1e9
        print(f"{n_rows:,} rows, {size:.2f} GB, written in {time.perf_counter() - start:.0f} s, peak {peak():.0f} MB")
        (folder / "release.py").write_text(downloaded(PLAN), encoding="utf-8")
        if by_dask:
            own: Any = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
            with own as cluster:
                seconds, memory = run(folder, "--scheduler", cluster.scheduler_address, "--parts", str(n_parts))
                reader: Any = Client(cluster)
                with reader as client:
                    workers = ", ".join(f"{worker:.0f} MB" for worker in client.run(peak).values())
            print(f"two workers of Dask: {seconds:.0f} s, peak {memory:.0f} MB and {workers} of the workers")
        else:
            seconds, memory = run(folder, "--parts", str(n_parts))
            print(f"Polars, {n_parts} parts: {seconds:.0f} s, peak {memory:.0f} MB")
        with (folder / "release/release-1.csv").open(encoding="utf-8") as file:
            first = [f"{row['statistic']} {row['number']} ± {row['plus_minus']}" for row in csv.DictReader(file)][:2]
        print("; ".join(first))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=10_000_000)
    parser.add_argument("parts", type=int, nargs="?", default=8)
    parser.add_argument("--dask", action="store_true", help="on two workers of a Dask cluster on this machine")
    options = parser.parse_args()
    main(options.rows, options.parts, by_dask=options.dask)
