"""The statements and claims on a series and on ranges: the error, the method, and the guarantee of all together."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from math import isfinite

from dpcore import verify
from dpcore.families import FAMILIES
from dpcore.linear_queries import Errors
from dpcore.mechanism import NoiseDistribution
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.section import Claim, Conditions
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up, plural
from pages.series.methods import OPTIMUM
from pages.series.over_time.results import OverTime
from pages.series.over_time.text import LINE_NAMES, number_words
from pages.series.own_sums.results import OwnSums
from pages.series.parameters import WHOLE_METHODS
from pages.series.ranges.results import AllRanges, column_of
from pages.series.ranges.text import METHOD_WORDS
from pages.series.results import SeriesResult, SeriesSetting, series_conditions
from pages.shared import guarantee_claims
from pages.shared.counts.table import table_conditions
from pages.shared.guarantee_claims import Target
from pages.shared.release_program.program import ROOTS, release_downloads, series_statistic
from pages.shared.statements import EXACT_ONES, Release, off_by, public_size, release_statements

_PROOF = "analytic Gaussian at the largest change of all noisy sums by one person, {change} (Balle & Wang 2018)"
_MOST_ENCLOSED = 500  # cells, and published numbers with noise of their own: beyond it takes a second
_OTHER_PROOF = "{theorem}, at the largest change of all noisy sums by one person, {change}"


def series_statements(result: SeriesResult) -> Statements:
    """Return the statements on the numbers of a series."""
    setting, found = result.setting, result.over_time
    periods = setting.periods(setting.n_periods)
    when = "as its period ends" if setting.publication == "as_it_goes" else "at the end"
    release = Release(
        noise=f"Random noise is added to a series of {periods} before any {number_words(setting)} is published",
        added=_noise(setting, found.noise_scale),
        error=_with_year(result, f"one {number_words(setting)} alone", f"all {setting.n_periods:,} numbers"),
        mechanism=f"{_noise(setting, found.noise_scale)}, in each noisy sum "
        f"({LINE_NAMES[found.answer_errors.strategy]}); each published number is made of these sums, {when}",
        proof=_proof(setting, found.answer_errors),
        epsilon=format_input_up(setting.epsilon),
        delta="" if setting.noise.pure else format_input_up(setting.delta),
        neighbours=setting.neighbours,
        caution=f"The guarantee is for a person over all {periods} together.",
    )
    return release_statements(release, series_conditions(result))


def series_downloads(result: SeriesResult) -> Downloads | None:
    """Return the program that publishes the series at its end; None without a way to its noise."""
    conditions = series_conditions(result)
    return numbers_downloads(result, result.over_time, "Series", conditions, lambda: series_statements(result))


def range_downloads(result: SeriesResult) -> Downloads | None:
    """Return the program that publishes all ranges of ordered cells; None without a way to their noise."""
    conditions = table_conditions(result.table_values)
    return numbers_downloads(result, result.ranges, "Ranges", conditions, lambda: range_statements(result))


def numbers_downloads(
    result: SeriesResult,
    found: OverTime | AllRanges | OwnSums,
    name: str,
    conditions: Conditions | None,
    statements: Callable[[], Statements | None],
    note: str = "",
) -> Downloads | None:
    """Return the program that publishes numbers with their noise; None without a way to it."""
    noise = NoiseDistribution(found.noise, (found.noise_scale,), found.noise_scale)
    known = name, found.answer_errors, noise, found.half_width, found.significance
    statistic = series_statistic(*known, is_joint=found.is_joint)
    statistic = replace(statistic, unit="people" if result.setting.counts_once else "")
    return release_downloads((statistic,), found.guarantee, found.series.neighbours, conditions, statements, note)


def range_statements(result: SeriesResult) -> Statements:
    """Return the statements on all ranges of ordered cells."""
    setting, found = result.setting, result.ranges
    cells, n_ranges = plural(found.series.n, "cell"), found.n_numbers
    public, numbers = _off_by(setting, "one range alone", f"all {n_ranges:,} ranges", found.half_width)
    if (together := found.together(found.answer_errors)) is not None:
        every = f"all {n_ranges:,} ranges are within {{}} of the exact ones at once"
        public = f"{public}; with at least this chance, {every.format(public_size(together))}"
        numbers = f"{numbers}; in at least as many, {every.format(f'±{format_up(together)}')}"
    release = Release(
        noise=f"Random noise is added to {cells} in their order, before all ranges of them are published",
        added=_noise(setting, found.noise_scale),
        error=(public, numbers),
        mechanism=f"{_noise(setting, found.noise_scale)}, in each noisy sum "
        f"({METHOD_WORDS[column_of(found.best_method)]}); each range is estimated from these sums",
        proof=_proof(setting, found.answer_errors),
        epsilon=format_input_up(setting.epsilon),
        delta="" if setting.noise.pure else format_input_up(setting.delta),
        neighbours=setting.neighbours,
    )
    return release_statements(release, table_conditions(result.table_values))


def noise_claims(found: OverTime | AllRanges | OwnSums, name: str) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise at the sensitivity of the noisy sums, and this sensitivity."""
    yield noise_claim(found.answer_errors, found.noise_scale, found.epsilon, found.delta)
    yield sensitivity_claim(found.answer_errors, name)


def noise_claim(errors: Errors, scale: float, epsilon: float, delta: float) -> Claim:
    """Return the claim that noise of a scale, as it is displayed, satisfies its guarantee at the sensitivity of sums.

    Sums of cells to which people add whole numbers change by whole numbers in ℓ₁ norm: what the sensitivity has beyond
    one is rounding.
    """
    size, shown, persons = errors.sensitivity, _at_least(scale), errors.persons
    are_whole = all(amount == round(amount) for amount in (persons.per_cell, persons.total) if isfinite(amount))
    l1 = exact_text(size)
    if are_whole and errors.strategy in WHOLE_METHODS and FAMILIES[errors.noise].pure:
        l1, shown = str(int(size)), format_up(scale)
    target = Target(format_input_up(epsilon), format_input_up(delta), exact_text(size))
    if errors.noise == "gaussian":
        return guarantee_claims.gaussian(target, shown)
    if errors.noise == "laplace":
        return guarantee_claims.laplace(replace(target, delta="0", sensitivity=l1), shown)
    if errors.noise == "geometric":
        return guarantee_claims.geometric(replace(target, delta="0", sensitivity=l1), shown)
    return guarantee_claims.discrete_sums(target, shown, int(Decimal(size) ** 2))


def sensitivity_claim(errors: Errors, name: str) -> Claim:
    """Return the claim that no person changes the sums by more than the sensitivity; or why it is not enclosed."""
    subject = f"The largest change of the sums by one person ({name})"
    if is_enclosed(errors):
        numbers, persons, options = errors.workload, errors.persons, errors.options
        own = None if numbers.own is None else numbers.own.astype(int).tolist()
        known = {
            "strategy": errors.strategy,
            "n": numbers.n,
            "contributions": persons.contributions,
            "per_cell": persons.per_cell,
            "total": persons.total if isfinite(persons.total) else None,
            "neighbours": persons.neighbours,
            "norm": 1 if FAMILIES[errors.noise].pure else 2,
            "workload": numbers.name if own is None else tuple("".join(map(str, row)) for row in own),
            "window": numbers.window if numbers.name in ("window", "year_to_date") else None,
            "branching": options.branching if errors.strategy == "tree" else None,
            "bands": options.bands if errors.strategy == "banded" else None,
        }
        return Claim(subject, errors.sensitivity, verify.sums_change, known)
    how = "and is reached by a person" if errors.is_exact else "an upper bound, no less than any person changes"
    reason = f"It is computed in floating-point arithmetic and rounded up, {how}."
    return Claim(f"{subject}, {format_up(errors.sensitivity)}", reason=reason)


def is_enclosed(errors: Errors) -> bool:
    """Return whether the sensitivity is enclosed: where a person is known to reach it, in less than a second."""
    numbers, persons, is_root = errors.workload, errors.persons, errors.strategy in ROOTS
    if not errors.is_exact or errors.strategy == OPTIMUM or numbers.n > _MOST_ENCLOSED:
        return False
    if errors.strategy == "per_number" and numbers.first.size > _MOST_ENCLOSED:
        return False
    in_l1 = FAMILIES[errors.noise].pure
    return persons.neighbours == "add_remove" or (persons.contributions == 1 and not (in_l1 and is_root))


def _at_least(value: float) -> str:
    """Return a scale as it is displayed, or with all digits where that is less in the last bits."""
    shown = format_up(value)
    return shown if guarantee_claims.number(shown) >= Decimal(value) else exact_text(value)


def _noise(setting: SeriesSetting, scale: float) -> str:
    return f"{setting.noise.name} noise, {setting.noise.symbol} = {format_up(scale)}"


def _proof(setting: SeriesSetting, errors: Errors) -> str:
    proof = _PROOF if setting.series_noise == "gaussian" else _OTHER_PROOF
    return proof.format(theorem=setting.noise.calibration.theorem, change=format_up(errors.sensitivity))


def _with_year(result: SeriesResult, one: str, every: str) -> tuple[str, str]:
    """Return the error of one number of a series, or of all, and the smaller one at the beginning of a year."""
    setting, found = result.setting, result.over_time
    public, numbers = _off_by(setting, one, every, found.half_width)
    if found.year_sizes:
        year = f"{{}} in the first {setting.period} of a year to {{}} in the last"
        public = f"{public}: {year.format(*map(public_size, found.year_sizes))}"
        numbers = f"{numbers}: {year.format(*(f'±{format_up(size)}' for size in found.year_sizes))}"
    return public, numbers


def _off_by(setting: SeriesSetting, one: str, every: str, half_width: float) -> tuple[str, str]:
    if setting.is_joint:
        alpha = setting.significance
        return off_by(every, half_width, alpha, exact=EXACT_ONES, is_at_least=True)
    return off_by(one, half_width, setting.significance)
