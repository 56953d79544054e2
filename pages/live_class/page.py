"""The page that asks a class: its exhibits, its section and its record."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from dpcore import local
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.invitation import Invitation
from pages.framework.layout.page import Page
from pages.framework.layout.section import Claim, Field, Fold, Part, Row, Section, Snippet
from pages.framework.parameters.number_format import chart_text, exact_text, format_input_up
from pages.framework.parameters.parameter import Parameter
from pages.live_class import figures, parameters, text
from pages.live_class.parameters import N_SIMULATED, OPTIONS, QUESTION, SIMULATED_SHARE
from pages.live_class.results import METHOD, LiveResult, compute_result
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.shared_parameters import EPSILON, SEED, SIGNIFICANCE
from pages.shared.site_map import LIVE_CLASS

_MOST_SUBTITLE = 90
_OTHERS = {
    OPENDP: "It has randomised response, and states no error of a class.",
    DP_ACCOUNTING: "It accounts for privacy, and has no surveys.",
    DIFFPRIVLIB: "It has randomised response of two options, and states no error of a class.",
    OPACUS: "It trains models, and has no surveys.",
}


def answers_chart(result: LiveResult, colours: Colours) -> Exhibit:
    """Return the chart of the estimate over the number of answers."""
    title = f"The share of “{chart_text(result.question.options[0])}”, as the answers come"
    figure = figures.answers_figure(result, title, _subtitle(result), colours)
    return Exhibit("over_answers", figure, text.answers_alternative(result), result.over_answers, _header(result))


def options_chart(result: LiveResult, colours: Colours) -> Exhibit:
    """Return the chart of all options."""
    figure = figures.options_figure(result, "What was reported, and what that says", _subtitle(result), colours)
    return Exhibit("options", figure, text.options_alternative(result), result.options, _header(result))


def reveal(result: LiveResult, _: Colours) -> Exhibit:
    """Return the table of what one report and all of them tell."""
    return Exhibit("reveal", text.reveal_html(result), text.reveal_alternative(result), result.reveal, _header(result))


def _subtitle(result: LiveResult) -> str:
    return chart_text(text.chart_subtitle(result), _MOST_SUBTITLE)


def _header(result: LiveResult) -> dict[str, str]:
    entries = {
        "epsilon": exact_text(result.question.epsilon),
        "significance": exact_text(result.setting.significance),
        "question": result.question.words,
        "reports": str(result.n_reports),
        "source": "a class" if result.is_class else "simulated students",
    }
    return entries | {"units": "shares and their half-widths as shares of 1; epsilon in nats"}


def invitation(result: LiveResult) -> Invitation:
    """Return the link for the phones, with the buttons of the room."""
    current, words = result.round, text.invitation_text(result)
    if current is None:
        return Invitation(words, (("ask", "Open a room and ask"),), note=text.ROOM_END)
    actions = [("close", "Close the round")] if current.is_open else []
    actions += [("ask", "Ask this question"), ("leave", "End the room")]
    state = current.number, current.is_open, len(current.reports)
    return Invitation(words, tuple(actions), f"class/{current.code}", state, text.ROOM_END)


def controls(result: LiveResult) -> Sequence[Field | Parameter]:
    """Return the question, its options, ε, and the simulated students where no class answers."""
    asked = Field(QUESTION, "Question"), Field(OPTIONS, "Options, between commas"), EPSILON
    return asked if result.is_class else (*asked, N_SIMULATED)


def more_settings(result: LiveResult) -> Sequence[Field | Parameter]:
    """Return the confidence, and what simulated students answer."""
    return (SIGNIFICANCE,) if result.is_class else (SIGNIFICANCE, SIMULATED_SHARE, SEED)


def parts(result: LiveResult, colours: Colours) -> Iterator[Part]:
    """Yield the estimate beside the link for the phones, the shares of all options, and what one report tells."""
    yield Row((answers_chart(result, colours), invitation(result)))
    yield options_chart(result, colours)
    yield Fold((text.student_text(result), reveal(result, colours)), name="What can be concluded about one student?")


def snippets(result: LiveResult) -> tuple[Snippet, ...]:
    """Return the program of the error."""
    if not result.n_reports:
        return (Snippet(DPCORE, "", "There are no reports yet."), *unavailable(_OTHERS))
    known = f"{number(result.question.epsilon)}, {result.n_options}, {result.n_reports}, {METHOD!r}"
    code = program(
        "from dpcore import local",
        "",
        "shares = [0, 0.25, 0.5, 0.75, 1]",
        f"error = local.exact_half_width({known}, shares, {number(result.setting.significance)})",
        "print(100 * error.max())",
    )
    return Snippet(DPCORE, code, "The ± in percentage points.", (100 * result.error,)), *unavailable(_OTHERS)


def claims(result: LiveResult) -> Iterator[Claim]:
    """Yield the guarantee of what a phone sends, from the numbers of its draws for each answer."""
    weight, d = result.question.weight, result.n_options
    own, epsilon = local.N_DRAWS - (d - 1) * weight, result.question.epsilon
    matrix = [[Decimal(own if report == answer else weight) for report in range(d)] for answer in range(d)]
    subject = f"δ({format_input_up(epsilon)}) of what a phone sends, for any two answers"
    arguments = {"epsilon": Decimal(exact_text(epsilon)), "matrix": matrix}
    yield Claim(subject, Decimal(0), "randomizer_delta", arguments)


SECTION = Section[LiveResult](
    key="ask",
    name="Ask the class",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda _: text.EXPLANATION,
    claims=claims,
    snippets=snippets,
    exhibits=(answers_chart, options_chart, reveal),
)
PAGE = Page(LIVE_CLASS, parameters.PARAMETERS, compute_result, sections=(SECTION,), correct=parameters.correct)
