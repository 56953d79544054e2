"""The page on surveys in which each person adds the noise: its statements, its programs for a file, and its section."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from dpcore import gaussian, laplace
from dpcore.families import FAMILIES
from dpcore.mechanism import NoiseDistribution
from pages.framework.chart.theme import (
    TYPE,
    compact,
    decades,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    markers,
    positive_or_nan,
    round_axis_end,
)
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.page import Page
from pages.framework.layout.section import Conditions, Field, Fields, Fold, Part, Row, Section
from pages.framework.parameters.number_format import (
    chart_text,
    exact_text,
    format_input_up,
    format_nearest,
    format_up,
    percent,
)
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import Subject, release_conditions
from pages.shared.release_program.code_files import SURVEY as SURVEY_PROGRAM
from pages.shared.release_program.code_files import program_downloads
from pages.shared.release_program.program import Statistic, level_text, noise_facts, release_downloads
from pages.shared.shared_parameters import EPSILON, MECHANISMS, SEED, SIGNIFICANCE
from pages.shared.site_map import SURVEY
from pages.shared.statements import Release, off_by, public_size, release_statements
from pages.survey import parameters, text
from pages.survey.code import claims, snippets
from pages.survey.parameters import KNOWN, METHOD, METHOD_HELP, N_OPTIONS, N_PEOPLE, OFFICE, SHARE, WANTED
from pages.survey.results import LINES, SAMPLING, SurveyResult, compute_result
from pages.survey.text import method_words

_HEIGHT = 380
_LOOKS = {
    "randomized_response": ("orange", "dash"),
    "subset_selection": ("analytic", "solid"),
    "optimized_unary": ("green", "dot"),
    "symmetric_unary": ("rose", "longdash"),
    "hadamard": ("purple", "dashdot"),
    OFFICE: ("text", "solid"),
    SAMPLING: ("quiet", "longdashdot"),
}


def _figure(frame: pd.DataFrame, title: str, subtitle: str, x: dict[str, Any], colours: Colours) -> dict[str, Any]:
    place, *columns = frame.columns
    values = 100 * frame[columns].to_numpy()
    first, last = decades(99, -99, *values[values > 0])
    traces = []
    for column in columns:
        shade, dash = _LOOKS[column]
        x_values, y_values = frame[place].to_numpy(), positive_or_nan(100 * frame[column].to_numpy())
        traces.append(line(x_values, y_values, LINES[column], colours[shade], dash, hovertemplate="±%{y:.4~g}"))
    y = log_axis("± (percentage points)", first, last)
    return {"data": traces, "layout": layout(colours, title, chart_text(subtitle), x, y) | {"height": _HEIGHT}}


def error_chart(result: SurveyResult, colours: Colours) -> Exhibit:
    """Return the chart of the error over ε, whose line is a handle."""
    setting, frame = result.setting, result.over_epsilon
    ends = np.log10(frame["epsilon"].to_numpy()[[0, -1]])
    x = log_axis("ε", *map(round, ends.tolist())) | hover_head("ε")
    subtitle = f"{text.people_and_share(result)}, {setting.n_options:,.0f} options"
    figure = _figure(frame, "The error over ε", subtitle, x, colours)
    key, picks = ("", ("", WANTED.key)) if setting.is_error_known else ("epsilon", ("epsilon", ""))
    hairline(figure["layout"], colours, setting.epsilon, f"ε = {format_nearest(setting.epsilon)}", key)
    if setting.known != "epsilon":
        wanted = setting.wanted_points
        span = {"x0": 0, "x1": 1, "xref": "x domain", "y0": wanted, "y1": wanted}
        style = {"color": colours["text"], "width": 1.5, "dash": "dot"}
        figure["layout"]["shapes"].append({"type": "line", "line": style} | span)
        note = {"text": f"wanted: ±{format_input_up(wanted)}", "showarrow": False, "font": {"size": TYPE}}
        note |= {"x": 1, "xref": "x domain", "xanchor": "right", "y": np.log10(wanted), "yanchor": "bottom"}
        figure["layout"]["annotations"].append(note)
    return Exhibit("over_epsilon", figure, text.epsilon_alternative(result), frame, _file_header(result), picks)


def options_chart(result: SurveyResult, colours: Colours) -> Exhibit:
    """Return the chart of the error over the number of options, whose line is a handle."""
    frame, d = result.over_options, result.setting.n_options
    x = log_axis("number of options d", 0, round(float(np.log10(frame["n_options"].iloc[-1])))) | hover_head("d")
    subtitle = f"{text.people_and_share(result)}, ε = {format_input_up(result.setting.epsilon)}"
    figure = _figure(frame, "The error over the options", subtitle, x, colours)
    hairline(figure["layout"], colours, d, f"d = {format_nearest(d)}", "n_options")
    alternative = text.options_alternative(result)
    return Exhibit("over_options", figure, alternative, frame, _file_header(result), ("n_options", ""))


def trial_chart(result: SurveyResult, colours: Colours) -> Exhibit | None:
    """Return the chart of a survey for trial, where one is drawn: true shares as bars, and each estimate with its ±."""
    if (trial := result.trial) is None:
        return None
    options = np.arange(1, trial.truth.size + 1)
    truth, estimate, size = (100 * part for part in (trial.truth, trial.estimate, trial.half_width))
    highest = float(np.max([truth.max(), (estimate + size).max()]))
    lowest = float(np.min([0.0, (estimate - size).min()]))
    x = {"range": [0.3, options.size + 0.7], "tickformat": "d", "title": {"text": "option"}}
    x |= {"dtick": ceil(options.size / 16)}
    end = min(round_axis_end(1.05 * highest), max(100.0, 1.05 * highest))  # beyond 100 % for the ends of a ± alone
    y = {"range": [lowest * 1.05, end], "nticks": 6, "title": {"text": "share (%)"}}
    bars = {"type": "bar", "name": "true share", "x": options, "y": compact(truth), "width": 0.7}
    bars |= {"marker": {"color": colours["floor"]}, "hovertemplate": "truth %{y:.4~g} %<extra></extra>"}
    reach = {"type": "data", "array": compact(size), "thickness": 1.2, "width": 3, "color": colours["analytic"]}
    marker, hover = {"color": colours["analytic"], "size": 7}, "estimate %{y:.4~g} %<extra></extra>"
    dots = markers(options, estimate, "the estimate, with its ±", marker, error_y=reach, hovertemplate=hover)
    subtitle = chart_text(text.trial_subtitle(result))
    figure = layout(colours, "A survey for trial", subtitle, x, y) | {"height": _HEIGHT}
    header = _file_header(result) | {"seed": exact_text(result.setting.seed)}
    picture = {"data": [bars, dots], "layout": figure}
    return Exhibit("trial", picture, text.trial_text(trial, result), lambda: trial.frame, header)


def sides(result: SurveyResult, _: Colours) -> Exhibit:
    """Return the table of phones beside a trusted office."""
    html, alternative = text.sides_html(result), text.sides_alternative(result)
    frame = pd.DataFrame([{"side": side} | asdict(numbers) for side, numbers in result.sides.items()])
    return Exhibit("sides", html, alternative, frame, _file_header(result))


def ways(result: SurveyResult, _: Colours) -> Exhibit:
    """Return the table of the error and of the people who are enough, by each way."""
    return Exhibit("ways", text.ways_html(result), text.ways_alternative(result), result.ways, _file_header(result))


def _file_header(result: SurveyResult) -> dict[str, str]:
    setting = result.setting
    keys = "known", "epsilon", "significance", "n_people", "n_options", "option_share", "wanted_error"
    units = "errors are half-widths as shares of 1, those of the noise alone, and of sampling in its column"
    entries = {key: repr(getattr(setting, key)) for key in keys}
    return entries | {"method": result.method, "answer": result.side, "units": f"{units}; epsilon in nats"}


_SURVEY = Subject(
    limit="each person answers once",
    unlimited="a person can answer more often, and the ε of all answers add up",
    limit_remedy="Let a device keep its first report and repeat it, or divide ε among the answers. If {limit}:",
    fixed="the options were fixed in advance",
    from_data="the options come from the answers",
    question="Were the options fixed before anybody answered?",
    risk="an option that comes from the answers reveals that somebody gave it",
    remedy="Ask with a fixed list of options, and one option “other” for all that is not on it. With a fixed list:",
    is_fixed_in_headline=False,
    can_have_limit=False,
    is_local=True,
    has_office=True,
)
_BY_OFFICE = replace(
    _SURVEY,
    unlimited="a person can answer more often",
    limit_remedy="Keep one answer of each person, chosen at random. If {limit}:",
)


def survey_conditions(result: SurveyResult) -> Conditions:
    """Return the conditions of a survey."""
    return release_conditions(result.conditions, _BY_OFFICE if result.is_office else _SURVEY)


_METHOD = Field(METHOD, "Method", METHOD_HELP)


_SOURCES = {
    "randomized_response": "Warner 1965; Kairouz, Oh & Viswanath 2016",
    "optimized_unary": "Wang, Blocki, Li & Jha 2017",
    "symmetric_unary": "Wang, Blocki, Li & Jha 2017",
    "subset_selection": "Ye & Barg 2018",
    "hadamard": "Acharya, Sun & Zhang 2019",
}


def statements(result: SurveyResult) -> Statements:
    """Return the statements on a survey; with few people nothing is said of its error, whose formula is rough."""
    setting = result.setting
    error = "", ""
    if not result.is_rough:
        what = f"the estimate of a share of {percent(setting.option_share, 10)}"
        exact = "the share among those who answer"
        stated = off_by(what, 100 * result.answer_error, setting.significance, "percentage points", exact=exact)
        of_people = f"surveys of {setting.n_people:,.0f} people"
        population = result.sides[result.side].population_error
        beyond = "As often it is within {} of the population’s share, if they are a random sample"
        public, numbers = (re.sub(r"(% of|100) releases", rf"\1 {of_people}", part) for part in stated)
        sizes = public_size(100 * population), f"±{text.points(population)}"
        public, numbers = (
            f"{part}. {beyond.format(size)}" for part, size in zip((public, numbers), sizes, strict=True)
        )
        error = public, numbers
    if result.is_office:
        return release_statements(_office_release(result, error), survey_conditions(result))
    stated = Release(
        noise="Your phone may lie for you: what it sends is drawn at random, and only more probably what you answer",
        error=error,
        mechanism=f"{method_words(result)} over {setting.n_options:,.0f} options, on the device of each of "
        f"{setting.n_people:,.0f} people",
        proof=f"local DP of each report by itself; {_SOURCES[result.method]}",
        epsilon=format_input_up(setting.epsilon),
        neighbours="replace",
    )
    drawn = f"The device of each person draws at random, by {method_words(result)}, what it sends instead of the answer"
    others = replace(stated, noise=drawn)
    conditions = survey_conditions(result)
    rest = release_statements(others, conditions)
    return replace(rest, public=release_statements(stated, conditions).public)


def _office_release(result: SurveyResult, error: tuple[str, str]) -> Release:
    moved = "one count by 1" if result.is_binary else "two counts by 1"
    return Release(
        noise="Random noise is added to the counts of the answers before their shares are published",
        error=error,
        added=method_words(result),
        mechanism=f"{method_words(result)}, on {text.count_words(result)}",
        proof=f"the Laplace mechanism (Dwork et al. 2006), for an answer that moves {moved}",
        epsilon=format_input_up(result.setting.epsilon),
        neighbours="replace",
    )


def downloads(result: SurveyResult) -> Downloads | None:
    """Return the program of the survey: what a device sends, and the shares of all reports; and that of an office."""
    if result.is_office:
        return office_downloads(result)
    setting, size = result.setting, {"randomized_response": 1, "subset_selection": result.subset_size}
    p, _, q, _, gap = result.report_probabilities
    facts = {"name": "Survey", "method": result.method, "size": size.get(result.method, 0), "epsilon": setting.epsilon}
    facts |= {"n_options": int(setting.n_options), "p": p, "q": q, "gap": gap}
    facts |= {"z": float(gaussian.half_width(setting.significance, 1.0)), "level": level_text(setting.significance)}
    facts |= {"neighbours": "replace", "unit": "person"}
    files = program_downloads(SURVEY_PROGRAM, facts, survey_conditions(result), lambda: statements(result))
    office = office_downloads(result)
    if office is None:
        return files
    own = tuple(replace(file, label=f"Trusted office (.{file.name.rpartition('.')[2]})") for file in office.files)
    return replace(files, text=f"{files.text} {_OFFICE_TEXT}", files=(*files.files, *own))


_OFFICE = replace(_BY_OFFICE, is_local=False)
_OFFICE_TEXT = (
    "An office that people trust with their true answers adds less noise: its program reads your CSV file of answers, "
    "publishes noisy counts, and needs OpenDP."
)


def office_downloads(result: SurveyResult) -> Downloads | None:
    """Return the program of an office that holds the true answers; None where a condition for one is denied.

    It adds the Laplace noise of the page to the count of each option or, of two options, to the share of one.
    """
    setting, conditions, is_share = result.setting, release_conditions(result.conditions, _OFFICE), result.is_binary
    if conditions.refusal:
        return None
    least = int(setting.n_people) if is_share else 1
    moved = 1.0 / least if is_share else 2.0
    scale = float(laplace.scale_from_epsilon(setting.epsilon, 0.0, moved))
    noise = NoiseDistribution("laplace", (scale,), scale)
    statistic = Statistic(
        name="Share" if is_share else "Answers",
        kind="mean" if is_share else "table",
        **noise_facts(noise),
        l1=moved,
        l2=moved,
        half_width=noise.half_width(setting.significance),
        level=level_text(setting.significance),
        unit="share of those who answer" if is_share else "people",
        n_cells=None if is_share else int(setting.n_options),
        n_records=least,
        note=_ONE_AND_ZERO if is_share else _SHARES,
    )
    return release_downloads(
        (statistic,), (setting.epsilon, 0.0), "replace", conditions, lambda: office_statements(result, noise, moved)
    )


_ONE_AND_ZERO = "The column has 1 for one of the two options, and 0 for the other."
_SHARES = "A share is a count divided by the number of all answers, which is public."


def office_statements(result: SurveyResult, noise: NoiseDistribution, moved: float) -> Statements:
    """Return the statements on the counts, or the share, of an office."""
    setting, is_share = result.setting, result.is_binary
    what = "the share" if is_share else "each count of answers"
    size = noise.half_width(setting.significance)
    least = f"at least {setting.n_people:,.0f} people answer, and " if is_share else ""
    stated = Release(
        noise=f"Random noise is added to {what} before it is published",
        error=off_by("the published share" if is_share else "any one published count", size, setting.significance),
        mechanism=f"Laplace noise, b = {format_up(noise.scale)}; Δ₁ = {format_up(moved)}",
        proof=FAMILIES["laplace"].calibration.theorem,
        epsilon=format_input_up(setting.epsilon),
        neighbours="replace",
    )
    known = release_conditions(result.conditions, _OFFICE)
    return release_statements(stated, replace(known, assumptions=(f"{least}how many people answer is public",)))


def controls(result: SurveyResult) -> Sequence[Field | Parameter]:
    """Return the options, what is known of the people, ε and the error, a share, and the method or the error."""
    known = result.setting.known
    people = () if known == "people" else (N_PEOPLE,)
    given = {"epsilon": (EPSILON,), "people": (EPSILON, WANTED), "accuracy": (WANTED,)}[known]
    rest = WANTED if known == "epsilon" else _METHOD
    return N_OPTIONS, *people, Field(KNOWN, "I want to know"), *given, SHARE, rest


def more_settings(result: SurveyResult) -> Sequence[Field | Parameter]:
    """Return the method of phones where the wanted error is beside the picture, the confidence, and what is drawn."""
    method = (_METHOD,) if result.setting.known == "epsilon" else ()
    return (*method, SIGNIFICANCE, Field(MECHANISMS, "Methods in the charts"))


def _trial_parts(result: SurveyResult, colours: Colours) -> Sequence[Exhibit | Fields | str | None]:
    """Return a survey for trial, or the sentence on why there is none."""
    if result.trial is None:
        return (text.NO_TRIAL,)
    return trial_chart(result, colours), text.trial_text(result.trial, result), Fields((SEED,))


def parts(result: SurveyResult, colours: Colours) -> Iterator[Part]:
    """Yield the error over ε and the options, phones beside an office, what to do, and what to tell who answers."""
    yield Row((error_chart(result, colours), options_chart(result, colours)))
    yield sides(result, colours)
    yield text.survey_steps_text(result)
    yield Fold(lambda: (ways(result, colours),), name="Every method in numbers")
    if result.is_office:
        return
    yield text.participants_text(result)
    yield Fold(lambda: _trial_parts(result, colours), name="A survey for trial")
    yield Fold((text.together_text(result),), name="All shares at once")
    yield Fold((text.repeated_text(result),), name="If you ask the same people again")
    yield Fold((text.shuffled_text(result),), name="If the reports are shuffled")


SECTION = Section[SurveyResult](
    key="shares",
    name="Shares",
    controls=controls,
    more_settings=more_settings,
    idle=lambda result: {"people": (N_PEOPLE,), "accuracy": (EPSILON,)}.get(result.setting.known, ()),
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda _: text.EXPLANATION,
    conditions=survey_conditions,
    exhibits=(error_chart, options_chart, sides, ways, trial_chart),
    claims=claims,
    snippets=snippets,
    statements=statements,
    downloads=downloads,
)

PAGE = Page(SURVEY, parameters.PARAMETERS, compute_result, sections=(SECTION,), correct=parameters.correct)
