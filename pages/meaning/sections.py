"""The section of the page: what ε means for one person."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Field, Part, Section, Snippet
from pages.framework.parameters.number_format import without_markdown
from pages.framework.parameters.parameter import Parameter
from pages.meaning import figures, text
from pages.meaning.results import MeaningResult
from pages.shared.libraries import DPCORE, PEERS
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON, GUARANTEE, PRIOR

_BAYES = "It has no posterior of a guarantee: that is Bayes’ rule, which the program of dpcore shows."


def people(result: MeaningResult, colours: Colours) -> Exhibit:
    """Return the squares of 100 people, before and after a release."""
    figure, alternative = figures.people_figure(result, colours), text.people_alternative_text(result)
    return Exhibit("people", figure, alternative, result.people, result.csv_header)


def beliefs(result: MeaningResult, colours: Colours) -> Exhibit:
    """Return the curves of what anybody can believe after a release."""
    figure, alternative = figures.beliefs_figure(result, colours), text.beliefs_alternative_text(result)
    return Exhibit("beliefs", figure, alternative, result.beliefs, result.csv_header, ("prior", ""))


def chances(result: MeaningResult, _: Colours) -> Exhibit:
    """Return the table of what changes if a person is in the data."""
    alternative = without_markdown(text.chances_alternative_text(result))
    return Exhibit("chances", text.chances_html(result), alternative, result.chances, result.csv_header)


def controls(result: MeaningResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture: δ and the stated test only where there is a δ."""
    test = () if result.is_pure else (DELTA, ALPHA)
    return EPSILON, PRIOR, *test, Field(GUARANTEE, "Guarantee")


def parts(result: MeaningResult, colours: Colours) -> Iterator[Part]:
    """Yield the people, every belief, what changes if one takes part, and what ε must count."""
    yield people(result, colours)
    yield text.WHAT_COUNTS
    yield beliefs(result, colours)
    yield text.chances_alternative_text(result)
    yield chances(result, colours)


def snippets(result: MeaningResult) -> tuple[Snippet, ...]:
    """Return the program that computes what a belief can become."""
    setting, high = result.setting, result.range_of_belief[1]
    epsilon, prior, alpha = number(setting.epsilon), number(setting.prior), number(setting.alpha)
    lines = [f"print(tradeoff.pure_posterior({epsilon}, {prior}))"]
    if not result.is_pure:
        lines = [
            f"power = tradeoff.epsilon_delta_power({alpha}, {epsilon}, {number(result.used_delta)})",
            f"print(tradeoff.posterior({alpha}, power, {prior}))",
        ]
    code = program("from dpcore import tradeoff", "", *lines)
    ours = Snippet(DPCORE, code, "The largest belief after the release.", (high,))
    return ours, *unavailable(dict.fromkeys(PEERS, _BAYES))


PERSON = Section[MeaningResult](
    key="person",
    name="For one person",
    controls=controls,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda _: text.EXPLANATION,
    exhibits=(people, beliefs, chances),
    snippets=snippets,
)
