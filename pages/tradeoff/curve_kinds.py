"""The kinds of curves, their numbers, points, cost, and the curve itself; points stand in the link or the session."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from secrets import token_hex

import numpy as np

from dpcore import gaussian, tradeoff, truncated_geometric, verify
from dpcore.checks import EPSILON_RANGE, PROBABILITY_RANGE, SHAPE_RANGE, Array
from dpcore.readers import read_curve_points
from dpcore.tradeoff import (
    COUNT_RANGE,
    MOST_STEPS,
    MU_RANGE,
    NOISE_RANGE,
    RHO_RANGE,
    SAMPLING_RANGE,
    SCALE_RANGE,
    Curve,
)
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.parameter import excerpt
from pages.framework.session.data_files import DataFiles, ReadData

MAX_LINKED_POINTS = 100


@dataclass(frozen=True, eq=False)
class Points:
    """Points of a curve. They are equal to themselves only, so that what depends on them can be cached by them."""

    alpha: Array
    beta: Array


SessionPoints = Mapping[str, Points]
"""The user's own points, which no link has, by their names in the list of curves."""
_NAME_PREFIX = "file"


def new_name() -> str:
    """Return a name for points in the session, which reveals nothing of them."""
    return f"{_NAME_PREFIX}{token_hex(8)}"


def is_session_name(text: str) -> bool:
    """Return whether the text of an entry is a name of points in the session, and not points."""
    return text.startswith(_NAME_PREFIX)


def points_of(text: str, session_points: SessionPoints) -> Points:
    """Return the points of an entry: those written in it, or those of the session under this name."""
    if not is_session_name(text):
        return linked_points(text)
    if text not in session_points:
        raise ValueError("its points are somebody’s own data, which the link does not contain: upload them again")
    return session_points[text]


def points_text(points: Points) -> str:
    """Return points as a text for the link."""
    pairs = zip(points.alpha.tolist(), points.beta.tolist(), strict=True)
    return "~".join(f"{alpha!r}_{beta!r}" for alpha, beta in pairs)


def points_of_file(data: bytes, _: object) -> Points:
    """Return the points in a file or text or, where they are too many for a link, the corners of their hull."""
    alpha, beta = read_curve_points(data)
    hull = tradeoff.points_curve(alpha, beta, "the points", hull=True)
    if alpha.size > MAX_LINKED_POINTS and hull.lines is not None:  # only the corners of the hull matter
        alpha, _, beta, _ = hull.lines.vertices()
    return Points(alpha, beta)


def read_upload(files: DataFiles, _: object) -> ReadData[dict[str, Points]]:
    """Return the points of each text of the copy in the browser; ValueError if a text lists none."""
    texts = {name: text.decode() for name, (_, text) in files.files.items() if is_session_name(name)}
    return ReadData({name: points_of_text(text) for name, text in texts.items()})


@lru_cache(64)
def linked_points(text: str) -> Points:
    """Return the points that the text of a link lists, the same object for the same text.

    It must not read points that only the session has: they would stay in the process after the session.
    """
    return points_of_text(text)


def points_of_text(text: str) -> Points:
    """Return the points that a text lists; ValueError with a sentence if it lists none."""
    try:
        pairs = [[float(part) for part in pair.split("_")] for pair in text.split("~")]
        alpha, beta = np.array(pairs).T
    except ValueError:
        quoted = excerpt(text) or "nothing"
        raise ValueError(f"points are written alpha_beta~alpha_beta; {quoted} was given") from None
    if alpha.size < 2:
        raise ValueError("there must be at least 2 points, and 1 was given")
    return Points(alpha, beta)


DEFAULT_POINTS = "0.01_0.95~0.05_0.8~0.25_0.45~0.5_0.2"
INVENTED_POINTS = (DEFAULT_POINTS,)
"""The texts of points that are not the user's own data."""
_MU = Quantity("mu", "μ", "μ · Gaussian DP parameter", MU_RANGE, "1")
_EPSILON = Quantity("epsilon", "ε", "ε of the curve · privacy loss", EPSILON_RANGE, "1")
_DELTA = Quantity("delta", "δ", "δ of the curve · excess probability", PROBABILITY_RANGE, "1e-6")
_TRUNCATION = Quantity(
    "delta", "δ", "δ of the noise · probability of certainty about a person", "[1e-300, 0.5]", "0.01"
)
_BOUND = Quantity(
    "bound", "N", "N · the noise ends at ±N, N ≥ Δ", truncated_geometric.TRUNCATION_RANGE, "14", whole=True
)
_THETA = Quantity("theta", "θ", "θ · sensitivity ÷ scale", EPSILON_RANGE, "1")
_STEPS = Quantity("sensitivity", "Δ", "Δ · sensitivity, a whole number", f"[1, {MOST_STEPS}]", "5", whole=True)
_P = Quantity("p", "p", "p · shape (1 Laplace, 2 Gaussian)", SHAPE_RANGE, "3")
_SCALE = Quantity("scale", "b", "b · scale, in query units", SCALE_RANGE, "2")
_SENSITIVITY = Quantity("sensitivity", "Δ", "Δ · sensitivity, in query units", SCALE_RANGE, "1")
_SIGMA = Quantity("sigma", "σ", "σ · standard deviation, in query units", "(0, inf)", "1")
_RHO = Quantity("rho", "ρ", "ρ · zCDP parameter", RHO_RANGE, "0.5")
_MULTIPLIER = Quantity("multiplier", "noise multiplier", "σ ÷ Δ₂ · noise multiplier", NOISE_RANGE, "1")
_RATE = Quantity("rate", "sampling rate", "q · sampling rate", SAMPLING_RANGE, "0.01")
_TIMES = Quantity("steps", "steps", "Number of steps", COUNT_RANGE, "1000", whole=True)
RELEASES = Quantity("releases", "releases", "Number of releases (composition)", COUNT_RANGE, "1", whole=True)


@dataclass(frozen=True)
class CurveKind:
    """A kind of curve.

    Attributes
    ----------
    label : its name.
    quantities : its numbers.
    make : computes it from them.
    short : its name with places for its numbers.
    formula : of f, as TeX with places for its numbers.
    source : what it is and who found it, a sentence.
    closed : whether releases of it have a closed form.
    privacy_loss : what makes its privacy loss distribution in dp-accounting, with places for its numbers.
    enclosure : the function of `dpcore.verify` that encloses the power of one release, by the keys of its numbers;
        None where there is none, or where the numbers have to be prepared.
    """

    label: str
    quantities: tuple[Quantity, ...]
    make: Callable[..., Curve]
    short: str
    formula: str
    source: str
    closed: bool = False
    privacy_loss: str = ""
    enclosure: Callable[..., verify.Enclosure] | None = None


def _generalized_gaussian_curve(p: float, scale: float, sensitivity: float, name: str | None = None) -> Curve:
    """Return the curve of the numbers in the order of the link, where p comes first."""
    return tradeoff.generalized_gaussian_curve(scale, p, sensitivity, name)


KINDS = {
    "gdp": CurveKind(
        "μ-GDP",
        (_MU,),
        tradeoff.gaussian_curve,
        short="μ = {0}",
        formula=r"G_\mu(\alpha)=\Phi\left(-\Phi^{{-1}}(\alpha)-\mu\right),\quad \mu={0}",
        source="Gaussian differential privacy, Dong, Roth & Su 2022.",
        closed=True,
        privacy_loss="from_gaussian_mechanism(1 / {0})",
    ),
    "approx": CurveKind(
        "(ε, δ)-DP",
        (_EPSILON, _DELTA),
        tradeoff.epsilon_delta_curve,
        short="({0}, {1})-DP",
        formula=r"f(\alpha)=\max\left(0,\,1-\delta-e^\varepsilon\alpha,\,e^{{-\varepsilon}}(1-\delta-\alpha)\right),"
        r"\quad \varepsilon={0},\ \delta={1}",
        source="(ε, δ)-DP as a trade-off function, Dong, Roth & Su 2022.",
        closed=True,
        enclosure=verify.epsilon_delta_power,
    ),
    "pure": CurveKind(
        "Pure ε-DP",
        (_EPSILON,),
        tradeoff.epsilon_delta_curve,
        short="Pure ε-DP (ε = {0})",
        formula=r"f(\alpha)=\max\left(0,\,1-e^\varepsilon\alpha,\,e^{{-\varepsilon}}(1-\alpha)\right),\quad "
        r"\varepsilon={0}",
        source="Pure ε-DP as a trade-off function, Dong, Roth & Su 2022, with δ = 0.",
        closed=True,
    ),
    "laplace": CurveKind(
        "Laplace noise",
        (_THETA,),
        tradeoff.laplace_curve,
        short="Laplace θ = {0}",
        formula=r"f(\alpha)=1-e^\theta\alpha\ \left(\alpha<\tfrac12e^{{-\theta}}\right),\quad \frac{{e^{{-\theta}}}}"
        r"{{4\alpha}}\ \left(\alpha\le\tfrac12\right),\quad e^{{-\theta}}(1-\alpha),\qquad \theta={0}",
        source="Laplace noise with θ = Δ₁ ÷ scale, Dong, Roth & Su 2022; R package fdp, lap().",
        privacy_loss="from_laplace_mechanism(1 / {0})",
        enclosure=verify.laplace_power,
    ),
    "geometric": CurveKind(
        "Geometric noise",
        (_THETA, _STEPS),
        tradeoff.geometric_curve,
        short="Geometric θ = {0}, Δ = {1}",
        formula=r"f(\alpha)=\max_{{k=0\ldots\Delta}}q^{{\Delta-k}}\left(1-\alpha q^{{-k}}\right),\quad q=e^{{-\theta/"
        r"\Delta}},\ \theta={0},\ \Delta={1}",
        source="Two-sided geometric noise, own derivation by Neyman and Pearson’s lemma; piecewise linear.",
        privacy_loss="from_discrete_laplace_mechanism({0} / {1:.0f}, sensitivity={1:.0f})",
    ),
    "truncated": CurveKind(
        "Truncated Laplace noise",
        (_EPSILON, _TRUNCATION),
        tradeoff.truncated_laplace_curve,
        short="Truncated Laplace ({0}, {1})",
        formula=r"f(\alpha)=1-\delta-e^\varepsilon\alpha\ \left(\alpha<e^{{-\varepsilon}}(\tfrac12-\delta)\right),"
        r"\quad \frac{{(\frac12+g)^2e^{{-\varepsilon}}}}{{\alpha+g}}-g\ \left(\alpha\le\tfrac12\right),\quad "
        r"e^{{-\varepsilon}}(1-\delta-\alpha),\qquad g=\frac\delta{{e^\varepsilon-1}},\ \varepsilon={0},\ \delta={1}",
        source="Truncated Laplace noise (Geng, Ding, Guo & Kumar 2020, Theorem 1), own derivation by Neyman and "
        "Pearson’s lemma: f(0) = 1 − δ, since up to δ of the outcomes leave no doubt.",
        enclosure=verify.truncated_laplace_power,
    ),
    "truncated_geometric": CurveKind(
        "Truncated geometric noise",
        (_EPSILON, _BOUND, _STEPS),
        tradeoff.truncated_geometric_curve,
        short="Truncated geometric ε = {0}, N = {1}, Δ = {2}",
        formula=r"f(\alpha)=\max_{{m=0\ldots\Delta}}\left(1-\delta_m-e^{{\varepsilon_m}}\alpha\right),\quad "
        r"\varepsilon_m=\varepsilon(1-2m/\Delta),\quad \delta_m=\sum_k\max(p_k-e^{{\varepsilon_m}}p_{{k-\Delta}},0),"
        r"\quad p_k\propto e^{{-\varepsilon|k|/\Delta}},\ |k|\le N,\quad \varepsilon={0},\ N={1},\ \Delta={2}",
        source="Truncated geometric noise of scale Δ/ε, own derivation by Neyman and Pearson’s lemma: "
        "f(0) = 1 − Pr(noise > N − Δ), since so many of the outcomes leave no doubt.",
        enclosure=verify.truncated_geometric_power,
    ),
    "gg": CurveKind(
        "Generalized Gaussian noise",
        (_P, _SCALE, _SENSITIVITY),
        _generalized_gaussian_curve,
        short="GG p = {0}, b = {1}",
        formula=r"f(\alpha)=F\left(F^{{-1}}(1-\alpha)-\Delta/b\right),\quad F'\propto e^{{-|x|^p}},\ p={0},"
        r"\ b={1},\ \Delta={2}",
        source="Generalized Gaussian noise (Liu 2019); log-concave, so a threshold is the best test (Neyman and "
        "Pearson).",
        enclosure=verify.generalized_gaussian_power,
    ),
    "sigma": CurveKind(
        "Gaussian noise by σ",
        (_SIGMA, _SENSITIVITY),
        tradeoff.sigma_curve,
        short="Gaussian σ = {0}",
        formula=r"G_\mu(\alpha)=\Phi\left(-\Phi^{{-1}}(\alpha)-\mu\right),\quad \mu=\Delta_2/\sigma={1}/{0}",
        source="Gaussian noise, Dong, Roth & Su 2022, Theorem 1; μ is rounded up.",
        closed=True,
        privacy_loss="from_gaussian_mechanism({0}, sensitivity={1})",
    ),
    "zcdp": CurveKind(
        "zCDP by ρ",
        (_RHO,),
        tradeoff.zcdp_curve,
        short="{0}-zCDP",
        formula=r"\delta(\varepsilon)=\inf_{{a>1}}\frac{{e^{{(a-1)(a\rho-\varepsilon)}}}}{{a-1}}\left(1-\frac1a\right)^a,"
        r"\quad \rho={0}",
        source="ρ-zCDP (Bun & Steinke 2016) by Canonne, Kamath & Steinke 2020, Proposition 12.",
        closed=True,
    ),
    "sgm": CurveKind(
        "Subsampled Gaussian (DP-SGD)",
        (_MULTIPLIER, _RATE, _TIMES),
        tradeoff.subsampled_gaussian_curve,
        short="DP-SGD σ = {0}, rate {1}, {2} ×",
        formula=r"\left(q\,N(1,\sigma^2)+(1-q)\,N(0,\sigma^2)\ \text{{against}}\ N(0,\sigma^2)\right)^{{\otimes T}},"
        r"\quad \sigma={0},\ q={1},\ T={2}",
        source="Poisson-subsampled Gaussian noise of DP-SGD, for adding or removing one record; composed numerically "
        "unless the rate is 1.",
        privacy_loss="from_gaussian_mechanism({0}, sampling_prob={1}).self_compose({2:.0f})",
    ),
    "points": CurveKind(
        "Points (α, β)",
        (),
        tradeoff.points_curve,
        short="Points",
        formula=r"f=\text{{lower convex hull of the points, }}(0,1)\text{{ and }}(1,0)",
        source="Your points, each also with its errors exchanged; a random choice between two tests reaches the points "
        "between them. They show what an attack reached and are not a guarantee.",
    ),
    "claim": CurveKind(
        "Claimed points (α, β)",
        (),
        tradeoff.points_curve,
        short="Points",
        formula=r"f=\text{{lower convex hull of the points, }}(0,1)\text{{ and }}(1,0)",
        source="The points of your claim, each also with its errors exchanged; the straight lines between them are "
        "part of the claim.",
    ),
}
POINT_KINDS = {"points": "Reached by an attack", "claim": "A claimed guarantee"}


@dataclass(frozen=True)
class FollowingCurve:
    """A curve that follows the page's ε and δ: the kind that it is there, its numbers, and its name."""

    label: str
    kind: str
    numbers: Callable[[float, float], tuple[float, ...]]
    name: str


FOLLOWING_CURVES = {
    "here_approx": FollowingCurve(
        "(ε, δ)-DP at this page’s ε and δ", "approx", lambda epsilon, delta: (epsilon, delta), "({0}, {1})-DP"
    ),
    "here_gaussian": FollowingCurve(
        "Gaussian noise at this page’s ε and δ",
        "sigma",
        lambda epsilon, delta: (float(gaussian.analytic_sigma(epsilon, delta)), 1.0),
        "Gaussian at ({0}, {1})",
    ),
    "here_laplace": FollowingCurve(
        "Laplace noise at this page’s ε", "laplace", lambda epsilon, _: (epsilon,), "Laplace at ε = {0}"
    ),
}
LABELS = {key: kind.label for key, kind in FOLLOWING_CURVES.items()} | {key: kind.label for key, kind in KINDS.items()}


def quantities(kind: str) -> tuple[Quantity, ...]:
    """Return the numbers that define a curve of a kind: none for points and for a curve that follows the page."""
    return KINDS[kind].quantities if kind in KINDS else ()


@dataclass(frozen=True)
class Recipe:
    """All that a curve depends on, without its name and colour."""

    kind: str
    numbers: tuple[float, ...]
    points: Points | None
    releases: int


def computing_cost(recipe: Recipe) -> float:
    """Return the cost of a curve in units of 0.3 to 0.5 ms of a processor: a numerical composition has 200 + √n.

    The grid of a composition of n releases has √n thousand cells; to compose a curve that was itself computed on such
    a grid takes about twice as long.
    """
    steps = recipe.numbers[2] if recipe.kind == "sgm" else 1
    cost = 200 + math.sqrt(steps) if steps > 1 else 0
    if recipe.releases == 1 or KINDS[recipe.kind].closed:
        return cost
    return cost + (2 if cost else 1) * (200 + math.sqrt(recipe.releases))


def curve_of(recipe: Recipe) -> Curve:
    """Return the curve; ValueError where dpcore can't compute it."""
    if recipe.points is None:
        curve = KINDS[recipe.kind].make(*recipe.numbers)
    else:  # neighbours can be exchanged, and the two errors with them
        alpha, beta = recipe.points.alpha, recipe.points.beta
        curve = tradeoff.points_curve(np.append(alpha, beta), np.append(beta, alpha), hull=True)
    return curve if recipe.releases == 1 else tradeoff.composed_curve([curve], [recipe.releases])
