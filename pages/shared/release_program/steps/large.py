"""Step 2 for files beyond memory: the same limits and sums with Polars, here or on the workers of a Dask cluster.

The file is read once. Its records are divided by person into parts: each has some of the people, with all their
records, so the memory that is needed is that of one part. Only what is added up comes back from a worker.
"""

import secrets
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial, reduce
from operator import add
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pages.shared.release_program.steps.check import (
    LARGEST_VALUE,
    OWN,
    LeftOut,
    ReleaseError,
    Source,
    Tally,
    is_once,
    module_named,
    rows_of,
    separator_of,
    shown,
)
from pages.shared.release_program.steps.choose import candidates_of
from pages.shared.release_program.steps.entries import DATE, N_YEAR
from pages.shared.release_program.steps.limit import (
    ADDED,
    VALUED,
    grid_of,
    join_of,
    several_values,
)
from pages.shared.release_program.steps.lists import (
    LISTED,
    MONTH,
    categories_of,
    checked_periods,
    columns_of,
    date_digits,
    period_column,
    periods_of,
)

BLOCK = 2**26  # bytes of the file that a worker reads at once
PARTS = 2**16  # of the range of a quantile that may be any number: a worker counts values in parts fixed beforehand
NOWHERE = 2**32 - 1  # the place of a category that no list has

Coding = tuple[dict[str, Any], tuple[str, ...], list[tuple[str, ...]]]
"""A statistic, its columns by their place in the file, and its public list, in the order of its places."""


def polars_module() -> Any:
    """Return Polars, or stop where it is not installed."""
    return module_named("polars", "polars>=2,<3")


def large_tallies(plan: dict[str, Any], source: Source, n_parts: int, scheduler: str = "") -> dict[str, Tally]:
    """Return what is added up of the records within the limits, for each statistic, by name."""
    polars = polars_module()
    counted = [statistic for statistic in plan["statistics"] if statistic["kind"] != OWN]
    header = list(next(rows_of(source, 1), {}))
    person = f"column {header.index(source.person)}" if source.person else ""
    codings = [
        (
            statistic
            | {"periods": periods_of(statistic, source), "join": join_of(statistic, source)}
            | {"leaves_out": source.leaves_out_bad}
            | {"period_column": f"column {header.index(own)}" if (own := period_column(statistic, source)) else ""}
            | {
                "conditions": [
                    (f"column {header.index(column)}", value)
                    for column, value in source.conditions.get(statistic["name"], ())
                ]
            },
            tuple(f"column {header.index(column)}" for column in columns_of(statistic, source)),
            categories_of(statistic, source) if statistic["kind"] in LISTED else [],
        )
        for statistic in counted
    ]
    try:
        if scheduler:
            parts = tallies_of_cluster(scheduler, source.path.resolve(), person, len(header), codings, n_parts)
        else:
            parts = tallies_of_parts(polars, source.path, person, len(header), codings, n_parts)
        sums = [reduce(add, of_parts) for of_parts in zip(*parts, strict=True)]
    except polars.exceptions.PolarsError as error:
        raise ReleaseError(f"The file can’t be read as CSV in UTF-8: {shown(error)}.") from error
    tallies = {statistic["name"]: tally for statistic, tally in zip(counted, sums, strict=True)}
    for statistic in counted:
        checked_periods(statistic, tallies[statistic["name"]].periods)
    return tallies


def tallies_of_parts(
    polars: Any, path: Path, person: str, n_columns: int, codings: list[Coding], n_parts: int
) -> Iterator[list[Tally]]:
    """Yield what is added up in each part, which is written in a folder for itself and deleted at the end."""
    rows = polars.scan_csv(
        path, separator=separator_of(path), infer_schema=False, empty_string_is_null=False, glob=False
    )
    rows = rows.select(polars.nth(place).alias(f"column {place}") for place in range(n_columns))
    rows = coded(polars, rows, person, codings)
    seed = secrets.randbits(63)
    part = (polars.col("person").hash(seed) if person else polars.col("row")) % n_parts
    rows = rows if person else rows.with_row_index("row")
    with TemporaryDirectory() as folder:
        files = polars.PartitionBy(folder, key=part.alias("part"), include_key=False)
        rows.sink_parquet(files, compression="lz4", mkdir=True)
        for place in range(n_parts):
            own = sorted((Path(folder) / f"part={place}").glob("*.parquet"))
            if own:
                yield tallies_in(polars, polars.read_parquet(own), person, codings)


def coded(polars: Any, rows: Any, person: str, codings: list[Coding]) -> Any:
    """Return lazy rows with the person, and for each statistic the place of its category, its value, or its names."""
    expressions = [polars.col(person).fill_null("").alias("person")] if person else []
    for number, (statistic, columns, categories) in enumerate(codings):
        name, kind = f"{number}", statistic["kind"]
        if statistic["conditions"]:
            meant = (polars.col(column).eq_missing(value) for column, value in statistic["conditions"])
            expressions.append(polars.all_horizontal(*meant).alias(f"{name} meant"))
        if statistic["period_column"]:
            period = date_parts(polars, statistic["period_column"], N_YEAR).fill_null("")
            expressions.append(period.alias(f"{name} period"))
        if kind in LISTED:
            own = [f"{name} {column}" for column in columns]
            digits = zip(columns, date_digits(categories), own, strict=True)
            rows = rows.with_columns(date_parts(polars, column, n).alias(part) for column, n, part in digits)
            places = polars.LazyFrame([dict(zip(own, category, strict=True)) for category in categories])
            rows = rows.join(places.with_row_index(name), on=own, how="left").drop(own)
            expressions.append(polars.col(name).fill_null(NOWHERE))
        elif kind == "groups":
            expressions += [polars.col(column).fill_null("").alias(f"{name} {column}") for column in columns]
        elif kind != "count":
            value = polars.col(columns[0]).cast(polars.Float64, strict=False)
            expressions.append(value.fill_null(float("nan")).alias(name))
    return rows.select(expressions or polars.first().is_null().alias("any"))


def date_parts(polars: Any, column: str, n: int) -> Any:
    """Return the entries of a column, of which dates are cut to their first n characters, as `date_part` does."""
    text = polars.col(column)
    if n == 0:
        return text
    is_date, is_month = (text.str.contains(f"^{pattern.pattern}$") for pattern in (DATE, MONTH))
    is_day = text.str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False).is_not_null()
    return polars.when(is_month | (is_date & is_day)).then(text.str.slice(0, n)).otherwise(text)


def tallies_in(polars: Any, rows: Any, person: str, codings: list[Coding]) -> list[Tally]:
    """Return what is added up in a part, of each statistic: of the records within the limits on one person.

    All statistics take the records of a person in one random order, of a secret seed: never by value or place.
    """
    size = rows.height
    order = polars.int_range(size, dtype=polars.UInt32, eager=True).shuffle(seed=secrets.randbits(63))
    if person:
        if (rows["person"] == "").any():
            if not any(statistic["leaves_out"] for statistic, _, _ in codings):
                raise ReleaseError("A row has nobody in the column that identifies a person.")
            rows = rows.filter(polars.col("person") != "")
            return tallies_in(polars, rows, person, codings)
        is_new = None
        while is_new is None:
            hashes = rows["person"].hash(secrets.randbits(63))
            order = order[hashes[order].arg_sort()]
            people, known = rows["person"][order], hashes[order]
            is_new = (people != people.shift()).fill_null(value=True)
            if (is_new != (known != known.shift()).fill_null(value=True)).any():
                is_new = None  # two people have the same hash: another seed
        rows = rows[order].with_columns(is_new.cum_sum().cast(polars.UInt64).alias("person"))
    else:
        rows = rows.with_columns(polars.int_range(size, dtype=polars.UInt64, eager=True).alias("person"))
    for group in {statistic["group"] for statistic, _, _ in codings} - {""}:
        members = [number for number, (statistic, _, _) in enumerate(codings) if statistic["group"] == group]
        of_row = polars.coalesce(polars.when(polars.col(f"{number} meant")).then(number) for number in members)
        rows = rows.with_columns(of_row.drop_nulls().first().over("person").alias(f"owner {group}"))
    return [tally_in(polars, rows, f"{number}", *coding[:2]) for number, coding in enumerate(codings)]


def tally_in(polars: Any, rows: Any, own: str, statistic: dict[str, Any], columns: tuple[str, ...]) -> Tally:
    """Return what is added up of the records of a part that are kept, after the checks of them."""
    kind, name, group = statistic["kind"], shown(statistic["name"]), statistic["group"]
    if statistic["conditions"]:
        rows = rows.filter(polars.col(f"{own} meant"))
    if group:
        rows = rows.filter(polars.col(f"owner {group}") == int(own))
    cell, value, period, groups = polars.lit(0, dtype=polars.UInt64), polars.lit(0.0), polars.lit(""), {}
    if statistic["period_column"]:
        period = polars.col(f"{own} period")
        rows = usable(rows, rows[f"{own} period"] != "", statistic, f"nothing in the column of the period for {name}")
    if kind in LISTED:
        cell = polars.col(own).cast(polars.UInt64)
        rows = usable(rows, rows[own] != NOWHERE, statistic, f"a category that the list of {name} lacks")
    elif kind == "groups":
        columns = tuple(f"{own} {column}" for column in columns)
        names = rows.select(columns).unique().with_row_index("place")
        rows, cell = rows.join(names, on=columns, how="left", maintain_order="left"), polars.col("place")
        groups = dict(names.select("place", polars.concat_list(columns)).iter_rows())
    elif kind != "count":
        value = polars.col(own)
        are_numbers = rows[own].abs().le(LARGEST_VALUE).fill_null(value=False)
        rows = usable(rows, are_numbers, statistic, f"no number for {name}")
        if statistic["whole"]:
            rows = usable(
                rows, rows[own] == rows[own].round(), statistic, f"a fraction for {name}, which needs whole numbers"
            )
    cell = cell.cast(polars.UInt64)
    chosen_rows = rows.select("person", cell.alias("cell"), value.alias("value"), period.alias("period"))
    if how := statistic["join"]:
        chosen_rows = joined_rows(polars, chosen_rows, how, statistic)
    periods = frozenset(chosen_rows["period"].unique()) if statistic["period_column"] else frozenset[str]()
    kept = limited_rows(polars, chosen_rows, statistic)
    limits = left_out_of_rows(chosen_rows, kept, statistic)
    total, n_cut = 0, 0
    if kind in VALUED:
        n_cut = kept.height - int(kept["value"].is_between(statistic["low"], statistic["high"]).sum())
    if kind in ADDED:
        zero, step, low, high = grid_of(statistic)
        steps = ((polars.col("value") - zero) / step).round().clip(float(low), float(high))
        total = int(kept.select(steps.cast(polars.Int128).sum()).item())
    elif kind in ("quantile", "quantiles"):
        kept = kept.select(cells_of_values(polars, kept["value"], statistic).alias("cell"))
    cells = kept.group_by("cell").len().iter_rows()
    counts = Counter({tuple(groups[each]) if groups else each: count for each, count in cells})
    return Tally(counts, total, kept.height, n_cut, periods, limits)


def left_out_of_rows(rows: Any, kept: Any, statistic: dict[str, Any]) -> LeftOut:
    """Return what the limits leave out of the rows of a part, as `left_out_of` does."""
    wanted = rows.select("person", "cell").unique() if is_once(statistic) else rows
    of_person = wanted.group_by("person").len("n")
    counted = of_person.join(kept.group_by("person").len("n_kept"), on="person", how="left")
    n_beyond = int((counted["n"] > counted["n_kept"].fill_null(0)).sum())
    sums: list[float] = []
    if statistic["kind"] in ADDED:
        clipped = kept["value"].clip(statistic["low"], statistic["high"])
        sums = [float(values.sum()) for values in (rows["value"], kept["value"], clipped)]
    return LeftOut(wanted.height, wanted.height - kept.height, of_person.height, n_beyond, 0, *sums)


def usable(rows: Any, is_usable: Any, statistic: dict[str, Any], words: str) -> Any:
    """Return the rows that a statistic can use, or stop where it can’t use all and the user does not leave them out."""
    if is_usable.all():
        return rows
    if statistic["leaves_out"]:
        return rows.filter(is_usable)
    raise ReleaseError(
        f"Rows with {words}: at least {len(rows) - int(is_usable.sum()):,}. Correct them, or leave such rows out of "
        "the statistics that can’t use them with --leave-out-bad-rows."
    )


def joined_rows(polars: Any, rows: Any, how: str, statistic: dict[str, Any]) -> Any:
    """Return one row for each person, with all values of the person joined, as `joined_values` does."""
    value, choice = polars.col("value"), statistic["choice"]
    of_person = rows.group_by("person").agg(
        polars.col("cell", "period").first(), value.sum() if how == "sum" else value.mean(), value.n_unique().alias("n")
    )
    several = of_person.filter(polars.col("n") > 1)
    if how == "same" and several.height:
        raise ReleaseError(several_values("Somebody", several["n"][0], several.height, statistic["name"]))
    if how == "mean" and choice and not choice["is_fine"]:
        places, last = ((of_person["value"] - choice["low"]) / choice["step"]).round(), choice["n_candidates"] - 1
        candidates = polars.Series("value", candidates_of(choice))[places.clip(0, last).cast(polars.Int64)]
        of_person = of_person.with_columns(candidates.zip_with(places.is_between(0, last), of_person["value"]))
    return of_person.drop("n")


def cells_of_values(polars: Any, values: Any, statistic: dict[str, Any]) -> Any:
    """Return of each value the cell that `part_of` or `cell_of` has."""
    low, high, choice = statistic["low"], statistic["high"], statistic["choice"]
    values = values.clip(low, high)
    if not choice:
        n = statistic["n_cells"]
        return ((values - low) / (high - low) * n).cast(polars.Int64).clip(0, n - 1)
    if choice["is_fine"]:
        steps = values / choice["step"]
        below = steps.floor()
        return 2 * (below.cast(polars.Int64) - round(choice["low"] / choice["step"])) + 1 + (steps != below)
    grid = polars.Series(candidates_of(choice))
    return grid.search_sorted(values, side="left") + grid.search_sorted(values, side="right")


def limited_rows(polars: Any, rows: Any, statistic: dict[str, Any]) -> Any:
    """Return the rows within the limits on one person, of rows that stand by person in a random order."""
    place, most_in_cell = polars.col("place"), statistic["max_in_cell"]
    if statistic["max_cells"] == 1 and most_in_cell == 1:
        return numbered(polars, rows, "person").filter(place == 0)
    rows = rows.with_row_index("order")
    if statistic["has_periods_of_rows"]:
        rows = limited_in_periods(polars, rows, polars.col("period").rank("dense").cast(polars.UInt64), statistic)
    rows = rows.with_columns(
        (polars.col("person") * polars.lit(2**32, dtype=polars.UInt64) + polars.col("cell")).alias("key")
    )
    own = numbered(polars, rows.sort("key", maintain_order=True), "key").filter(place < most_in_cell)
    first = numbered(polars, own.filter(place == 0).sort("order"), "person")
    first = first.filter(place < statistic["max_cells"])
    if most_in_cell > 1:
        first = own.join(first.select("key"), on="key", how="semi").sort("order")
    if periods := statistic.get("periods"):
        number = polars.col("cell").replace_strict(periods, return_dtype=polars.UInt64)
        first = limited_in_periods(polars, first, number, statistic)
    return numbered(polars, first, "person").filter(place < statistic["max_in_all"])


def limited_in_periods(polars: Any, rows: Any, period: Any, statistic: dict[str, Any]) -> Any:
    """Return the rows within the limit on one person in each period, whose number is `period`."""
    both = polars.col("person") * polars.lit(2**32, dtype=polars.UInt64) + period
    by_period = rows.with_columns(both.alias("key")).sort("key", maintain_order=True)
    return numbered(polars, by_period, "key").filter(polars.col("place") < statistic["max_in_period"]).sort("order")


def numbered(polars: Any, rows: Any, name: str) -> Any:
    """Return rows with the place of each among those one after the other that have the same entry of a column."""
    row = polars.int_range(polars.len())
    is_new = polars.col(name).ne_missing(polars.col(name).shift())
    return rows.with_columns((row - polars.when(is_new | (row == 0)).then(row).forward_fill()).alias("place"))


def tallies_of_cluster(
    address: str, path: Path, person: str, n_columns: int, codings: list[Coding], n_parts: int
) -> list[list[Tally]]:
    """Return what is added up in each part by the workers of a Dask cluster, which read the file at the same path."""
    install = "dask[dataframe,distributed]"
    dataframe, distributed = module_named("dask.dataframe", install), module_named("distributed", install)
    starts = range(0, path.stat().st_size, BLOCK)
    read = partial(block_rows, path, person, n_columns, codings)
    try:
        with distributed.Client(address) as client:
            frames = dataframe.from_map(read, starts, meta=read(-1))
            if person:
                frames = frames.shuffle("person", npartitions=n_parts or len(starts))
            parts = [
                client.submit(tallies_of_frame, part, person, codings) for part in client.compute(frames.to_delayed())
            ]
            return list(client.gather(parts))
    except OSError as error:
        raise ReleaseError(f"The cluster at {shown(address)} can’t be used: {shown(error)}.") from error


def block_rows(path: Path, person: str, n_columns: int, codings: list[Coding], start: int) -> Any:
    """Return the rows of the lines that begin in a block of the file, coded, as a frame of pandas; none before it."""
    polars = polars_module()
    with path.open("rb") as file:
        if start <= 0:
            file.readline()
        else:
            file.seek(start - 1)
            file.readline()
        size = max(start + BLOCK - file.tell(), 0) if start >= 0 else 0
        block = file.read(size)
        block += b"" if not block or block.endswith(b"\n") else file.readline()  # the next one begins with its own line
    if block.count(b'"') % 2:
        raise ReleaseError(
            "The file has a line break in a field, or a single quotation mark: use --parts, without a cluster."
        )
    names = [f"column {place}" for place in range(n_columns)]
    schema = dict.fromkeys(names, polars.String)
    rows = polars.LazyFrame(schema=schema)
    if block:
        rows = polars.scan_csv(
            block, separator=separator_of(path), has_header=False, schema=schema, empty_string_is_null=False
        )
    return coded(polars, rows, person, codings).collect().to_pandas()


def tallies_of_frame(frame: Any, person: str, codings: list[Coding]) -> list[Tally]:
    """Return what is added up in a part that is a frame of pandas."""
    polars = polars_module()
    tallies = tallies_in(polars, polars.from_pandas(frame), person, codings)
    return [counted_in_parts(tally, statistic) for tally, (statistic, _, _) in zip(tallies, codings, strict=True)]


def part_size(statistic: dict[str, Any]) -> int:
    """Return how many values that can be released a part of the range has; 1 where they are few and fixed anyway."""
    choice = statistic["choice"]
    return -(-choice["n_candidates"] // PARTS) if choice and choice["is_fine"] else 1


def counted_in_parts(tally: Tally, statistic: dict[str, Any]) -> Tally:
    """Return a tally as it leaves a worker: values of which any number is possible count in the middle of their part.

    So no value of a person leaves it, and one person still changes one count by 1.
    """
    size = part_size(statistic)
    if size == 1:
        return tally
    cells, last = Counter[Any](), statistic["choice"]["n_candidates"] - 1
    for cell, n in Counter[Any](tally.cells).items():
        cells[2 * min(cell // 2 // size * size + size // 2, last) + 1] += n
    return replace(tally, cells=cells)


def in_parts(statistic: dict[str, Any]) -> dict[str, Any]:
    """Return a statistic as a cluster has it: ± of a quantile that may be any number has two parts of its range more.

    A number is then drawn with the probability of the nearest end of a part, at most half a part from it.
    """
    size = part_size(statistic)
    if size == 1:
        return statistic
    width = size * statistic["choice"]["step"]
    note = f"Values are counted in parts of {width:.6g}, so that none of them leaves a worker; ± has two parts more."
    own, several = statistic["half_width"], statistic["half_widths"]
    wider = None if own is None else own + 2 * width
    known = {"half_width": wider, "half_widths": tuple(each + 2 * width for each in several)}
    return statistic | known | {"note": " ".join(filter(None, (statistic["note"], note)))}
