"""What each trace of the total ε must show."""

from collections.abc import Iterable, Sequence

from numpy.typing import ArrayLike

from dpcore import composition
from dpcore.composition import Release
from pages.framework.parameters.number_format import format_up
from tests.pages.composition.figure_checks.releases import (
    BEFORE,
    CERTIFIED,
    EPSILON,
    TWO_GAUSSIANS,
    broken,
    exact,
    listed,
    needs_delta,
)
from tests.pages.figure_checks import (
    POSITIONS,
    Chart,
    Numbers,
    Setting,
    Trace,
    from_0,
    linear,
    point,
)


def basic_of_lines(releases: Sequence[Release], delta: float) -> float:
    """Basic composition of lines: their exact ε are added; those that need some δ share what is left of it equally."""
    needing = [release for release in releases if needs_delta(release)]
    pure = sum(release.count * release.numbers[0] for release in releases if not needs_delta(release))
    share = (delta - broken(releases)) / max(len(needing), 1)
    return pure + sum(exact([release], share) for release in needing)


def by_accountant(at: Setting, releases: Sequence[Release]) -> float:
    if not releases:
        return 0.0
    if at.accountant == "exact":
        return exact(releases, at.delta)
    if at.accountant == "basic":
        return basic_of_lines(releases, at.delta)
    if at.accountant == "rdp":
        return float(composition.rdp_epsilon(releases, at.delta).value)
    return float(composition.zcdp_epsilon(releases, at.delta))


def costs(_: Setting) -> Chart:
    """Return what position line costs alone, and what leaving it out saves."""

    def alone(at: Setting, place: Numbers) -> ArrayLike:
        lines = listed(at)
        return [by_accountant(at, [lines[int(position)]]) for position in place]

    def saved(at: Setting, place: Numbers) -> ArrayLike:
        lines = listed(at)
        whole = by_accountant(at, lines)
        return [whole - by_accountant(at, lines[: int(position)] + lines[int(position) + 1 :]) for position in place]

    traces = {
        "ε of the line alone": Trace(
            alone, "epsilon_alone", value="x", by_place=True, positions=from_0, rtol=CERTIFIED
        ),
        "ε saved without the line": Trace(
            saved, "epsilon_saved", value="x", by_place=True, positions=from_0, rtol=3 * CERTIFIED, atol=CERTIFIED
        ),
    }
    return Chart(EPSILON, POSITIONS, traces)


def growth(setting: Setting) -> Chart:
    """Return ε as the releases of one line add up: together, and by basic composition, each with its end."""
    (line,) = listed(setting)

    def together(at: Setting, x: Iterable[float]) -> list[float]:
        return [by_accountant(at, [line.times(int(count))]) for count in x]

    def basic(at: Setting, x: Iterable[float]) -> list[float]:
        return [float(composition.epsilon([line.times(int(count))], at.delta, "basic").value) for count in x]

    total, summed = (format_up(part(setting, [line.count])[0]) for part in (together, basic))
    traces = {
        f"basic: ε = {summed}": Trace(basic, "basic", rtol=CERTIFIED),
        "unnamed": point(lambda at: (line.count, basic(at, [line.count])[0])),
        f"together: ε = {total}": Trace(together, "together", rtol=CERTIFIED),
        "unnamed #2": point(lambda at: (line.count, together(at, [line.count])[0]), rtol=CERTIFIED),
    }
    return Chart(linear("releases"), linear("total ε (nats)"), traces, "releases")


ONE_LINE = "!laplace:0.1=Daily count"
SETTINGS = {
    "growth": (
        {"releases": ONE_LINE, "runs": "100"},
        {"releases": ONE_LINE, "runs": "400", "accountant": "rdp"},
        {"releases": "!gaussian:80*3=Means", "epsilon": "0.2"},
    ),
    "costs": (
        {},
        {"releases": TWO_GAUSSIANS, "accountant": "basic", "delta": "1e-5", "pinned": BEFORE},
        {"releases": TWO_GAUSSIANS, "accountant": "rdp", "runs": "3"},
        {"releases": "!gaussian:4*5=Means;gaussian:8*20=Counts", "accountant": "zcdp"},
    ),
}
CHARTS = {"costs": costs, "growth": growth}
