"""The kinds of parameter. A parameter has a text, which a field or the link contains; `read` returns its value."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from urllib.parse import parse_qsl, quote, urlencode

from pages.framework.parameters import number_format, number_parser
from pages.framework.parameters.parameter import (
    Correct,
    Correction,
    Parameter,
    PartError,
    Reading,
    Values,
    excerpt,
    no_corrections,
)
from pages.framework.site import site

_COMPLEMENT = re.compile(r"1-\((.*)\)")
_PERCENT = re.compile(r"([0-9]+(?:[.,][0-9]+)?)\s*%")
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}\.000")
_DECIMALS = re.compile(r"0?[.,]([0-9]{1,15})")


def read_text(parameter: Parameter, entry: str, fallback: str) -> Reading:
    """Return the reading of a text, or of the last usable text if it cannot be used."""
    try:
        return Reading(entry, entry, parameter.read(entry))
    except ValueError as error:
        problem = f"{_refusal(parameter, entry, error)} {replacement(fallback)}"
        return Reading(entry, fallback, parameter.read(fallback), problem)


def replacement(used: str) -> str:
    """Return the sentence that says which text is used instead of another one."""
    return f"{used if used == excerpt(used) else 'The last usable text'} is used instead." if used else "None is used."


def problem(parameter: Parameter, entry: str) -> str | None:
    """Return the sentence on what is wrong with a text; None if it can be used."""
    try:
        parameter.read(entry)
    except ValueError as error:
        return _refusal(parameter, entry, error)
    return None


def first_problem(fields: Iterable[tuple[Parameter, str]]) -> str | None:
    """Return the sentence on the first text of a list that cannot be used; None if all can be used."""
    return next((sentence for parameter, entry in fields if (sentence := problem(parameter, entry))), None)


def _refusal(parameter: Parameter, entry: str, error: ValueError) -> str:
    name = parameter.symbol
    if isinstance(error, (number_parser.AmbiguousError, PartError)):
        return f"{name}: {error}"
    meant = parameter.meant_text(entry.strip()) if isinstance(parameter, Quantity) else ""
    return f"{name} must be {parameter.allowed}; {refused_text(entry, error)}{meant}."


def refused_text(entry: str, error: ValueError) -> str:
    """Return the words on a refused text, with the reason if it is no usable number.

    >>> refused_text("7", ValueError()), refused_text("", number_parser.NumberError("is not a number"))
    ('7 was given', 'nothing was given')
    >>> refused_text("abc", number_parser.NumberError("is not a number"))
    'abc was given, which is not a number'
    """
    line = excerpt(entry)
    reason = f", which {error}" if line and isinstance(error, number_parser.NumberError) else ""
    return f"{line or 'nothing'} was given{reason}"


def is_inside(value: float, limits: str) -> bool:
    """Return whether a number lies in an interval, written as in a textbook; NaN lies in none.

    >>> is_inside(0, "[0, 1)"), is_inside(1, "[0, 1)"), is_inside(1e300, "(0, inf)"), is_inside(float("nan"), "[0, 1]")
    (True, False, True, False)
    """
    low, high = map(float, number_format.interval_ends(limits))
    return low < value < high or (value == low and limits[0] == "[") or (value == high and limits[-1] == "]")


def parsed_value_note(entry: str, value: float) -> str:
    """Return a note on which number a text means; an empty text if it is a plain number.

    >>> parsed_value_note("1/2", 0.5), parsed_value_note("√3", 3**0.5), parsed_value_note("0.5", 0.5)
    ('= 0.5', '≈ 1.732050808', '')
    >>> parsed_value_note("2.000", 2.0)  # which some write for two thousand
    '= 2'
    """
    if number_parser.is_plain(entry) and not _THOUSANDS.fullmatch(entry.strip()):
        return ""
    text = number_format.format_nearest(value, 10)
    return f"{'=' if number_parser.parse_number(text.replace(',', '')) == value else '≈'} {text}"


def steps(first: int, last: int, mantissas: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts of a rounded log scale from 10^first to 10^last."""
    values = [float(f"{mantissa}e{decade}") for decade in range(first, last) for mantissa in mantissas]
    return tuple(number_format.format_nearest(step).replace(",", "") for step in (*values, 10.0**last))


@dataclass(frozen=True)
class Quantity(Parameter):
    """The kind of parameter that holds a number, typed or, if `scale` has steps, set by a slider on a log scale.

    `label` is its full name, and `caption` the short one at its field: its symbol and what it is.
    """

    key: str
    symbol: str
    label: str
    limits: str
    default: str
    help: str = ""
    ends: str = ""
    scale: tuple[str, ...] = ()
    whole: bool = False
    caption: str = ""

    @property
    def allowed(self) -> str:
        """Return the range in words."""
        return f"{'a whole number ' if self.whole else ''}{number_format.interval(self.limits)}"

    @property
    def largest(self) -> float:
        """Return the upper end of the range."""
        return float(number_format.interval_ends(self.limits)[1])

    def read(self, entry: str) -> float:
        """Return the number of a text; raise ValueError if it is none or out of range."""
        typed = _PERCENT.fullmatch(entry.strip()) if entry.endswith("%") and self.largest <= 1 else None
        share = typed and Decimal(typed[1].replace(",", ".")) / 100
        value = number_parser.parse_number(entry) if share is None else float(share)
        if not is_inside(value, self.limits) or (self.whole and not value.is_integer()):
            raise ValueError(entry)
        return value

    def meant_text(self, entry: str) -> str:
        """Return what to write where a text that is refused may mean another number; else nothing.

        >>> Quantity("prior", "π", "π", "(0, 1)", "0.1").meant_text("10")
        ': write 10 % if that is meant'
        >>> Quantity("n", "n", "n", "[10, 1e9]", "10", whole=True).meant_text("2.000")
        ', which is 2: write 2000 if that is meant'
        """
        digits = entry.replace(".", "")
        if self.whole and _THOUSANDS.fullmatch(entry) and is_inside(float(digits), self.limits):
            return f", which is {int(float(entry))}: write {digits} if that is meant"
        is_share = self.largest <= 1 and _PERCENT.fullmatch(f"{entry}%")
        percent = float(entry.replace(",", ".")) if is_share else 0.0
        return f": write {entry} % if that is meant" if percent > 1 and is_inside(percent / 100, self.limits) else ""


@dataclass(frozen=True)
class AutomaticQuantity(Quantity):
    """A number that the page chooses as long as the text is a word, such as best; its field has a button for the word.

    The section gives the chosen number to the field, which shows it beside the word.
    """

    word: str = "best"
    button: str = ""

    @property
    def allowed(self) -> str:
        """Return the range in words, and the word."""
        return f"{super().allowed}, or {self.word}"

    def read(self, entry: str) -> float:
        """Return the number of a text, NaN for the word; raise ValueError if it is neither."""
        return math.nan if entry.strip() == self.word else super().read(entry)


class SuggestedNumber(float):
    """A number that follows the rest of the setting until another is typed."""


@dataclass(frozen=True)
class SuggestibleQuantity(Quantity):
    """A quantity whose text may be a suggestion, with a mark before it: such a one is replaced where another fits.

    `older_default` is the default that it once had, a number that followed nothing: see `Choice`.
    """

    mark: str = number_parser.SUGGESTION
    older_default: str = ""

    def read(self, entry: str) -> float:
        """Return the number that a text means, as a `SuggestedNumber` if it is one; ValueError if there is none."""
        value = super().read(entry.strip().removeprefix(self.mark))
        return SuggestedNumber(value) if entry.strip().startswith(self.mark) else value

    def suggestion(self, values: Values, number: float) -> list[Correction]:
        """Return the text of the number that fits, without a sentence, in the place of another suggestion."""
        used = Correction(self.key, f"{self.mark}{number_format.exact_text(number)}", "")
        return [used] if isinstance(values[self.key], SuggestedNumber) and values[self.key] != number else []


@dataclass(frozen=True)
class Complement(Quantity):
    """A probability q whose field shows 1 − q, under the caption of the complement; the link contains q.

    `field_name` is the name of q beside the field. The browser turns what is typed into the text of q: 0.95 and 95 %
    into 0.05, and any other text t into 1-(t). `browser/complement.js` is its other half.
    """

    field_name: str = ""

    @staticmethod
    def complement_text(entry: str) -> str:
        """Return the text that the field shows for a text of q.

        >>> [Complement.complement_text(entry) for entry in ("0.05", "1-(95 %)", "1/20")]
        ['0.95', '95 %', '1 − (1/20)']
        """
        if typed := _COMPLEMENT.fullmatch(entry):
            return typed[1]
        decimals = _DECIMALS.fullmatch(entry)
        return str(1 - Decimal(f"0.{decimals[1]}")) if decimals else f"1 − ({entry})"

    def read(self, entry: str) -> float:
        """Return the number of a text; where it cannot be used, a PartError names what the user typed."""
        try:
            return super().read(entry)
        except ValueError as error:
            if typed := _COMPLEMENT.fullmatch(entry):
                allowed = f"the {self.caption} must be a share between 0 and 1, such as 0.95"
                raise PartError(f"{allowed}; {refused_text(typed[1], error)}.") from None
            raise


@dataclass(frozen=True)
class Choice(Parameter):
    """The kind of parameter that holds one of a few named options.

    `older_default` is the default that it once had, if that was another one: citations and items of reports that leave
    it out were made with that one, and newer ones always contain the parameter.
    """

    key: str
    symbol: str
    options: dict[str, str]
    default: str
    older_default: str = field(default="", kw_only=True)

    @property
    def allowed(self) -> str:
        """Return the options in words."""
        return "one of " + ", ".join(self.options)

    def read(self, entry: str) -> str:
        """Return the option that a text names; raise ValueError if there is none."""
        if entry not in self.options:
            raise ValueError(entry)
        return entry


@dataclass(frozen=True)
class NumberList(Parameter):
    """The kind of parameter that holds several numbers of one quantity, all different unless they may repeat.

    `older_default` is the default that it once had: see `Choice`.
    """

    key: str
    symbol: str
    quantity: Quantity
    default: str
    max_numbers: int
    may_repeat: bool = False
    older_default: str = ""

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        different = "" if self.may_repeat else "different "
        return f"1 to {self.max_numbers} {different}comma-separated numbers, each {self.quantity.allowed}"

    def read(self, entry: str) -> tuple[float, ...]:
        """Return the numbers in their order; raise ValueError if there are none or too many, or one is unusable."""
        parts = number_parser.split_list(entry)
        if len(parts) > self.max_numbers:
            raise ValueError(entry)
        if len(parts) == 1:
            return (self.quantity.read(entry),)
        values = tuple(self._number_at(place, part) for place, part in enumerate(parts, 1))
        for place, value in enumerate(values):
            if value in values[:place] and not self.may_repeat:
                raise PartError(f"number {place + 1} must differ from those before; {excerpt(parts[place])} was given.")
        return values

    def _number_at(self, place: int, part: str) -> float:
        try:
            return self.quantity.read(part)
        except number_parser.AmbiguousError as error:
            raise PartError(f"number {place}: {error}") from None
        except ValueError as error:
            raise PartError(f"number {place} must be {self.quantity.allowed}; {refused_text(part, error)}.") from None


@dataclass(frozen=True)
class FreeText(Parameter):
    """The kind of parameter that holds a short text of the user, such as a unit; with `lines` it may have line ends.

    `suggestions` are the texts that the page itself puts in place of the default, as other parameters are.
    `older_default` is the default that it once had: see `Choice`.
    """

    key: str
    symbol: str
    default: str
    max_length: int = 30
    min_length: int = 1
    lines: bool = False
    suggestions: tuple[str, ...] = ()
    older_default: str = ""

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        least = f"{self.min_length} to" if self.min_length else "at most"
        return f"a text of {least} {self.max_length} printable characters"

    def read(self, entry: str) -> str:
        """Return the text without spaces around it; raise ValueError if it is too short or long or not printable."""
        words = entry.strip()
        printed = words.replace("\n", " ") if self.lines else words
        if not self.min_length <= len(words) <= self.max_length or not printed.isprintable():
            raise ValueError(entry)
        return words


@dataclass(frozen=True)
class Pin(Parameter):
    """The pinned setting of a page: "none", or the texts of its parameters in the form of a link.

    Older links have only the numbers of the shared parameters, separated by commas. A parameter that the pinned setting
    leaves out has its default. `retired_keys` are those that the page once had: older links may have them, and they are
    ignored.
    """

    own: tuple[Parameter, ...] = ()
    correct: Correct = no_corrections
    retired_keys: tuple[str, ...] = ()
    key: str = "pinned"
    symbol: str = "pinned setting"
    default: str = "none"

    @property
    def pinned_parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters that a pinned setting contains."""
        return (*site().parameters, *self.own)

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        return "none, or " + ",".join(parameter.key for parameter in self.pinned_parameters) + " with each in its range"

    def read(self, entry: str) -> Values | None:
        """Return the values of the pinned setting, None without one; raise ValueError if they cannot be used."""
        if entry == "none":
            return None
        texts = dict(parse_qsl(entry, keep_blank_values=True))
        if "=" not in entry:
            parts, shared = number_parser.split_list(entry), site().parameters
            if len(parts) != len(shared):
                raise ValueError(entry)
            texts = {quantity.key: part for quantity, part in zip(shared, parts, strict=True)}
        if not texts.keys() <= {*self.retired_keys, *(parameter.key for parameter in self.pinned_parameters)}:
            raise ValueError(entry)
        values = {
            parameter.key: parameter.read(texts.get(parameter.key, parameter.default))
            for parameter in self.pinned_parameters
        } | {self.key: None}
        if site().correct(values) or any(correction.problem for correction in self.correct(values)):
            raise ValueError(entry)
        return values

    def known_text(self, entry: str) -> str:
        """Return the text of a pinned setting without the parameters that this page does not have."""
        if "=" not in entry:
            return entry
        keys = {parameter.key for parameter in self.pinned_parameters}
        pairs = [(key, text) for key, text in parse_qsl(entry, keep_blank_values=True) if key in keys]
        return urlencode(pairs, quote_via=quote)

    def data_in(self, entry: str) -> str:
        """Return the name of the user's own data that the pinned setting contains; an empty text for none."""
        texts = dict(parse_qsl(entry, keep_blank_values=True))
        known = (parameter for parameter in self.pinned_parameters if parameter.key in texts)
        return next(filter(None, (parameter.data_in(texts[parameter.key]) for parameter in known)), "")

    def text(self, used: Mapping[str, str]) -> str:
        """Return the text that pins a setting, given the texts of its parameters."""
        return urlencode({parameter.key: used[parameter.key] for parameter in self.pinned_parameters}, quote_via=quote)
