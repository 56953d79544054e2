"""The names of saved files: the page, the exhibit, and the numbers of the setting."""

import re
import unicodedata
from collections.abc import Iterable, Mapping

from pages.framework.parameters.number_format import format_input_up
from pages.framework.parameters.parameter import Parameter, Reading, holds_data

_ALWAYS, _CHANGED = 2, 2  # the first numbers of a section, and further ones that are not at their default
_SHORT_NAMES = {"epsilon": "eps"}
_LONGEST_SYMBOL = 12


def file_stem(page: str, exhibit: str, parameters: Iterable[Parameter], readings: Mapping[str, Reading]) -> str:
    """Return the name of the file of an exhibit, without ending: page, exhibit and numbers of the section's parameters.

    A parameter that can hold the user's own data is left out, even where its value is a number.

    >>> from pages.shared.shared_parameters import DELTA, EPSILON
    >>> readings = {"epsilon": Reading("1", "1", 1.0), "delta": Reading("1e-6", "1e-6", 1e-6)}
    >>> file_stem("Gaussian_bounds", "ratio", (EPSILON, DELTA), readings)
    'gaussian_bounds_ratio_eps1_delta1e-6'
    """
    numbers = [item for item in parameters if _is_number(readings[item.key].value) and not holds_data(item)]
    changed = [item for item in numbers[_ALWAYS:] if readings[item.key].used != item.default]
    setting = [_number_text(item, readings[item.key].value) for item in (*numbers[:_ALWAYS], *changed[:_CHANGED])]
    return "_".join([page.lower() or "start", exhibit, *setting])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number_text(parameter: Parameter, value: float) -> str:
    """Return the symbol of a parameter and its value in the letters that every file system and LaTeX take."""
    symbol = "".join(map(_letter_name, unicodedata.normalize("NFKD", parameter.symbol)))
    is_short = re.fullmatch(rf"[A-Za-z]{{1,{_LONGEST_SYMBOL}}}", symbol)  # a digit would run into the value
    text = format_input_up(value).replace("−", "-")
    return f"{symbol if is_short else parameter.key}{re.sub(r'[^0-9A-Za-z.-]', '', text)}"


def _letter_name(letter: str) -> str:
    """Return the name of a Greek letter, capitalized as the letter is; other letters as they are."""
    kind = re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (\w+)", unicodedata.name(letter, ""))
    if kind is None:
        return letter
    name = kind[2].lower()
    return _SHORT_NAMES.get(name, name.capitalize() if kind[1] == "CAPITAL" else name)
