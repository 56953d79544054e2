"""The sentences on Experiment 5.1: what exact calibration saves, and whether the paper's claim holds."""

from urllib.parse import urlencode

from dpcore.calibrations import FAILS, PROVED, UNDEFINED
from pages.framework.parameters.number_format import (
    exact_text,
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    percent_down,
    percent_up,
)
from pages.papers.balle_variance.results import (
    THIRD,
    VarianceRatio,
    curve_axis,
    least_delta,
    ratio_at,
    setting_ratio,
    table_deltas,
)
from pages.papers.balle_variance.tables import ratio_frame
from pages.papers.results import PapersResult
from pages.shared.site_map import GAUSSIAN_BOUNDS

_SMALL_RATIO = 1e-3
_LARGE_RATIO = 10.0  # of a larger ratio the share removed says little


def answer_text(result: PapersResult) -> tuple[str, ...]:
    """Return what the analytic calibration saves at the setting, and whether it is a third."""
    ratio = setting_ratio(result)
    target = f"ε = {format_input_up(ratio.epsilon)}, δ = {format_input_up(ratio.delta)}"
    answer = f"At {target} {_saving_phrase(ratio)}.", _claim_text(ratio)
    if result.pinned is None:
        return answer
    change = f"{_ratio_phrase(setting_ratio(result.pinned))} → {_ratio_phrase(ratio)}"
    return *answer, f"Since the pinned setting: classical ÷ analytic variance {change}."


def _saving_phrase(ratio: VarianceRatio) -> str:
    if ratio.status == UNDEFINED:
        return "the classical calibration has no answer; the analytic one has"
    if ratio.status == FAILS:
        return f"the classical calibration fails: its variance is {_missing_share(ratio)} below the needed one"
    if ratio.ratio >= _LARGE_RATIO:
        return f"the classical calibration has {format_down(ratio.ratio, 3)} times the variance that is needed"
    return f"the analytic calibration needs {percent_down(ratio.removed, 3)} less variance than the classical one"


def _missing_share(ratio: VarianceRatio) -> str:
    """Return the share of the required variance that is missing, never all of it."""
    return percent_up(1 - ratio.ratio, 3) if ratio.ratio >= _SMALL_RATIO else "more than 99.9 %"


def _claim_text(ratio: VarianceRatio) -> str:
    """Return where the classical σ is proved or suffices, and whether the paper's claim holds at this δ."""
    delta = format_up(least_delta(), 3)
    claim = f"The paper’s “at least a third” is true at ε = 1 from δ = {delta} on; {_delta_phrase(ratio)}."
    if ratio.status in (PROVED, UNDEFINED):
        return claim
    limit = format_down(ratio.failing_epsilon, 3)
    enough = f"it is enough up to ε = {limit} only" if ratio.status == FAILS else f"it is enough up to ε = {limit}"
    return f"The classical σ is proved for ε < 1; at this δ {enough}. {claim}"


def _delta_phrase(ratio: VarianceRatio) -> str:
    share = percent_down(ratio.removed_at_one, 3)
    return f"at ε = 1 and your δ it is {'' if ratio.removed_at_one >= THIRD else 'only '}{share}"


def _ratio_phrase(ratio: VarianceRatio) -> str:
    return "no answer" if ratio.status == UNDEFINED else format_nearest(ratio.ratio)


def subtitle(result: PapersResult) -> str:
    """Return the parameters of the picture, and what its marks mean."""
    fixed = f"ε = {format_input_up(result.setting.epsilon)}"
    if curve_axis(result) == "epsilon":
        fixed = f"δ = {format_input_up(result.setting.delta)}"
    return f"Thick: {fixed}. Any sensitivity. Dotted: classical σ not proved (ε ≥ 1), but enough. Red ×: too small."


def alternative_text(result: PapersResult) -> str:
    """Return the text alternative of the picture and the table."""
    rows = ratio_frame(table_deltas(result))
    at_one = rows[rows["epsilon"] == 1.0]
    ratios = "; ".join(
        f"{format_nearest(ratio, 3)} at δ = {format_input_up(delta)}"
        for delta, ratio in zip(at_one["delta"], at_one["ratio"], strict=True)
    )
    return f"{' '.join(answer_text(result)[:2])} Classical over analytic variance at ε = 1: {ratios}."


def paper_claims_text(result: PapersResult) -> str:
    """Return the paper's claims, checked, and what to do."""
    ratio = setting_ratio(result)
    link = urlencode({"epsilon": exact_text(ratio.epsilon), "delta": exact_text(ratio.delta)})
    return f"""\
**“Removes at least a third of the variance”** (Balle & Wang 2018, abstract). True at ε = 1 for every \
δ from {format_up(least_delta(), 3)} on, and below ε = 1 for smaller δ too; not for all: at ε = 1 \
and δ = 1e-10 it is {percent_down(ratio_at(1.0, 1e-10).removed, 3)}.

**“By several orders of magnitude” as ε → 0** (§5.1). The ratio grows without bound as ε → 0 at a \
fixed δ, since the classical σ grows like 1/ε and the analytic one never passes what (0, δ)-DP asks. \
How soon depends on δ: at ε = 0.001 and your δ it is {format_nearest(ratio_at(0.001, ratio.delta).ratio, 3)} times.

**What to do:** take the analytic σ. It is proved for every ε, and no Gaussian noise with less keeps \
the promise. σ itself, with all known bounds: [{GAUSSIAN_BOUNDS.name}](./{GAUSSIAN_BOUNDS.path}?{link})."""


READING_TEXT = (
    "Each number is the classical variance ÷ the analytic one; in brackets the share of it that is removed. The last "
    "column is the ε from which the classical σ is too small. "
    "“! unproved” is outside the classical theorem, ε < 1, but the noise is enough; “✗ FAILS” is too little noise for "
    "its promise."
)
