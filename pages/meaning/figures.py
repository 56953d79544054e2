"""The pictures of the page: of 100 people those who are in the data, and every belief before and after a release."""

from typing import Any

from pages.framework.chart.theme import TYPE, ghost, hairline, layout, line
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_input_up, percent
from pages.meaning.results import MeaningResult
from pages.shared.picture_parts import N_PEOPLE, SIDE, people_square

_STEP = 13  # from one square of people to the next
HEADS = {"before": "before", "at_least": "after, at least", "at_most": "after, at most"}


def people_figure(result: MeaningResult, colours: Colours) -> Figure:
    """Draw 100 people for each row of `MeaningResult.people`: filled are those in the data as far as one can tell."""
    subtitle = f"100 people like you, {percent(result.setting.prior)} in the data before; {setting_words(result)}"
    right = _STEP * (len(result.people) - 1) + SIDE - 0.4
    axis = {"visible": False, "fixedrange": True}
    x, y = (
        axis | {"range": [-0.6, right]},
        axis | {"range": [-2.5, SIDE - 0.4], "scaleanchor": "x", "constraintoward": "top"},
    )
    figure = layout(colours, "How many are in the data, as far as anybody can tell?", subtitle, x, y)
    figure |= {"hovermode": False, "showlegend": False, "height": 360}
    traces = []
    for place, (when, number) in enumerate(zip(result.people["when"], result.people["people"], strict=True)):
        traces.append(people_square(number, when, colours, left=_STEP * place, size=9))
        words = f"<b>{number} of {N_PEOPLE}</b><br>{HEADS[when]}"
        figure["annotations"].append(_note(words, _STEP * place + (SIDE - 1) / 2, -0.6))
    return {"data": traces, "layout": figure}


def beliefs_figure(result: MeaningResult, colours: Colours) -> Figure:
    """Draw the belief after a release over the belief before, and that of the page."""
    marks = (0, 0.25, 0.5, 0.75, 1)
    axis = {"range": [0, 1], "tickvals": list(marks), "ticktext": [percent(mark) for mark in marks]}
    x, y = (axis | {"title": {"text": f"belief that you are in the data, {when}"}} for when in ("before", "after"))
    figure = layout(colours, "Every belief, before and after a release", setting_words(result), x, y)
    hairline(figure, colours, result.setting.prior, f"{percent(result.setting.prior)} before", "prior")
    beliefs = result.beliefs
    after = "after any outcome" if result.is_pure else "after a positive test"
    traces = [
        line(beliefs["prior"], beliefs["prior"], "without a release", colours["quiet"], "dot"),
        line(beliefs["prior"], beliefs["at_most"], f"at most, {after}", colours["analytic"], "solid"),
    ]
    if result.is_pure:
        traces.append(line(beliefs["prior"], beliefs["at_least"], f"at least, {after}", colours["analytic"], "dash"))
    if result.pinned is not None:
        pinned = result.pinned.beliefs
        traces.append(line(pinned["prior"], pinned["at_most"], "pinned", "", "") | ghost(colours))
    return {"data": traces, "layout": figure}


def setting_words(result: MeaningResult) -> str:
    """Return the guarantee of the page in a line, with the test that is stated where one is."""
    setting = result.setting
    if result.is_pure:
        return f"pure ε-DP with ε = {format_input_up(setting.epsilon)}"
    return f"{setting.guarantee_text}; a test that is wrong about {percent(setting.alpha)} of the others"


def _note(words: str, x: float, y: float) -> dict[str, Any]:
    return {"text": words, "x": x, "y": y, "yanchor": "top", "showarrow": False, "font": {"size": TYPE + 1}}
