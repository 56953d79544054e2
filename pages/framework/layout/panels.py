"""The panels "Code", with programs that compute the answer of a page, and "Verify", with proofs of its guarantees."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from time import thread_time
from types import ModuleType

from pages.framework.layout import markup
from pages.framework.layout.section import Claim, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_down, format_nearest, format_up, listed
from pages.framework.site import site

MAX_LINES = 10
_ROUNDING = 1e-6  # a relative difference that counts as none
_INSTALL = (
    "# To run this file anywhere: pip install FOLDER\n"
    "# FOLDER is where this dashboard was downloaded to: it has a pyproject.toml.\n"
)
NO_PROGRAM = "This answer has no program of a few lines."


def program(*lines: str) -> str:
    """Return a program of these lines; an empty line separates the imports.

    >>> print(program("import math", "", "print(math.pi)"), end="")
    import math
    <BLANKLINE>
    print(math.pi)
    """
    return "\n".join(lines) + "\n"


def list_lines(name: str, calls: Sequence[str], max_rows: int) -> list[str]:
    """Return the lines that assign a list of calls to a variable, with at most so many rows of calls.

    >>> list_lines("squares", ["f(1)", "f(2)", "f(3)"], 2)
    ['squares = [', '    f(1), f(2),', '    f(3),', ']']
    """
    per_row = math.ceil(len(calls) / max_rows)
    rows = [", ".join(calls[start : start + per_row]) for start in range(0, len(calls), per_row)]
    return [f"{name} = [", *(f"    {row}," for row in rows), "]"]


def number(value: float) -> str:
    """Return a number as a Python literal that is exact to the last bit."""
    return repr(float(value))


def unavailable(reasons: dict[str, str]) -> tuple[Snippet, ...]:
    """Return a snippet without a program for each library that cannot express the question, with its reason."""
    return tuple(Snippet(library, "", reason) for library, reason in reasons.items())


@dataclass(frozen=True)
class Limit:
    """The range of a parameter for which the tests compare a library with the page, and its value at this setting."""

    symbol: str
    value: float
    low: float
    high: float


def within(snippet: Snippet, *limits: Limit) -> Snippet:
    """Return a snippet unchanged inside the limits of the tests; outside them, one that compares nothing and says so.

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
    """Return the sentences on what a program prints, compared with this page's own number.

    >>> printed_note(Snippet("dpcore", "…", "", (4.2246788893,)))
    'Prints 4.2246788893.'
    >>> printed_note(Snippet("OpenDP", "…", "It rounds up.", (4.2246788893,), 1.0, 1.08))
    'dpcore: 4.225. In our tests OpenDP printed 1 to 1.08 times that. It rounds up.'
    """
    note = f" {snippet.note}" if snippet.note else ""
    if snippet.library == site().package:
        return f"Prints {listed(format_up(number, 11) for number in snippet.page_values)}.{note}"
    if not snippet.page_values:
        return snippet.note
    values = listed(dict.fromkeys(format_up(number) for number in snippet.page_values))
    ratio = _ratio_text(snippet.min_ratio, snippet.max_ratio)
    return f"{site().package}: {values}. In our tests {snippet.library} {ratio}.{note}"


def _ratio_text(min_ratio: float, max_ratio: float) -> str:
    """Return the words on the range of the ratio of a printed number to the page's value in the tests.

    >>> _ratio_text(1 - 1e-9, 1 + 1e-9), _ratio_text(1, math.inf)
    ('agreed within a relative 1e-9', 'printed at least that')
    >>> _ratio_text(1 - 3e-4, math.inf)
    'printed at least 0.9997 times that; dpcore rounds up'
    """
    difference = max(max_ratio - 1, 1 - min_ratio)
    if difference <= 1e-3:
        return f"agreed within a relative {format_nearest(difference, 1)}"
    if math.isfinite(max_ratio):
        least = 1 if 1 - min_ratio < _ROUNDING else format_down(min_ratio)
        return f"printed {least} to {format_up(max_ratio, 3)} times that"
    if min_ratio == 1:
        return "printed at least that"
    return f"printed at least {format_down(min_ratio)} times that; {site().package} rounds up"


def code_html(snippets: Sequence[Snippet], conditions: str = "") -> str:
    """Return the panel as HTML: the programs side by side, each with its library's name, a copy button and a note.

    Each program begins with the conditions of its answer, as comments. The libraries that cannot express the question
    are listed below, each with its reason.
    """
    if not snippets:
        return f"<p>{NO_PROGRAM}</p>"
    comments = "".join(f"# {line}\n" for line in wrap(conditions, 78))
    programs = "".join(_program_html(snippet, comments) for snippet in snippets if snippet.code)
    missing = "".join(
        f"<p><b>{escape(snippet.library)}:</b> {escape(snippet.note)}</p>" for snippet in snippets if not snippet.code
    )
    return f"<div class='dp-code'>{programs}</div>{missing}"


def _program_html(snippet: Snippet, comments: str) -> str:
    name = escape(snippet.library)
    code = f"{comments}{_INSTALL if snippet.library == site().package else ''}{snippet.code}"
    return (
        f"<section aria-label='{name}'><h2>{name}</h2><button type='button' class='dp-entry-button' data-copy='code' "
        f"aria-label='Copy the code with {name}'>Copy</button><pre tabindex='0' aria-label='Code with {name}' "
        f"role='group'><code>{escape(code)}</code></pre><p>{escape(printed_note(snippet))}</p></section>"
    )


MAX_SECONDS = 1.0  # seconds of processor time, after which no further proof is started
METHOD_NOTE = (
    "Each check inserts the displayed numbers into the definition and evaluates it in interval arithmetic (Arb, at "
    "least 128 bits), independently of the code that computed them; “as computed” means the unrounded doubles. A proof "
    "holds for noise in real numbers, not for the floating point of a sampler, and only if the sensitivity is right."
)


def proofs_html(claims: Iterable[Claim], conditions: str = "") -> str:
    """Return the panel as HTML: a sentence on the proof of each guarantee, and the conditions of all of them."""
    proofs = markup.html("\n".join(f"- {line}" for line in proof_lines(claims, site().verifier)))
    conditions_html = markup.html(conditions) if conditions else ""
    return proofs.replace("<ul>", '<ul class="dp-proofs">', 1) + conditions_html + markup.html(METHOD_NOTE)


def proof_lines(claims: Iterable[Claim], verify: ModuleType) -> Iterator[str]:
    """Yield a sentence in Markdown on each guarantee, also on those for whose proof the time does not suffice."""
    start = thread_time()
    for claim in claims:
        if claim.function is not None and thread_time() - start > MAX_SECONDS:
            yield f"– {claim.subject}: not verified within the time limit of a page."
        else:
            yield proof(claim, verify)


def proof(claim: Claim, verify: ModuleType) -> str:
    """Return the sentence in Markdown on the proof of one guarantee, or on why it has none."""
    if claim.function is None:
        return f"– {claim.subject}: cannot be verified here. {claim.reason}"
    try:
        enclosure = claim.function(**claim.arguments)
    except ValueError as error:
        reason = number_format.escape_markdown(number_format.refusal_text(error))
        return f"– {claim.subject}: cannot be verified here, as {reason}."
    sentence = verify.sentence(claim.subject, enclosure, claim.upper_bound)
    if verify.proved(enclosure, claim.upper_bound):
        return f"✓ {sentence}"
    ending = ", as the page says." if claim.is_violated else "."
    return f"{'✗' if enclosure.low > claim.upper_bound else '–'} {sentence.removesuffix('.')}{ending}"
