"""Numbers and names as text: four significant digits, rounded to the side on which a guarantee remains true."""

import math
import re
import textwrap
from collections.abc import Iterable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from functools import lru_cache
from html import escape
from typing import Protocol, runtime_checkable

FEW_DIGITS = 3
"""The digits of a number in a text for the public and in a sentence for laymen."""
_MOST_DIGITS, _SHORT_DIGITS = 10, 7  # an input with more digits is rounded to fewer
_LONG_HEAD, _LONG_CELL = 16, 24  # letters of a table's head or cell that may have several lines
_LINK_TARGET = re.compile(r"((?<!\\)\]\([^()\s]*\))")  # of a written link; escape_markdown() escapes brackets
_ADDRESS_START = re.compile(r"https?(?=\\?:)|www(?=\\?\.)|@", re.IGNORECASE)
_ROUNDING = Decimal("3e-14")  # relative error of a computed number, or its rounding up, in the last bits


def format_up(value: float, digits: int = 4) -> str:
    """Return the text of a number that must not be understated: σ, δ, ε, a half-width.

    A number that differs from a short one only in its last bits is that short one: 0.05 × (1 + 1e-15) is 0.05.

    >>> format_up(4.224678889326842), format_up(1.0000001e-6), format_up(1e-6), format_up(math.inf)
    ('4.225', '1.001e-6', '1e-6', 'above 1.8e308')
    >>> format_up(0.05000000000000002)
    '0.05'
    """
    return _number_text(value, ROUND_CEILING, digits)


def rounded_up(value: float, digits: int = 4) -> float:
    """Return a finite number as `format_up` shows it."""
    return float(format_up(value, digits).replace(",", "").replace("−", "-"))


def format_down(value: float, digits: int = 4) -> str:
    """Return the text of a number that must not be overstated: a lower bound, the ε up to which something holds.

    >>> format_down(0.70710678), format_down(8.4198)
    ('0.7071', '8.419')
    """
    return _number_text(value, ROUND_FLOOR, digits)


def format_nearest(value: float, digits: int = 4) -> str:
    """Return the text of a number that is no bound, rounded to the nearest.

    >>> format_nearest(57.31, 2), format_nearest(1234567), format_nearest(-0.25), format_nearest(123456)
    ('57', '1.235e6', '−0.25', '123,500')
    >>> format_nearest(20000000)
    '2e7'
    """
    return _number_text(value, ROUND_HALF_EVEN, digits)


def format_input_up(value: float) -> str:
    """Return the text of an input as it is or, if it has many digits, rounded up: ε, δ and levels.

    >>> format_input_up(0.1), format_input_up(3**0.5), format_input_up(1 / 3), format_input_up(0.9999999999999999)
    ('0.1', '1.732051', '0.3333334', '0.9999999999999999')
    """
    return _number_text(value, ROUND_CEILING, None)


def format_input_down(value: float) -> str:
    """Return the text of an input as it is or, if it has many digits, rounded down: a sensitivity, the smaller number.

    >>> format_input_down(0.1), format_input_down(3**0.5), format_input_down(2 / 3)
    ('0.1', '1.73205', '0.6666666')
    """
    return _number_text(value, ROUND_FLOOR, None)


def percent(share: float, digits: int = 4) -> str:
    """Return the text of a share as a percentage."""
    return _percent_text(share, ROUND_HALF_EVEN, digits)


def percent_up(share: float, digits: int = 4) -> str:
    """Return the text of a share that must not be understated, as a percentage.

    A share that fewer than four digits would round to 100 % has four.

    >>> percent_up(0.25951102), percent_up(1e-9), percent_up(1), percent_up(0.9996, 3)
    ('25.96 %', '1e-7 %', '100 %', '99.96 %')
    """
    text = _percent_text(share, ROUND_CEILING, digits)
    return _percent_text(share, ROUND_CEILING, max(digits, 4)) if text == "100 %" else text


def percent_down(share: float, digits: int = 4) -> str:
    """Return the text of a share that must not be overstated, as a percentage."""
    return _percent_text(share, ROUND_FLOOR, digits)


def random_percent(share: float, digits: int = 4) -> str:
    """Return the share of releases in which something random happens, rounded down: never all, and never none.

    >>> random_percent(0.25951102), random_percent(1), random_percent(0.00099), random_percent(0)
    ('25.95 %', '> 99.9 %', '< 0.1 %', '< 0.1 %')
    """
    if share < 0.001:
        return "< 0.1 %"
    text = percent_down(share, digits)
    return "> 99.9 %" if text == "100 %" else text


def _percent_text(share: float, rounding: str, digits: int) -> str:
    return f"{_number_text(Decimal(repr(float(share))) * 100, rounding, digits)} %"


def odds(value: float) -> str:
    """Return the text of odds that must not be understated.

    >>> odds(0.57669), odds(9), odds(0.111111), odds(math.inf), odds(0)
    ('1 to 1.734', '9 to 1', '1 to 9', 'certain', '0')
    """
    if value == 0 or math.isinf(value):
        return "certain" if value else "0"
    return f"{format_up(value)} to 1" if value >= 1 else f"1 to {format_down(1 / value)}"


def plural(number: int | str, one: str, many: str = "") -> str:
    """Return a number, whole or as its text, with what it counts: `one`, or `many`, which is `one` with an s.

    >>> plural(1, "cell"), plural(1234, "cell"), plural("0.5", "epoch"), plural(2, "row has", "rows have")
    ('1 cell', '1,234 cells', '0.5 epochs', '2 rows have')
    """
    text = number if isinstance(number, str) else f"{number:,}"
    return f"{text} {one if text == '1' else many or f'{one}s'}"


def listed(words: Iterable[str]) -> str:
    """Return words, at least one, as a list within a sentence."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def capitalized(words: str) -> str:
    """Return words with a large first letter, as at the beginning of a sentence; the others stay as they are."""
    return words[:1].upper() + words[1:]


def uncapitalized(words: str) -> str:
    """Return words with a small first letter, as within a sentence."""
    return words[:1].lower() + words[1:]


def pin_sentence(changes: str, setting: str = "") -> str:
    """Return the sentence on what has changed since a setting was pinned, with that setting in words, if it is said.

    >>> pin_sentence("ε 1 → 2"), pin_sentence("± 3 → 4", "ε = 1")
    ('Compared with the pin: ε 1 → 2.', 'Compared with the pin (ε = 1): ± 3 → 4.')
    """
    return f"Compared with the pin{f' ({setting})' if setting else ''}: {changes}."


def escape_markdown(name: str) -> str:
    r"""Return an untrusted text as Markdown that renders it literally.

    >>> print(escape_markdown("a*b"), escape_markdown("1. x"), escape_markdown("(1, 1e-6)-DP"))
    a\*b 1\. x (1, 1e-6)-DP
    """
    escaped = re.sub(r"([\\`*_\[\]<>~$#|:&{}!@^])", r"\\\1", name)
    return re.sub(r"^([0-9]*)([-+=.)])", r"\1\\\2", escaped)


def chart_text(words: str, max_length: int | None = None) -> str:
    """Return an untrusted text for a chart that renders it literally: cut to `max_length` characters, then escaped.

    Plotly resolves the entities of &, < and > and of numbers. It has none for a quotation mark, which needs no escape.

    >>> chart_text('"North" & <b>'), chart_text("abcdef", 4)
    ('"North" &amp; &lt;b&gt;', 'abc…')
    """
    if max_length is not None and len(words) > max_length:
        words = f"{words[: max_length - 1]}…"
    return escape(words, quote=False)


def chart_lines(words: str, max_length: int) -> str:
    """Return an untrusted text for a chart on one or two lines of at most `max_length` characters, then cut.

    A line does not end beside an equals sign, so that a number stays with its symbol.

    >>> chart_lines("Discrete Gaussian σ = 3", 22)
    'Discrete Gaussian<br>σ = 3'
    >>> chart_lines("DP-SGD σ/Δ = 1.1, q = 0.01", 22), chart_lines("Weekly counts", 22)
    ('DP-SGD σ/Δ = 1.1,<br>q = 0.01', 'Weekly counts')
    >>> chart_lines("Monthly averages of every district & town", 22)
    'Monthly averages of<br>every district &amp; town'
    """
    joined = words.replace(" = ", "\u00a0=\u00a0")
    first, *rest = textwrap.wrap(joined, max_length, break_on_hyphens=False) or [""]
    lines = [first, " ".join(rest)] if rest else [first]
    return "<br>".join(chart_text(line.replace("\u00a0", " "), max_length) for line in lines)


def without_autolinks(markdown: str) -> str:
    r"""Return Markdown in which only a written link becomes a link, for a renderer that links bare addresses.

    Streamlit renders GitHub's Markdown, in which https://, www. and an e-mail address begin a link even if they are
    escaped. A word joiner, which has no width, is inserted into each of these beginnings.

    >>> without_autolinks("[a](https://x.org), https://x.org").replace("\u2060", "|")
    '[a](https://x.org), https|://x.org'
    """
    parts = _LINK_TARGET.split(markdown)
    return "".join(part if place % 2 else _ADDRESS_START.sub("\\g<0>\u2060", part) for place, part in enumerate(parts))


def without_markdown(sentence: str) -> str:
    """Return a sentence of Markdown as plain text, such as a screen reader reads it."""
    return sentence.replace("**", "").replace("\\", "")


def exact_text(value: float) -> str:
    """Return a number to its last digit, in the form in which it is typed."""
    return format_nearest(value, 17).replace(",", "").replace("−", "-")


@runtime_checkable
class Refusal(Protocol):
    """The refusal of an argument by the computing library: its name, what is allowed, and what was given."""

    name: str
    inside: str
    interval: str
    got: str


def refusal_text(error: ValueError, names: Mapping[str, str] | None = None, *, with_input: bool = True) -> str:
    """Return an error of the computing library in the words of a page, which has `names` of its own for some words.

    Intervals are in words, the input stands at the end, and exponents have no padding. Another error is its message.

    >>> print(refusal_text(ValueError("1e-06 is too small")))
    1e-6 is too small
    """
    if not isinstance(error, Refusal):
        return plain_exponents(str(error))
    allowed = f"{error.inside} {error.interval}"
    allowed = re.sub(r"\bin ([\[(][^\[\]()]*, ?[^\[\]()]*[\])])", lambda match: interval(match[1]), allowed)
    allowed = re.sub(r"^in ((?:\w+, )*\w+)$", lambda match: match[1].replace(", ", " or "), allowed)
    sentence = f"{error.name} must be {allowed}"
    sentence += f"; {error.got.strip(chr(39))} was given" if with_input else ""
    for word, name in (names or {}).items():
        sentence = re.sub(rf"\b{word}\b", name, sentence)
    return plain_exponents(sentence)


def plain_exponents(sentence: str) -> str:
    """Return a sentence with the exponents of its numbers as they are typed."""
    return re.sub(r"(?<=\d)e([-+])0*(\d)", lambda match: f"e{match[1].strip('+')}{match[2]}", sentence)


def tex(number: str) -> str:
    r"""Return a number that this module has formatted as LaTeX.

    >>> print(tex("1,234"), tex("1e-6"), tex("2.5e12"), tex("−3"))
    1{,}234 10^{-6} 2.5\cdot10^{12} -3
    """
    mantissa, _, exponent = number.replace(",", "{,}").replace("−", "-").partition("e")
    if not exponent:
        return mantissa
    power = f"10^{{{exponent}}}"
    return power if mantissa == "1" else rf"{mantissa}\cdot{power}"


def interval_ends(limits: str) -> tuple[str, str]:
    """Return the texts of both ends of an interval; the framework does not import `dpcore.checks.interval_bounds`."""
    low, high = (end.strip() for end in limits[1:-1].split(","))
    return low, high


def interval(limits: str) -> str:
    """Return an interval such as "[1e-300, 1)" in words.

    >>> interval("[1e-300, 1)"), interval("[0, 1e6]"), interval("(0, inf)"), interval("(0, 1)"), interval("(0, 1]")
    ('from 1e-300 to below 1', 'from 0 to 1e6', 'above 0', 'above 0 and below 1', 'above 0 and at most 1')
    >>> interval("[-1e15, 1e15]")
    'from −1e15 to 1e15'
    """
    low, high = (re.sub("^-", "−", end) for end in interval_ends(limits))
    first = f"from {low}" if limits[0] == "[" else f"above {low}"
    if high == "inf":
        return first
    if limits[0] == "[":
        return f"{first} to {high}" if limits[-1] == "]" else f"{first} to below {high}"
    return f"{first} and at most {high}" if limits[-1] == "]" else f"{first} and below {high}"


def table_html(label: str, kind: str, heads: list[str], rows: list[list[str]]) -> str:
    """Return an HTML table with its own scroll bar; the first cell of a row is its head. Heads are HTML, cells text."""
    long = [" class=long" * (len(re.sub("<[^>]*>", "", name)) > _LONG_HEAD) for name in heads]
    head = "".join(f"<th scope='col'{length}>{name}</th>" for name, length in zip(heads, long, strict=True))
    row_htmls = ((escape(first), "".join(map(cell_html, cells))) for first, *cells in rows)
    body = "".join(f"<tr><th scope='row'>{first}</th>{cells}</tr>" for first, cells in row_htmls)
    return (
        f"<div class='scroll {kind}' role='region' aria-label='{label}' tabindex='0'>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def cell_html(text: str) -> str:
    """Return a cell of a table from plain text; a long one may have several lines."""
    return f"<td{' class=long' if len(text) > _LONG_CELL else ''}>{escape(text)}</td>"


@lru_cache(4096, typed=True)  # many sentences contain the same numbers
def _number_text(value: float | Decimal, rounding: str, digits: int | None) -> str:
    """Return the text of a number with so many digits, or of an input, which has its own unless they are many."""
    if digits is not None:
        return _rounded_text(value, rounding, digits)
    if len(Decimal(repr(float(value))).normalize().as_tuple().digits) <= _MOST_DIGITS:
        return _rounded_text(value, rounding, 17)
    rounded = _rounded_text(value, rounding, _SHORT_DIGITS)
    whole_from_below = rounded == "1" and value < 1  # a probability below 1 must not read 1
    return _rounded_text(value, rounding, 17) if whole_from_below else rounded


def _rounded_text(value: float | Decimal, rounding: str, digits: int) -> str:
    if math.isinf(value):
        return "above 1.8e308"
    if value == 0 or math.isnan(value):
        return "–" if value else "0"
    number = value if isinstance(value, Decimal) else Decimal(repr(float(value)))
    unit = Decimal(1).scaleb(number.adjusted() - digits + 1)
    close = number.quantize(unit, rounding=ROUND_HALF_EVEN)
    if abs(close - number) > abs(number) * _ROUNDING:
        close = number.quantize(unit, rounding=rounding)
    number = close
    size = number.adjusted()
    text = f"{number.normalize():,f}" if -4 < size < 6 else f"{number.scaleb(-size).normalize():f}e{size}"
    return text.replace("-", "−", 1) if value < 0 else text
