"""Measure the processor time and peak memory of reading large uploaded tables, beside pandas.

python -m tests.benchmarks.big_tables
"""

import re
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path

import numpy as np

FILES = {  # the columns of raw records, by how many levels they have; "rows" has a count for each of 10⁶ cells
    "8 cells": (2, 4, 9),
    "12,960 cells": (2, 9, 16, 45),
    "1,000,000 cells": (10, 10, 100, 100),
    "1,000,000 cells of one column": (1_000_000,),
    "rows": (),
}


def file_of(levels: tuple[int, ...]) -> bytes:
    """Return a file of 10⁶ rows: records with these levels, or one count in each row."""
    rng = np.random.default_rng(12)
    if not levels:
        counts = rng.integers(0, 1000, 1_000_000)
        return b"cell,count\n" + b"".join(b"cell %d,%d\n" % cell for cell in enumerate(counts))
    columns = [rng.integers(0, most, 1_000_000) for most in levels]
    columns = [np.arange(1_000_000)] if levels == (1_000_000,) else columns
    head = ",".join(f"c{place}" for place in range(len(levels))) + "\n"
    return head.encode() + "\n".join([",".join(map(str, row)) for row in zip(*columns, strict=True)]).encode()


def peak() -> float:
    """Return the peak memory of this process in MB, without that of its parent, which getrusage includes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return float(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024


def measured(name: str, reader: str) -> str:
    """Return the processor seconds, additional MB and rows of one read in a separate process."""
    import pandas as pd

    from dpcore.readers import read_table

    data = sys.stdin.buffer.read()
    read_table(b"a,count\nx,1\n")
    pd.read_csv(BytesIO(b"a,count\nx,1\n"), dtype=str)
    seconds, memory = time.process_time(), peak()
    if reader == "pandas":
        table = pd.read_csv(BytesIO(data), dtype=str)
    else:
        table = read_table(data, tuple(f"c{place}" for place in range(len(FILES[name])))).frame
    return f"{time.process_time() - seconds} {peak() - memory} {len(table)}"


def main() -> None:
    """Print a line for each file."""
    for name, levels in FILES.items():
        numbers, data = [], file_of(levels)
        for reader in ("dpcore", "pandas"):
            command = [sys.executable, "-m", "tests.benchmarks.big_tables", name, reader]
            numbers.append([float(number) for number in subprocess.check_output(command, input=data).split()])
        (own, memory, n_cells), (other, its_memory, _) = numbers
        print(
            f"{name}, {len(data) / 2**20:.0f} MB, {n_cells:,.0f} cells: {own:.2f} s, {memory:.0f} MB; pandas' read_csv "
            f"{other:.2f} s, {its_memory:.0f} MB; ratios {own / other:.1f} and {memory / its_memory:.1f}"
        )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(measured(sys.argv[1], sys.argv[2]))
    else:
        main()
