"""Numbers as people write them: √3, 1/3, 10⁻⁶, 2·10^-6, 1,000, 0,5. A text is parsed, never run.

    sum     = product (("+" | "−") product)*
    product = signed (("×" | "/") signed)*
    signed  = ["+" | "−"] power
    power   = primary ["^" signed]
    primary = number | "(" sum ")" | "√" primary

So −2^2 is −4, 2^3^2 is 2^9, and √3/2 is (√3)/2. Raised digits are an exponent. Only between a number and a root may the
sign of a product be left out, 2√3; not after a division or in an exponent, as 1/2√3 has two readings.
"""

import math
import re
import sys
from collections import deque
from functools import lru_cache
from itertools import pairwise

MOST_CHARACTERS = 100
MOST_NESTED = 20  # parentheses, powers and roots together: it bounds the depth

_NO_NUMBER = "This is no number."
_TOO_LARGE = "This is too large for a number: none above 1.8e308 can be used."
_BY_ZERO = "A division by zero has no value."
_SAME = str.maketrans("−×·⋅÷\u00a0\u202f\u2009", "-***/   ")
_RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_PLAIN = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TOKEN = re.compile(r" *(?:([0-9.,]+(?: [0-9.,]+)*)((?:[eE][+-]?[0-9]+)?)|([-+*/^√()]))")
_FORMS = (  # the digits, what stands between their groups, their decimal mark
    (re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+"), " ", "."),
    (re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?"), ",", "."),
    (re.compile(r"[1-9][0-9]{0,2}(?: [0-9]{3})+(?:[.,][0-9]+)?|[0-9]+,[0-9]+"), " ", ","),
    (re.compile(r"[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+,[0-9]+|(?:\.[0-9]{3}){2,})"), ".", ","),
)


class AmbiguousError(ValueError):
    """A text has two readings; the sentence shows both."""


@lru_cache(4096)  # most texts are the defaults, which every reading of a link has
def read(entry: str) -> float:
    """Return the number that a text means.

    A plain number is exactly what `float` makes of it. A comma is a decimal one where it can be nothing else (0,5);
    groups of three are read where they are right; 1,000 is a thousand and 1.000 is one. What is computed is computed
    in floats: each operation rounds once, so that the last bits of a result may be off.

    Raises
    ------
    AmbiguousError
        "1,732 can be read as 1732 or as 1.732: write 1732 or 1.732."
    ValueError
        with a sentence, if it is no number, has no real value, is too long, or is or passes beyond what floats hold.

    Examples
    --------
    >>> read("√3"), read("2·10⁻⁶"), read("1 000"), read("0,5"), read("−2^2")
    (1.7320508075688772, 2e-06, 1000.0, 0.5, -4.0)
    """
    text = entry.strip().replace("**", "^").translate(_SAME)
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"A number may have at most {MOST_CHARACTERS} characters.")
    tokens = _tokens(text)
    if sum(tokens.count(sign) for sign in "(^√") > MOST_NESTED:
        raise ValueError(f"A number may have at most {MOST_NESTED} parentheses, powers and roots.")
    value = _sum(tokens)
    if tokens[0] != "end":
        raise ValueError(_NO_NUMBER)
    return value


def plain(entry: str) -> bool:
    """Whether a text is an ordinary number, whose value its reader sees at once.

    >>> plain("−1e-6"), plain("±3"), plain("1,000"), plain("1/3")
    (True, True, False, False)
    """
    return _PLAIN.fullmatch(entry.strip().removeprefix("±").replace("−", "-")) is not None


def listed(entry: str) -> list[str]:
    """Return the entries of a list: apart by semicolons if there is one, else by commas outside parentheses.

    Raises
    ------
    AmbiguousError
        if a space follows some of the commas and others stand between digits: 1,5, 2 may be two numbers or three.

    Examples
    --------
    >>> listed("0,5; 1"), listed("1, sqrt(2,5), 3")
    (['0,5', '1'], ['1', 'sqrt(2,5)', '3'])
    """
    if ";" in entry:
        return [part.strip() for part in entry.split(";")]
    cuts, depth = [], 0
    for place, character in enumerate(entry):
        depth += (character == "(") - (character == ")")
        if character == "," and depth <= 0:
            cuts.append(place)
    tight = any(re.fullmatch("[0-9],[0-9]", entry[cut - 1 : cut + 2]) for cut in cuts)
    if tight and any(entry[cut + 1 : cut + 2].isspace() for cut in cuts):
        raise AmbiguousError("A comma between two digits can be a decimal one here: put ; between the numbers.")
    return [entry[cut + 1 : end].strip() for cut, end in pairwise([-1, *cuts, len(entry)])]


def _tokens(text: str) -> deque[str]:
    """The signs and the numbers of a text, these as `float` reads them, with the sign that 2√3 leaves out."""
    text = re.sub(r"(?:sqrt|Sqrt|SQRT)(?= *\()", "√", text)
    text = re.sub("[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda found: f"^({found[0].translate(_RAISED)})", text)
    tokens, place = [], 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise ValueError(_NO_NUMBER)
        digits, exponent, sign = found.groups()
        if sign == "√" and tokens and _PLAIN.fullmatch(tokens[-1]):
            if re.search(r"[/^][-+√]*$", "".join(tokens[:-1])):
                raise ValueError("A number right before a root has two readings here: put · or parentheses.")
            tokens.append("*")
        tokens.append(sign or _with_a_point(digits, exponent))
        place = found.end()
    return deque([*tokens, "end"])


def _with_a_point(digits: str, exponent: str) -> str:
    """A number as `float` reads it; 1,000e3 is ambiguous, as a mantissa is printed with zero decimals."""
    if re.fullmatch("[1-9][0-9]{0,2},[0-9]{3}", digits) and (exponent or not digits.endswith(",000")):
        one, other = (digits.replace(",", mark) + exponent for mark in ("", "."))
        raise AmbiguousError(f"{digits}{exponent} can be read as {one} or as {other}: write {one} or {other}.")
    for form, group, mark in _FORMS:
        if form.fullmatch(digits):
            return digits.replace(group, "").replace(mark, ".") + exponent
    raise ValueError(_NO_NUMBER)


def _sum(tokens: deque[str]) -> float:
    value = _product(tokens)
    while tokens[0] in ("+", "-"):
        sign, other = tokens.popleft(), _product(tokens)
        value = _held(value + other if sign == "+" else value - other, may_be_small=True)
    return value


def _product(tokens: deque[str]) -> float:
    value = _signed(tokens)
    while tokens[0] in ("*", "/"):
        sign, other = tokens.popleft(), _signed(tokens)
        if sign == "/" and other == 0:
            raise ValueError(_BY_ZERO)
        value = _held(value * other if sign == "*" else value / other, may_be_small=value == 0 or other == 0)
    return value


def _signed(tokens: deque[str]) -> float:
    sign = tokens.popleft() if tokens[0] in ("+", "-") else "+"
    return _power(tokens) if sign == "+" else -_power(tokens)


def _power(tokens: deque[str]) -> float:
    base = _primary(tokens)
    if tokens[0] != "^":
        return base
    tokens.popleft()
    exponent = _signed(tokens)
    if base == 0 and exponent < 0:
        raise ValueError(_BY_ZERO)
    if base < 0 and not exponent.is_integer():
        raise ValueError("A negative number has no real power unless the exponent is whole.")
    try:
        return _held(math.pow(base, exponent), may_be_small=base == 0)
    except OverflowError:
        raise ValueError(_TOO_LARGE) from None


def _primary(tokens: deque[str]) -> float:
    token = tokens.popleft()
    if token == "√":
        value = _primary(tokens)
        if value >= 0:
            return math.sqrt(value)
        raise ValueError("A negative number has no real root.")
    if token == "(":
        value = _sum(tokens)
        if tokens.popleft() == ")":
            return value
    if not _PLAIN.fullmatch(token):
        raise ValueError(_NO_NUMBER)
    value = float(token)
    return _held(value, may_be_small=value != 0 or not re.match("[0.]*[1-9]", token))


def _held(value: float, *, may_be_small: bool) -> float:
    """A value that a float holds with all its digits; else ValueError."""
    if math.isinf(value):
        raise ValueError(_TOO_LARGE)
    if abs(value) < sys.float_info.min and not may_be_small:
        raise ValueError("This is too small for a number: so close to 0, a float loses its digits.")
    return value
