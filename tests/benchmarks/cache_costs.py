"""Measure what each cache saves a move, as a share of the time of that move.

    python -m tests.benchmarks.cache_costs FILE [--page FOLDER ...] [--random 1]
    python -m tests.benchmarks.cache_costs FILE --against OLDER

The first walks on every section from its default setting, from each option of its choices (`--options`), and from
random settings (`--random`): each field takes a few steps, and the stage is rendered at each in this process, as a
worker does. A hit of a cache saves what its misses take at the mean. `warm` is that saving at the steps of a walk after
its first one, `cold` within one move after `cache_clear` of all caches, both as a share of the move and in ms; the
largest of all walks counts. `once` names the caches that no walk has hit. The second compares the times of the same
walks in two trees. No time is asserted.
"""

import argparse
import functools
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

STEPS, LONGEST = 6, 2.0  # moves of a walk, and the seconds after which a worker gives up
_lru_cache = functools.lru_cache


@dataclass
class Tally:
    """How often a cache had the value and had it not, and the seconds of the latter."""

    name: str
    hits: int = 0
    misses: int = 0
    seconds: float = 0.0

    @property
    def saving(self) -> float:
        """Return the seconds that the hits would have taken."""
        return self.hits * self.seconds / self.misses if self.misses else 0.0


@dataclass
class Tallies:
    """The tallies of all caches, by name, and their `cache_clear`."""

    by_name: dict[str, Tally] = field(default_factory=dict)
    clears: list[Callable[[], None]] = field(default_factory=list)

    def named(self, name: str) -> Tally:
        """Return the tally of a name."""
        return self.by_name.setdefault(name, Tally(name))

    def clear(self) -> None:
        """Clear all caches of functions."""
        for clear in self.clears:
            clear()

    def reset(self, what: str = "hits") -> None:
        """Begin the counts again: that of hits, or all."""
        for tally in self.by_name.values():
            tally.hits = 0
            if what == "all":
                tally.misses, tally.seconds = 0, 0.0


TALLIES = Tallies()


def _timed(tally_of: Callable[..., Tally], make: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose calls count as misses of the tally of its arguments."""

    @functools.wraps(make, updated=())
    def miss(*args: Any, **kwargs: Any) -> Any:
        tally, start = tally_of(*args), process_time()
        try:
            return make(*args, **kwargs)
        finally:
            tally.misses += 1
            tally.seconds += process_time() - start

    return miss


def _name(function: Any) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def counting_cache(maxsize: Any = 128, typed: bool = False) -> Any:
    """Return a decorator as `functools.lru_cache`, that counts: of what pages share in one store, each function."""
    if callable(maxsize):
        return counting_cache(128)(maxsize)

    def decorate(make: Callable[..., Any]) -> Any:
        if not make.__module__.startswith(("pages.", "dpcore.")):
            return _lru_cache(maxsize, typed)(make)
        is_shared = make.__qualname__ == "_kept"

        def tally_of(*args: Any) -> Tally:
            return TALLIES.named(f"kept {_name(args[0])}" if is_shared else _name(make))

        cached: Any = _lru_cache(maxsize, typed)(_timed(tally_of, make))
        TALLIES.clears += [cached.cache_clear] if maxsize is not None else []

        @functools.wraps(make, updated=())
        def count(*args: Any, **kwargs: Any) -> Any:
            tally = tally_of(*args)
            before = tally.misses
            value = cached(*args, **kwargs)
            tally.hits += tally.misses == before
            return value

        for name in ("cache_clear", "cache_info", "cache_parameters"):
            setattr(count, name, getattr(cached, name))
        return count

    return decorate


class CountingProperty:
    """As `functools.cached_property`, and counts."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self.tally = TALLIES.named(_name(make))
        self.make, self.name, self.__doc__ = _timed(lambda *_: self.tally, make), make.__name__, make.__doc__

    def __get__(self, instance: Any, _: Any = None) -> Any:
        if instance is None:
            return self
        values = instance.__dict__
        if self.name in values:
            self.tally.hits += 1
        else:
            values[self.name] = self.make(instance)
        return values[self.name]

    def __set__(self, instance: Any, _: Any) -> None:  # so that every read passes through __get__
        raise AttributeError(self.name)


def renderer(topic: str, link: dict[str, str]) -> Callable[[dict[str, str]], Any]:
    """Return the function that renders the stage of a page for the texts of some parameters."""
    render = import_module("pages.framework.rendering.render")
    entry = next(page for page in import_module("pages.shared.site_map").PAGES if (page.topic or "start") == topic)
    return lambda more: render.RenderRequest(entry.script, tuple((link | more).items()), "light")()


def controls(topic: str, link: dict[str, str]) -> list[Any]:
    """Return the parameters that have a field in the open section."""
    conftest, fields = import_module("tests.pages.conftest"), import_module("pages.framework.layout.section").Fields
    result = conftest.found_by(topic, **link)
    section = conftest.topic_named(topic).open_section(result)
    parts = section.parts(result, import_module("pages.shared.looks").COLOURS["light"])
    rows = [section.all_controls(result), *(part.fields for part in parts if isinstance(part, fields))]
    return [getattr(control, "parameter", control) for row in rows for control in row]


def moves(topic: str, link: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the parameters of a section's fields with the texts that each takes in turn."""
    kinds = import_module("pages.framework.parameters.kinds")
    readings = import_module("tests.pages.conftest").read_link(topic, **link)[0]
    for parameter in controls(topic, link):
        used = readings[parameter.key].used
        if isinstance(parameter, kinds.Choice):
            texts = [text for text in parameter.options if text != used][:STEPS]
        elif isinstance(parameter, kinds.Quantity) and parameter.scale:
            numbers = np.array([float(text) for text in parameter.scale])
            value = readings[parameter.key].value
            at = int(np.argmin(np.abs(numbers - value))) if isinstance(value, float) else 0
            at = min(at, len(numbers) - STEPS - 1)
            texts = list(parameter.scale[max(at, 0) + 1 : max(at, 0) + 1 + STEPS])
        else:
            continue
        if texts:
            yield parameter.key, texts


def bases(topic: str, n_random: int, options: bool) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the default setting of each section, and random ones, with a name."""
    settings = import_module("tests.pages.settings")
    page = import_module("tests.pages.conftest").topic_named(topic)
    for number, section in enumerate(page.keys_of_links):
        link = {"section": section} if len(page.keys_of_links) > 1 else {}
        yield f"{topic} {section}", link
        for parameter in controls(topic, link) if options else ():
            for option in getattr(parameter, "options", ()):
                if option != parameter.default:
                    yield f"{topic} {section} {parameter.key}={option}", link | {parameter.key: option}
        for place in range(n_random):
            link = settings.setting(topic, np.random.default_rng([7, place, number]))
            yield f"{topic} {section} #{place}", link | {"section": section}


def _render_time(render: Callable[[dict[str, str]], Any], more: dict[str, str]) -> float:
    start = process_time()
    render(more)
    return process_time() - start


def measure(topics: list[str], n_random: int, options: bool) -> dict[str, Any]:
    """Return the seconds of a move in each walk, and what each cache saves."""
    walks: dict[str, float] = {}
    savings: dict[str, dict[str, tuple[float, str]]] = defaultdict(dict)

    def note(kind: str, times: list[float], walk: str) -> None:
        for name, tally in TALLIES.by_name.items():
            if tally.hits:
                saving = tally.saving / len(times)
                for unit, amount in (("%", 100 * saving / float(np.mean(times))), ("ms", 1000 * saving)):
                    key = f"{kind} {unit}"
                    savings[name][key] = max(savings[name].get(key, (0.0, "")), (amount, walk))

    for topic in topics:
        for name, link in bases(topic, n_random, options):
            try:
                render = renderer(topic, link)
                render({})
                TALLIES.clear()
                TALLIES.reset("all")
                cold = _render_time(render, {})
            except ValueError as error:
                print(f"{name}: {error}")
                continue
            if cold > LONGEST:
                continue
            note("cold", [cold], name)
            walks[f"{name}, cold"] = cold
            for key, texts in moves(topic, link):
                TALLIES.clear()
                TALLIES.reset("all")
                try:
                    render({key: texts[0]})
                    TALLIES.reset("hits")
                    times = [_render_time(render, {key: text}) for text in texts[1:]]
                except ValueError as error:
                    print(f"{name}, {key}: {error}")
                    continue
                if times and sum(times) < LONGEST * len(times):
                    walk = f"{name}, {key}"
                    walks[walk] = float(np.mean(times))
                    note("warm", times, walk)
        print(topic, flush=True)
    return {"walks": walks, "caches": savings, "once": sorted(set(TALLIES.by_name) - set(savings))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--page", nargs="*", help="folders of pages/; all by default")
    parser.add_argument("--random", type=int, default=1, help="random settings of each section (default 1)")
    parser.add_argument("--options", action="store_true", help="from each option of the choices too")
    parser.add_argument("--against", type=Path)
    options = parser.parse_args()
    if options.against:
        new, old = (json.loads(path.read_text())["walks"] for path in (options.file, options.against))
        ratios = sorted(((new[walk] / old[walk], walk) for walk in new.keys() & old.keys()), reverse=True)
        for ratio, walk in ratios[:20]:
            print(f"{ratio:6.2f} {1000 * old[walk]:7.1f} ms {walk}")
        print(f"median {np.median([ratio for ratio, _ in ratios]):.2f} of {len(ratios)} walks")
        return
    functools.lru_cache, functools.cached_property = counting_cache, CountingProperty  # type: ignore[misc, assignment]
    pages = import_module("pages.shared.site_map").PAGES
    measured = measure(options.page or [page.topic or "start" for page in pages], options.random, options.options)
    options.file.write_text(json.dumps(measured))
    columns = ("warm %", "warm ms", "cold %", "cold ms")
    print(" ".join(f"{column:>8}" for column in columns))
    for name, saving in measured["caches"].items():
        amounts = [saving.get(column, (0.0, ""))[0] for column in columns]
        print(" ".join(f"{amount:8.1f}" for amount in amounts), name)


if __name__ == "__main__":
    main()
