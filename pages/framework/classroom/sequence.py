"""A lecturer's own sequence: a text of links to settings of the app, each with words, a question and its answers.

A line that begins with / or ./ is a link and begins a step; one with ? asks, one with - is an answer, and one with *
the right answer. One with > names a parameter and the text from which its picture can move to the setting of the link.
Other lines are words: the title above the first link, and below a link what the class reads there.
"""

from dataclasses import dataclass, replace
from urllib.parse import parse_qs, quote, urlsplit

from pages.framework.parameters.parameter import Parameter, PartError, excerpt
from pages.framework.rendering.uploaded_files import kept
from pages.framework.site import PageEntry

OWN = "own"
"""The name of the steps of an own sequence, before their number."""
MAX_STEPS, MAX_ANSWERS, MAX_WORDS, MAX_TITLE = 12, 4, 400, 80
MAX_LENGTH = 6_000  # characters in the link
_LINK_MARKS = ("/", "./", "http:", "https:")


@dataclass(frozen=True)
class OwnStep:
    """A step of an own sequence: a page, the query of its link, and what the class reads, is asked and answers.

    `right` is the position of the right answer; None where no answer is marked as right. `sweep` is the key of a
    parameter and the text from which it can move, empty without one.
    """

    page: PageEntry
    query: str
    words: str = ""
    question: str = ""
    answers: tuple[str, ...] = ()
    right: int | None = None
    sweep: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """Return the link of the setting alone, without the sequence and its answers, relative to any page."""
        return f"./{quote(self.page.path)}" + (f"?{self.query}" if self.query else "")

    @property
    def entries(self) -> dict[str, list[str]]:
        """Return the texts of the parameters in the link."""
        return parse_qs(self.query, keep_blank_values=True)


@dataclass(frozen=True)
class OwnSequence:
    """An own sequence: its title and its steps."""

    title: str = ""
    steps: tuple[OwnStep, ...] = ()


@dataclass(frozen=True)
class SequenceText(Parameter):
    """The kind of parameter that holds an own sequence, as a text with lines."""

    key: str
    symbol: str
    pages: tuple[PageEntry, ...]
    default: str = ""

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        return (
            f"up to {MAX_STEPS} links of this app, each on a line of its own and followed by words, a question after "
            f"?, and up to {MAX_ANSWERS} answers after - or, if right, after *; at most {MAX_LENGTH:,} characters in "
            "the link"
        )

    def read(self, entry: str) -> OwnSequence:
        """Return the sequence; raise PartError, which names the line that cannot be used, if there is one."""
        return kept(read_sequence, entry.strip(), self.pages)


def read_sequence(text: str, pages: tuple[PageEntry, ...]) -> OwnSequence:
    r"""Return the sequence of settings of these pages that a text writes down; PartError names an unusable line.

    >>> pages = (PageEntry("pages/6_Tables.py", "A table", "Which noise?", "tables"),)
    >>> step = read_sequence("Noise\n/Tables?k=2\nA table.\n? Is it enough?\n- No\n* Yes", pages).steps[0]
    >>> step.address, step.words, step.question, step.answers, step.right
    ('./Tables?k=2', 'A table.', 'Is it enough?', ('No', 'Yes'), 1)
    """
    if (length := len(quote(text, safe=""))) > MAX_LENGTH:
        raise PartError(f"it must have at most {MAX_LENGTH:,} characters in the link; it has {length:,}.")
    sequence = OwnSequence()
    for line in (part for raw in text.splitlines() if (part := " ".join(raw.split()))):
        if not line.isprintable():
            raise PartError(f"each line must be printable; {excerpt(ascii(line))} was given.")
        sequence = _with_line(sequence, line, pages)
    if text and not sequence.steps:
        raise PartError(f"a line must be a link of this app, such as /Gaussian_bounds?epsilon=3; {_input_text(text)}")
    return sequence


def _with_line(sequence: OwnSequence, line: str, pages: tuple[PageEntry, ...]) -> OwnSequence:
    """Return the sequence with one line more."""
    if line.startswith(_LINK_MARKS):
        if len(sequence.steps) == MAX_STEPS:
            raise PartError(f"it must have at most {MAX_STEPS} links; more were given.")
        return replace(sequence, steps=(*sequence.steps, _linked_step(line, len(sequence.steps) + 1, pages)))
    if not sequence.steps:
        title = f"{sequence.title} {line}".strip()
        if len(title) > MAX_TITLE:
            allowed = f"the title must have at most {MAX_TITLE} characters before the first link"
            raise PartError(f"{allowed}; {_input_text(line)}")
        return replace(sequence, title=title)
    return replace(sequence, steps=(*sequence.steps[:-1], _longer_step(sequence.steps[-1], line, len(sequence.steps))))


def _linked_step(line: str, place: int, pages: tuple[PageEntry, ...]) -> OwnStep:
    """Return the step that a link begins; a link that leaves this app is refused."""
    problem = f"link {place} must be one of this app, such as /Gaussian_bounds?epsilon=3; {_input_text(line)}"
    try:
        parts = urlsplit(line)
    except ValueError:
        raise PartError(problem) from None
    path = parts.path.removeprefix(".").removeprefix("/").removesuffix("/")
    page = next((entry for entry in pages if entry.path == path), None)
    if parts.scheme or parts.netloc or line.startswith("//") or page is None:
        raise PartError(problem)
    return OwnStep(page, parts.query)


def _longer_step(step: OwnStep, line: str, place: int) -> OwnStep:
    """Return a step with a line more: its question, an answer, or words."""
    mark, rest = line[0], line[1:].strip()
    if mark == ">":
        if len(rest.split(" ")) != 2:
            allowed = "name a parameter and a value after >, such as > epsilon 0.1"
            raise PartError(f"step {place} must {allowed}; {_input_text(rest)}")
        return replace(step, sweep=tuple(rest.split(" ")))
    if mark not in "?-*" or (mark != "?" and not step.question):
        longer = replace(step, words=f"{step.words} {line}".strip())
    elif mark == "?":
        longer = replace(step, question=f"{step.question} {rest}".strip())
    else:
        if mark == "*" and step.right is not None:
            raise PartError(f"step {place} must have one right answer; {_input_text(rest)}")
        if len(step.answers) == MAX_ANSWERS or not rest or rest in step.answers:
            allowed = f"up to {MAX_ANSWERS} different answers, none empty"
            raise PartError(f"step {place} must have {allowed}; {_input_text(rest)}")
        right = len(step.answers) if mark == "*" else step.right
        longer = replace(step, answers=(*step.answers, rest), right=right)
    if max(map(len, (longer.words, longer.question, *longer.answers))) > MAX_WORDS:
        raise PartError(f"step {place}: no text may have more than {MAX_WORDS} characters; {_input_text(line)}")
    return longer


def _input_text(line: str) -> str:
    return f"{excerpt(line) or 'nothing'} was given."


def sequence_text(sequence: OwnSequence) -> str:
    r"""Return the text of a sequence, as it is read.

    >>> table = PageEntry("pages/6_Tables.py", "A table", "Which noise?", "tables")
    >>> sequence_text(OwnSequence("Noise", (OwnStep(table, "k=2", question="Which?", answers=("Laplace",), right=0),)))
    'Noise\n/Tables?k=2\n? Which?\n* Laplace'
    """
    lines = [sequence.title]
    for step in sequence.steps:
        answers = [f"{'*' if place == step.right else '-'} {answer}" for place, answer in enumerate(step.answers)]
        moves = f"> {' '.join(step.sweep)}" if step.sweep else ""
        lines += [
            step.address.removeprefix("."),
            step.words,
            moves,
            f"? {step.question}" if step.question else "",
            *answers,
        ]
    return "\n".join(line for line in lines if line)


def step_names() -> tuple[str, ...]:
    """Return the names that steps of an own sequence can have."""
    return tuple(f"{OWN}-{place}" for place in range(1, MAX_STEPS + 1))


def own_step(name: str, sequence: OwnSequence) -> OwnStep | None:
    """Return the step of a name, such as own-2; None if the sequence has no such step."""
    key, _, place = name.rpartition("-")
    return sequence.steps[int(place) - 1] if key == OWN and int(place) <= len(sequence.steps) else None
