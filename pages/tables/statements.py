"""The statements on a table, and the program that releases it: of the table they have its number of cells alone."""

import math

from dpcore.mechanism import Mechanism
from pages.framework.layout.downloads import Downloads
from pages.framework.layout.statements import Statements
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.shared.release_program.program import Statistic, level_text, noise_facts, release_downloads
from pages.shared.statements import Release, delta_text, mechanism_text, off_by, release_statements
from pages.tables.results import TablesResult
from pages.tables.text import conditions


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
    setting, n, whole = result.setting, result.n_cells, mechanism.whole
    noise = "Random noise is added to the one count before it is published"
    what, exact, significance = "the published count", "the exact one", setting.significance
    if n > 1:
        noise = f"Random noise is added to each of the {n:,} counts of the table before they are published"
        what = "any one published count"
    joint = n > 1 and setting.error == "all"
    if joint:
        what, exact, significance = f"all {n:,} published counts", "the exact ones", result.simultaneous_significance
    half_width = mechanism.half_width(significance)
    if result.section == "release" and result.values["rounded"] == "on" and not whole:
        noise, half_width, whole = f"{noise}, rounded to whole numbers", math.ceil(half_width), True
    sensitivity = result.sensitivity
    sizes = f"Δ₁ = {format_up(float(sensitivity.l1))}, Δ₂ = {format_up(float(sensitivity.l2))}"
    totals = ", which count the totals that are released too" if setting.margins else ""
    release = Release(
        noise=noise,
        error=off_by(what, half_width, setting.significance, exact=exact, is_at_least=whole or joint, several=joint),
        mechanism=f"{mechanism_text(mechanism)}, drawn anew for each number; {sizes}{totals}",
        proof=mechanism.theorem,
        epsilon=format_input_up(setting.epsilon),
        delta=delta_text(mechanism),
        neighbours=setting.neighbours,
    )
    return release_statements(release, conditions(result))


def downloads(result: TablesResult) -> Downloads | None:
    """Return the program with the noise of the open section; None with totals, limits in periods, or rounding."""
    setting, mechanism = result.setting, result.section_mechanism
    if mechanism is None or not has_statements(result) or setting.margins or setting.n_periods > 1:
        return None
    if result.section == "release" and result.values["rounded"] == "on" and not mechanism.whole:
        return None
    cells, most = int(min(setting.per_person, result.n_cells)), int(setting.per_cell)
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
        max_in_all=cells * most if math.isnan(setting.per_total) else int(setting.per_total),
    )
    guarantee = setting.epsilon, mechanism.delta
    return release_downloads(
        (statistic,), guarantee, setting.neighbours, conditions(result), lambda: statements(result)
    )
