"""The section on the largest of several."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.downloads import Downloads
from pages.framework.layout.section import Claim, Conditions, Field, Fold, Part, Section
from pages.framework.layout.statements import Statements
from pages.framework.parameters.number_format import chart_text, exact_text, format_down, format_input_up
from pages.framework.parameters.parameter import Parameter
from pages.median.largest import code, figures, text
from pages.median.parameters import ALMOST_NOTHING, CHOSEN, COUNTS, COUNTS_HELP, MECHANISM, WANTED
from pages.median.results import MedianResult
from pages.shared.conditions import Subject, release_conditions
from pages.shared.counts.parameters import NEIGHBOURS
from pages.shared.release_program.program import Choice, largest_statistic, release_downloads
from pages.shared.shared_parameters import EPSILON
from pages.shared.statements import Release, release_statements

_CANDIDATES = Subject(fixed="the candidates were fixed in advance", can_have_limit=False)
_NOISY = "It is a theorem (Dwork & Roth 2014, Claim 3.9); what is enclosed are the other two ways."


def lead_chart(result: MedianResult, colours: Colours) -> Exhibit:
    """Return the chart of the probability over the lead."""
    largest, subtitle = result.largest, chart_text(text.subtitle(result))
    figure = figures.lead_figure(largest, subtitle, colours)
    return Exhibit("over_lead", figure, text.lead_alternative(largest), largest.over_lead, csv_header(result))


def choice_epsilon_chart(result: MedianResult, colours: Colours) -> Exhibit:
    """Return the chart of the probability over ε."""
    largest, subtitle = result.largest, chart_text(text.subtitle(result))
    figure, alternative = figures.choice_epsilon_figure(largest, subtitle, colours), text.epsilon_alternative(largest)
    return Exhibit(
        "choice_over_epsilon", figure, alternative, largest.over_epsilon, csv_header(result), ("epsilon", "")
    )


def chances(result: MedianResult, _: Colours) -> Exhibit:
    """Return the table of the probability of each candidate."""
    largest = result.largest
    alternative = text.chances_alternative(largest)
    return Exhibit("chances", text.chances_html(largest), alternative, largest.chances, csv_header(result))


def csv_header(result: MedianResult) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV."""
    setting = result.setting
    entries = {key: str(getattr(setting, key)) for key in ("epsilon", "chosen", "wanted", "chooser", "neighbours")}
    counts = ", ".join(map(exact_text, setting.counts))
    return entries | {"counts": counts, "units": "counts and leads in people; epsilon in nats; probabilities"}


def controls(_: MedianResult) -> Sequence[Field | Parameter]:
    """Return the counts, how many are published, and ε."""
    return Field(COUNTS, "Counts that you expect", COUNTS_HELP), CHOSEN, EPSILON, WANTED


def more_settings(_: MedianResult) -> Sequence[Field | Parameter]:
    """Return the mechanism and the neighbours."""
    return Field(MECHANISM, "Mechanism"), Field(NEIGHBOURS, "Neighbours")


def choice_conditions(result: MedianResult) -> Conditions:
    """Return the conditions of a choice."""
    return release_conditions(result.conditions, _CANDIDATES)


def statements(result: MedianResult) -> Statements:
    """Return the statements on the choice; the counts that the user expects are not in them."""
    largest, setting = result.largest, result.setting
    is_one, n = largest.n_chosen == 1, len(largest.counts)
    names = "name of the largest" if is_one else f"{largest.n_chosen} names of the largest"
    drawn = (
        "is drawn at random, more probably one with a" if is_one else "are drawn at random, more probably those with"
    )
    each = f"ε = {format_down(largest.epsilon / largest.n_chosen, 6)}{'' if is_one else ' for each name'}"
    release = Release(
        noise=f"The {names} of {n} candidates {drawn} larger count{'' if is_one else 's'}",
        error=("", ""),
        mechanism=f"{text.MEANS[largest.mechanism]}, {each}",
        proof=text.PROOFS[largest.mechanism],
        epsilon=format_input_up(setting.epsilon),
        neighbours=setting.neighbours,
    )
    return release_statements(release, choice_conditions(result))


def downloads(result: MedianResult) -> Downloads | None:
    """Return the program that names the largest."""
    setting, largest = result.setting, result.largest
    choice = Choice(largest.mechanism, largest.epsilon, setting.neighbours == "replace", largest.n_chosen)
    statistic = largest_statistic("Largest", choice, len(largest.counts), 1, "")
    guarantee = largest.epsilon, 0.0
    return release_downloads(
        (statistic,), guarantee, setting.neighbours, choice_conditions(result), lambda: statements(result)
    )


def claims(result: MedianResult) -> Iterator[Claim]:
    """Yield the guarantee of one choice, where the largest count loses a person, or one takes the place of another."""
    largest = result.largest
    own = largest.epsilon / largest.n_chosen
    subject = f"δ({format_input_up(own)}) of one choice"
    if largest.mechanism == "report_noisy_max":
        yield Claim(subject, reason=_NOISY)
        return
    scores = [Decimal(exact_text(count)) for count in largest.ordered.tolist()]
    fewer, more = [scores[0] - 1, *scores[1:]], [scores[0], scores[1] + 1, *scores[2:]]
    changes = {"where the largest count has one person less": fewer, "where the next count has one person more": more}
    if not largest.monotone:
        changes = {"where a person moves from the largest count to the next": [fewer[0], *more[1:]]}
    numbers = {"epsilon": Decimal(format_input_up(own)), "noise_epsilon": Decimal(exact_text(own)), "scores": scores}
    numbers |= {"sensitivity": Decimal("0.5") if largest.monotone else Decimal(1), "mechanism": largest.mechanism}
    for change, other in changes.items():
        yield Claim(f"{subject}, {change}", ALMOST_NOTHING, "choice_delta", numbers | {"other_scores": other})


def parts(result: MedianResult, colours: Colours) -> Iterator[Part]:
    """Yield the probability over the lead and over ε, and that of each candidate."""
    yield lead_chart(result, colours)
    yield text.largest_steps_text(result.largest)
    yield text.SEVERAL
    yield Fold((choice_epsilon_chart(result, colours),), "Another ε")
    yield Fold((chances(result, colours), text.GLOSSARY), "Each candidate in numbers")


SECTION = Section[MedianResult](
    key="largest",
    name="The largest of several",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda _: text.EXPLANATION,
    conditions=choice_conditions,
    exhibits=(lead_chart, choice_epsilon_chart, chances),
    claims=claims,
    snippets=code.snippets,
    statements=statements,
    downloads=downloads,
)
