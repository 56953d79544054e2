"""The words of Experiment 5.1: what exact calibration saves, and whether the paper's claim holds."""

from urllib.parse import urlencode

from dpcore.calibrations import FAILS, PROVED, UNDEFINED
from pages.denoising.results import DenoisingResult
from pages.denoising.variance.results import THIRD, Ratio, deltas, least_delta, ratio, ratio_at
from pages.denoising.variance.tables import TABLE_EPSILONS, table
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    exact_text,
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    percent_down,
    percent_up,
)
from pages.shared.site_map import GAUSSIAN_BOUNDS

_NEXT_TO_NOTHING = 1e-3
_MANY = 10.0  # a ratio from which on a share removed says little


def answer_text(result: DenoisingResult) -> tuple[str, ...]:
    """What the analytic calibration saves here, and whether it is a third."""
    now = ratio(result)
    said = f"At ε = {format_input_up(now.epsilon)}, δ = {format_input_up(now.delta)} {_saved(now)}.", _meaning(now)
    if result.pinned is None:
        return said
    return (
        *said,
        f"Since the pinned setting: classical ÷ analytic variance {_shown(ratio(result.pinned))} → {_shown(now)}.",
    )


def _saved(now: Ratio) -> str:
    if now.word == UNDEFINED:
        return "the classical calibration has no answer; the analytic one has"
    if now.word == FAILS:
        return f"the classical calibration fails: its variance is {_missing(now)} below the needed one"
    if now.ratio >= _MANY:
        return f"the classical calibration has {format_down(now.ratio, 3)} times the variance that is needed"
    return f"the analytic calibration needs {percent_down(now.removed, 3)} less variance than the classical one"


def _missing(now: Ratio) -> str:
    """The share of the needed variance that is missing, never all of it."""
    return percent_up(1 - now.ratio, 3) if now.ratio >= _NEXT_TO_NOTHING else "more than 99.9 %"


def _meaning(now: Ratio) -> str:
    """Where the classical σ is proved and enough, and what the paper's claim is worth at this δ."""
    claim = f"The paper’s “at least a third” is true at ε = 1 from δ = {format_up(least_delta(), 3)} on; {_yours(now)}."
    if now.word in (PROVED, UNDEFINED):
        return claim
    limit = format_down(now.fails_from, 3)
    enough = f"it is enough up to ε = {limit} only" if now.word == FAILS else f"it is enough up to ε = {limit}"
    return f"The classical σ is proved for ε < 1; at this δ {enough}. {claim}"


def _yours(now: Ratio) -> str:
    share = percent_down(now.at_one, 3)
    return f"at ε = 1 and your δ it is {'' if now.at_one >= THIRD else 'only '}{share}"


def _shown(now: Ratio) -> str:
    return "no answer" if now.word == UNDEFINED else format_nearest(now.ratio)


def subtitle(result: DenoisingResult) -> str:
    """The parameters of the picture, and what its marks mean."""
    along = result.values["variance_against"]
    fixed = (
        f"δ = {format_input_up(result.setting.delta)}"
        if along == "epsilon"
        else f"ε = {format_input_up(result.setting.epsilon)}"
    )
    return f"Thick: {fixed}. Any sensitivity. Dotted: classical σ not proved (ε ≥ 1), but enough. Red ×: too small."


def alternative(result: DenoisingResult) -> str:
    """What the picture and the table show, in a sentence."""
    rows = table(deltas(result))
    at_one = rows[rows["epsilon"] == 1.0]
    listed = "; ".join(
        f"{format_nearest(each, 3)} at δ = {format_input_up(delta)}"
        for delta, each in zip(at_one["delta"], at_one["ratio"], strict=True)
    )
    return f"{' '.join(answer_text(result)[:2])} Classical over analytic variance at ε = 1: {listed}."


def claims(result: DenoisingResult) -> str:
    """The paper's claims, checked in words, and what to do."""
    now = ratio(result)
    link = urlencode({"epsilon": exact_text(now.epsilon), "delta": exact_text(now.delta)})
    return "\n\n".join(
        (
            (
                "**“Removes at least a third of the variance”** (Balle & Wang 2018, abstract). True at ε = 1 for every"
                f" δ from {format_up(least_delta(), 3)} on, and below ε = 1 for smaller δ too; not for all: at ε = 1"
                f" and δ = 1e-10 it is {percent_down(ratio_at(1.0, 1e-10).removed, 3)}."
            ),
            (
                "**“By several orders of magnitude” as ε → 0** (§5.1). The ratio grows without bound as ε → 0 at a"
                " fixed δ, since the classical σ grows like 1/ε and the analytic one never passes what (0, δ)-DP asks."
                " How soon depends on δ: at ε = 0.001 and your δ it is"
                f" {format_nearest(ratio_at(0.001, now.delta).ratio, 3)} times."
            ),
            (
                "**What to do:** take the analytic σ. It is proved for every ε, and no Gaussian noise with less keeps"
                " the promise. σ itself, with all known bounds:"
                f" [{GAUSSIAN_BOUNDS.name}](./{GAUSSIAN_BOUNDS.path}?{link})."
            ),
        )
    )


def table_html(result: DenoisingResult) -> str:
    """The ratios as an accessible HTML table, a row for each δ, with the verdict on the classical σ."""
    heads = ["δ", *(f"ε = {format_input_up(each)}" for each in TABLE_EPSILONS), "Too small from"]
    body = []
    for delta, rows in table(deltas(result)).groupby("delta", sort=False):
        records = rows.to_dict("records")
        cells = [_cell(float(each["ratio"]), each["status"]) for each in records]
        body.append(
            [format_input_up(float(str(delta))), *cells, f"ε = {format_up(float(records[0]['fails_from']), 3)}"]
        )
    return number_format.table_html("Classical variance ÷ analytic variance", "ratios", heads, body)


def _cell(value: float, word: str) -> str:
    if word == FAILS:
        return f"{format_nearest(value, 3)} ✗ FAILS"
    unproved = "" if word == PROVED else " ! unproved"
    return f"{format_nearest(value, 3)} ({percent_down(1 - 1 / value, 3)}){unproved}"


READING = (
    "Each number is the classical variance ÷ the analytic one; in brackets the share of it that is removed. The last "
    "column is the ε from which the classical σ is too small. "
    "“! unproved” is outside the classical theorem, ε < 1, but the noise is enough; “✗ FAILS” is too little noise for "
    "its promise."
)
