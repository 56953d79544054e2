"""The page that asks a class: its sentences, its exhibits, its section and its record."""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from textwrap import wrap

import numpy as np
import pandas as pd

from dpcore import local, verify
from dpcore.checks import Array
from pages.framework.chart.theme import TYPE, compact, hover_head, layout, line, transparent
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.offers import Invitation
from pages.framework.layout.page import Page
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Claim, Field, Fold, Part, Row, Section, Snippet
from pages.framework.parameters.number_format import (
    chart_text,
    escape_markdown,
    exact_text,
    format_input_up,
    format_up,
    percent,
    percent_down,
    percent_up,
    plural,
    table_html,
)
from pages.framework.parameters.parameter import Parameter
from pages.live_class.results import (
    METHOD,
    N_SIMULATED,
    NO_NOISE,
    OFFICE,
    OPTIONS,
    PARAMETERS,
    PRIORS,
    QUESTION,
    SIMULATED_SHARE,
    WANTED_ERROR,
    LiveResult,
    class_size_text,
    compute_result,
    correct,
    cut,
    epsilon_text,
    larger_epsilon,
    points,
    share_text,
)
from pages.live_class.rooms import LIFETIME, MAX_PHONES
from pages.shared.formulas import share
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.shared_parameters import EPSILON, SEED, SIGNIFICANCE, more_text
from pages.shared.site_map import LIVE_CLASS

EXPLANATION = r"""
**On the phone.** Of $2^{53}$ draws of the phone, $w=\lceil 2^{53}/(e^\varepsilon+d-1)\rceil$ report a given other
option, and the remaining ones report the answer: $p=1-(d-1)w/2^{53}$, $q=w/2^{53}$. Since w is rounded up,
$\ln(p/q)\le\varepsilon$ holds exactly. The phone sends the report alone; a second try sends the same one.

**The estimate** of a share is $(c/n-q)/(p-q)$, where c of n reports have the option. It can be below 0 % or above
100 %; what is shown, with its interval, is cut to 0 to 100 %, and the CSV file has it as it is.

**The ±** is exact: of m people with the option $\mathrm{Bin}(m,p)$ reports count, of the others $\mathrm{Bin}(n-m,q)$.
It is the largest of those at the true shares 0, ¼, ½, ¾ and 1. The office adds Laplace noise of scale $2/\varepsilon$
to each count, as a person who has another option moves two counts; of two options one count is enough, with
$1/\varepsilon$, since the other is the rest.

**One student.** Whatever a phone sends, a belief π in an answer becomes at most
$\frac{\pi e^\varepsilon}{\pi e^\varepsilon+1-\pi}$. The ε of several questions in a room add up.

**The room** is in the memory of the server, without names, and on no disk. A phone has one report in a round; somebody
with several browsers has several. “End the room” deletes it; else it goes after two hours, or minutes after you close
this tab. A reload of the tab, or a lost connection, leaves it: the tab keeps a secret with which it takes its room over
within two minutes. No other tab can, and no link has the secret. A demonstration in another tab of this browser gets
the numbers of reports to its question, and forgets them when it is left or the room ends.
"""


def answer_text(result: LiveResult) -> tuple[str, ...]:
    """Return the estimate with its error, and without a class what one report tells.

    A class sees no other number before it is folded out: its question may ask for that.
    """
    respondents = plural(result.n_reports, "report" if result.is_class else "simulated student")
    if result.is_counting and result.n_reports:
        return (f"**{respondents}** of up to {MAX_PHONES} phones. **{CLOSE}** shows what they say.",)
    if not result.has_noise:
        return _exact_text(result)
    if not result.n_reports:
        return (f"**No reports yet** of up to {MAX_PHONES} phones. Each draws at random what it sends.",)
    if result.error >= 1:
        first = f"From {respondents} **nothing is learnt yet**: each share can be from 0 to 100 %."
    else:
        first = (
            f"Of {respondents}, “{escape_markdown(result.question.options[result.leader])}” has the largest share: "
            f"**{share_text(result, result.leader)}** ({share(result.setting.significance)} of classes)."
        )
    if result.is_class:
        return (first,)
    office = "learn nothing either" if result.office_error >= 1 else f"have ±{points(result.office_error)}"
    rest = [f"a trusted office that adds the noise would {office}"]
    if result.truth is not None:
        rest.append(f"the simulated truth is {percent(float(result.truth[result.leader]), 3)}")
    rest.append(f"after one report, a belief of {percent(PRIORS[1])} is at most {after(result, PRIORS[1])}")
    return first, f"At ε = {format_input_up(result.question.epsilon)}: {'; '.join(rest)}."


def _exact_text(result: LiveResult) -> tuple[str, ...]:
    """Return the result of a vote without noise."""
    if not result.n_reports:
        return (f"**No votes yet** of up to {MAX_PHONES} phones, which send their answers as they are, without noise.",)
    leader = escape_markdown(result.question.options[result.leader])
    first = (
        f"Of {plural(result.n_reports, 'vote')}, **{percent(result.estimate(result.leader), 3)}** are for “{leader}”."
    )
    return first, "Without noise: the shares are exact, and no ε protects the students."


def after(result: LiveResult, prior: float) -> str:
    """Return the text of what a belief in an answer of one student becomes at most, after the report."""
    return percent_up(float(result.reveal[f"after_{prior}"].iloc[1]), 3)


def reveal_html(result: LiveResult) -> str:
    """Return the table of what one report and all of them tell, as HTML."""
    heads = ["Way", "True answer sent", "± of a share, percentage points"]
    heads += [f"Belief of {percent(prior)} becomes at most" for prior in PRIORS]
    rows = [
        [
            f"{'A trusted office' if row['way'] == OFFICE else 'Phones'}, {epsilon_text(row['epsilon'])}",
            percent_down(row["truthful"], 3) + (", to the office" if row["way"] == OFFICE else ""),
            _error_text(row["half_width"]),
            *(percent_up(row[f"after_{prior}"], 3) for prior in PRIORS),
        ]
        for row in result.reveal.to_dict("records")
    ]
    return table_html("What one report tells", "readings", heads, rows)


def _error_text(half_width: float) -> str:
    if math.isnan(half_width):
        return "no reports yet"
    return "nothing is learnt" if half_width >= 1 else points(half_width)


def student_text(result: LiveResult) -> str:
    """Return what can be concluded about one student, in Markdown."""
    name = escape_markdown(result.question.options[0])
    return (
        f"**One student.** You see a phone send “{name}”. If you believed that answer with {percent(PRIORS[1])} from "
        f"all else you know, you now believe it with at most {after(result, PRIORS[1])}. The class is "
        "known, the student is not: at ε = 0 nobody learns anything, and at ε = 8 phones hardly lie."
        + more_text("randomised_response", "randomised response")
    )


def invitation_text(result: LiveResult) -> str:
    """Return the words above the link of a room, in Markdown."""
    current = result.round
    if current is None:
        words = "No room is open: the students are simulated. Open a room, and a class answers on its phones."
        return f"{words}\n\n{class_size_text(result)}"
    if current.question is None:
        return "The room has no question."
    counted = plural(result.n_reports, "report")
    state = "Open" if current.is_open else "Closed"
    words = f"**{counted}.** {state}: {escape_markdown(current.question.words)}"
    words += "\n\n" + "\n".join(f"- {escape_markdown(option)}" for option in current.question.options)
    if result.has_noise and not current.is_open and (not result.n_reports or result.error > WANTED_ERROR):
        words += f"\n\n{class_size_text(result)}"
    if current.number == 1:
        return words
    if current.spent.is_infinite():
        return f"{words}\n\nQuestions so far: {current.number}, not all with noise."
    together = format_input_up(float(current.spent))
    return f"{words}\n\nQuestions add up: {current.number} so far, ε = {together} for a student who answers each."


def votes_text(result: LiveResult) -> str:
    """Return how many phones sent each option, and which shares of answers follow; empty before the first report."""
    if not result.is_class or not result.n_reports:
        return ""
    options = result.options
    if not result.has_noise:
        listed = zip(options["option"], options["estimate"].tolist(), strict=True)
        votes = "; ".join(f"“{option}” {percent(part, 2)}" for option, part in listed)
        return f"The class, {plural(result.n_reports, 'phone')}, without noise: {votes}."
    counts = np.bincount(result.reports, minlength=result.n_options).tolist()
    sent = "; ".join(f"“{option}” {count:,}" for option, count in zip(options["option"], counts, strict=True))
    draws = f"Phones draw at random what they send (ε = {format_input_up(result.question.epsilon)})"
    follows = "nothing is learnt yet"
    if result.error < 1:
        shares = ", ".join(percent(cut(share), 2) for share in options["estimate"].tolist())
        follows = f"the estimated shares of answers are {shares}, each ± {format_up(100 * result.error, 2)} points"
    return f"The class, {plural(result.n_reports, 'phone')}: {sent}. {draws}: {follows}."


CLOSE = "Close the round and show the answers"
ROOM_END = f"A room ends after {LIFETIME / 3600:.0f} hours, or minutes after you close this tab."

_HEIGHT = 380
_COMING = "Here the shares of all answers appear<br>once the round is closed."
_SHARES = [0.0, 100.0]  # percent: what a share can be
_SHARE_AXIS = {"title": {"text": "share (%)"}, "range": _SHARES, "nticks": 9}
_LABEL = 16  # characters on a line of an option below its bar


def _cut_shares(frame: pd.DataFrame) -> tuple[Array, Array, Array]:
    """Return the estimates and the ends of their intervals in percent, each cut to what a share can be."""
    estimate, size = 100 * frame["estimate"].to_numpy(), 100 * frame["half_width"].to_numpy()
    estimate, low, high = (np.clip(values, *_SHARES) for values in (estimate, estimate - size, estimate + size))
    return estimate, low, high


_OTHERS = {
    OPENDP: "It has randomised response, and states no error of a class.",
    DP_ACCOUNTING: "It accounts for privacy, and has no surveys.",
    DIFFPRIVLIB: "It has randomised response of two options, and states no error of a class.",
    OPACUS: "It trains models, and has no surveys.",
}


def answers_chart(result: LiveResult, colours: Colours) -> Exhibit:
    """Return the chart of the estimate of the first option after so many answers, with its band."""
    result = result.shown
    frame, name = result.over_answers, result.question.options[0]
    places, estimate, low, high = frame["answers"].to_numpy(), *_cut_shares(frame)
    edge = {"line": {"width": 0, "shape": "hv"}, "hoverinfo": "skip", "showlegend": False}
    lower = line(places, low, "lower end", colours["analytic"], "solid") | edge
    upper = line(places, high, "with its ±", colours["analytic"], "solid") | edge
    is_seen = bool(np.any(high - low > 1))  # a band of less than a point is no wider than the line
    upper |= {"fill": "tonexty", "fillcolor": transparent(colours["analytic"]), "showlegend": is_seen}
    middle = line(places, estimate, "the estimate", colours["analytic"], "solid", hovertemplate="%{y:.3~g} %")
    middle |= {"mode": "lines+markers", "marker": {"size": 6, "color": colours["analytic"]}}
    middle["line"] |= {"shape": "hv"}  # between two marks nothing is known but the first
    traces = [lower, upper, middle]
    if result.truth is not None:
        truth = np.full(places.size, 100 * result.truth[0])
        traces.append(line(places, truth, "the truth, simulated", colours["text"], "dash", hovertemplate="%{y:.3~g} %"))
    x = {"title": {"text": "number of answers"}, "range": [0, max(10, result.n_reports) * 1.03], "tickformat": "d"}
    title = f"The share of “{chart_text(name)}”, as the answers come"
    axes = layout(colours, title, _subtitle(result), x | hover_head("n"), _SHARE_AXIS) | {"height": _HEIGHT}
    words = f"The estimated share of “{name}” over the number of answers"
    if result.n_reports:
        words += f", with a band that narrows like 1/√n: after {result.n_reports}, {share_text(result, 0)}."
    else:
        words += ": there are none yet."
    return Exhibit("over_answers", {"data": traces, "layout": axes}, words, frame, _header(result))


def options_chart(result: LiveResult, colours: Colours) -> Exhibit:
    """Return the chart of each option: the share of the reports, and the estimated share of the answers with its ±."""
    is_open, result = result.is_counting, result.shown
    frame = result.options
    places = np.arange(1, result.n_options + 1)
    bars = {"type": "bar", "name": "reported", "x": places, "y": compact(100 * frame["reported"].to_numpy())}
    bars |= {"width": 0.6, "marker": {"color": colours["floor"]}}
    bars |= {"hovertemplate": "reported %{y:.3~g} %<extra></extra>"}
    marks = {"type": "scatter", "mode": "markers", "x": places, "hovertemplate": "%{y:.3~g} %<extra></extra>"}
    estimate, low, high = _cut_shares(frame)
    size = {"type": "data", "array": compact(high - estimate), "arrayminus": compact(estimate - low)}
    size |= {"thickness": 1.4, "width": 5}
    dots = marks | {"name": "the estimate, with its ±", "y": compact(estimate)}
    dots |= {"error_y": size | {"color": colours["analytic"]}, "marker": {"color": colours["analytic"], "size": 9}}
    traces = [bars, dots]
    if result.truth is not None:
        mark = {"symbol": "line-ew-open", "size": 26, "color": colours["text"], "line": {"width": 2}}
        traces.append(marks | {"name": "the truth, simulated", "y": compact(100 * result.truth), "marker": mark})
    labels = ["<br>".join(map(chart_text, wrap(option, _LABEL))) for option in result.question.options]
    x = {"range": [0.4, result.n_options + 0.6], "tickvals": places, "ticktext": labels, "tickangle": 0}
    x["title"] = {"text": "option", "standoff": 20}
    title = "What was reported, and what that says"
    axes = layout(colours, title, _subtitle(result), x, _SHARE_AXIS)
    words = "The shares of all options: there are no reports yet."
    if not result.n_reports:
        coming = _COMING if is_open else "No phone answered."
        middle = {"x": 0.5, "y": 0.5, "xref": "paper", "yref": "paper", "showarrow": False}
        axes["annotations"].append(middle | {"text": coming, "font": {"size": TYPE, "color": colours["quiet"]}})
    else:
        shares = (f"{option}: {share_text(result, place)}" for place, option in enumerate(result.question.options))
        words = f"The estimated shares: {'; '.join(shares)}."
    return Exhibit("options", {"data": traces, "layout": axes | {"height": _HEIGHT}}, words, frame, _header(result))


def reveal(result: LiveResult, _: Colours) -> Exhibit:
    """Return the table of what one report and all of them tell."""
    beliefs = " and ".join(f"{percent(prior)} becomes at most {after(result, prior)}" for prior in PRIORS)
    tells = f"What one report tells, {epsilon_text(result.question.epsilon)}: a belief of {beliefs}."
    return Exhibit("reveal", reveal_html(result), tells, result.reveal, _header(result))


def _subtitle(result: LiveResult) -> str:
    """Return what was asked, of whom, and at which ε."""
    respondents = "" if result.is_class else "simulated students · "
    words = f"{respondents}{result.question.words} · {epsilon_text(result.question.epsilon)}"
    is_cut = result.n_reports and any(cut(part) != part for part in result.options["estimate"].tolist())
    return chart_text(f"{words} · shares cut to 0 to 100 %" if result.has_noise and is_cut else words)


def _header(result: LiveResult) -> dict[str, str]:
    entries = {
        "epsilon": exact_text(result.question.epsilon) if result.has_noise else NO_NOISE,
        "significance": exact_text(result.setting.significance),
        "question": result.question.words,
        "reports": str(result.n_reports),
        "source": "a class" if result.is_class else "simulated students",
    }
    return entries | {"units": "shares and their half-widths as shares of 1; epsilon in nats"}


def invitation(result: LiveResult) -> Invitation:
    """Return the link for the phones, with the buttons of the room."""
    current, words = result.round, invitation_text(result)
    if current is None:
        return Invitation(words, (("ask", "Open a room and ask"), *_other_ways(result)), note=ROOM_END)
    actions = [("close", CLOSE)] if current.is_open else []
    actions += [("ask", "Ask this question"), *_other_ways(result), ("leave", "End the room")]
    state = current.number, current.is_open, len(current.reports)
    votes = result.question.words, votes_text(result)
    return Invitation(words, tuple(actions), f"class/{current.code}", state, ROOM_END, votes)


def _other_ways(result: LiveResult) -> list[tuple[str, str]]:
    """Return the buttons that ask a small class: at a larger ε, and without noise."""
    larger = larger_epsilon(result.setting)
    named = [] if larger is None else [("ask_larger", f"Ask at ε = {format_input_up(larger)}")]
    return [*named, ("ask_exactly", "Ask without noise")]


def controls(result: LiveResult) -> Sequence[Field | Parameter]:
    """Return the question, its options, ε, and the simulated students where no class answers."""
    fields = Field(QUESTION, "Question"), Field(OPTIONS, "Options, between commas"), EPSILON
    return fields if result.is_class else (*fields, N_SIMULATED)


def more_settings(result: LiveResult) -> Sequence[Field | Parameter]:
    """Return the confidence, and what simulated students answer."""
    return (SIGNIFICANCE,) if result.is_class else (SIGNIFICANCE, SIMULATED_SHARE, SEED)


def parts(result: LiveResult, colours: Colours) -> Iterator[Part]:
    """Yield the estimate beside the link for the phones, the shares of all options, and what one report tells."""
    yield Row((options_chart(result, colours), invitation(result)))
    if result.is_counting:
        return
    yield answers_chart(result, colours)
    if result.has_noise:
        known = "What can be concluded about one student?"
        yield Fold(lambda: (student_text(result), reveal(result, colours)), name=known)


def snippets(result: LiveResult) -> tuple[Snippet, ...]:
    """Return the program of the error."""
    if not result.n_reports or not result.has_noise:
        why = "There are no reports yet." if result.has_noise else "Without noise nothing is estimated."
        return (Snippet(DPCORE, "", why), *unavailable(_OTHERS))
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
    if not result.has_noise:
        return
    weight, d = result.question.weight, result.n_options
    own, epsilon = local.N_DRAWS - (d - 1) * weight, result.question.epsilon
    matrix = [[Decimal(own if report == answer else weight) for report in range(d)] for answer in range(d)]
    subject = f"δ({format_input_up(epsilon)}) of what a phone sends, for any two answers"
    arguments = {"epsilon": Decimal(exact_text(epsilon)), "matrix": matrix}
    yield Claim(subject, Decimal(0), verify.randomizer_delta, arguments)


SECTION = Section[LiveResult](
    key="ask",
    name="Ask the class",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=answer_text,
    explanation=lambda _: EXPLANATION,
    claims=claims,
    snippets=snippets,
    exhibits=(options_chart, answers_chart, reveal),
)
PAGE = Page(LIVE_CLASS, PARAMETERS, compute_result, sections=(SECTION,), correct=correct)
