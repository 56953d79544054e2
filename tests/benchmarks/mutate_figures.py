"""Count the faults of pictures that the unit tests miss: `python -m tests.benchmarks.mutate_figures [PAGE ...]`.

Each mutant is one fault, made in the figure that a page hands out, where it also stands for the same fault anywhere
between dpcore and the figure: one trace multiplied by 1.1 (its x, its y, its z or its error bars); the same with its
column of the CSV multiplied too, as if both came of one wrong number; two traces of the same axes swapped; an axis of
another type, or with another title. A mutant is killed if the check of `tests/pages/test_figures.py` fails at the
setting at which it was made. Mutants that change nothing, such as 1.1 times 0, are left out.

Then the modules that draw are faulty, one after the other: every y that a module hands to `theme.line`, or every array
that it makes by `theme.compact`, is multiplied by 1.1, and a module survives if no check of its topic fails. Prints the
number of mutants of each topic and every survivor; the exit status is 1 if there is one.
"""

import inspect
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np

from pages.framework.chart import theme
from pages.framework.export.exhibit import Exhibit
from tests.pages import figure_checks, trace_checks
from tests.pages.conftest import figure_of
from tests.pages.figure_checks import Chart, Setting, Trace
from tests.pages.trace_checks import numbers

FACTOR = 1.1
Mutant = tuple[str, Exhibit, Chart]
"""What was changed, the exhibit, and what its check expects, which differs where the CSV is changed too."""


def mutants(exhibit: Exhibit, chart: Chart) -> Iterator[Mutant]:
    """Yield every mutant of an exhibit."""
    traces = figure_of(exhibit)["data"]
    names = trace_checks.names_of(traces)
    for place, (name, trace) in enumerate(zip(names, traces, strict=True)):
        entry = trace_checks.check_of(name, chart.traces)
        if entry is None:
            continue  # the test fails as it is
        key, check = entry
        for part in ("x", "y", "z", "error_x", "error_y"):
            changed = multiplied(trace, part)
            if changed is None or (part in "xy" and part != check.value and is_flat(trace, check)):
                continue
            mutated = _with(exhibit, {place: changed})
            yield f"{part} of {name} × {FACTOR}", mutated, chart
            if part == ("z" if "z" in trace else check.value) and check.column:
                wrong = replace(chart, traces={**chart.traces, key: _with_column(check)})
                yield f"{part} of {name} and its CSV × {FACTOR}", mutated, wrong
    for left, other in combinations(range(len(traces)), 2):
        swapped = _swapped(traces[left], traces[other])
        if swapped is not None:
            yield f"{names[left]} ↔ {names[other]}", _with(exhibit, {left: swapped[0], other: swapped[1]}), chart
    layout = figure_of(exhibit)["layout"]
    for key in ("xaxis", "yaxis", *chart.more_axes):
        axis = layout[key]
        other_type = {"type": "linear" if axis.get("type") == "log" else "log"}
        yield f"type of {key}", _with_layout(exhibit, {key: axis | other_type}), chart
        yield f"title of {key}", _with_layout(exhibit, {key: axis | {"title": {"text": "another (unit)"}}}), chart


def is_flat(trace: dict[str, Any], check: Trace) -> bool:
    """Return whether a trace is a horizontal line or empty, so that moving its points changes nothing."""
    values = numbers(trace[check.value])
    some = values[np.isfinite(values)]
    return "z" not in trace and (
        not some.size or ("lines" in trace.get("mode", "") and np.ptp(some) <= 1e-6 * abs(some[0]))
    )


def multiplied(trace: dict[str, Any], part: str) -> dict[str, Any] | None:
    """Return a trace with one array multiplied; None if it has no such array or does not change."""
    if part not in trace:
        return None
    if part.startswith("error"):
        inner = multiplied(trace[part], "array" if "array" in trace[part] else "value")
        return inner and trace | {part: inner}
    if np.asarray(trace[part]).dtype.kind not in "iuf":
        return None
    values = numbers(trace[part])
    return None if not np.any(np.nan_to_num(values) != 0) else trace | {part: FACTOR * values}


def _swapped(left: dict[str, Any], other: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return two traces with exchanged arrays; None if they are on different axes or look the same."""
    parts = [part for part in ("x", "y", "z", "error_x", "error_y") if part in left or part in other]
    axes = [[trace.get("xaxis", "x"), trace.get("yaxis", "y"), trace["type"]] for trace in (left, other)]
    if axes[0] != axes[1] or all(_same(left.get(part), other.get(part)) for part in parts):
        return None
    changed = []
    for trace, source in ((left, other), (other, left)):
        other_parts = {key: array for key, array in trace.items() if key not in parts}
        changed.append(other_parts | {part: source[part] for part in parts if part in source})
    return changed[0], changed[1]


def _same(left: Any, other: Any) -> bool:
    if left is None or other is None:
        return left is other
    if isinstance(left, dict):
        return left.keys() == other.keys() and all(
            _same(left[key], other[key]) for key in ("array", "value") if key in left
        )
    first, second = np.asarray(left), np.asarray(other)
    if first.shape != second.shape:
        return False
    if first.dtype.kind not in "iuf" or second.dtype.kind not in "iuf":
        return bool((first == second).all())
    return np.allclose(first, second, 1e-5, 0, equal_nan=True)


def _with(exhibit: Exhibit, changed: dict[int, dict[str, Any]]) -> Exhibit:
    figure = figure_of(exhibit)
    traces = [changed.get(place, trace) for place, trace in enumerate(figure["data"])]
    return replace(exhibit, picture=figure | {"data": traces})


def _with_layout(exhibit: Exhibit, changed: dict[str, Any]) -> Exhibit:
    figure = figure_of(exhibit)
    return replace(exhibit, picture=figure | {"layout": figure["layout"] | changed})


def _with_column(check: Trace) -> Trace:
    """Return the check with the mutated values in the CSV too."""
    return replace(check, column=lambda rows: FACTOR * trace_checks.column_of(rows, check.column))


def is_killed(exhibit: Exhibit, chart: Chart, setting: Setting) -> bool:
    """Return whether the check of the unit test fails."""
    try:
        trace_checks.check_exhibit(exhibit, chart, setting)
    except (AssertionError, ValueError, LookupError):  # dpcore has no value for places that it refuses
        return True
    return False


def figure_modules(topic: str) -> list[ModuleType]:
    """Return the modules of a topic and its sections that draw, which are loaded once its exhibits are drawn."""
    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith(f"pages.{topic}.")]
    return [module for module in modules if module.__file__ and module_faults(module)]


def faulty_line(x: Any, y: Any, *rest: Any, **more: Any) -> dict[str, Any]:
    """Return `theme.line` with every y multiplied."""
    return _LINE(x, FACTOR * numbers(y), *rest, **more)


def faulty_compact(values: Any) -> Any:
    """Return `theme.compact` with every number multiplied."""
    return _COMPACT(FACTOR * numbers(values))


_LINE, _COMPACT = theme.line, theme.compact
_ORIGINALS = {"line": _LINE, "compact": _COMPACT}
FAULTS = {"line": faulty_line, "compact": faulty_compact}


def module_faults(module: ModuleType) -> list[tuple[ModuleType, str]]:
    """Yield the names under which a module has the faulty functions: its own, or those of `theme`."""
    source = inspect.getsource(module)
    own = [(module, name) for name, original in _ORIGINALS.items() if getattr(module, name, None) is original]
    return own + [(theme, name) for name in FAULTS if f"theme.{name}(" in source]


def module_survives(topic: str, place: ModuleType, name: str) -> bool:
    """Return whether all checks of a topic pass while a function is faulty."""
    with patch.object(place, name, FAULTS[name]):
        for _, exhibit, number in (case for case in figure_checks.cases() if case[0] == topic):
            entries = figure_checks.settings_of(topic, exhibit)[number]
            setting = figure_checks.setting_of(topic, entries)
            exhibit_as_drawn = figure_checks.exhibit_anew(topic, entries, exhibit)
            if is_killed(exhibit_as_drawn, figure_checks.chart_of(topic, exhibit, setting), setting):
                return False
    return True


def main(topics: list[str]) -> int:
    """Run the mutants of the named topics, or of all topics."""
    total = survived = 0
    for topic in topics or figure_checks.TOPICS:
        start, n_mutants = time.perf_counter(), 0
        for _, name, place in (case for case in figure_checks.cases() if case[0] == topic):
            entries = figure_checks.settings_of(topic, name)[place]
            setting = figure_checks.setting_of(topic, entries)
            chart = figure_checks.chart_of(topic, name, setting)
            exhibit_as_drawn = figure_checks.exhibit_at(topic, entries, name)
            exhibit = replace(exhibit_as_drawn, numbers=exhibit_as_drawn.table)  # made once
            trace_checks.check_exhibit(exhibit, chart, setting)
            for change, mutated, expectation in mutants(exhibit, chart):
                n_mutants += 1
                if not is_killed(mutated, expectation, setting):
                    survived += 1
                    print(f"  SURVIVES: {topic}, {name}, {change}, at {dict(entries)}")
        print(f"{topic}: {n_mutants} mutants in {time.perf_counter() - start:.1f} s")
        total += n_mutants
    print(f"{total} mutants, {survived} survived")
    alive = 0
    modules = [(topic, module) for topic in topics or figure_checks.TOPICS for module in figure_modules(topic)]
    for topic, module in modules:
        left = [name for place, name in module_faults(module) if module_survives(topic, place, name)]
        alive += bool(left)
        print(f"  SURVIVES: {module.__name__} with a faulty {' and '.join(left)}\n" if left else "", end="")
    print(f"{len(modules)} modules that draw, {alive} survived")
    return 1 if survived or alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
