"""The statements on a series and on ranges: the error of each number, the method, and the guarantee of all together."""

from dataclasses import replace

from dpcore.mechanism import NoiseDistribution
from pages.framework.layout.downloads import Downloads
from pages.framework.layout.statements import Statements
from pages.framework.parameters.number_format import format_input_up, format_up, plural
from pages.series.conditions import series_conditions
from pages.series.over_time.text import LINE_NAMES, number_words
from pages.series.ranges.results import column_of, range_errors
from pages.series.ranges.text import METHOD_WORDS
from pages.series.results import SeriesResult, SeriesSetting
from pages.shared.counts.table import table_conditions
from pages.shared.release_program.program import release_downloads
from pages.shared.release_program.series_plan import series_statistic
from pages.shared.statements import Release, off_by, release_statements

_PROOF = "analytic Gaussian at the largest change of all noisy sums by one person, {change} (Balle & Wang 2018)"


def series_statements(result: SeriesResult) -> Statements:
    """Return the statements on the numbers of a series."""
    setting, found = result.setting, result.over_time
    periods = setting.periods(setting.n_periods)
    when = "as its period ends" if setting.publication == "as_it_goes" else "at the end"
    release = Release(
        noise=f"Random noise is added to a series of {periods} before any {number_words(setting)} is published",
        error=_off_by(setting, f"a {number_words(setting)}", f"all {setting.n_periods:,} numbers", found.half_width),
        mechanism=f"Gaussian noise, σ = {format_up(found.noise_scale)}, in each noisy sum ({_method(result)}); each "
        f"published number is made of these sums, {when}",
        proof=_PROOF.format(change=format_up(found.chosen.sensitivity)),
        epsilon=format_input_up(setting.epsilon),
        delta=format_input_up(setting.delta),
        neighbours=setting.neighbours,
        caution=f"The guarantee is for a person over all {periods} together.",
    )
    return release_statements(release, series_conditions(result))


def series_downloads(result: SeriesResult) -> Downloads | None:
    """Return the program that publishes the series at its end; None without a way to its noise."""
    setting, found = result.setting, result.over_time
    noise = NoiseDistribution("gaussian", (found.noise_scale,), found.noise_scale)
    statistic = series_statistic("Series", found.chosen, noise, found.half_width, setting.significance, found.level)
    return release_downloads(
        () if statistic is None else (replace(statistic, unit="people" if setting.counts_once else ""),),
        (setting.epsilon, setting.delta),
        setting.neighbours,
        series_conditions(result),
        lambda: series_statements(result),
    )


def range_statements(result: SeriesResult) -> Statements:
    """Return the statements on all ranges of ordered cells."""
    setting, found = result.setting, result.ranges
    errors = range_errors(found.cells, found.best_method)
    cells, n_ranges = plural(found.cells.n, "cell"), found.cells.n * (found.cells.n + 1) // 2
    release = Release(
        noise=f"Random noise is added to {cells} in their order, before all ranges of them are published",
        error=_off_by(setting, "a range", f"all {n_ranges:,} ranges", found.largest[found.best_method]),
        mechanism=f"Gaussian noise, σ = {format_up(found.range_scale)}, in each noisy sum "
        f"({METHOD_WORDS[column_of(found.best_method)]}); each range is estimated from these sums",
        proof=_PROOF.format(change=format_up(errors.sensitivity)),
        epsilon=format_input_up(setting.epsilon),
        delta=format_input_up(setting.delta),
        neighbours=setting.neighbours,
    )
    return release_statements(release, table_conditions(result.table_values))


def _method(result: SeriesResult) -> str:
    return LINE_NAMES[result.over_time.chosen.strategy]


def _off_by(setting: SeriesSetting, one: str, every: str, half_width: float) -> tuple[str, str]:
    if setting.is_joint:
        alpha = setting.significance
        return off_by(every, half_width, alpha, exact="the exact ones", is_at_least=True, several=True)
    return off_by(one, half_width, setting.significance)
