"""Measure what a move of each field of a section costs a worker, in processor time.

    python -m tests.benchmarks.moves series section=time length=365 --each known series_noise [--only KEY ...]
    python -m tests.benchmarks.moves series section=time length=365 known=accuracy --each accuracy=0.5,20 series_noise
    python -m tests.benchmarks.moves series section=ranges --each series_noise --profile n_cells

From a setting, as a link has it, each field of the section takes a few steps, a choice each of its other options, and a
process renders the stage at each as a worker does, with the caches that its earlier renderings filled. Printed are the
ms of the first step, and the median and the largest of all steps of each field, with a star where the median is above
60; with `--each` for every option of some choices, or for some texts of a parameter. Of several walks (`--repeat`),
each with empty caches, the least time of each step counts: other processes make it longer.
`--profile` prints in which functions the steps of one field spend their time. No time is asserted.
"""

import argparse
import cProfile
import gc
import os
import pstats
from collections.abc import Iterator
from itertools import product
from multiprocessing import get_context
from time import process_time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from pages.framework.parameters.kinds import Choice, Quantity
from tests.benchmarks.cache_costs import controls, renderer
from tests.pages.conftest import read_link

LIMIT, STEPS = 60.0, 6


def moves(topic: str, link: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the parameters of the fields, with the other options, or with the steps of the slider up to the setting."""
    readings = read_link(topic, **link)[0]
    for parameter in controls(topic, link):
        used, value = readings[parameter.key].used, readings[parameter.key].value
        if isinstance(parameter, Choice):
            yield parameter.key, [text for text in parameter.options if text != used]
        elif isinstance(parameter, Quantity) and parameter.scale:
            below = [text for text in parameter.scale if not isinstance(value, float) or float(text) < value]
            yield parameter.key, below[-STEPS:] if len(below) >= STEPS else list(parameter.scale[1 : STEPS + 1])


def milliseconds(topic: str, link: dict[str, str], only: list[str]) -> dict[str, list[float]]:
    """Return the processor time of each step of each field, by its key."""
    render, found = renderer(topic, link), {}
    render({})
    gc.collect()
    gc.freeze()  # as workers do, in which what was imported costs no collection
    for key, texts in moves(topic, link):
        for text in texts if not only or key in only else ():
            start = process_time()
            render({key: text})
            found.setdefault(key, []).append(1000 * (process_time() - start))
    return found


def profile(topic: str, link: dict[str, str], key: str) -> None:
    """Print in which functions the steps of a field spend their time."""
    render, profiler = renderer(topic, link), cProfile.Profile(process_time)
    render({})
    for text in dict(moves(topic, link))[key]:
        profiler.runcall(render, {key: text})
    pstats.Stats(profiler).sort_stats("cumulative").print_stats("pages|dpcore", 40)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("topic", help="a folder of pages/")
    parser.add_argument("setting", nargs="*", help="parameters of a link, as KEY=VALUE")
    parser.add_argument("--each", nargs="*", default=[], metavar="KEY", help="a choice with every option, or KEY=A,B,…")
    parser.add_argument("--only", nargs="*", default=[], metavar="KEY", help="the fields that are moved; default all")
    parser.add_argument("--repeat", type=int, default=1, help="walks, of which the least time of each step counts")
    parser.add_argument("--profile", metavar="KEY", help="the field whose steps are profiled")
    options = parser.parse_args()
    setting = dict(part.split("=", 1) for part in options.setting)
    choices = {control.key: control for control in controls(options.topic, setting)}
    keys, texts_of = [entry.split("=")[0] for entry in options.each], []
    for entry, key in zip(options.each, keys, strict=True):
        texts_of.append(entry.split("=")[1].split(",") if "=" in entry else [*choices[key].options])
    for texts in product(*texts_of):
        link = setting | dict(zip(keys, texts, strict=True))
        print(f"{options.topic}?{'&'.join(f'{key}={value}' for key, value in link.items())}", flush=True)
        if options.profile:
            profile(options.topic, link, options.profile)
            continue
        asked = [(options.topic, link, options.only)] * options.repeat
        with get_context("fork").Pool(1, maxtasksperchild=1) as pool:  # each walk begins with empty caches
            walks = pool.starmap(milliseconds, asked, chunksize=1)
        for key in walks[0]:
            times = np.min([walk[key] for walk in walks], axis=0)
            star = "*" if np.median(times) > LIMIT else " "
            print(f"{star}{times[0]:8.1f} {np.median(times):8.1f} {times.max():8.1f} ms  {key}", flush=True)


if __name__ == "__main__":
    main()
