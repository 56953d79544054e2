"""The sentences of a class that is asked."""

import math

from pages.framework.parameters.number_format import (
    escape_markdown,
    format_input_up,
    format_up,
    percent,
    percent_up,
    plural,
    table_html,
)
from pages.live_class.results import OFFICE, PRIORS, LiveResult
from pages.live_class.rooms import LIFETIME, MAX_PHONES
from pages.shared.error_text import share
from pages.shared.glossary_links import more_text

EXPLANATION = r"""
**On the phone.** Of $2^{53}$ draws of the phone, $w=\lceil 2^{53}/(e^\varepsilon+d-1)\rceil$ report a given other
option, and the remaining ones report the answer: $p=1-(d-1)w/2^{53}$, $q=w/2^{53}$. Since w is rounded up,
$\ln(p/q)\le\varepsilon$ holds exactly. The phone sends the report alone; a second try sends the same one.

**The estimate** of a share is $(c/n-q)/(p-q)$, where c of n reports have the option. It can be below 0 % or above
100 %.

**The ±** is exact: of m people with the option $\mathrm{Bin}(m,p)$ reports count, of the others $\mathrm{Bin}(n-m,q)$.
It is the largest of those at the true shares 0, ¼, ½, ¾ and 1. The office adds Laplace noise of scale $2/\varepsilon$
to each count, as a person who has another option moves two counts; of two options one count is enough, with
$1/\varepsilon$, since the other is the rest.

**One student.** Whatever a phone sends, a belief π in an answer becomes at most
$\frac{\pi e^\varepsilon}{\pi e^\varepsilon+1-\pi}$. The ε of several questions in a room add up.

**The room** is in the memory of the server, without names, and on no disk. A phone has one report in a round; somebody
with several browsers has several. “End the room” deletes it; else it goes after two hours, or minutes after you close
this tab. A reload of the tab, or a lost connection, leaves it: the tab keeps a secret with which it takes its room over
within two minutes. No other tab can, and no link has the secret.
"""


def answer_text(result: LiveResult) -> tuple[str, ...]:
    """Return the estimate with its error, and what one report tells."""
    who = "reports" if result.is_class else "simulated students"
    name = escape_markdown(result.question.options[0])
    if not result.n_reports:
        first = f"**No reports yet** of up to {MAX_PHONES} phones. Each draws at random what it sends."
    elif result.error >= 1:
        first = f"From {result.n_reports} {who} **nothing is learnt yet**: the share of “{name}” is within ±100 points."
    else:
        first = (
            f"Of {result.n_reports} {who}, “{name}” has a share of **{percent(result.estimate, 3)} "
            f"± {points(result.error)} percentage points** ({share(result.setting.significance)} of classes)."
        )
    rest = [f"a trusted office: ±{points(result.office_error)}"] if result.n_reports else []
    rest += [] if result.truth is None else [f"the truth, simulated: {percent(float(result.truth[0]), 3)}"]
    believed = (
        f"after one report, a belief of {percent(PRIORS[1])} is at most {percent_up(after(result, PRIORS[1]), 3)}"
    )
    second = "; ".join((*rest, believed))
    return first, f"At ε = {format_input_up(result.question.epsilon)}: {second}."


def after(result: LiveResult, prior: float) -> float:
    """Return what a belief in an answer of one student becomes at most, after the report."""
    return float(result.reveal[f"after_{prior}"].iloc[1])


def points(half_width: float) -> str:
    """Return a half-width in percentage points, rounded up.

    >>> points(0.1234)
    '12.34'
    """
    return format_up(100 * half_width)


def chart_subtitle(result: LiveResult) -> str:
    """Return what was asked and at which ε."""
    who = "" if result.is_class else "simulated students · "
    return f"{who}{result.question.words} · ε = {format_input_up(result.question.epsilon)}"


def answers_alternative(result: LiveResult) -> str:
    """Return what the chart over the number of answers shows."""
    name = result.question.options[0]
    if not result.n_reports:
        return f"The estimated share of “{name}” over the number of answers: there are none yet."
    return (
        f"The estimated share of “{name}” over the number of answers, with a band that narrows like 1/√n: after "
        f"{result.n_reports}, {percent(result.estimate, 3)} ± {points(result.error)} percentage points."
    )


def options_alternative(result: LiveResult) -> str:
    """Return what the chart of all options shows."""
    if not result.n_reports:
        return "The shares of all options: there are no reports yet."
    shares = zip(result.question.options, result.options["estimate"].tolist(), strict=True)
    listed = ", ".join(f"{option}: {percent(estimate, 3)}" for option, estimate in shares)
    return f"The estimated shares, each ± {points(result.error)} percentage points: {listed}."


def reveal_html(result: LiveResult) -> str:
    """Return the table of what one report and all of them tell, as HTML."""
    heads = ["Way", "True answer sent", "± of a share, percentage points"]
    heads += [f"Belief of {percent(prior)} becomes at most" for prior in PRIORS]
    rows = [
        [
            f"A trusted office, ε = {format_input_up(row['epsilon'])}"
            if row["way"] == OFFICE
            else f"Phones, ε = {format_input_up(row['epsilon'])}",
            percent_up(row["truthful"], 3) + (", to the office" if row["way"] == OFFICE else ""),
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


def reveal_alternative(result: LiveResult) -> str:
    """Return what the table shows."""
    beliefs = " and ".join(
        f"{percent(prior)} becomes at most {percent_up(after(result, prior), 3)}" for prior in PRIORS
    )
    return f"What one report tells at ε = {format_input_up(result.question.epsilon)}: a belief of {beliefs}."


def student_text(result: LiveResult) -> str:
    """Return what can be concluded about one student, in Markdown."""
    name = escape_markdown(result.question.options[0])
    return (
        f"**One student.** You see a phone send “{name}”. If you believed that answer with {percent(PRIORS[1])} from "
        f"all else you know, you now believe it with at most {percent_up(after(result, PRIORS[1]), 3)}. The class is "
        "known, the student is not: at ε = 0 nobody learns anything, and at ε = 8 phones hardly lie."
        + more_text("randomised_response", "randomised response")
    )


def invitation_text(result: LiveResult) -> str:
    """Return the words above the link of a room, in Markdown."""
    current = result.round
    if current is None:
        return "No room is open: the students are simulated. Open a room, and a class answers on its phones."
    if current.question is None:
        return "The room has no question."
    counted = plural(result.n_reports, "report")
    state = "Open" if current.is_open else "Closed"
    words = f"**{counted}.** {state}: {escape_markdown(current.question.words)}"
    if current.number == 1:
        return words
    together = format_input_up(float(current.spent))
    return f"{words}\n\nQuestions add up: {current.number} so far, ε = {together} for a student who answers each."


ROOM_END = f"A room ends after {LIFETIME / 3600:.0f} hours, or minutes after you close this tab."
