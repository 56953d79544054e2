"""The parameters: one label, range, default and URL key each, and the fields in which they are entered.

The text of every parameter lives in the session under "entered" for as long as the session, whichever page is open; a
text that can't be used stays there, while the last good one ("used") is computed with. Widgets only mirror it.
"""

import math
import re
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd
import streamlit as st

from dpcore import accuracy, audit, gaussian, tables
from dpcore.checks import number
from pages.shared import text


def steps(first: int, last: int, mantissas: tuple[str, ...]) -> tuple[str, ...]:
    """The texts of a rounded log scale from 10^first to 10^last."""
    values = [float(f"{mantissa}e{decade}") for decade in range(first, last) for mantissa in mantissas]
    return tuple(text.nearest(step).replace(",", "") for step in (*values, 10.0**last))


# fmt: off
_FINE = (  # E24, the rounded log scale of electronics
    "1", "1.1", "1.2", "1.3", "1.5", "1.6", "1.8", "2", "2.2", "2.4", "2.7", "3", "3.3", "3.6", "3.9", "4.3", "4.7",
    "5.1", "5.6", "6.2", "6.8", "7.5", "8.2", "9.1",
)
# fmt: on
_COARSE = ("1", "2", "5")


_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Quantity:
    """A number that is typed exactly or, if there are steps in `scale`, moved on a rounded log scale."""

    key: str
    symbol: str
    label: str
    help: str
    limits: str
    default: str
    ends: str
    scale: tuple[str, ...]
    whole: bool = False

    @property
    def allowed(self) -> str:
        """The range in words."""
        return f"a whole number {text.interval(self.limits)}" if self.whole else text.interval(self.limits)

    def read(self, entry: str) -> float:
        """Return the number that a text means; ValueError if it is none or out of range."""
        plain = entry.strip().replace("−", "-")
        if not _NUMBER.fullmatch(plain):  # float() would also take 1_0 and the digits of other scripts
            raise ValueError(entry)
        value = float(number(self.key, float(plain), self.limits))
        if self.whole and not value.is_integer():
            raise ValueError(entry)
        return value

    def nearest_step(self, value: float) -> str:
        """The step of the scale that is nearest to a value, on the log scale."""
        if value <= 0:
            return self.scale[0]
        return min(self.scale, key=lambda step: abs(math.log(float(step)) - math.log(value)))


@dataclass(frozen=True)
class Choice:
    """One of a few named options."""

    key: str
    symbol: str
    options: dict[str, str]
    default: str

    @property
    def allowed(self) -> str:
        """The options in words."""
        return "one of " + ", ".join(self.options)

    def read(self, entry: str) -> str:
        """Return the option that a text names; ValueError if there is none."""
        if entry not in self.options:
            raise ValueError(entry)
        return entry


@dataclass(frozen=True)
class Pin:
    """A kept setting: the numbers of several quantities joined by commas, or "none"."""

    key: str
    symbol: str
    quantities: tuple[Quantity, ...]
    default: str = "none"

    @property
    def allowed(self) -> str:
        """The form in words."""
        return "none, or " + ",".join(quantity.key for quantity in self.quantities) + " with each in its range"

    def read(self, entry: str) -> tuple[float, ...] | None:
        """Return the kept numbers, or None; ValueError if one can't be used."""
        if entry == "none":
            return None
        parts = entry.split(",")
        if len(parts) != len(self.quantities):
            raise ValueError(entry)
        kept = tuple(quantity.read(part) for quantity, part in zip(self.quantities, parts, strict=True))
        accuracy.gaussian_accuracy(gaussian.analytic_sigma(*kept[:3]), kept[3])
        return kept


@dataclass(frozen=True)
class Several:
    """Numbers of one quantity joined by commas; each once, unless they may repeat."""

    key: str
    symbol: str
    quantity: Quantity
    default: str
    most: int
    may_repeat: bool = False

    @property
    def allowed(self) -> str:
        """The form in words."""
        different = "" if self.may_repeat else "different "
        return f"1 to {self.most} {different}numbers apart by commas, each {self.quantity.allowed}"

    def read(self, entry: str) -> tuple[float, ...]:
        """Return the numbers in the order given; ValueError if there are none, too many, or one can't be used."""
        values = tuple(self.quantity.read(part) for part in entry.split(","))
        if len(values) > self.most or (len(set(values)) < len(values) and not self.may_repeat):
            raise ValueError(entry)
        return values


@dataclass(frozen=True)
class Words:
    """A short text of the user's own, such as the unit of the query."""

    key: str
    symbol: str
    default: str
    most: int = 30

    @property
    def allowed(self) -> str:
        """The form in words."""
        return f"a text of 1 to {self.most} printable characters"

    def read(self, entry: str) -> str:
        """Return the text without spaces around it; ValueError if it is empty, too long or can't be printed."""
        words = entry.strip()
        if not words or len(words) > self.most or not words.isprintable():
            raise ValueError(entry)
        return words


class Parameter(Protocol):
    """What the link and the session hold a text of: `read` makes its value, or raises ValueError."""

    @property
    def key(self) -> str:
        """Its name in the link."""
        ...

    @property
    def symbol(self) -> str:
        """Its name in a sentence."""
        ...

    @property
    def default(self) -> str:
        """The text to begin with."""
        ...

    @property
    def allowed(self) -> str:
        """What it may be, in words."""
        ...

    def read(self, entry: str) -> Any:
        """Return the value that a text means; ValueError if it means none."""
        ...


class MendedError(ValueError):
    """Part of a text can't be used: the sentences that say so, and the text that is used instead."""

    def __init__(self, entry: str, problems: list[str]) -> None:
        super().__init__(entry)
        self.entry = entry
        self.problems = problems


EPSILON = Quantity(
    "epsilon",
    "ε",
    "Privacy loss bound ε, in nats",
    "How far one person's data may move the odds of any outcome: by at most a factor e^ε, except with probability δ.",
    gaussian.EPSILON_RANGE,
    "1",
    "← more private · ε · less private →",
    steps(-3, 2, _FINE),
)
DELTA = Quantity(
    "delta",
    "δ",
    "Failure probability δ",
    "The probability that the promise of ε may miss; usually far below one over the number of people.",
    gaussian.DELTA_RANGE,
    "1e-6",
    "← more private · δ · less private →",
    (*steps(-12, -1, _COARSE), "0.2", "0.5"),
)
L2_SENSITIVITY = Quantity(
    "l2_sensitivity",
    "ℓ₂ sensitivity",
    "ℓ₂ sensitivity Δ₂, in query units",
    "The most by which one person's data can move the query, as a Euclidean length. A histogram to which a person adds "
    "one record has 1.",
    "[1e-100, 1e100]",
    "1",
    "← less noise · Δ₂ · more noise →",
    steps(-2, 4, _COARSE),
)
L1_SENSITIVITY = Quantity(
    "l1_sensitivity",
    "ℓ₁ sensitivity",
    "ℓ₁ sensitivity Δ₁, in query units",
    "The most by which one person's data can move the query, as the sum over its numbers. Never below Δ₂.",
    "[1e-100, 1e100]",
    "1",
    "← less noise · Δ₁ · more noise →",
    steps(-2, 4, _COARSE),
)
SIGNIFICANCE = Quantity(
    "significance",
    "significance level",
    "Significance level of the accuracy",
    "0.05 means that 95 % of releases fall within the stated distance of the truth. It has no effect on privacy.",
    accuracy.SIGNIFICANCE_RANGE,
    "0.05",
    "← wider, surer · level · narrower →",
    ("0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.32", "0.5"),
)
ALPHA = Quantity(
    "alpha",
    "α",
    "False alarms α that the attacker accepts",
    "The type I error: the share of tests that accuse somebody who is not in the data. Or click a curve in the chart.",
    "[0, 1]",
    "0.05",
    "← fewer false alarms · α · more →",
    (*steps(-10, -1, ("1", "2", "5")), "0.2", "0.5", "1"),
)
PRIOR = Quantity(
    "prior",
    "prior",
    "Prior: how sure the attacker is beforehand",
    "The probability, before the test, that the person is in the data. Every posterior depends on it.",
    "(0, 1)",
    "0.1",
    "← a wild guess · prior · nearly sure →",
    ("1e-6", "1e-5", "1e-4", "0.001", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "0.9", "0.99"),
)
CONFIDENCE = Quantity(
    "confidence",
    "confidence",
    "Confidence of the bounds",
    "The bounds on the attack's true errors hold all at once with at least this probability.",
    audit.CONFIDENCE_RANGE,
    "0.95",
    "← bolder · confidence · surer →",
    ("0.5", "0.8", "0.9", "0.95", "0.99", "0.999"),
)
SEED = Quantity(
    "seed",
    "seed",
    "Seed of what is random",
    "The same seed gives the same picture. It draws the noise, and breaks ties between the scores of an attack.",
    "[0, 1e9]",
    "1",
    "",
    (),
    whole=True,
)
MEASURE = Choice(
    "measure",
    "measure",
    {"variance": "Variance", "mean_error": "Mean error", "accuracy": "Error at the level"},
    "variance",
)
DELTAS = Several("deltas", "δ of the curves", DELTA, "0.01, 0.05, 0.1, 0.2", 6)
DELTAS_HELP = "At most six; the δ at the side is always drawn too."
SHARED = (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE)
PICTURE = Choice("picture", "picture format", {"svg": "SVG", "png": "PNG"}, "svg")


def settings(parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    """Return the value of every parameter, from the link on a session's first run and from the session after that.

    Problems with the link are kept under "link_problems" until a field is edited.
    """
    if "entered" not in st.session_state:
        st.session_state.entered, st.session_state.used = {}, {}
        st.session_state.link_problems = _read_link(parameters)
    values = {}
    for parameter in parameters:
        entry = st.session_state.entered.setdefault(parameter.key, parameter.default)
        if problem(parameter, entry) is None:
            st.session_state.used[parameter.key] = entry
        values[parameter.key] = parameter.read(st.session_state.used.setdefault(parameter.key, parameter.default))
    if not _representable(values):
        st.session_state.used["l2_sensitivity"] = L2_SENSITIVITY.default
        values["l2_sensitivity"] = float(L2_SENSITIVITY.default)
    return values


def _read_link(parameters: tuple[Parameter, ...]) -> list[str]:
    known = {parameter.key: parameter for parameter in parameters}
    problems = []
    for key in st.query_params:
        entries = st.query_params.get_all(key)
        if key not in known:
            problems.append(
                f"This page has no parameter {shown(key) or 'without a name'}; the link's value for it is left out."
            )
            continue
        if len(entries) > 1:
            problems.append(
                f"The link gives {known[key].symbol} ({key}) {len(entries)} times; only the last is read, "
                f"{shown(entries[-1])}."
            )
        try:
            known[key].read(entries[-1])
            st.session_state.entered[key] = entries[-1].strip()
        except MendedError as mended:
            st.session_state.entered[key] = mended.entry
            problems += mended.problems
        except ValueError:
            problems.append(f"{problem(known[key], entries[-1])} {known[key].default} is used instead.")
    return problems


def problem(parameter: Parameter, entry: str) -> str | None:
    """Say what is wrong with a text, or return None if it can be used."""
    try:
        parameter.read(entry)
    except ValueError:
        return (
            f"{parameter.symbol} ({parameter.key}) must be {parameter.allowed}; {shown(entry) or 'nothing'} was given."
        )
    return None


def shown(entry: str) -> str:
    """Return a stranger's text on one line and short enough to print."""
    line = " ".join(entry.split())
    return line if len(line) <= 40 else line[:40] + "…"


def _representable(values: dict[str, Any]) -> bool:
    """Whether σ and its reach fit a double: those of a tiny ε and δ with an enormous sensitivity do not."""
    try:
        sigma = gaussian.analytic_sigma(values["epsilon"], values["delta"], values["l2_sensitivity"])
        accuracy.gaussian_accuracy(sigma, values["significance"])
    except ValueError:
        return False
    return True


def quantity_field(quantity: Quantity) -> None:
    """Draw the exact field and the rounded log scale, if it has one, and a sentence if its text can't be used."""
    entry, used = st.session_state.entered[quantity.key], st.session_state.used[quantity.key]
    mirror(f"{quantity.key}_text", entry)
    st.text_input(
        quantity.label, key=f"{quantity.key}_text", help=quantity.help, on_change=_take, args=(quantity, "text")
    )
    if quantity.scale:
        mirror(f"{quantity.key}_step", quantity.nearest_step(quantity.read(used)))
        st.select_slider(
            quantity.ends, quantity.scale, key=f"{quantity.key}_step", on_change=_take, args=(quantity, "step")
        )
    wrong = problem(quantity, entry)
    if wrong is None and entry != used:
        wrong = f"{quantity.symbol} ({quantity.key}) of {shown(entry)} needs noise beyond 1e300 at this ε and δ."
    if wrong is not None:
        with st.container(key=f"problem_{quantity.key}"):
            st.text(f"{wrong} {used} is used instead.")


def text_field(parameter: Parameter, label: str, why: str) -> None:
    """Draw the field of a text that is read as a whole, and a sentence if it can't be used."""
    entry = st.session_state.entered[parameter.key]
    mirror(f"{parameter.key}_text", entry)
    st.text_input(label, key=f"{parameter.key}_text", help=why, on_change=_take, args=(parameter, "text"))
    wrong = problem(parameter, entry)
    if wrong is not None:
        with st.container(key=f"problem_{parameter.key}"):
            st.text(f"{wrong} {st.session_state.used[parameter.key]} is used instead.")


def choice_field(choice: Choice, label: str) -> None:
    """Draw a choice as a row of buttons."""
    mirror(f"{choice.key}_option", st.session_state.used[choice.key])
    st.segmented_control(
        label,
        list(choice.options),
        format_func=choice.options.__getitem__,
        required=True,
        key=f"{choice.key}_option",
        on_change=_take,
        args=(choice, "option"),
    )


def pin_button(pin: Pin, why: str) -> None:
    """Draw the button that keeps the current setting, or lets the kept one go."""
    kept = st.session_state.used[pin.key] != pin.default
    entry = pin.default if kept else ",".join(st.session_state.used[quantity.key] for quantity in pin.quantities)
    label = "Unpin" if kept else "Pin this setting"
    st.button(label, key=f"{pin.key}_button", help=why, on_click=enter, args=(pin.key, entry))


def counts_field(shipped: pd.DataFrame, name: str) -> tuple[pd.DataFrame, str]:
    """Draw the field for a table of one's own; return that table, or the shipped one, with its name.

    The field is drawn when asked for: axe finds a minor fault in Streamlit's file field that no page can mend.
    """
    own, own_name, wrong = st.session_state.get("own_table", (None, "", None))
    with st.expander("Use your own table", key="own_table_box", on_change="rerun") as box:
        if box.open:
            st.file_uploader(
                "A CSV with a column named count",
                ["csv", "txt"],
                key="table_file",
                help="The file stays on the machine that runs this page. The link does not hold it.",
                on_change=_take_table,
            )
            if own_name:
                st.button("Back to the shipped table", key="own_table_away", on_click=_drop_table)
    if wrong is not None:
        with st.container(key="problem_table"):
            st.text(f"{own_name} can't be read: {wrong}. {name} is used instead.")
    return (shipped, name) if own is None else (own, own_name)


def _take_table() -> None:
    file = st.session_state.table_file
    if file is None:
        _drop_table()
        return
    try:
        st.session_state.own_table = (tables.counts_from_csv(file.getvalue()), shown(file.name), None)
    except ValueError as error:
        st.session_state.own_table = (None, shown(file.name), str(error))


def _drop_table() -> None:
    st.session_state.pop("own_table", None)


def enter(key: str, entry: str) -> None:
    """Take a text as what the user now wants for a parameter."""
    st.session_state.entered[key] = entry.strip()
    st.session_state.link_problems = []


def _take(parameter: Parameter, widget: str) -> None:
    enter(parameter.key, st.session_state[f"{parameter.key}_{widget}"])


def mirror(key: str, value: str | int) -> None:
    """Make a widget show a value; those of another page are other widgets, even where the session knows their keys."""
    if st.session_state.page_is_new or st.session_state.get(key) != value:
        st.session_state[key] = value
