"""The sentences of the page on surveys."""

from collections.abc import Callable
from math import exp, isnan, nextafter

from pages.framework.parameters.number_format import (
    capitalized,
    exact_text,
    format_input_up,
    format_up,
    percent,
    percent_down,
    plural,
    table_html,
)
from pages.shared import statements
from pages.shared.formulas import share
from pages.shared.page_links import groups_link
from pages.shared.shared_parameters import glossary_link
from pages.shared.values.parameters import unit_after
from pages.survey.parameters import OFFICE
from pages.survey.results import (
    FEW_PEOPLE,
    LINES,
    MOST_TRIAL_OPTIONS,
    PHONES,
    SAMPLING,
    SurveyResult,
    Trial,
    used_epsilon,
)

_MOST_PEOPLE = 1e12
_POPULATION = "about a randomly sampled population"
_ROUNDS = 12  # a year of monthly reports
EXPLANATION = r"""
**A report.** For each option v, the report of a person counts for v with probability p if v is the answer, and with
probability q if it is not. The estimate of a share f is $\hat f=(\text{counted share}-q)/(p-q)$. Over the noise alone,
for the people who answer,
$$\pm = z\sqrt{\frac{f\,p(1-p)+(1-f)\,q(1-q)}{n\,(p-q)^2}},$$
with z of a normal distribution; if the people are a sample, the variance has $f(1-f)/n$ more. The ε that a wanted ±
requires is found by bisection, and rounded up.

**The methods.** *Randomised response*: $p=e^\varepsilon/(e^\varepsilon+d-1)$, $q=(1-p)/(d-1)$ (Warner 1965; Kairouz,
Oh & Viswanath 2016). *Subset selection* sends w options: $p=we^\varepsilon/(we^\varepsilon+d-w)$,
$q=p(w-1)/(d-1)+(1-p)w/(d-1)$, and the best w is next to $d/(e^\varepsilon+1)$ (Ye & Barg 2018). *Optimized unary
encoding* sends a bit for each option: $p=1/2$, $q=1/(e^\varepsilon+1)$; *symmetric unary encoding*, a step of RAPPOR:
$p=e^{\varepsilon/2}/(e^{\varepsilon/2}+1)$, $q=1-p$ (Wang, Blocki, Li & Jha 2017). *Hadamard response* sends one bit of
a random entry: $p=e^\varepsilon/(e^\varepsilon+1)$, $q=1/2$ (Acharya, Sun & Zhang 2019).

**The trusted office** adds Laplace noise of scale $2/\varepsilon$ to each count, as a person who has another option
moves one count up and one down. Of two options one count is enough, with scale $1/\varepsilon$: the other is the rest
of n. Its ± falls like 1/n, that of a survey like $1/\sqrt n$. **Sampling alone** has $z\sqrt{f(1-f)/n}$; the ± of an
office for a population is that of the sum of both.

**With fewer than 1,000 people** the error is exact too: of m people with the option $\mathrm{Bin}(m,p)$ reports count,
of the others $\mathrm{Bin}(n-m,q)$, and both are enumerated.

An estimate can be below 0 or above 1: cutting it off, or rescaling all of them to a sum of 1, costs no privacy.
"""


def answer_text(result: SurveyResult) -> tuple[str, ...]:
    """Return the error of a share, or the ε or the people that a wanted one requires; and what others have."""
    setting, lead = result.setting, result.sides[result.side]
    n, d = f"{setting.n_people:,.0f}", f"{setting.n_options:,.0f} options"
    f, epsilon = percent(setting.option_share, 10), f"ε = {format_input_up(setting.epsilon)}"
    about, wanted = _about(result).capitalize(), _in_words(setting.wanted_error)
    how = f"By {method_words(result)}, in {share(setting.significance)} of surveys"
    worst = _any_share_text(result)
    any_share = f", {worst}" if worst else ""
    exactly = f" (exactly ±{points(result.exact_error)})" if result.is_rough else ""
    if setting.are_people_sought:
        first = (
            f"{about}**{people(setting.n_people)}** are enough for ±{wanted} about those who answer, "
            f"**{_number_of_people(lead.population_people)}** {_POPULATION}."
        )
        return (
            first,
            f"{how}{exactly}, for a share of {f} of answers over {d} ({epsilon}{any_share}); {_other_side(result)}.",
        )
    if setting.is_error_known:
        rest = f" ({worst})" if worst else ""
        first = (
            f"{about}**{epsilon}** is enough for ±{wanted} about those who answer, "
            f"{_epsilon_text(lead.wanted_population_epsilon, '**')} {_POPULATION}."
        )
        return (
            first,
            f"{how}{exactly}, for a share of {f} of {n} answers over {d}{rest}; {_other_side(result)}.",
        )
    size = f"{_about(result)}±{points(lead.error)} percentage points"
    if lead.error >= 1:
        first = f"⚠ **Nothing is learnt** from {n} people, over {d}: a share of {f} has {size} ({epsilon})."
        return first, f"{how}{exactly}; {_other_side(result)}."
    first = f"Among {n} people who answer, over {d}, a share of {f} is within **{size}** ({epsilon})."
    others = f"a randomly sampled population: ±{points(lead.population_error)}{any_share}"
    return first, f"{how}{exactly} ({others}); {_other_side(result)}."


def _any_share_text(result: SurveyResult) -> str:
    """Return what a population of two options has whatever the share is; empty where it is no other."""
    other, lead = result.at_any_share, result.sides[result.side]
    if other is None:
        return ""
    words = "for a population at any share: {}"
    if result.setting.are_people_sought:
        pair = (_number_of_people(side.population_people) for side in (lead, other))
    elif result.setting.is_error_known:
        pair = (_epsilon_text(side.wanted_population_epsilon) for side in (lead, other))
    else:
        pair, words = (points(side.population_error) for side in (lead, other)), "at any share at most ±{}"
    own, any_share = pair
    return "" if own == any_share else words.format(any_share)


def _epsilon_text(epsilon: float, mark: str = "") -> str:
    """Return the ε that is enough for a wanted error, between two marks; that there is none where none is enough."""
    return "no ε" if isnan(epsilon) else f"{mark}ε = {format_input_up(used_epsilon(epsilon))}{mark}"


def _other_side(result: SurveyResult) -> str:
    """Return what a trusted office has where the answer is that of phones, or else what phones have."""
    name, side = ("on each phone", PHONES) if result.is_office else ("a trusted office", OFFICE)
    other = result.sides[side]
    if result.setting.are_people_sought:
        return f"{name}: {people(other.people)} (a population: {_number_of_people(other.population_people)})"
    if not result.setting.is_error_known:
        return f"{name}: ±{points(other.error)}"
    return f"{name}: {_epsilon_text(other.epsilon)} (a population: {_epsilon_text(other.wanted_population_epsilon)})"


def people_text(result: SurveyResult) -> str:
    """Return how many people are enough for the wanted error, by the method of the answer."""
    side = result.sides[result.side]
    about = "about " if side.people < FEW_PEOPLE and not result.is_office else ""
    population = _number_of_people(side.population_people)
    wanted = points(result.setting.wanted_error)
    return f"±{wanted} takes {about}{people(side.people)} (a population: {population})"


def _in_words(half_width: float) -> str:
    """Return a half-width in percentage points with their name."""
    return f"{points(half_width)} {unit_after(points(half_width), 'points').replace('point', 'percentage point')}"


def people(needed: float) -> str:
    """Return a number of people in words.

    >>> people(23_810.0), people(2e12)
    ('23,810 people', 'over 1e12 people')
    """
    return "over 1e12 people" if needed > _MOST_PEOPLE else plural(round(needed), "person", "people")


def points(half_width: float) -> str:
    """Return a half-width in percentage points, rounded up.

    >>> points(0.00712)
    '0.712'
    """
    return format_up(100 * half_width)


def method_words(result: SurveyResult) -> str:
    """Return the name of the method of the answer, with the size of its subsets, or the noise of an office."""
    if result.is_office:
        return f"Laplace noise, b = {format_up(result.scale)}"
    size = f" of {result.subset_size}" if result.method == "subset_selection" else ""
    return f"{LINES[result.method]}{size}"


def count_words(result: SurveyResult) -> str:
    """Return which counts of an office get noise."""
    return "one of both counts" if result.is_binary else "each count"


def _about(result: SurveyResult) -> str:
    return "about " if result.is_rough else ""


def people_and_share(result: SurveyResult) -> str:
    """Return the parameters that the charts over ε and over the options have in common."""
    setting = result.setting
    return f"n = {setting.n_people:,.0f}, f = {percent(setting.option_share, 10)}, {share(setting.significance)} ±"


def epsilon_alternative(result: SurveyResult) -> str:
    """Return what the chart over ε shows."""
    error = points(result.answer_error)
    return (
        f"The error of a share falls with ε: ±{error} percentage points by {method_words(result)} "
        f"at ε = {format_input_up(result.setting.epsilon)}, and ±{points(result.sampling_error)} by sampling alone."
    )


def options_alternative(result: SurveyResult) -> str:
    """Return what the chart over the number of options shows."""
    ends = result.over_options["randomized_response"].iloc[[0, -1]]
    last = f"{result.over_options['n_options'].iloc[-1]:,.0f}"
    return (
        f"By randomised response the error of a share is ±{points(ends.iloc[0])} percentage points with 2 options, "
        f"and ±{points(ends.iloc[-1])} with {last}; that of unary encoding does not depend on them."
    )


def sides_html(result: SurveyResult) -> str:
    """Return the table of phones beside a trusted office, as HTML."""
    wanted = points(result.setting.wanted_error)
    numbers = {
        "epsilon": ("ε", format_up),
        "error": ("± about those who answer, points", points),
        "population_error": ("± about a population, of a random sample, points", points),
        "wanted_epsilon": (f"ε that is enough for ±{wanted} about those who answer", format_up),
        "wanted_population_epsilon": (f"ε that is enough for ±{wanted} about a population", format_up),
        "people": (f"People for ±{wanted} about those who answer", _number_of_people),
        "population_people": (f"People for ±{wanted} about a population", _number_of_people),
    }
    sides = [result.sides[side] for side in (PHONES, OFFICE)]
    rows = [[head, *(_or_none(form, getattr(side, name)) for side in sides)] for name, (head, form) in numbers.items()]
    rows = [*rows[:3], rows[4]] if result.setting.is_error_known else rows  # of the wanted ε there is the first row
    heads = ["Who adds the noise", "Each phone", "A trusted office"]
    return table_html("On each phone, or in a trusted office?", "readings", heads, rows)


def _or_none(text: Callable[[float], str], value: float) -> str:
    return "none" if isnan(value) else text(value)


def _number_of_people(needed: float) -> str:
    return "over 1e12" if needed > _MOST_PEOPLE else f"{needed:,.0f}"


def sides_alternative(result: SurveyResult) -> str:
    """Return what the table shows."""
    phones, office = (_or_none(points, result.sides[side].error) for side in (PHONES, OFFICE))
    return f"The ± of a share with noise on each phone, {phones} percentage points, and in a trusted office, {office}."


def ways_html(result: SurveyResult) -> str:
    """Return the table of the errors and of the people who are enough, as HTML."""
    wanted = points(result.setting.wanted_error)
    heads = [
        "Way",
        "± about those who answer, percentage points",
        f"People for ±{wanted} about those who answer",
        f"People for ±{wanted} about a population",
    ]
    rows = [
        [_way_name(result, way), points(error), *map(_number_of_people, needed)]
        for way, error, *needed in zip(*(result.ways[column].tolist() for column in result.ways), strict=True)
    ]
    return table_html("How many people do I need?", "readings", heads, rows)


def _way_name(result: SurveyResult, way: str) -> str:
    if way == "subset_selection":
        return f"Subset selection of {result.subset_size}"
    return {OFFICE: "A trusted office", SAMPLING: "Sampling alone, no noise"}.get(way, capitalized(LINES[way]))


def together_text(result: SurveyResult) -> str:
    """Return within which ± all shares are at once, in Markdown."""
    setting = result.setting
    n = f"{setting.n_options:,.0f}"
    within = f"{_about(result)}**±{points(result.error_of_all)} percentage points**"
    size = within if result.error_of_all < 1 else "±100 percentage points: nothing is learnt"
    shares, reason = f"All {n}", f"That is the union bound: each by itself has the confidence 1 − α/{n}."
    if result.is_binary:
        shares, reason = "Both", "Estimate one of them: the other is the rest of 100 %."
    return (
        f"{shares} shares are within {size} at once in "
        f"{share(setting.significance)} of surveys, whatever they are ({method_words(result)}). {reason}"
    )


def ways_alternative(result: SurveyResult) -> str:
    """Return what the table shows."""
    return f"The error of a share and how many people are enough, by each way: {people_text(result)}."


def trial_subtitle(result: SurveyResult) -> str:
    """Return the parameters of the trial."""
    setting = result.setting
    people, level = f"n = {setting.n_people:,.0f}", share(setting.significance)
    return (
        f"{people}, ε = {format_input_up(setting.epsilon)}, {method_words(result)}, {level} ±, seed {setting.seed:.0f}"
    )


def trial_text(trial: Trial, result: SurveyResult) -> str:
    """Return how many of the estimates are within their ±, and how to read those that cannot be shares."""
    odd = int(((trial.estimate < 0) | (trial.estimate > 1)).sum())
    level = percent(1 - result.setting.significance, 10)
    rest = (
        f" Estimates below 0 % or above 100 %: {odd}. They may be cut off there, which costs no privacy." if odd else ""
    )
    return (
        f"People and answers are invented: {percent(result.setting.option_share, 10)} have option 1. {trial.n_within} "
        f"of {trial.truth.size} estimates are within their ± of the truth; over many trials, about {level} are.{rest}"
    )


NO_TRIAL = f"A survey for trial is drawn for at most {MOST_TRIAL_OPTIONS} options."


def survey_steps_text(result: SurveyResult) -> str:
    """Return what to do in three steps; nothing where the noise leaves nothing to learn."""
    if result.answer_error >= 1:
        return ""
    setting = result.setting
    published = (
        f"with ε = {format_input_up(setting.epsilon)}, the conditions and the error: a share of "
        f"{percent(setting.option_share, 10)} has {_about(result)}±{points(result.answer_error)} percentage points "
        "about those who answer."
    )
    if result.is_office:
        return statements.steps_text(
            f"Fix the list of {setting.n_options:,.0f} options before you ask, and count each person once.",
            f"**Add {method_words(result)}**, to {count_words(result)}, once, and divide by the number of people who "
            f"answer, {setting.n_people:,.0f}.",
            f"Publish the shares {published}",
        )
    return statements.steps_text(
        f"Fix the list of {setting.n_options:,.0f} options before you ask, and ask each person once.",
        f"Let each device report **by {method_words(result)}** at this ε, before anything is sent: "
        f"{_truth_text(result)}.",
        f"Estimate the shares from the reports (Run the survey), and publish them {published}",
    )


def _truth_text(result: SurveyResult) -> str:
    """Return how probably a report has the true answer, in words: rounded down, where ε holds as well."""
    truth = percent_down(min(result.report_probabilities[0], nextafter(1, 0)), 3)
    if result.method == "randomized_response":
        return f"it sends the true answer with a probability of {truth}, and otherwise another one"
    return f"its report counts for the true answer with a probability of {truth}"


def repeated_text(result: SurveyResult) -> str:
    """Return what reports of the same people add up to, in Markdown."""
    once, together = (format_input_up(n * result.setting.epsilon) for n in (1, _ROUNDS))
    return (
        f"Fresh draws add: {_ROUNDS} reports of one person have {_ROUNDS} times the ε, {together} in place of {once}. "
        "A device that keeps its first report and sends that again stays at ε, and does not follow a new answer. With "
        "one report kept for each answer (memoisation) an answer that stays is protected by ε; that it has changed can "
        "be seen, and no ε bounds that."
    )


def shuffled_text(result: SurveyResult) -> str:
    """Return who has a smaller ε if the reports are shuffled, in Markdown."""
    epsilon, n = min(max(result.setting.epsilon, 1e-3), 20.0), min(result.setting.n_people, 1e6)
    entries = {"local_epsilon": exact_text(epsilon), "reports": exact_text(n)}
    link = groups_link("The ε of shuffled reports", result.setting, **entries).markdown
    return (
        "If a shuffler that you trust removes who sent which report, those who see the reports afterwards learn less. "
        f"{link} says how much less; against everybody else ε stays."
    )


def participants_text(result: SurveyResult) -> str:
    """Return what to tell those who answer, in Markdown."""
    link, factor = glossary_link("local_dp", "local DP"), format_up(exp(result.setting.epsilon))
    return (
        "**Tell those who answer: your phone may lie for you.** Whatever you answer, it may send any report, and "
        f"each at most {factor} times as probably as if you had answered something else. Nobody who sees the report, "
        f"not even the office, knows whether it is true ({link})."
    )
