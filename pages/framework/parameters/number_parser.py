"""The parser of numbers as users type them: √3, 1/3, 10⁻⁶, 2·10^-6, ln(3), π, 1,000, 0,5. It evaluates no code.

    sum     = product (("+" | "−") product)*
    product = signed (("×" | "/") signed)*
    signed  = ["+" | "−"] power
    power   = primary ["^" signed]
    primary = number | "e" | "π" | "(" sum ")" | ("ln" | "exp") "(" sum ")" | "√" primary

Thus −2^2 is −4, 2^3^2 is 2^9, and √3/2 is (√3)/2. Superscript digits are an exponent. The sign of a product may be
omitted only between a number and a root, a logarithm, an exponential or π (2√3, 2ln(3), 2π); not after a division or in
an exponent, since 1/2√3 has two readings. It may not be omitted before e, since 2e is the beginning of 2e6.
"""

import math
import re
import sys
from collections import deque
from functools import lru_cache
from itertools import pairwise

MOST_CHARACTERS = 100
MOST_NESTED = 20  # parentheses, powers and roots together: it bounds the recursion
SUGGESTION = "≈"
"""The mark before a number that a page suggests."""

_NO_NUMBER = "is not a number"
_TOO_LARGE = "is too large: no number above 1.8e308 can be used"
_TOO_SMALL = "is so close to 0 that a floating-point number cannot hold it"
_BY_ZERO = "has a division by zero"
_CONSTANTS = {"e": math.e, "π": math.pi}
_NAMES = {"sqrt": "√", "pi": "π", "ln": "ln", "exp": "exp"}
_NAME = re.compile(r"(?<![a-zA-Z])(?:(?:sqrt|ln|exp)(?= *\()|pi(?![a-zA-Z]))", re.ASCII | re.IGNORECASE)
_EQUIVALENTS = str.maketrans("−×·⋅÷\u00a0\u202f\u2009", "-***/   ")
_SUPERSCRIPTS = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_PLAIN = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TOKEN = re.compile(r" *(?:([0-9.,]+(?: [0-9.,]+)*)((?:[eE][+-]?[0-9]+)?)|(ln|exp|[-+*/^√()πe]))")
_RATIO = re.compile(r"\A([0-9., ]*[0-9]) *(?: in |:) *([0-9][0-9., ]*)\Z", re.ASCII)
_WORDS = {"a": 1, "one": 1, "ten": 10, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
_SPELLED_RATIO = re.compile(
    rf"(one|[0-9]+) (?:in|out of) (?!a\Z)((?:{'|'.join(_WORDS)}|[0-9,]+)(?: (?:{'|'.join(_WORDS)}))*)",
    re.ASCII | re.IGNORECASE,
)
_DIGIT_FORMATS = (  # the pattern of the digits, the separator of their groups, their decimal mark
    (re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+"), " ", "."),
    (re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?"), ",", "."),
    (re.compile(r"[1-9][0-9]{0,2}(?: [0-9]{3})+(?:[.,][0-9]+)?|[0-9]+,[0-9]+"), " ", ","),
    (re.compile(r"[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+,[0-9]+|(?:\.[0-9]{3}){2,})"), ".", ","),
)


class NumberError(ValueError):
    """A text is no usable number; the message says why, and continues a sentence "abc was given, which"."""


class AmbiguousError(ValueError):
    """A text has two readings; the message is a sentence that names both."""


@lru_cache(4096)  # most texts are defaults, which are read at every run
def parse_number(entry: str) -> float:
    """Return the number that a text means; NumberError says why it has none, and AmbiguousError names two readings.

    A plain number is exactly what `float` makes of it. A comma is a decimal mark if it can be nothing else (0,5);
    groups of three digits are read if they are complete; 1,000 is a thousand and 1.000 is one. 1 in 20, 1:20 and one in
    a million are quotients. Operations are computed in floats: each rounds once, so that the last bits of a result may
    be wrong. None may leave their range.

    >>> parse_number("√3"), parse_number("2·10⁻⁶"), parse_number("1 000"), parse_number("0,5"), parse_number("−2^2")
    (1.7320508075688772, 2e-06, 1000.0, 0.5, -4.0)
    >>> parse_number("ln(3)"), parse_number("exp(1)"), parse_number("e"), parse_number("2π")
    (1.0986122886681098, 2.718281828459045, 2.718281828459045, 6.283185307179586)
    """
    text = _RATIO.sub(r"\1/\2", _with_digits(entry.strip())).replace("**", "^").translate(_EQUIVALENTS)
    if len(text) > MOST_CHARACTERS:
        raise NumberError(f"is too long: at most {MOST_CHARACTERS} characters are read")
    tokens = _tokens(text)
    if sum(tokens.count(sign) for sign in "(^√") > MOST_NESTED:
        raise NumberError(f"is too complicated: at most {MOST_NESTED} parentheses, powers and roots are read")
    value = _sum(tokens)
    if tokens[0] != "end":
        raise NumberError(_NO_NUMBER)
    return value


def _with_digits(text: str) -> str:
    """Return one in ten thousand as 1/(10*1000), and another text as it is."""
    if not (ratio := _SPELLED_RATIO.fullmatch(text)):
        return text
    numerator, denominator = ([str(_WORDS.get(word, word)) for word in part.lower().split()] for part in ratio.groups())
    return f"{numerator[0]}/({'*'.join(denominator)})"


def is_plain(entry: str) -> bool:
    """Return whether a text is an ordinary number, whose value a reader sees at once.

    >>> is_plain("−1e-6"), is_plain("±3"), is_plain("≈84"), is_plain("1,000"), is_plain("1/3")
    (True, True, True, False, False)
    """
    return _PLAIN.fullmatch(entry.strip().removeprefix("±").removeprefix(SUGGESTION).replace("−", "-")) is not None


def split_list(entry: str) -> list[str]:
    """Return the entries of a list, separated by semicolons if it has any, else by commas outside parentheses.

    Where a space follows some commas and others stand between digits it is ambiguous: 1,5, 2 are two numbers or three.

    >>> split_list("0,5; 1"), split_list("1, sqrt(2,5), 3")
    (['0,5', '1'], ['1', 'sqrt(2,5)', '3'])
    """
    if ";" in entry:
        return [part.strip() for part in entry.split(";")]
    commas, depth = [], 0
    for place, character in enumerate(entry):
        depth += (character == "(") - (character == ")")
        if character == "," and depth <= 0:
            commas.append(place)
    has_digit_commas = any(re.fullmatch("[0-9],[0-9]", entry[comma - 1 : comma + 2]) for comma in commas)
    if has_digit_commas and any(entry[comma + 1 : comma + 2].isspace() for comma in commas):
        raise AmbiguousError("A comma between two digits can be a decimal one here: put ; between the numbers.")
    return [entry[comma + 1 : end].strip() for comma, end in pairwise([-1, *commas, len(entry)])]


def _tokens(text: str) -> deque[str]:
    """Return the signs and the numbers of a text, the latter as `float` reads them, with the sign that 2√3 omits."""
    text = _NAME.sub(lambda name: _NAMES[name[0].lower()], text)
    text = re.sub("[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda match: f"^({match[0].translate(_SUPERSCRIPTS)})", text)
    tokens, place = [], 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise NumberError(_NO_NUMBER)
        digits, exponent, sign = match.groups()
        if sign in ("√", "π", "ln", "exp") and tokens and _PLAIN.fullmatch(tokens[-1]):
            if re.search(r"[/^][-+√]*$", "".join(tokens[:-1])):
                raise NumberError(f"has two readings, as no sign stands before {sign}: put · or parentheses")
            tokens.append("*")
        tokens.append(sign or _with_decimal_point(digits, exponent))
        place = match.end()
    return deque([*tokens, "end"])


def _with_decimal_point(digits: str, exponent: str) -> str:
    """Return a number as `float` reads it; 1,000e3 is ambiguous, as a mantissa is printed with zero decimals."""
    if re.fullmatch("[1-9][0-9]{0,2},[0-9]{3}", digits) and (exponent or not digits.endswith(",000")):
        thousands, decimal = (digits.replace(",", mark) + exponent for mark in ("", "."))
        raise AmbiguousError(
            f"{digits}{exponent} can be read as {thousands} or as {decimal}: write {thousands} or {decimal}."
        )
    for form, group, mark in _DIGIT_FORMATS:
        if form.fullmatch(digits):
            return digits.replace(group, "").replace(mark, ".") + exponent
    raise NumberError(_NO_NUMBER)


def _sum(tokens: deque[str]) -> float:
    value = _product(tokens)
    while tokens[0] in ("+", "-"):
        sign, other = tokens.popleft(), _product(tokens)
        value = _checked_value(value + other if sign == "+" else value - other, may_be_small=True)
    return value


def _product(tokens: deque[str]) -> float:
    value = _signed(tokens)
    while tokens[0] in ("*", "/"):
        sign, other = tokens.popleft(), _signed(tokens)
        if sign == "/" and other == 0:
            raise NumberError(_BY_ZERO)
        value = _checked_value(value * other if sign == "*" else value / other, may_be_small=value == 0 or other == 0)
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
        raise NumberError(_BY_ZERO)
    if base < 0 and not exponent.is_integer():
        raise NumberError("has no real value: a power of a negative number, whose exponent is not whole")
    try:
        return _checked_value(math.pow(base, exponent), may_be_small=base == 0)
    except OverflowError:
        raise NumberError(_TOO_LARGE) from None


def _primary(tokens: deque[str]) -> float:
    token = tokens.popleft()
    if token == "√":
        value = _primary(tokens)
        if value >= 0:
            return math.sqrt(value)
        raise NumberError("has no real value: a root of a negative number")
    if token in ("ln", "exp") and tokens[0] == "(":
        return _function(token, _primary(tokens))
    if token in _CONSTANTS:
        return _CONSTANTS[token]
    if token == "(":
        value = _sum(tokens)
        if tokens.popleft() == ")":
            return value
    if not _PLAIN.fullmatch(token):
        raise NumberError(_NO_NUMBER)
    value = float(token)
    return _checked_value(value, may_be_small=value != 0 or not re.match("[0.]*[1-9]", token))


def _function(name: str, argument: float) -> float:
    """Return the natural logarithm or the exponential of a number."""
    if name == "ln":
        if argument > 0:
            return math.log(argument)
        raise NumberError("has no real value: a logarithm of a number that is not above 0")
    try:
        return _checked_value(math.exp(argument), may_be_small=False)
    except OverflowError:
        raise NumberError(_TOO_LARGE) from None


def _checked_value(value: float, *, may_be_small: bool) -> float:
    """Return a value that a float holds with all its digits; raise NumberError for another one."""
    if math.isinf(value):
        raise NumberError(_TOO_LARGE)
    if abs(value) < sys.float_info.min and not may_be_small:
        raise NumberError(_TOO_SMALL)
    return value
