"""Step 2 for files beyond memory: the same limits and sums with Polars, which reads the file once for each part.

A part has some of the people, with all their records; so the memory that is needed is that of one part.
"""

import secrets
from collections import Counter
from importlib import import_module
from typing import Any

from pages.shared.release_program.steps.check import (
    LISTED,
    ReleaseError,
    Source,
    Tally,
    categories_of,
    columns_of,
    rows_of,
    shown,
)
from pages.shared.release_program.steps.limit import ADDED, RANKED, ends_of, step_of


def polars_module() -> Any:
    """Return Polars, or stop where it is not installed."""
    try:
        return import_module("polars")
    except ImportError as error:
        raise ReleaseError("Polars is not installed: run pip install 'polars>=2,<3'.") from error


def large_tallies(plan: dict[str, Any], source: Source, n_parts: int) -> dict[str, Tally]:
    """Return what is added up of the records within the limits, for each statistic, by name."""
    polars = polars_module()
    header = list(next(rows_of(source, 1), {}))
    needed = {column for each in plan["statistics"] for column in columns_of(each, source)} | {source.person}
    places = [place for place, column in enumerate(header) if column in needed] or [0]
    seed, tallies = secrets.randbits(63), {}
    for part in range(n_parts):
        try:
            rows = part_of_rows(polars, source, header, places, seed, n_parts, part)
        except polars.exceptions.PolarsError as error:
            raise ReleaseError(f"The file can’t be read as CSV in UTF-8: {shown(error)}.") from error
        for each in plan["statistics"]:
            tally = tally_in(polars, rows, each, source, header)
            tallies[each["name"]] = tallies[each["name"]] + tally if part else tally
    return tallies


def part_of_rows(
    polars: Any, source: Source, header: list[str], places: list[int], seed: int, n_parts: int, part: int
) -> Any:
    """Return the rows of a part of the people, whom it numbers; who is in it depends on a secret number."""
    rows = polars.scan_csv(source.path, infer_schema=False, empty_string_is_null=False, glob=False)
    rows = rows.select(polars.nth(place).alias(f"column {place}") for place in places).with_row_index("number")
    name = f"column {header.index(source.person)}" if source.person else "number"
    person = polars.col(name)
    rows = rows.filter(person.hash(seed) % n_parts == part).collect(engine="streaming")
    if not source.person:
        return rows.rename({"number": "person"})
    if rows.filter(person.is_null() | (person == "")).height:
        raise ReleaseError(f"A row has nobody in the column {shown(source.person)}.")
    return rows.join(rows.select(name).unique().with_row_index("person"), on=name, how="left")


def tally_in(polars: Any, rows: Any, statistic: dict[str, Any], source: Source, header: list[str]) -> Tally:
    """Return what is added up of the records of a part that are kept."""
    kind, name = statistic["kind"], shown(statistic["name"])
    columns = [f"column {header.index(column)}" for column in columns_of(statistic, source)]
    cell, value, groups = polars.lit(0), polars.lit(0.0), {}
    if kind in LISTED:
        listed = [dict(zip(columns, category, strict=True)) for category in categories_of(statistic, source)]
        places = polars.DataFrame(listed).with_row_index("place")
        rows, cell = rows.join(places, on=columns, how="left"), polars.col("place")
        if rows["place"].null_count():
            raise ReleaseError(f"The file has a category which the list of {name} lacks.")
    elif kind == "groups":
        names = rows.select(columns).unique().with_row_index("place")
        rows, cell = rows.join(names, on=columns, how="left"), polars.col("place")
        groups = dict(names.select("place", polars.concat_list(columns)).iter_rows())
    elif kind != "count":
        value = polars.col(columns[0]).cast(polars.Float64, strict=False)
        numbers = rows.select(value.alias("value"))["value"]
        if numbers.null_count() or not numbers.is_finite().all():
            raise ReleaseError(f"The file has an entry for {name} which is no number.")
        if statistic["whole"] and (numbers != numbers.round()).any():
            raise ReleaseError(f"The file has an entry with a fraction: {name} needs whole numbers.")
    kept = limited_rows(polars, rows.select("person", cell.alias("cell"), value.alias("value")), statistic)
    counts = kept.group_by("cell").len().iter_rows() if kind not in RANKED + ADDED else ()
    values = kept.group_by("value").len().iter_rows() if kind in RANKED else ()
    total = 0
    if kind in ADDED:
        low, high = ends_of(statistic)
        steps = (polars.col("value") / step_of(statistic)).round().clip(float(low), float(high))
        total = int(kept.select(steps.cast(polars.Int128).sum()).item())
    cells = Counter({tuple(groups[each]) if groups else each: count for each, count in counts})
    return Tally(cells, Counter(dict(values)), total, kept.height)


def limited_rows(polars: Any, rows: Any, statistic: dict[str, Any]) -> Any:
    """Return the rows within the limits on one person, which are chosen at random, whatever their values and order.

    Polars draws their order, from a secret seed.
    """
    order, place = polars.col("order"), polars.col("place")
    rows = rows.sample(fraction=1.0, shuffle=True, seed=secrets.randbits(63)).with_row_index("order")
    rows = numbered(polars, rows.sort("person", "cell", "order"), "person", "cell")
    rows = rows.with_columns(polars.when(place == 0).then(order).forward_fill().alias("first"))
    rows = rows.filter(place < statistic["max_in_cell"])
    cells = numbered(polars, rows.filter(place == 0).sort("person", "first"), "person")
    cells = cells.filter(place < statistic["max_cells"]).select("person", "cell")
    rows = rows.join(cells, on=["person", "cell"], how="semi")
    return numbered(polars, rows.sort("person", "order"), "person").filter(place < statistic["max_in_all"])


def numbered(polars: Any, rows: Any, *names: str) -> Any:
    """Return sorted rows with the place of each among those that have the same entries of these columns."""
    row = polars.int_range(polars.len())
    is_new = polars.any_horizontal(polars.col(name).ne_missing(polars.col(name).shift()) for name in names)
    return rows.with_columns((row - polars.when(is_new | (row == 0)).then(row).forward_fill()).alias("place"))
