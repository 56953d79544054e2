"""The conditions of a release of the page’s table, statements on it, its program, the steps by hand, and its total."""

import math
from dataclasses import replace

from dpcore import tables
from dpcore.calibrations import PROVED, PURE_DP
from dpcore.families import FAMILIES
from dpcore.mechanism import Mechanism
from dpcore.rounding import round_down, round_up
from dpcore.sensitivity import Sensitivity
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.section import Conditions
from pages.framework.parameters.kinds import first_problem
from pages.framework.parameters.number_format import (
    exact_text,
    format_input_up,
    format_up,
    plural,
)
from pages.shared import statements as shared_statements
from pages.shared.conditions import CATEGORIES, CONDITION_PARAMETERS
from pages.shared.counts.table import TABLE_FIELD, limit_fields, limit_text, table_conditions
from pages.shared.formulas import in_words
from pages.shared.page_links import Link, shared_entries
from pages.shared.release_program.program import Statistic, level_text, noise_facts, release_downloads
from pages.shared.releases import Item
from pages.shared.shared_parameters import and_delta
from pages.shared.site_map import COMPOSITION, TABLES
from pages.shared.statements import (
    EXACT_ONES,
    Release,
    delta_text,
    mechanism_text,
    off_by,
    public_size,
    release_statements,
)
from pages.tables.mechanisms.text import error_text as size_text
from pages.tables.mechanisms.text import for_all_years
from pages.tables.results import TablesResult

_FIXED_LIST = "with those categories that nobody is in, and one cell “other” for the rest. With a fixed list:"


def _appearance_link(result: TablesResult, name: str) -> str:
    """Return the link to the groups that may appear, with the setting; the user's own table stays in the session."""
    values = result.values
    numbers = {
        key: values[key] for key in ("epsilon", "delta", *(field.key for field in limit_fields(values)), "cells")
    }
    entries = {key: exact_text(number) for key, number in numbers.items() if not math.isnan(number)}
    entries |= {key: str(values[key]) for key in (*(parameter.key for parameter in CONDITION_PARAMETERS), "table")}
    return Link(TABLES, name, entries | {"section": "appear"}).markdown


def conditions(result: TablesResult) -> Conditions | None:
    """Return the conditions of the answer, which are asked for where the table is the user's own."""
    if result.is_missing:
        return None
    link = _appearance_link(result, "Find which groups may appear")
    remedy = f"{link} without a fixed list. Or publish a fixed list, {_FIXED_LIST}"
    about = {"counts": result.table, "remedy": remedy, "total_address": total_link(result).address}
    answer_conditions = table_conditions(result.values, (TABLE_FIELD,), is_own=result.is_own, **about)
    return answer_conditions if answer_conditions.questions or result.section_mechanism is not None else None


def _mechanism(result: TablesResult) -> Mechanism | None:
    """Return the noise of the open section; None where it cannot be released, or is too little."""
    mechanism = None if result.is_missing else result.section_mechanism
    is_enough = result.least_per_cell <= result.setting.per_cell
    return mechanism if mechanism is not None and mechanism.releasable and is_enough else None


def has_statements(result: TablesResult) -> bool:
    """Return whether the noise of the open section can be released, and is enough."""
    return _mechanism(result) is not None


def statements(result: TablesResult) -> Statements | None:
    """Return the statements on the noise of the open section; None where it cannot be released, or is too little."""
    mechanism = _mechanism(result)
    if mechanism is None:
        return None
    setting, n = result.setting, result.n_cells
    kind, years = f"({in_words(mechanism)} noise)", for_all_years(setting.n_periods)
    noise = f"Random noise is added to the one count {kind} before it is published"
    subject, exact, significance = "the published count", "the exact one", setting.significance
    if n > 1:
        table = f"{'sample ' * result.is_sample}table{' and to its totals' if setting.margins else ''}"
        of_what = f"{n:,} published counts of the {table}"
        noise = f"Random noise is added to each of {of_what} {kind}"
        subject = "any one published count"
    joint = result.is_joint
    if joint:
        counts = "published counts of cells" if setting.margins else "published counts"
        subject, exact, significance = f"all {n:,} {counts}", EXACT_ONES, result.simultaneous_significance
    half_width = result.published_half_width(mechanism.half_width(significance))
    noise += f"{', rounded to whole numbers' * result.is_rounded}{', negative ones as 0' * result.is_clipped}"
    is_at_least = joint or mechanism.whole or result.is_rounded or result.is_clipped
    sensitivity = result.sensitivity
    sizes = f"Δ₁ = {format_up(float(sensitivity.l1))}, Δ₂ = {format_up(float(sensitivity.l2))}"
    totals = ", which count the totals that are released too" if setting.margins else ""
    threshold = float(tables.detection_threshold(mechanism, result.significance))
    threshold = math.ceil(threshold + 0.5) if result.is_rounded else threshold
    thresholds = public_size(threshold), format_up(threshold)
    errors = off_by(subject, half_width, setting.significance, exact=exact, is_at_least=is_at_least)
    subject, cell = ("The published count", "the cell") if n == 1 else ("A count", "its cell")
    least = f"{subject} {'' if result.is_clipped else 'can be negative; '}below {{}} "
    least += f"{'does' if result.is_clipped else 'it does'} not tell whether {cell} is empty"
    least += "; totals need not add up" if setting.margins else ""
    errors = (
        errors[0].replace(f"all {n:,} published counts are", "all are"),
        errors[1],
    )  # it follows what is published
    public, numbers = (f"{error}. {least.format(size)}" for error, size in zip(errors, thresholds, strict=True))
    together = f"The guarantee is{years} in the table together." if years else ""
    release = Release(
        noise=noise,
        error=(public, numbers),
        added=mechanism_text(mechanism),
        mechanism=f"{mechanism_text(mechanism)}, drawn anew for each number; {sizes}{totals}",
        proof=mechanism.theorem,
        epsilon=format_input_up(setting.epsilon),
        delta=delta_text(mechanism),
        neighbours=setting.neighbours,
        limit=(together, together),
    )
    return release_statements(release, conditions(result))


def downloads(result: TablesResult) -> Downloads | None:
    """Return the program with the noise of the open section; None where there is none."""
    setting, mechanism = result.setting, result.section_mechanism
    if mechanism is None or not has_statements(result):
        return None
    cells, most, total = int(min(setting.per_person, result.n_cells)), int(setting.per_cell), setting.per_total
    statistic = Statistic(
        name="Table",
        kind="table",
        **noise_facts(mechanism),
        l1=float(result.sensitivity.l1),
        l2=float(result.sensitivity.l2),
        half_width=mechanism.half_width(result.significance),
        level=level_text(setting.significance),
        unit="people" if most == 1 else "records",
        n_cells=result.n_cells,
        max_cells=cells,
        max_in_cell=most,
        max_in_all=cells * most if math.isnan(total) else int(min(cells * most, total * setting.n_periods)),
        n_periods=1 if math.isnan(total) else int(setting.n_periods),
        max_in_period=cells * most if math.isnan(total) else int(total),
        n_totals=int(setting.margins),
        note=_NOISE_OF_TOTALS if setting.margins else "",
        is_clipped=result.is_clipped,
        is_rounded=result.is_rounded,
    )
    guarantee = setting.epsilon, mechanism.delta
    named = _NAME_TOTALS.format(plural(int(setting.margins), "set")) if setting.margins else ""
    notes = " ".join(filter(None, (named, _counts_only_text(mechanism))))
    return release_downloads(
        (statistic,), guarantee, setting.neighbours, conditions(result), lambda: statements(result), notes
    )


def _counts_only_text(mechanism: Mechanism) -> str:
    """Return what to do with counts alone, in Markdown: the program needs rows, and OpenDP adds the noise to counts."""
    make = "make_gaussian" if mechanism.guarantee != PURE_DP else "make_laplace"
    domain, distance = ("T=int", "int" if make == "make_laplace" else "float")
    if not FAMILIES[mechanism.family].whole:
        domain, distance = "T=float, nan=False", "float"
    code = f"dp.m.{make}(dp.atom_domain({domain}), dp.absolute_distance(T={distance}), {float(mechanism.scale)!r})"
    return (
        "**Counts only, and no rows of people?** Then nobody can check or enforce the limit: it must have been kept "
        f"when they were made. Add {mechanism_text(mechanism)} to each with OpenDP, where `dp` is `opendp.prelude`: "
        f"`{code}`."
    )


_NAME_TOTALS = (
    "Name the {} of totals: `--totals` once for each, with the columns of your list by which it adds up, none for the "
    "grand total."
)
_NOISE_OF_TOTALS = "Each total has noise like a cell, and is beyond ± as often as one cell is; totals of cells differ."


def steps_text(result: TablesResult) -> str:
    """Return what to do with the noise of the open section, in three steps; nothing where it is too little."""
    mechanism, setting = result.section_mechanism, result.setting
    if mechanism is None or result.least_per_cell > setting.per_cell:
        return ""
    if mechanism.status != PROVED:
        return "**What to do:** choose another noise. That this one satisfies its guarantee is not proved here."
    delta = and_delta(None if mechanism.guarantee == PURE_DP else setting.delta)
    half_width = result.published_half_width(mechanism.half_width(result.significance))
    is_list_open = result.values[CATEGORIES.key] in ("some", "no")
    link = _appearance_link(result, "Unknown groups")
    listed = f"Publish a fixed list of categories; {link} says what may appear without one. " if is_list_open else ""
    return shared_statements.steps_text(
        f"{listed}Make sure that {limit_text(result.values)}.",
        f"**Add {mechanism_text(mechanism)}** to every cell, the empty ones too, drawn anew for each.",
        f"Publish all cells{', rounded' * result.is_rounded} with ±{format_up(half_width)} for {size_text(result)}, "
        f"with ε = {format_input_up(setting.epsilon)}{delta} and the conditions.",
    )


def total_link(result: TablesResult) -> Link:
    """Return the link to a list of releases that has this one as its first line, or a sample where it is not proved."""
    mechanism, name = result.section_mechanism, "their total"
    if mechanism is None or mechanism.status != PROVED:
        return Link(COMPOSITION, name, {})
    entries = {"section": "together", "show": "together", "runs": "1", "accountant": "exact"}
    line = _line_of_noise(mechanism, result.sensitivity) or _line_of_guarantee(mechanism)
    entries |= {"releases": replace(line, name="My table", chosen=True).link_text()}
    return Link(COMPOSITION, name, shared_entries(result.setting) | entries)


def _line_of_noise(mechanism: Mechanism, sensitivity: Sensitivity) -> Item | None:
    """Return the noise as a line of a list of releases, once: its count is how often the table is released.

    None where the list has no such kind, or has it within other limits, and where a person moves several numbers, each
    of which would be such a line.
    """
    family, largest = mechanism.family, float(sensitivity.largest)
    loss = exact_text(float(round_up(largest / mechanism.scale)))
    if family == "gaussian":
        item = Item(family, (exact_text(float(round_down(mechanism.scale / float(sensitivity.l2)))),))
    elif sensitivity.n_moved > 1:
        return None
    elif family == "discrete_gaussian":
        item = Item("discrete", (exact_text(mechanism.scale), exact_text(largest)))
    elif family == "laplace":
        item = Item(family, (loss,))
    elif family == "geometric":
        item = Item(family, (loss, exact_text(largest)))
    else:
        return None
    return item if first_problem(item.fields) is None else None


def _line_of_guarantee(mechanism: Mechanism) -> Item:
    """Return the guarantee of a noise as a line of a list of releases: of any mechanism that satisfies it."""
    epsilon, delta = exact_text(mechanism.epsilon), exact_text(mechanism.delta)
    return Item("pure", (epsilon,)) if mechanism.guarantee == PURE_DP else Item("approx", (epsilon, delta))
