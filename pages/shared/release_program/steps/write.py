"""Step 4 of the program of a release: write the numbers with their ±, and the statement."""

import csv
import json
import math
from datetime import date
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from pages.shared.release_program.steps.check import OWN, Source, cell_text, own_numbers, up, width_up
from pages.shared.release_program.steps.choose import candidate_at, quantiles_of
from pages.shared.release_program.steps.ledger import Ledger
from pages.shared.release_program.steps.limit import VALUED, join_of, step_of
from pages.shared.release_program.steps.lists import LISTED, categories_of, totals_of
from pages.shared.release_program.steps.noise import Composition, growth_of, is_gaussian, is_truncated, sampler_of
from pages.shared.release_program.steps.series import names_of, numbers_of, widths_of
from pages.shared.release_program.steps.together import with_sum

COUNTED = ("count", "table", "series")  # the kinds whose numbers are those of people or records, of which 0 is none
MAY_BE_EMPTY = "may be 0"
REFUTED = "what is published here shows fewer values than it assumes"
LARGEST_IN_FULL = 1e15  # of a number without a ±
PLACES = {"groups": "groups", "series": "periods", "largest": "counts"}  # in what a person is; else in categories


def numbers_of_statistic(statistic: dict[str, Any], source: Source, noisy: Any) -> list[tuple[str, str, float | None]]:
    """Return the label, the published number and the ± of each number of a statistic, made of its noisy ones in steps.

    A candidate that is chosen has no number, and where only a guess would be a ±, there is none.

    Groups are in the order of their names: that of the file would tell of those that are missing.
    """
    kind, step, width = statistic["kind"], step_of(statistic), statistic["half_width"]
    if kind == "groups":
        named = sorted((" · ".join(json.loads(name)), number) for name, number in noisy.items())
        return [(label, number_text(number, statistic, width), width) for label, number in named]
    labels = [" · ".join(category) for category in categories_of(statistic, source)] if kind in LISTED else [""]
    labels = [label for label, _ in own_numbers(statistic, source)] if kind == OWN else labels
    if kind == "largest":
        return [(labels[place], "", None) for place in noisy]
    if kind == "quantile" and statistic["levels"]:
        names, widths = quantile_names(statistic), statistic["half_widths"]
        values = [candidate_text(place, statistic, own) for place, own in zip(noisy, widths, strict=True)]
        return list(zip(names, values, widths, strict=True))
    if kind == "quantile":
        return [("", candidate_text(place, statistic, width), width) for place in noisy]
    if kind == "hidden_mean":
        return mean_rows(statistic, *noisy)
    series = statistic["series"]
    if series:
        numbers, is_of_quantiles = numbers_of(series, noisy, round(1 / step)), kind == "quantiles"
        names = quantile_names(statistic) if is_of_quantiles else names_of(series, labels)
        widths = statistic["half_widths"] if is_of_quantiles else widths_of(series)
        numbers = quantiles_of(numbers, statistic) if is_of_quantiles else numbers
        texts = [digits_text(number, own) for number, own in zip(numbers, widths, strict=True)]
        return list(zip(names, texts, widths, strict=True))
    return [(label, number_text(number, statistic, width), width) for label, number in zip(labels, noisy, strict=True)]


def mean_rows(statistic: dict[str, Any], noisy_n: int, noisy_sum: int) -> list[tuple[str, str, float | None]]:
    """Return a mean as the quotient of a noisy sum and a noisy number of records, and that number."""
    low, high, width = (statistic[key] for key in ("low", "high", "half_width_of_n"))
    share = noisy_sum / noisy_n if noisy_n > 0 else 0.0  # of half the range, above its middle
    mean = min(max(low + (high - low) * (1 + share) / 2, low), high)
    n, digits = noisy_n * step_of(statistic), (high - low) * width / statistic["n_records"]
    return [
        ("", digits_text(mean, digits), statistic["half_width"]),
        ("number of records", digits_text(n, width), width),
    ]


def most_values(statistic: dict[str, Any], plan: dict[str, Any], source: Source, noisy: list[Any]) -> float:
    """Return how many values a quantile or a mean can be of, by noisy numbers of the same people; ∞ if there are none.

    They are counts with the same limits of the same rows. That of a table adds up all of its cells.
    """
    limits = ("group", "max_in_all", "n_periods", "max_in_period")
    most = math.inf
    for other, numbers in zip(plan["statistics"], noisy, strict=True):
        name, kind, own = other["name"], other["kind"], other["half_width"]
        is_same = all(other[key] == statistic[key] for key in limits)
        is_same &= source.conditions.get(name) == source.conditions.get(statistic["name"])
        if not is_same or (source.leaves_out_bad and name != statistic["name"]):
            continue
        if kind == "hidden_mean":
            n, width = numbers[0], other["half_width_of_n"]
        elif kind == "count" and own is not None:
            n, width = numbers[0], own
        elif kind == "table" and own is not None:
            n_cells = len(categories_of(other, source))
            n, width = sum(numbers[:n_cells]), own * math.sqrt(n_cells)
        else:
            continue
        most = min(most, n * step_of(other) + width * growth_of(other))
    return most


def assumed_text(statistic: dict[str, Any]) -> str:
    """Return what the ± of a statistic assumes, as it stands among the assumptions."""
    return f"the ± of {statistic['name']} is for {statistic['assumed']}"


def without_refuted(plan: dict[str, Any], source: Source, noisy: list[Any]) -> dict[str, Any]:
    """Return a plan without the ± of a mean or quantile that assumes more values than the noisy numbers allow.

    The statement then says so, and has no margin there.
    """
    statistics, statement, assumptions = [], plan["statement"], list(plan["assumptions"])
    for statistic in plan["statistics"]:
        is_made_for_n = statistic["kind"] == "hidden_mean" or (statistic["kind"] == "quantile" and statistic["assumed"])
        if is_made_for_n and most_values(statistic, plan, source, noisy) < statistic["n_records"]:
            name = statistic["name"]
            assumptions = [text for text in assumptions if text != assumed_text(statistic)]
            statistic = statistic | {"half_width": None, "level": "", "assumed": ""}
            statement = statement.replace(f"{name} {statistic['stated']}", name, 1)
            statement = with_counted(statement, f"{name} has no margin: {REFUTED}.")
            note = f"It has no ±: {REFUTED}."
            statistic |= {"note": " ".join(filter(None, (statistic["note"], note)))}
        statistics.append(statistic)
    return plan | {"statistics": statistics, "statement": statement, "assumptions": assumptions}


def quantile_names(statistic: dict[str, Any]) -> list[str]:
    """Return the names of several quantiles."""
    return [f"quantile {level}" for level in statistic["levels"]]


def digits_text(number: float, width: float | None) -> str:
    """Return a published number without the digits that its ± makes meaningless: those below a hundredth of it.

    >>> digits_text(52.02013890538365, 1.0), digits_text(2665794.965, 4e4), digits_text(521.96, 20.0)
    ('52.02', '2665800', '522.0')
    """
    if width is None or not 0 < width < math.inf or number == round(number):
        return f"{number:.15g}" if abs(number) < LARGEST_IN_FULL else repr(number)
    last = Decimal(1).scaleb(math.floor(math.log10(width / 100)))
    rounded = Decimal(repr(number)).quantize(last, context=Context(prec=400))
    return f"{rounded or abs(rounded):f}"


def number_text(steps: int, statistic: dict[str, Any], width: float | None) -> str:
    """Return a noisy number, which is a multiple of the statistic’s step, as it is published."""
    steps, step = max(steps, 0) if statistic["is_clipped"] else steps, step_of(statistic)
    if statistic["is_rounded"]:
        return str(round(Fraction(steps, round(1 / step))))
    return str(steps) if step == 1 else digits_text(steps * step, width)


def candidate_text(place: int, statistic: dict[str, Any], width: float | None) -> str:
    """Return a drawn quantile: a value on the plan’s steps as it is, any number with the digits that its ± leaves."""
    choice = statistic["choice"]
    return digits_text(candidate_at(choice, place), width if choice["is_fine"] else None)


def width_of(statistic: dict[str, Any], width: float) -> float:
    """Return the ± of a published number: that of its noise or, where it is rounded, a whole number."""
    own = width * growth_of(statistic)
    return math.floor(own + 0.5) if statistic["is_rounded"] else width_up(own)


def own_text(statistic: dict[str, Any], unit: str) -> str:
    """Return what the noise of numbers that the user has computed rests on, and this program can't check."""
    moved = f"Δ₁ = {statistic['l1']!r} and Δ₂ = {statistic['l2']!r}"
    return (
        f"computed elsewhere; one {unit} is said to move all numbers together by no more than {moved}, and which "
        "numbers there are to be fixed without the data, which this program can’t check"
    )


def counted_of(statistic: dict[str, Any], source: Source, unit: str) -> str:
    """Return what a statistic counts of one person: the limits, and how several values are joined and cut."""
    how, kind, most = join_of(statistic, source), statistic["kind"], statistic["max_in_all"]
    if kind == OWN:
        return own_text(statistic, unit)
    cells, in_cell, in_period = (statistic[key] for key in ("max_cells", "max_in_cell", "max_in_period"))
    has_periods, where = statistic["n_periods"] > 1, "periods" if statistic["name"] in source.periods else "years"
    in_each = f" in each of {statistic['n_periods']:,} {where}" if has_periods else ""
    n_own = in_period if has_periods else most
    level = (statistic["choice"] or {}).get("quantile")
    of_all = {"sum": "the sum", "mean": "the mean", "hidden_mean": "the mean", "quantiles": "quantiles"}
    of_all["quantile"] = (
        "quantiles" if statistic["levels"] else "the median" if level == 0.5 else f"the {level} quantile"
    )
    if kind in of_all:
        joined = {"sum": "total", "mean": "mean"}.get(how, "value")
        own = f"at most {n_own:,} value{'s' * (n_own > 1)} of each {unit}{in_each}"
        own = f"each {unit}’s {joined}" if most == 1 else own
        return f"{of_all[kind]} of {own}, cut to {statistic['low']:,.15g} to {statistic['high']:,.15g}"
    late = "; no row that was added after its period was published" if statistic.get("is_ongoing") else ""
    if most == 1:
        return f"each {unit} once{late}"
    if kind == "count":
        return f"at most {n_own:,} record{'s' * (n_own > 1)} of each {unit}{in_each}"
    is_of_all = cells >= (statistic["n_cells"] or math.inf)
    parts = [] if is_of_all else [f"at most {cells:,} {PLACES.get(kind, 'categories')}"]
    if in_cell < n_own:
        parts += ["each once" if in_cell == 1 else f"each at most {in_cell:,} times"]
    if has_periods:
        parts += [f"at most {in_period:,}{in_each}"]
    elif most < cells * in_cell or not parts:
        parts += [f"at most {most:,} in all"]
    chosen = "the earliest" if late else "chosen at random"
    return f"of each {unit} {', '.join(parts)}, {chosen} where there are more{late}"


def limits_of(plan: dict[str, Any], source: Source) -> dict[str, str]:
    """Return what each statistic counts, by its name; also which rows, where the user has chosen some."""
    limits = {}
    for statistic in plan["statistics"]:
        name = statistic["name"]
        rows = " and ".join(f"{column} = {value}" for column, value in source.conditions.get(name, ()))
        limits[name] = f"{counted_of(statistic, source, plan['unit'])}{f' (rows with {rows})' * bool(rows)}"
    return limits


ROUGHER = "a rougher bound for the same noise, and no second cost: the guarantee is the ε and δ of this folder"
"""What a reader must know of a bound of OpenDP that is above the guarantee."""


def counted_text(plan: dict[str, Any], source: Source) -> str:
    """Return what is counted, which is what ± is about. It is of the options of a run only, and of no row."""
    listed = "; ".join(f"{name}: {words}" for name, words in limits_of(plan, source).items())
    missing = "Records beyond these limits are"
    missing = "Rows with unusable entries, and records beyond these limits, are" if source.leaves_out_bad else missing
    is_cut = any(statistic["kind"] in VALUED for statistic in plan["statistics"])
    cut = ", and what is outside a range counts as its end" if is_cut else ""
    return (
        f"What is counted, and what each margin is about: {listed}. {missing} not counted{cut}, so that a number "
        "can be farther than its margin from that of all rows."
    )


def with_counted(statement: str, counted: str) -> str:
    r"""Return a statement with what is counted, after its paragraph on the numbers.

    >>> with_counted("Numbers.\n\nAttack.", "Counted."), with_counted("", "Counted.")
    ('Numbers.\n\nCounted.\n\nAttack.', 'Counted.')
    """
    numbers, *others = statement.split("\n\n")
    return "\n\n".join(filter(None, (numbers, counted, *others)))


def mark_of(statistic: dict[str, Any], text: str, width: float | None, limits: str) -> str:
    """Return what is to be known of one number: that it may be 0, what its ± assumes, and what it counts.

    `limits` is what `limits_of` has of the statistic: of the plan and of options, and so of no row.
    """
    parts = []
    if width is not None and statistic["assumed"]:
        parts.append(f"± is for {statistic['assumed']}")
    elif width is not None and statistic["kind"] in COUNTED and float(text) <= width:
        parts.append(MAY_BE_EMPTY)
    if statistic["kind"] != OWN:
        parts.append(f"counted: {limits}")
    return "; ".join(parts)


def numbers_rows(plan: dict[str, Any], source: Source, noisy: list[Any]) -> list[list[str]]:
    """Return the rows of the CSV file: statistic, category, number, ±, unit, and a mark of what to know of it."""
    rows, limits = [["statistic", "category", "number", "plus_minus", "unit", "mark"]], limits_of(plan, source)
    for statistic, numbers in zip(plan["statistics"], noisy, strict=True):
        name, unit, totals = statistic["name"], cell_text(statistic["unit"]), totals_of(statistic, source)
        labels = [(f"{name}: {words}", label) for words, of_set in totals for label, _ in of_set]
        cells, rest = (numbers[: -len(labels)], numbers[-len(labels) :]) if labels else (numbers, [])
        published = [(name, *row) for row in numbers_of_statistic(statistic, source, cells)]
        published += [
            (*label, number_text(number, statistic, statistic["half_width"]), statistic["half_width"])
            for label, number in zip(labels, rest, strict=True)
        ]
        for own_name, label, text, width in published:
            own = None if width is None else width_of(statistic, width)
            plus_minus, mark = "" if own is None else f"{own:.15g}", mark_of(statistic, text, own, limits[name])
            rows.append([cell_text(own_name), cell_text(label), text, plus_minus, unit, cell_text(mark)])
    return rows


def written(
    ledger: Ledger, plan: dict[str, Any], rows: list[list[str]], by_opendp: Composition, limits: dict[str, str]
) -> str:
    """Write the numbers and the statement of a release, and return a sentence on where they are."""
    numbers, statement = (ledger.folder / f"release-{ledger.number}.{kind}" for kind in ("csv", "json"))
    filled = [place for place, (head, *own) in enumerate(zip(*rows, strict=True)) if head != "unit" or any(own)]
    rows = [[row[place] for place in filled] for row in rows]
    if time := cell_text(ledger.terms.get("time", "")):
        rows = [[*row, time if place else "time"] for place, row in enumerate(rows)]
    rows = with_sum(rows, ledger)
    with numbers.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    facts = ("unit", "neighbours", "epsilon", "delta", "conditions", "assumptions", "statement", "version", "link")
    record = {key: plan[key] for key in facts} | {key: up(plan[key]) for key in ("epsilon", "delta")} | ledger.terms
    is_rougher = by_opendp.epsilon > plan["epsilon"] * (1 + 1e-9)
    record |= {
        "limits": limits,
        "share_of_the_plan_by_opendp": by_opendp.share,
        "check_by_opendp": {"epsilon_at_most": up(by_opendp.epsilon), "delta": up(by_opendp.delta)}
        | ({"note": ROUGHER} if is_rougher else {}),
        "release_in_this_folder": ledger.number,
        "epsilon_of_this_folder": up(ledger.epsilon),
        "delta_of_this_folder": up(ledger.delta),
        "date": date.today().isoformat(),
        "mechanisms": [mechanism_facts(statistic) for statistic in plan["statistics"]],
    }
    statement.write_text(json.dumps(record, ensure_ascii=False, indent=2), encoding="utf-8")
    return f"Written: {numbers} and {statement}."


def mechanism_facts(statistic: dict[str, Any]) -> dict[str, Any]:
    """Return what the statement has of one statistic, without what it does not have.

    Its cost is the share of the plan’s ε that it adds, and what it would cost alone: ε, or ρ of Gaussian noise. The
    sensitivity is that in the norm of its noise.
    """
    facts: dict[str, Any] = {key: statistic[key] for key in ("name", "kind", "level", "unit", "note")}
    width, groups, choice = statistic["half_width"], dict(statistic["groups"] or {}), dict(statistic["choice"] or {})
    facts |= {"half_width": None if width is None else width_of(statistic, width)}
    if statistic["levels"]:
        facts |= {
            "levels": statistic["levels"],
            "half_widths": [width_of(statistic, each) for each in statistic["half_widths"]],
        }
    own = (choice or groups).get("epsilon", 0.0)
    if is_gaussian(statistic):
        facts["rho_alone"] = up(statistic["l2"] ** 2 / statistic["scale"] ** 2 / 2)
    else:
        facts["epsilon_alone"] = up(own if choice or is_truncated(statistic) else statistic["l1"] / statistic["scale"])
    if not choice:
        facts |= {key: statistic[key] for key in ("noise", "scale", "l2" if is_gaussian(statistic) else "l1")}
    if groups:
        groups["threshold"] = groups.pop("stated")
    adds = statistic["adds"]
    facts |= {"epsilon_it_adds": None if adds is None else up(adds), "sampler": sampler_of(statistic)} | groups | choice
    return {key: value for key, value in facts.items() if key != "epsilon" and value not in ("", None)}
