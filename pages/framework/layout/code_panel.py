"""The answer of a page as lines of code: with its own library, and with others where they can express it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from pages.framework.parameters.number_format import format_down, format_nearest, format_up
from pages.framework.site import site

MOST_LINES = 10
_ROUNDING = 1e-6  # a share that is not told from nothing
NONE = "This answer has no program of a few lines."


@dataclass(frozen=True)
class Snippet:
    """The answer in one library.

    `code` is a complete program, empty where the library can't express what is asked. `note` says what it assumes and
    how it differs, or why it can't. `ours` are this page's values of the numbers that it prints, one a line; in the
    tests each printed number was from `least` to `most` times ours. Without `ours` nothing is compared here.
    """

    library: str
    code: str
    note: str
    page_values: tuple[float, ...] = ()
    least: float = 1.0
    most: float = 1.0


def program(*lines: str) -> str:
    """The lines of a program, of which blank ones keep the imports apart.

    >>> print(program("import math", "", "print(math.pi)"), end="")
    import math
    <BLANKLINE>
    print(math.pi)
    """
    return "\n".join(lines) + "\n"


def number(value: float) -> str:
    """A number as Python reads it back to the last bit.

    >>> number(3**0.5), number(1e-6), number(5)
    ('1.7320508075688772', '1e-06', '5.0')
    """
    return repr(float(value))


def unavailable(reasons: dict[str, str]) -> tuple[Snippet, ...]:
    """The libraries that can't express what is asked, each with its reason."""
    return tuple(Snippet(library, "", reason) for library, reason in reasons.items())


@dataclass(frozen=True)
class Limit:
    """The values of a parameter for which the tests compare a library with this page, and the one that it has here."""

    symbol: str
    value: float
    low: float
    high: float


def within(snippet: Snippet, *limits: Limit) -> Snippet:
    """The snippet where the tests compare it; beyond that it compares nothing and says so.

    >>> within(Snippet("OpenDP", "…", "", (1.0,)), Limit("ε", 50, 0.01, 10)).note
    'Not compared here: the tests run it for ε from 0.01 to 10.'
    """
    if all(limit.low <= limit.value <= limit.high for limit in limits):
        return snippet
    ranges = ", ".join(
        f"{limit.symbol} from {format_nearest(limit.low)} to {format_nearest(limit.high)}" for limit in limits
    )
    note = f"{snippet.note} Not compared here: the tests run it for {ranges}.".strip()
    return Snippet(snippet.library, snippet.code, note)


def printed_note(snippet: Snippet) -> str:
    """What a program prints beside this page's own number, and on what conditions.

    >>> printed_note(Snippet("dpcore", "…", "", (4.2246788893,)))
    'Prints 4.2246788893.'
    >>> printed_note(Snippet("OpenDP", "…", "It rounds up.", (4.2246788893,), 1.0, 1.08))
    'dpcore: 4.225. In the tests it printed from 1 to 1.08 times that. It rounds up.'
    """
    after = f" {snippet.note}" if snippet.note else ""
    if snippet.library == site().package:
        return f"Prints {_comma_separated([format_up(number, 11) for number in snippet.page_values])}.{after}"
    if not snippet.page_values:
        return snippet.note
    ours = _comma_separated([*dict.fromkeys(format_up(number) for number in snippet.page_values)])
    return f"{site().package}: {ours}. In the tests it printed {_ratio_sentence(snippet.least, snippet.most)}.{after}"


def _comma_separated(numbers: Sequence[str]) -> str:
    """Numbers as a sentence lists them.

    >>> _comma_separated(["1"]), _comma_separated(["1", "2", "3"])
    ('1', '1, 2 and 3')
    """
    *first, last = numbers
    return f"{', '.join(first)} and {last}" if first else last


def _ratio_sentence(least: float, most: float) -> str:
    """From how many to how many times ours the tests found a number.

    >>> _ratio_sentence(1 - 1e-9, 1 + 1e-9), _ratio_sentence(1, math.inf)
    ('the same, to within 1e-9 of it', 'no less than that')
    >>> _ratio_sentence(1 - 3e-4, math.inf)
    'no less than 0.9997 times that; dpcore rounds up as far'
    """
    apart = max(most - 1, 1 - least)
    if apart <= 1e-3:
        return f"the same, to within {format_nearest(apart, 1)} of it"
    if math.isfinite(most):
        return f"from {1 if 1 - least < _ROUNDING else format_down(least)} to {format_up(most, 3)} times that"
    return (
        "no less than that"
        if least == 1
        else f"no less than {format_down(least)} times that; {site().package} rounds up as far"
    )


def html(snippets: Sequence[Snippet]) -> str:
    """The programs beside each other, each under its library's name with a button that copies it, and what it prints.

    The libraries that can't express what is asked stand below, each with its reason.
    """
    if not snippets:
        return f"<p>{NONE}</p>"
    programs = "".join(_program_html(snippet) for snippet in snippets if snippet.code)
    missing = "".join(
        f"<p><b>{escape(snippet.library)}:</b> {escape(snippet.note)}</p>" for snippet in snippets if not snippet.code
    )
    return f"<div class='dp-code'>{programs}</div>{missing}"


def _program_html(snippet: Snippet) -> str:
    name = escape(snippet.library)
    return (
        f"<section aria-label='{name}'><h2>{name}</h2><button type='button' class='dp-entry-button' data-copy "
        f"aria-label='Copy the code with {name}'>Copy</button><pre tabindex='0' aria-label='Code with {name}' "
        f"role='group'><code>{escape(snippet.code)}</code></pre><p>{escape(printed_note(snippet))}</p></section>"
    )
