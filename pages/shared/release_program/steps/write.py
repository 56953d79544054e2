"""Step 4 of the program of a release: write the numbers with their ±, and the statement."""

import csv
import json
import math
from datetime import date
from fractions import Fraction
from typing import Any

from pages.shared.release_program.steps.check import LISTED, Ledger, Source, categories_of, cell_text, totals_of, up
from pages.shared.release_program.steps.choose import candidate_at, quantiles_of
from pages.shared.release_program.steps.limit import step_of
from pages.shared.release_program.steps.noise import Composition, growth_of, sampler_of
from pages.shared.release_program.steps.series import names_of, numbers_of, widths_of

ABOUT_WIDTH = (
    "± is about what the plan counts: records, groups and values of a person beyond the limits are not in the numbers, "
    "so that a number can be farther from the count of all rows."
)


def numbers_of_statistic(statistic: dict[str, Any], source: Source, noisy: Any) -> list[tuple[str, str, float | None]]:
    """Return the label, the published number and the ± of each number of a statistic, made of its noisy ones in steps.

    A candidate that is chosen has no number, and where only a guess would be a ±, there is none.

    Groups are in the order of their names: that of the file would tell of those that are missing.
    """
    kind, step, width = statistic["kind"], step_of(statistic), statistic["half_width"]
    if kind == "groups":
        named = sorted((" · ".join(json.loads(name)), number) for name, number in noisy.items())
        return [(label, number_text(number, statistic), width) for label, number in named]
    labels = [" · ".join(category) for category in categories_of(statistic, source)] if kind in LISTED else [""]
    if kind == "largest":
        return [(labels[place], "", None) for place in noisy]
    if kind == "quantile" and statistic["levels"]:
        names, widths = quantile_names(statistic), statistic["half_widths"]
        values = [repr(candidate_at(statistic["choice"], place)) for place in noisy]
        return list(zip(names, values, widths, strict=True))
    if kind == "quantile":
        return [("", repr(candidate_at(statistic["choice"], place)), width) for place in noisy]
    if kind == "hidden_mean":
        return mean_rows(statistic, *noisy)
    series = statistic["series"]
    if series:
        numbers = numbers_of(series, noisy, round(1 / step))
        if kind == "quantiles":
            names, widths = quantile_names(statistic), statistic["half_widths"]
            return list(zip(names, map(repr, quantiles_of(numbers, statistic)), widths, strict=True))
        return list(zip(names_of(series, labels), map(repr, numbers), widths_of(series), strict=True))
    return [(label, number_text(number, statistic), width) for label, number in zip(labels, noisy, strict=True)]


def mean_rows(statistic: dict[str, Any], noisy_n: int, noisy_sum: int) -> list[tuple[str, str, float | None]]:
    """Return a mean as the quotient of a noisy sum and a noisy number of records, and that number.

    The ± of the mean holds from the number of records on for which the plan is made: it is left out where the noisy
    number shows that there are fewer.
    """
    low, high, least, width = (statistic[key] for key in ("low", "high", "n_records", "half_width_of_n"))
    share = noisy_sum / noisy_n if noisy_n > 0 else 0.0  # of half the range, above its middle
    mean = min(max(low + (high - low) * (1 + share) / 2, low), high)
    n, wide = noisy_n * step_of(statistic), width * growth_of(statistic)
    is_known = wide < least <= n + wide
    plus_minus = (high - low) * wide / (least - wide) if is_known else None
    return [("", repr(mean), plus_minus), ("number of records", repr(n), width)]


def quantile_names(statistic: dict[str, Any]) -> list[str]:
    """Return the names of several quantiles."""
    return [f"quantile {level}" for level in statistic["levels"]]


def number_text(steps: int, statistic: dict[str, Any]) -> str:
    """Return a noisy number, which is a multiple of the statistic’s step, as it is published."""
    steps, step = max(steps, 0) if statistic["is_clipped"] else steps, step_of(statistic)
    if statistic["is_rounded"]:
        return str(round(Fraction(steps, round(1 / step))))
    return str(steps) if step == 1 else repr(steps * step)


def width_of(statistic: dict[str, Any], width: float) -> float:
    """Return the ± of a published number: that of its noise or, where it is rounded, a whole number.

    It is the plan’s with four digits. Where noise that is hardly larger is beyond those, two more digits show by how
    little: 4000.01 for 4000.

    >>> noise = {"choice": None, "whole": True, "noise": "geometric", "kind": "count", "series": None, "l1": 1}
    >>> width_of(noise | {"is_rounded": False}, 16.4141), width_of(noise | {"is_rounded": True}, 16.4141)
    (16.42, 16)
    """
    own = width * growth_of(statistic)
    if statistic["is_rounded"]:
        return math.floor(own + 0.5)
    return up(width) if own <= up(width) else up(own, 6)


def numbers_rows(plan: dict[str, Any], source: Source, noisy: list[Any]) -> list[list[str]]:
    """Return the rows of the CSV file: statistic, category, number, ± and unit."""
    rows = [["statistic", "category", "number", "plus_minus", "unit"]]
    for statistic, numbers in zip(plan["statistics"], noisy, strict=True):
        name, unit, totals = statistic["name"], cell_text(statistic["unit"]), totals_of(statistic, source)
        labels = [(f"{name}: {words}", label) for words, of_set in totals for label, _ in of_set]
        cells, rest = (numbers[: -len(labels)], numbers[-len(labels) :]) if labels else (numbers, [])
        published = [(name, *row) for row in numbers_of_statistic(statistic, source, cells)]
        published += [
            (*label, number_text(number, statistic), statistic["half_width"])
            for label, number in zip(labels, rest, strict=True)
        ]
        for own_name, label, text, width in published:
            plus_minus = "" if width is None else f"{width_of(statistic, width):.15g}"
            rows.append([cell_text(own_name), cell_text(label), text, plus_minus, unit])
    return rows


def written(ledger: Ledger, plan: dict[str, Any], rows: list[list[str]], by_opendp: Composition) -> str:
    """Write the numbers and the statement of a release, and return a sentence on where they are."""
    numbers, statement = (ledger.folder / f"release-{ledger.number}.{kind}" for kind in ("csv", "json"))
    if time := cell_text(ledger.terms.get("time", "")):
        rows = [[*row, time if place else "time"] for place, row in enumerate(rows)]
    with numbers.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    facts = ("unit", "neighbours", "epsilon", "delta", "conditions", "assumptions", "statement", "version", "link")
    of_all, of_noise = ("name", "kind", "half_width", "level", "unit", "note"), ("noise", "scale", "l1", "l2")
    record = {key: plan[key] for key in facts} | {key: up(plan[key]) for key in ("epsilon", "delta")} | ledger.terms
    record |= {
        "about_plus_minus": ABOUT_WIDTH,
        "share_of_the_plan_by_opendp": by_opendp.share,
        "check_by_opendp": {"epsilon_at_most": up(by_opendp.epsilon), "delta": up(by_opendp.delta)},
        "release_in_this_folder": ledger.number,
        "epsilon_of_this_folder": up(ledger.epsilon),
        "delta_of_this_folder": up(ledger.delta),
        "date": date.today().isoformat(),
        "mechanisms": [
            {key: statistic[key] for key in of_all}
            | {"half_width": None if (width := statistic["half_width"]) is None else width_of(statistic, width)}
            | (statistic["choice"] or {key: statistic[key] for key in of_noise} | (statistic["groups"] or {}))
            | ({key: statistic[key] for key in ("levels", "half_widths")} if statistic["levels"] else {})
            | {"sampler": sampler_of(statistic)}
            for statistic in plan["statistics"]
        ],
    }
    statement.write_text(json.dumps(record, ensure_ascii=False, indent=2), encoding="utf-8")
    return f"Written: {numbers} and {statement}."
