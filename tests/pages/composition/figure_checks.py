"""What each trace of the page on composition must show: see `tests.pages.figure_checks`.

What the page calls exact is, where noise is smooth, the contour integral of dpcore with its own error added, and else a
certified bound that may be above the truth by the excess that is asked for; it is compared with the same functions.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import composition, gaussian
from dpcore.composition import Release
from pages.composition.published.deployments import DEPLOYMENTS
from tests.pages.figure_checks import (
    POSITIONS,
    Chart,
    Column,
    Numbers,
    Setting,
    Trace,
    Truth,
    from_0,
    linear,
    log,
    pinned,
    point,
    where,
)

TWO_GAUSSIANS = "!gaussian:4*5=Means;gaussian:8*20=Counts;pure:0.1*3=Answers"
GUARANTEES = "!approx:0.1,1e-9*20=Queries"
STEPS = "!sampled:1.1,0.01*200=Training"
BEFORE = "releases=!gaussian:6*3=Before&delta=1e-5&runs=2"
SMALL = {"records": "10000", "batch": "100", "epochs": "20", "noise_multiplier": "0.9", "delta": "1e-5"}
GROUPS = {"section": "groups"}
SETTINGS = {
    "groups": (GROUPS, GROUPS | {"epsilon": "0.3", "delta": "1e-4", "group": "20", "pinned": "epsilon=0.1&group=5"}),
    "shuffled": (GROUPS, GROUPS | {"local_epsilon": "4", "delta": "1e-9", "reports": "500"}),
    "costs": (
        {},
        {"releases": TWO_GAUSSIANS, "accountant": "basic", "delta": "1e-5", "pinned": BEFORE},
        {"releases": TWO_GAUSSIANS, "accountant": "rdp", "runs": "3"},
        {"releases": "!gaussian:4*5=Means;gaussian:8*20=Counts", "accountant": "zcdp"},
    ),
    "accountants": (
        {},
        {"releases": GUARANTEES, "totals": "total", "delta": "1e-5", "pinned": BEFORE},
        {"releases": STEPS, "delta": "1e-5"},
        {"releases": STEPS, "delta": "1e-5", "totals": "total"},
    ),
    "profile": (
        {},
        {"releases": TWO_GAUSSIANS, "runs": "2", "pinned": BEFORE, "epsilon": "2"},
        {"releases": GUARANTEES},
    ),
    "epsilon_over_epochs": ({}, SMALL | {"pinned": "records=20000&delta=1e-6&batch=200&epochs=20"}),
    "noise_over_batch": (
        {},
        SMALL | {"solve": "noise", "epsilon": "2", "pinned": "records=100&delta=1e-3&batch=10&epochs=5"},
    ),
    "rdp_over_exact": ({},),
    "epsilon_by_batching": (
        {},
        SMALL | {"loader": "poisson", "pinned": "noise_multiplier=2&loader=shuffled"},
        SMALL | {"loader": "fixed", "pinned": "noise_multiplier=2&loader=poisson"},
    ),
    "published": ({}, {"at_delta": "page", "delta": "1e-7", "pinned": "delta=1e-8"}),
}
EPSILON = linear("ε (nats)")
CERTIFIED = 3e-3
"""How far apart two of the page's exact ε may lie: a certified bound on a curve may be .2 % above the truth."""

# Lists of releases

MAKE = {
    "gaussian": composition.gaussian_release,
    "laplace": composition.laplace_release,
    "pure": composition.guarantee_release,
    "approx": composition.guarantee_release,
    "sampled": composition.sampled_release,
}


def listed(at: Setting, runs: float | None = None) -> list[Release]:
    """The releases of the list, so many times."""
    times = int(at.runs if runs is None else runs)
    releases = []
    for item in at.releases:
        numbers = [float(value) for value in item.numbers]
        releases.append(MAKE[item.kind](*numbers, count=int(item.count) * times))
    return releases


def needs_delta(release: Release) -> bool:
    return release.kind in ("gaussian", "zcdp", "sampled")


def broken(releases: Sequence[Release]) -> float:
    """The δ of all guarantees."""
    return sum(release.count * release.numbers[1] for release in releases if release.kind == "guarantee")


def unbroken(releases: Sequence[Release]) -> list[Release]:
    """The releases with guarantees that are never broken."""
    return [
        composition.guarantee_release(release.numbers[0], 0.0, release.count)
        if release.kind == "guarantee"
        else release
        for release in releases
    ]


@lru_cache(1024)
def _exact(releases: tuple[Release, ...], delta: float) -> float:
    if any(release.kind in ("gaussian", "sampled") for release in releases):
        contour = composition.exact_epsilon(releases, delta)
        if contour.converged:
            return float(contour.value)
    return float(composition.certified_epsilon(releases, delta, 1e-3).value)


def exact(releases: Sequence[Release], delta: float) -> float:
    return _exact(tuple(releases), delta) if releases else 0.0


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
    """What position line costs alone, and what leaving it out saves."""

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


# Accountants over the number of runs


def single(release: Release, share: float) -> float:
    """ε of one release at its share of δ."""
    if release.kind == "gaussian":
        return float(gaussian.epsilon_from_sigma(share, release.numbers[0]))
    if release.kind == "sampled":
        noise, rate = release.numbers
        inner = share / rate
        return math.log1p(rate * math.expm1(float(gaussian.epsilon_from_sigma(inner, noise)))) if inner < 1 else 0.0
    return release.numbers[0]


def shared(at: Setting, runs: float, part: float) -> tuple[list[float], list[int], list[float]]:
    """ε, number and δ of one release of each line if a part of δ is shared by all releases that need some."""
    lines = listed(at, runs)
    share = (at.delta - broken(lines)) * part / max(sum(line.count for line in lines if needs_delta(line)), 1)
    deltas = [share if needs_delta(line) else 0.0 for line in lines]
    deltas = [line.numbers[1] if line.kind == "guarantee" else delta for line, delta in zip(lines, deltas, strict=True)]
    return [single(line, share) for line in lines], [line.count for line in lines], deltas


def basic(at: Setting, runs: float) -> float:
    epsilon, count, _ = shared(at, runs, 1.0)
    return sum(value * times for value, times in zip(epsilon, count, strict=True))


def drv(at: Setting, runs: float) -> float:
    return float(composition.advanced_epsilon(at.delta, *shared(at, runs, 0.5)))


def kov(at: Setting, runs: float) -> float:
    return min(float(composition.kairouz_epsilon(at.delta, *shared(at, runs, 0.5))), basic(at, runs))


def kov_optimal(at: Setting, runs: float) -> float:
    (line,) = listed(at, runs)
    return float(composition.optimal_epsilon(at.delta, line.numbers[0], line.count, line.numbers[1]))


def zcdp(at: Setting, runs: float, conversion: str) -> float:
    return float(composition.zcdp_epsilon(listed(at, runs), at.delta, conversion))


def rdp(at: Setting, runs: float, conversion: str) -> float:
    return float(composition.rdp_epsilon(listed(at, runs), at.delta, conversion).value)


def clt(at: Setting, runs: float) -> float:
    (line,) = listed(at, runs)
    noise, rate = line.numbers
    return float(composition.clt_epsilon(at.delta, noise, rate, line.count))


def least(at: Setting, runs: float) -> float:
    lines = listed(at, runs)
    return kov_optimal(at, runs) if lines[0].kind == "guarantee" else exact(lines, at.delta)


ACCOUNTANTS = {
    "basic": ("Basic…", basic),
    "drv": ("DRV…", drv),
    "kov_optimal": ("KOV, optimal…", kov_optimal),
    "kov": ("KOV…", kov),
    "zcdp_standard": ("zCDP, standard…", lambda at, runs: zcdp(at, runs, "standard")),
    "zcdp": ("zCDP…", lambda at, runs: zcdp(at, runs, "tight")),
    "rdp_standard": ("RDP, standard…", lambda at, runs: rdp(at, runs, "standard")),
    "rdp": ("RDP…", lambda at, runs: rdp(at, runs, "tight")),
    "clt": ("CLT…", clt),
    "exact": ("exact", least),
}


def accountants(setting: Setting) -> Chart:
    is_ratio = setting.totals == "ratio"
    kinds = {release.kind for release in listed(setting)}
    left_out = {"clt"} if kinds != {"sampled"} else {"zcdp", "zcdp_standard"}
    left_out |= {"kov_optimal"} if kinds != {"guarantee"} or len(setting.releases) > 1 else set()

    def truth(key: str) -> Truth:
        def value(at: Setting, runs: Numbers) -> ArrayLike:
            whole = [n_runs if is_ratio else math.nan for n_runs in runs]
            values = [ACCOUNTANTS[key][1](at, n_runs) for n_runs in runs]
            return [
                value / least(at, n_runs) if is_ratio else value for value, n_runs in zip(values, whole, strict=True)
            ]

        return value

    def column(key: str) -> Callable[[pd.DataFrame], ArrayLike]:
        return lambda rows: rows[f"epsilon_{key}"] / (rows["epsilon_exact"] if is_ratio else 1.0)

    def positive(key: str):
        def shown(rows: pd.DataFrame) -> Numbers:
            values = np.asarray(column(key)(rows), float)
            return np.isfinite(values) & (values > 0)

        return shown

    traces = {
        name: Trace(truth(key), column(key), shown=positive(key), may=positive(key), rtol=2 * CERTIFIED)
        for key, (name, _) in ACCOUNTANTS.items()
        if key not in left_out
    }
    if setting.pinned is not None:
        traces |= {"pinned": Trace(lambda at, runs: truth("rdp")(at.pinned, runs), rtol=2 * CERTIFIED)}
    if kinds == {"sampled"}:
        traces["unnamed"] = hatched(is_ratio)
    label = log("ε ÷ ") if is_ratio else log("total ε (nats)")
    return Chart(log("runs of the whole list"), label, traces, "runs")


def hatched(is_ratio: bool) -> Trace:
    """Where the central limit theorem says less than is true: from 1 to the end of the axis, or below the truth."""
    if is_ratio:
        bottom, ends = 0.7, [10**-0.07, 1e4]  # of the axes: the fixed end below the least ratio of this list
        return Trace(lambda _, x: where(np.isclose(x, ends), 1.0), back=lambda _, x: where(np.isclose(x, ends), bottom))

    def below(at: Setting, runs: Numbers) -> ArrayLike:
        return [min(clt(at, round(n_runs)), least(at, round(n_runs))) for n_runs in runs]

    def true(at: Setting, runs: Numbers) -> ArrayLike:
        return [least(at, round(n_runs)) for n_runs in runs]

    return Trace(true, back=below, rtol=CERTIFIED)


# δ over ε


def profile(setting: Setting) -> Chart:
    def by_rdp(at: Setting, epsilon: Numbers) -> ArrayLike:
        return [float(composition.rdp_delta(listed(at), value).value) for value in epsilon]

    def by_zcdp(at: Setting, epsilon: Numbers) -> Numbers:
        """The δ of guarantees is taken apart; above the sum of all ε nothing else is left."""
        releases = listed(at)
        unbroken_share = math.prod(
            (1 - release.numbers[1]) ** release.count for release in releases if release.kind == "guarantee"
        )
        rest = composition.delta_from_rho(epsilon, composition.rho(unbroken(releases)))
        pure = (
            math.inf
            if any(map(needs_delta, releases))
            else sum(release.count * release.numbers[0] for release in releases)
        )
        return 1 - unbroken_share + unbroken_share * np.where(epsilon > pure, 0.0, rest)

    def true(at: Setting, epsilon: Numbers) -> Numbers:
        releases = listed(at)
        if any(release.kind == "gaussian" for release in releases):
            return composition.exact_delta(releases, epsilon).value
        return composition.certified_profile(releases, epsilon, 0.05).value

    def seen(column: str):
        return lambda rows: (rows[column] >= 1e-300).to_numpy()

    def points(at: Setting, x: Numbers) -> ArrayLike:
        return where(
            np.isclose(x, [at.epsilon, exact(listed(at), at.delta)], CERTIFIED),
            [float(true(at, np.array([at.epsilon]))[0]), at.delta],
        )

    traces = {
        "RDP": Trace(by_rdp, "delta_rdp", shown=seen("delta_rdp"), rtol=0.02),
        "exact": Trace(true, "delta", shown=seen("delta"), rtol=0.05),
        "your ε, your δ": Trace(points, rtol=0.02),
    }
    if math.isfinite(composition.rho(unbroken(listed(setting)))):
        traces["zCDP"] = Trace(by_zcdp, "delta_zcdp", shown=seen("delta_zcdp"))
    traces |= pinned(true) if setting.pinned else {}
    return Chart(EPSILON, log("δ"), traces, "epsilon")


# DP-SGD


def solved(at: Setting) -> tuple[float, float, float]:
    """Noise, batch and epochs of the training, with what was left open solved for."""
    noise, batch, epochs = at.noise_multiplier, at.batch, at.epochs
    if at.solve == "noise":
        steps = composition.steps_of_epochs(epochs, at.records, batch)
        noise = float(composition.dp_sgd_noise_multiplier(at.epsilon, at.delta, batch / at.records, steps, "certified"))
    return noise, batch, epochs


def target(at: Setting) -> float:
    """The ε that other batches are to keep: that of the training, or the one that was asked for."""
    if at.solve != "epsilon":
        return at.epsilon
    noise, batch, epochs = solved(at)
    steps = composition.steps_of_epochs(epochs, at.records, batch)
    return float(composition.dp_sgd_epsilon(at.delta, noise, batch / at.records, steps, "certified"))


def over_epochs(account: str) -> Truth:
    def epsilon(at: Setting, epochs: Numbers) -> ArrayLike:
        noise, batch, _ = solved(at)
        steps = np.round(epochs * at.records / batch).clip(1)
        return [dp_sgd(at.delta, noise, batch / at.records, float(n_steps), account) for n_steps in steps]

    return epsilon


@lru_cache(4096)
def dp_sgd(delta: float, noise: float, rate: float, steps: float, account: str) -> float:
    if account == "exact":
        return float(composition.exact_epsilon([composition.sampled_release(noise, rate, int(steps))], delta).value)
    return float(composition.dp_sgd_epsilon(delta, noise, rate, steps, account))


REACH = {60: 100.0, 20: 50.0}
"""Up to how many epochs is drawn, by those of the training."""


def epsilon_over_epochs(setting: Setting) -> Chart:
    def strokes(at: Setting, x: Numbers) -> ArrayLike:
        """Each stroke goes from the CLT, half a step to the left, up to the exact ε."""
        step = REACH[at.epochs] / 70
        is_low = np.abs(x / step - np.round(x / step)) > 0.25
        low, high = over_epochs("clt")(at, x + step / 2), over_epochs("exact")(at, x)
        return np.where(is_low, low, high)

    names = {"rdp": "RDP (upper bound)", "exact": "exact", "clt": "✗ CLT…"}
    traces = {name: Trace(over_epochs(key), key, rtol=1e-3) for key, name in names.items()}
    traces["unnamed"] = Trace(strokes, rtol=0.06)  # straight between 13 points of the curves
    traces["your training"] = point(lambda at: (at.epochs, target(at)), rtol=1e-3)
    traces |= pinned(over_epochs("exact")) if setting.pinned else {}
    return Chart(linear("epochs"), EPSILON, traces, "epochs")


def noise_over_batch(setting: Setting) -> Chart:
    def needed(account: str) -> Truth:
        def noise(at: Setting, batches: Numbers) -> ArrayLike:
            _, _, epochs = solved(at)
            steps = composition.steps_of_epochs(epochs, at.records, batches)
            goal = target(at)
            return [
                float(
                    composition.dp_sgd_noise_multiplier(goal, at.delta, min(batch / at.records, 1.0), n_steps, account)
                )
                for batch, n_steps in zip(batches, steps, strict=True)
            ]

        return noise

    def on_the_mean(key: str) -> Column:
        return lambda rows: rows[key] / rows["batch"]

    names = {"rdp": "RDP", "exact": "exact"}
    traces = {name: Trace(needed(key), key, hover=on_the_mean(key), rtol=CERTIFIED) for key, name in names.items()}
    traces["your training"] = point(lambda at: (solved(at)[1], solved(at)[0]), rtol=1e-6)
    if setting.pinned is not None:
        traces["pinned"] = Trace(lambda at, x: needed("exact")(at.pinned, x), rtol=CERTIFIED, n_points=3)
    return Chart(log("expected batch"), log("noise multiplier"), traces, "batch")


LEVELS = (1.05, 1.1, 1.2, 1.5, 2.0, 3.0)
RATES, NOISES = np.geomspace(1e-4, 1, 9), np.geomspace(0.4, 10, 8)


@cache
def clt_over_exact(epochs: float, delta: float) -> Numbers:
    """A row for each noise and a column for each sampling rate."""
    values = np.full((NOISES.size, RATES.size), np.nan)
    for row, column in np.ndindex(*values.shape):
        arguments = delta, float(NOISES[row]), float(RATES[column]), float(np.ceil(epochs / RATES[column]))
        values[row, column] = dp_sgd(*arguments, "clt") / dp_sgd(*arguments, "exact")
    return values


def band(ratio: ArrayLike) -> Numbers:
    """The number of the contour at a ratio; between two of them it grows with the logarithm of the ratio."""
    knots = np.log([1, *LEVELS, 10])
    return np.interp(np.log(np.maximum(np.asarray(ratio), 1)), knots, np.arange(-1, len(LEVELS) + 1))


def rdp_over_exact(_: Setting) -> Chart:
    def truth(at: Setting, rate: Numbers, noise: Numbers) -> Numbers:
        rate, noise = (
            axis[np.abs(axis[:, None] - training).argmin(axis=0)] for axis, training in ((RATES, rate), (NOISES, noise))
        )
        trainings = zip(noise.tolist(), rate.tolist(), np.ceil(at.epochs / rate).tolist(), strict=True)
        return band(
            [dp_sgd(at.delta, *training, "rdp") / dp_sgd(at.delta, *training, "exact") for training in trainings]
        )

    def both(rows: pd.DataFrame) -> Numbers:
        return rows[["rdp_over_exact", "clt_over_exact"]].to_numpy()

    def strokes(ratio: Numbers) -> tuple[Numbers, Numbers]:
        """Rate and noise of every place of a finer grid at which the CLT is too small by a percent."""
        rates, noises = np.geomspace(1e-4, 1, 29), np.geomspace(0.4, 10, 17)
        columns = np.array([np.interp(np.log(rates), np.log(RATES), row) for row in ratio])
        fine = np.array([np.interp(np.log(noises), np.log(NOISES), column) for column in columns.T]).T
        rows, places = np.nonzero(fine < 0.99)
        return rates[places], noises[rows]

    def in_csv(part: int) -> Column:
        return lambda rows: strokes(rows["clt_over_exact"].to_numpy().reshape(NOISES.size, RATES.size))[part]

    def too_little(at: Setting, place: Numbers) -> Numbers:
        return strokes(clt_over_exact(at.epochs, at.delta))[1][place.astype(int)]

    traces = {
        "unnamed": Trace(
            truth,
            lambda rows: band(rows["rdp_over_exact"]),
            x="rate",
            y="noise_multiplier",
            hover=both,
            rtol=0.01,
            atol=0.1,
        ),
        "unnamed #2": Trace(too_little, in_csv(1), x=in_csv(0), by_place=True),
        "your training": point(lambda at: (at.batch / at.records, at.noise_multiplier)),
    }
    return Chart(log("sampling rate q = batch ÷ N"), log("noise multiplier"), traces)


# How batches are drawn


def epsilon_by_batching(setting: Setting) -> Chart:
    def batches(at: Setting) -> tuple[int, int, int]:
        """Batches of an epoch, complete epochs, and in how many batches a record is."""
        return math.ceil(at.records / at.batch), math.floor(at.epochs), math.ceil(at.epochs)

    def at_most(at: Setting, noise: Numbers) -> Numbers:
        return composition.unamplified_epsilon(at.delta, noise, batches(at)[2])

    def at_least(at: Setting, noise: Numbers) -> Numbers:
        return composition.shuffled_batches_epsilon_at_least(at.delta, noise, *batches(at)[:2])

    def drawn_at_least(at: Setting, noise: Numbers) -> Numbers:
        return np.maximum(at_least(at, noise), 1e-3)

    def poisson(at: Setting, noise: Numbers) -> ArrayLike:
        steps = float(composition.steps_of_epochs(at.epochs, at.records, at.batch))
        return [dp_sgd(at.delta, float(value), at.batch / at.records, steps, "exact") for value in noise]

    def yours(at: Setting, noise: Numbers) -> ArrayLike:
        own = np.array([at.noise_multiplier])
        heights = {"poisson": [poisson], "fixed": [at_most], "shuffled": [drawn_at_least, at_most]}[at.loader]
        return where(np.isclose(noise, own), [float(np.asarray(bound(at, own))[0]) for bound in heights])

    traces = {
        "fixed order (no amplification)": Trace(at_most, "at_most"),
        "shuffled, lower bound": Trace(drawn_at_least, lambda rows: np.maximum(rows["at_least"], 1e-3)),
        "Poisson (exact)": Trace(poisson, "poisson"),
        "your training": Trace(yours, rtol=1e-3),
    }
    if setting.pinned is not None:
        traces |= pinned(poisson if setting.pinned.loader == "poisson" else at_most)
    return Chart(log("noise multiplier"), log("ε (nats)"), traces, "noise")


# Published guarantees


def published(setting: Setting) -> Chart:
    """The ε of each guarantee as printed, and by each conversion at its own δ or at the page's."""

    def delta_of(at: Setting, place: int) -> float:
        return DEPLOYMENTS[place].delta if at.at_delta == "own" else at.delta

    def by_rule(at: Setting, place: int, rule: str) -> float:
        deployment, delta = DEPLOYMENTS[place], delta_of(at, place)
        if deployment.kind == "guarantee":
            added = sum(release.count * release.numbers[0] for release in deployment.releases)
            return added if rule == "exact" and delta >= deployment.delta else math.nan
        if deployment.kind == "zcdp":
            rho = deployment.releases[0].numbers[0]
            if rule == "exact":
                return float(gaussian.epsilon_from_sigma(delta, 1 / math.sqrt(2 * rho)))
            return float(composition.epsilon_from_rho(delta, rho, rule))
        if rule == "exact":
            return exact(deployment.releases, delta)
        return float(composition.rdp_epsilon(deployment.releases, delta, rule).value)

    def at_least(at: Setting, place: int) -> float:
        deployment = DEPLOYMENTS[place]
        if deployment.is_covered:
            return math.nan
        return float(composition.shuffled_batches_epsilon_at_least(delta_of(at, place), *deployment.shuffled_training))

    def proved(at: Setting, place: int) -> float:
        deployment = DEPLOYMENTS[place]
        if not deployment.is_covered:
            noise, _, epochs = deployment.shuffled_training
            return float(composition.unamplified_epsilon(delta_of(at, place), noise, epochs))
        return by_rule(at, place, "tight" if deployment.kind == "zcdp" else "exact")

    def of_rows(values, keep=lambda _, __: True) -> Truth:
        def truth(at: Setting, place: Numbers) -> ArrayLike:
            return [values(at, int(position)) if keep(at, int(position)) else math.nan for position in place]

        return truth

    def masked(column: str, keep) -> Column:
        def values(rows: pd.DataFrame) -> Numbers:
            is_in_trace = [keep(setting, place) for place in range(len(rows))]
            return rows[column].where(np.array(is_in_trace)).to_numpy()

        return values

    def is_own_exact(at: Setting, place: int) -> bool:
        deployment = DEPLOYMENTS[place]
        as_printed = deployment.kind == "guarantee" and delta_of(at, place) == deployment.delta
        return deployment.kind != "zcdp" and deployment.is_covered and not as_printed

    def is_rho(_: Setting, place: int) -> bool:
        return DEPLOYMENTS[place].kind == "zcdp"

    def is_not_covered(_: Setting, place: int) -> bool:
        return not DEPLOYMENTS[place].is_covered

    def exactly(at: Setting, place: int) -> float:
        return by_rule(at, place, "exact")

    def ends(at: Setting, index: Numbers) -> ArrayLike:
        """The least and the greatest ε of each row."""
        bounds = []
        for position in index:
            place = int(position) // 3
            values = [by_rule(at, place, rule) for rule in ("standard", "tight", "exact")]
            values = [DEPLOYMENTS[place].printed_epsilon, at_least(at, place), *values]
            some = [value for value in values if value > 0]
            bounds.append(min(some) if position % 3 == 0 else max(some))
        return bounds

    def printed(_: Setting, place: int) -> float:
        return DEPLOYMENTS[place].printed_epsilon

    def trace(truth: Truth, column: Column) -> Trace:
        return Trace(truth, column, value="x", by_place=True, positions=from_0, rtol=CERTIFIED)

    rules = {rule: of_rows(lambda at, place, rule=rule: by_rule(at, place, rule)) for rule in ("standard", "tight")}
    traces = {f"{rule} conversion": trace(truth, f"epsilon_{rule}") for rule, truth in rules.items()}
    for name, keep in (
        ("exact", is_own_exact),
        ("exact, if Poisson", is_not_covered),
        ("estimate: single Gaussian", is_rho),
    ):
        traces[name] = trace(of_rows(exactly, keep), masked("epsilon_exact", keep))
    traces["shuffled: lower bound"] = trace(of_rows(at_least), "epsilon_shuffled_at_least")
    traces["printed"] = trace(of_rows(printed), "epsilon_printed")
    traces["unnamed"] = Trace(ends, value="x", by_place=True, positions=lambda _, place: place // 3, rtol=CERTIFIED)
    if setting.pinned is not None:
        traces["pinned"] = Trace(
            lambda at, place: of_rows(proved)(at.pinned, place),
            value="x",
            by_place=True,
            positions=from_0,
            rtol=CERTIFIED,
        )
    return Chart(log("ε (nats)"), POSITIONS, traces)


def group_epsilon(at: Setting, size: Numbers) -> ArrayLike:
    """ε of groups at δ under Gaussian noise for the guarantee of one person."""
    return gaussian.epsilon_from_sigma(at.delta, gaussian.analytic_sigma(at.epsilon, at.delta), np.rint(size))


def groups(at: Setting) -> Chart:
    """ε over the size of the group."""

    def by_profile(at: Setting, size: Numbers) -> ArrayLike:
        sigma = gaussian.analytic_sigma(at.epsilon, at.delta)
        return composition.group_epsilon(at.delta, np.rint(size), lambda e: gaussian.delta_from_sigma(e, sigma))

    traces = {
        "any mechanism with its profile": Trace(by_profile, "profile"),
        "pure ε-DP: k times ε": Trace(lambda at, size: np.rint(size) * at.epsilon, "pure"),
        "Gaussian noise: k times μ": Trace(group_epsilon, "gaussian"),
    }
    traces |= pinned(group_epsilon) if at.pinned else {}
    return Chart(linear("people k"), linear("ε of the group (nats)"), traces, "size")


def shuffled(_: Setting) -> Chart:
    """ε over the number of shuffled reports."""

    def bound(function: Truth) -> Truth:
        return lambda at, reports: function(at.delta, at.local_epsilon, np.rint(reports))

    traces = {
        "published 2021": Trace(bound(composition.clones_epsilon_2021), "clones_2021"),
        "published 2023": Trace(bound(composition.clones_epsilon_2023), "clones_2023"),
        "numerical": Trace(bound(composition.shuffled_epsilon), "numerical", rtol=1e-6),
    }
    return Chart(log("shuffled reports"), log("ε (nats)"), traces, "reports")


CHARTS = {
    "groups": groups,
    "shuffled": shuffled,
    "costs": costs,
    "accountants": accountants,
    "profile": profile,
    "epsilon_over_epochs": epsilon_over_epochs,
    "noise_over_batch": noise_over_batch,
    "rdp_over_exact": rdp_over_exact,
    "epsilon_by_batching": epsilon_by_batching,
    "published": published,
}
