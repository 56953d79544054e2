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
NAME_LENGTH = 40


def _quantity(key: str, symbol: str, label: str, limits: str, default: str, *, whole: bool = False) -> Quantity:
    return Quantity(key, symbol, label, "", limits, default, "", (), whole)


_MU = _quantity("mu", "μ", "μ", MU_RANGE, "1")
_EPSILON = _quantity("epsilon", "ε", "ε of the curve, in nats", EPSILON_RANGE, "1")
_DELTA = _quantity("delta", "δ", "δ of the curve", PROBABILITY, "1e-6")
_THETA = _quantity("theta", "θ", "θ = sensitivity ÷ scale", EPSILON_RANGE, "1")
_STEPS = _quantity("sensitivity", "Δ", "Sensitivity, whole number", f"[1, {MOST_STEPS}]", "5", whole=True)
_P = _quantity("p", "p", "Shape p (1 Laplace, 2 Gaussian)", SHAPE_RANGE, "3")
_SCALE = _quantity("scale", "b", "Scale b, in query units", SCALE_RANGE, "2")
_SENSITIVITY = _quantity("sensitivity", "Δ", "Sensitivity Δ, in query units", SCALE_RANGE, "1")
_SIGMA = _quantity("sigma", "σ", "σ, in query units", "(0, inf)", "1")
_RHO = _quantity("rho", "ρ", "ρ", RHO_RANGE, "0.5")
_MULTIPLIER = _quantity("multiplier", "noise multiplier", "Noise multiplier σ ÷ Δ₂", NOISE_RANGE, "1")
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
            problems = problems or [f"curves (curves) must be {self.allowed}; nothing was given."]
            raise MendedError(self.default, [*problems[:-1], f"{problems[-1]} The default curves are used instead."])
        items = choose(items, next((place for place, item in enumerate(items) if item.chosen), 0))
        if problems:
            raise MendedError(written(items), problems)
        return tuple(items)


def _item(part: str, place: int) -> tuple[Item | None, list[str]]:
    """An entry of the list, None if it can't be used, and what is wrong with it.

    A curve is shown as it was sent or not at all: other numbers under its name would be another promise.
    """
    found = _ITEM.fullmatch(part)
    if found is None or found[2] not in KINDS:
        kinds = ", ".join(KINDS)
        return None, [f"Curve {place} must be one of {kinds}; {inputs.shown(part)} was given. It is left out."]
    mark, kind, numbers, releases, colour, name = (group or "" for group in found.groups())
    quantities = KINDS[kind].quantities
    entries = [numbers] if kind == "points" else [number.strip() for number in numbers.split(",")]
    if kind != "points" and len(entries) != len(quantities):
        needs = f"{len(quantities)} number{'s' if len(quantities) > 1 else ''}"
        return None, [f"Curve {place} ({kind}) needs {needs}; {len(entries)} were given. It is left out."]
    known = colour in COLOURS
    item = Item(
        kind,
        tuple(entries),
        releases or "1",
        colour if known else COLOURS[(place - 1) % MOST_CURVES],
        short(unquote(name)),
        mark == "!",
    )
    wrong = unreadable(item) or refused(item)
    if wrong:
        return None, [f"Curve {place}: {wrong.rstrip('.')}. It is left out."]
    if colour and not known:
        colours = ", ".join(COLOURS)
        words = f"Curve {place}: the colour must be one of {colours}; {inputs.shown(colour)} was given."
        return item, [f"{words} {item.colour} is used instead."]
    return item, []


def unreadable(item: Item) -> str | None:
    """Which number of an entry is none or out of its range, in a sentence; None if all can be read."""
    fields = [*zip(KINDS[item.kind].quantities, item.numbers, strict=False), (RELEASES, item.releases)]
    return next((wrong for quantity, entry in fields if (wrong := inputs.problem(quantity, entry))), None)


def _points(numbers: str) -> tuple[np.ndarray, np.ndarray]:
    """The points of an entry: those written in it, or those of a file that this session holds."""
    if numbers.startswith("file"):
        held = st.session_state.get("point_files", {}).get(numbers)
        if held is None:
            raise ValueError("its points came from a file too large for a link and are not in this session")
        return held
    try:
        pairs = [[float(part) for part in pair.split("_")] for pair in numbers.split("~")]
        alpha, beta = np.array(pairs).T
    except ValueError:
        given = inputs.shown(numbers) or "nothing"
        raise ValueError(f"points are written alpha_beta~alpha_beta; {given} was given") from None
    if alpha.size < 2:
        raise ValueError("there must be at least 2 points, and 1 was given")
    return alpha, beta


def default_numbers(kind: str) -> tuple[str, ...]:
    """The numbers with which a new curve of a kind begins."""
    return (DEFAULT_POINTS,) if kind == "points" else tuple(quantity.default for quantity in KINDS[kind].quantities)


def short(name: str) -> str:
    """A name on one line and no longer than a name may be."""
    return " ".join(name.split())[:NAME_LENGTH]


def written(items: list[Item] | tuple[Item, ...]) -> str:
    """The list as text."""
    return ";".join(item.written() for item in items)


def chosen_place(items: list[Item] | tuple[Item, ...]) -> int:
    """The place of the entry to speak of."""
    return next(place for place, item in enumerate(items) if item.chosen)


def choose(items: list[Item] | tuple[Item, ...], place: int) -> list[Item]:
    """The list with another entry to speak of."""
    return [replace(item, chosen=at == place) for at, item in enumerate(items)]


def refused(item: Item) -> str | None:
    """Why dpcore makes no curve of these numbers, or None if it does."""
    try:
        curve_of(item)
    except ValueError as error:
        return text.calm(str(error)).replace("counts", RELEASES.symbol)
    return None


def curve_of(item: Item) -> Curve:
    """The curve of an entry."""
    if item.kind == "points":
        _points(item.numbers[0])  # a file must be one of this session's
    return _made(*item.recipe)


@st.cache_resource(max_entries=256, show_spinner="Composing the privacy losses …")
def _made(kind: str, numbers: tuple[str, ...], releases: str) -> Curve:
    if kind == "points":
        alpha, beta = _points(numbers[0])  # neighbours can be exchanged, and the two errors with them
        both = np.append(alpha, beta), np.append(beta, alpha)
        return _released(tradeoff.points_curve(*both, hull=True), releases)
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
            "sgm": "DP-SGD σ = {0}, rate {1}, {2} ×",
        }[item.kind].format(*values)
        if item.kind in ("gg", "sigma") and values[-1] != "1":
            words += f", Δ = {values[-1]}"
    return words if item.releases == "1" else f"{words}, {text.nearest(float(item.releases))} ×"
