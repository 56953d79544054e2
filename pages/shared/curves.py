"""The list of curves of the trade-off page: the kinds there are, the list as text for the link, and its editor.

An entry of the list is written `kind:number,number*releases@colour=name`, entries apart by semicolons; `!` stands
before the one that the page speaks of. Only numbers that can be used are in the list; a text that can't be used stays
beside it as a draft, with its sentence, until it is mended.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

import numpy as np
import streamlit as st

from dpcore import tradeoff
from dpcore.tradeoff import Curve
from dpcore.tradeoff.composition import COUNT_RANGE, NOISE_RANGE, SAMPLING_RANGE
from dpcore.tradeoff.forms import EPSILON_RANGE, MU_RANGE, PROBABILITY, SHAPE_RANGE
from dpcore.tradeoff.mechanisms import MOST_STEPS, RHO_RANGE, SCALE_RANGE
from pages.shared import inputs, text
from pages.shared.inputs import MendedError, Quantity

MOST_CURVES = 8
MOST_LINKED_POINTS = 100
COLOURS = ("blue", "orange", "green", "purple", "ochre", "grey", "rose", "teal")
_NAME_LENGTH = 40


def _quantity(key: str, symbol: str, label: str, limits: str, default: str, *, whole: bool = False) -> Quantity:
    return Quantity(key, symbol, label, "", limits, default, "", (), whole)


_MU = _quantity("mu", "μ", "μ", MU_RANGE, "1")
_EPSILON = _quantity("curve_epsilon", "ε", "ε of the curve, in nats", EPSILON_RANGE, "1")
_DELTA = _quantity("curve_delta", "δ", "δ of the curve", PROBABILITY, "1e-6")
_THETA = _quantity("theta", "θ", "θ = sensitivity ÷ scale", EPSILON_RANGE, "1")
_STEPS = _quantity("lattice", "sensitivity", "Sensitivity, whole number", f"[1, {MOST_STEPS}]", "5", whole=True)
_P = _quantity("p", "p", "Shape p (1 Laplace, 2 Gaussian)", SHAPE_RANGE, "3")
_SCALE = _quantity("scale", "b", "Scale b, in query units", SCALE_RANGE, "2")
_SENSITIVITY = _quantity("curve_sensitivity", "Δ", "Sensitivity Δ, in query units", SCALE_RANGE, "1")
_SIGMA = _quantity("sigma", "σ", "σ, in query units", "(0, inf)", "1")
_RHO = _quantity("rho", "ρ", "ρ", RHO_RANGE, "0.5")
_MULTIPLIER = _quantity("multiplier", "σ ÷ Δ₂", "Noise multiplier σ ÷ Δ₂", NOISE_RANGE, "1")
_RATE = _quantity("rate", "sampling rate", "Sampling rate", SAMPLING_RANGE, "0.01")
_TIMES = _quantity("steps", "steps", "Steps", COUNT_RANGE, "1000", whole=True)
RELEASES = _quantity("releases", "releases", "Released how often (composition)", COUNT_RANGE, "1", whole=True)
DEFAULT_POINTS = "0.01_0.95~0.05_0.8~0.25_0.45~0.5_0.2"


@dataclass(frozen=True)
class Kind:
    """A kind of curve: its name, the numbers it needs, and how it is made of them."""

    label: str
    quantities: tuple[Quantity, ...]
    make: Callable[..., Curve]


KINDS = {
    "gdp": Kind("μ-GDP", (_MU,), tradeoff.gaussian_curve),
    "approx": Kind("(ε, δ)-DP", (_EPSILON, _DELTA), tradeoff.epsilon_delta_curve),
    "pure": Kind("Pure ε-DP", (_EPSILON,), tradeoff.epsilon_delta_curve),
    "laplace": Kind("Laplace noise", (_THETA,), tradeoff.laplace_curve),
    "geometric": Kind("Geometric noise", (_THETA, _STEPS), tradeoff.geometric_curve),
    "gg": Kind("Generalized Gaussian noise", (_P, _SCALE, _SENSITIVITY), tradeoff.generalized_gaussian_curve),
    "sigma": Kind("Gaussian noise by σ", (_SIGMA, _SENSITIVITY), tradeoff.sigma_curve),
    "zcdp": Kind("zCDP by ρ", (_RHO,), tradeoff.zcdp_curve),
    "sgm": Kind("Subsampled Gaussian (DP-SGD)", (_MULTIPLIER, _RATE, _TIMES), tradeoff.subsampled_gaussian_curve),
    "points": Kind("Points (α, β)", (), tradeoff.points_curve),
}
DEFAULTS = "!gdp:1@blue=;approx:1,1e-6@green=;laplace:1@orange="


@dataclass(frozen=True)
class Item:
    """An entry of the list: what it is, and how it is shown."""

    kind: str
    numbers: tuple[str, ...]
    releases: str = "1"
    colour: str = COLOURS[0]
    name: str = ""
    chosen: bool = False

    def written(self) -> str:
        """The entry as text."""
        releases = "" if self.releases == "1" else f"*{self.releases}"
        mark = "!" if self.chosen else ""
        return f"{mark}{self.kind}:{','.join(self.numbers)}{releases}@{self.colour}={quote(self.name, safe='')}"

    @property
    def recipe(self) -> tuple[str, tuple[str, ...], str]:
        """What the curve depends on, without its looks."""
        return self.kind, self.numbers, self.releases


_ITEM = re.compile(r"(!?)([a-z]+):([^*@=]*)(?:\*([^@=]*))?(?:@([a-z]*))?(?:=(.*))?")


@dataclass(frozen=True)
class Curves:
    """The list of curves as a parameter of the page."""

    key: str = "curves"
    symbol: str = "curves"
    default: str = DEFAULTS

    @property
    def allowed(self) -> str:
        """The form in words."""
        return "entries kind:number,number*releases@colour=name apart by semicolons, at most 8"

    def read(self, entry: str) -> tuple[Item, ...]:
        """Return the curves that a text lists.

        Raises
        ------
        MendedError
            if parts of it can't be used: with a sentence for each, and the text that is used instead.
        """
        items, problems = [], []
        parts = [part for part in entry.split(";") if part.strip()]
        for place, part in enumerate(parts[:MOST_CURVES], 1):
            item, wrong = _item(part.strip(), place)
            problems += wrong
            if item is not None:
                items.append(item)
        if len(parts) > MOST_CURVES:
            problems.append(f"The link lists {len(parts)} curves; only the first {MOST_CURVES} are read.")
        if not items:
            raise MendedError(self.default, problems or [f"curves (curves) must be {self.allowed}; nothing was given."])
        items = choose(items, next((place for place, item in enumerate(items) if item.chosen), 0))
        if problems:
            raise MendedError(written(items), problems)
        return tuple(items)


def _item(part: str, place: int) -> tuple[Item | None, list[str]]:
    """An entry of the list and what is wrong with it; None if it has no known kind."""
    found = _ITEM.fullmatch(part)
    if found is None or found[2] not in KINDS:
        kinds = ", ".join(KINDS)
        return None, [f"Curve {place} must be one of {kinds}; {inputs.shown(part)} was given. It is left out."]
    mark, kind, numbers, releases, colour, name = (group or "" for group in found.groups())
    entries = [number.strip() for number in numbers.split(",")]
    problems, kept = [], []
    if kind == "points":
        kept, problems = _checked_points(numbers, place)
    else:
        quantities = KINDS[kind].quantities
        for quantity, entry in zip(quantities, [*entries, *[""] * len(quantities)], strict=False):
            wrong = inputs.problem(quantity, entry)
            kept.append(quantity.default if wrong else entry)
            problems += [f"Curve {place}: {wrong} {quantity.default} is used instead."] if wrong else []
        if len(entries) > len(quantities):
            problems.append(f"Curve {place} takes {len(quantities)} numbers; {len(entries)} were given.")
    wrong = inputs.problem(RELEASES, releases) if releases else None
    problems += [f"Curve {place}: {wrong} 1 is used instead."] if wrong else []
    item = Item(
        kind,
        tuple(kept),
        releases if releases and not wrong else "1",
        colour if colour in COLOURS else COLOURS[(place - 1) % MOST_CURVES],
        _line(unquote(name)),
        mark == "!",
    )
    if colour and colour not in COLOURS:
        problems.append(
            f"Curve {place}: the colour must be one of {', '.join(COLOURS)}; {inputs.shown(colour)} was given."
        )
    refusal = refused(item)
    if refusal:
        problems.append(f"Curve {place}: {refusal}. Its default numbers are used instead.")
        item = replace(item, numbers=default_numbers(kind), releases="1")
    return item, problems


def _checked_points(numbers: str, place: int) -> tuple[list[str], list[str]]:
    try:
        _points(numbers)
    except ValueError as error:
        words = f"Curve {place}: {error}. An example is used instead."
        return [DEFAULT_POINTS], [words]
    return [numbers], []


def _points(numbers: str) -> tuple[np.ndarray, np.ndarray]:
    """The points of an entry: those written in it, or those of a file that this session holds."""
    if numbers.startswith("file"):
        held = st.session_state.get("point_files", {}).get(numbers)
        if held is None:
            raise ValueError("its points came from a file too large for a link, and are not in this session")
        return held
    try:
        pairs = [[float(part) for part in pair.split("_")] for pair in numbers.split("~")]
        alpha, beta = np.array(pairs).T
    except ValueError:
        raise ValueError(f"points are written alpha_beta~alpha_beta, not {inputs.shown(numbers)}") from None
    return alpha, beta


def default_numbers(kind: str) -> tuple[str, ...]:
    """The numbers with which a new curve of a kind begins."""
    return (DEFAULT_POINTS,) if kind == "points" else tuple(quantity.default for quantity in KINDS[kind].quantities)


def _line(name: str) -> str:
    return " ".join(name.split())[:_NAME_LENGTH]


def written(items: list[Item] | tuple[Item, ...]) -> str:
    """The list as text."""
    return ";".join(item.written() for item in items)


def choose(items: list[Item] | tuple[Item, ...], place: int) -> list[Item]:
    """The list with another entry to speak of."""
    return [replace(item, chosen=at == place) for at, item in enumerate(items)]


def refused(item: Item) -> str | None:
    """Why dpcore makes no curve of these numbers, or None if it does."""
    try:
        curve_of(item)
    except ValueError as error:
        return text.calm(str(error))
    return None


def curve_of(item: Item) -> Curve:
    """The curve of an entry."""
    if item.kind == "points":
        _points(item.numbers[0])  # a file must be one of this session's
    return _made(*item.recipe)


@st.cache_resource(max_entries=256, show_spinner="Composing the privacy losses …")
def _made(kind: str, numbers: tuple[str, ...], releases: str) -> Curve:
    if kind == "points":
        return _released(tradeoff.points_curve(*_points(numbers[0]), hull=True), releases)
    values = [quantity.read(entry) for quantity, entry in zip(KINDS[kind].quantities, numbers, strict=True)]
    return _released(KINDS[kind].make(*values), releases)


def _released(curve: Curve, releases: str) -> Curve:
    times = int(RELEASES.read(releases))
    return curve if times == 1 else tradeoff.composed_curve([curve], [times])


def labels(items: tuple[Item, ...]) -> list[str]:
    """A short name for every curve, no two alike.

    >>> labels((Item("gdp", ("1",)), Item("gdp", ("1.0",)), Item("laplace", ("0.10000001",), "20")))
    ['μ = 1', 'μ = 1 (2)', 'Laplace θ = 0.1, 20 ×']
    """
    names: list[str] = []
    for item in items:
        name = item.name or _label(item)
        number, taken = 2, name
        while taken in names:
            taken = f"{name} ({number})"
            number += 1
        names.append(taken)
    return names


def _label(item: Item) -> str:
    if item.kind == "points":
        words = "Points"
    else:
        values = [text.nearest(float(entry.replace("−", "-"))) for entry in item.numbers]
        words = {
            "gdp": "μ = {0}",
            "approx": "({0}, {1})-DP",
            "pure": "{0}-DP",
            "laplace": "Laplace θ = {0}",
            "geometric": "Geometric θ = {0}, Δ = {1}",
            "gg": "GG p = {0}, b = {1}",
            "sigma": "Gaussian σ = {0}",
            "zcdp": "{0}-zCDP",
            "sgm": "DP-SGD {0}, {1}, {2} steps",
        }[item.kind].format(*values)
    return words if item.releases == "1" else f"{words}, {item.releases} ×"
