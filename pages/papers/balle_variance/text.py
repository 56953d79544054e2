"""The sentences on Experiment 5.1: what exact calibration saves, and whether the paper's claim holds."""

from dpcore.calibrations import FAILS, UNDEFINED
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
    ratio_frame,
    setting_ratio,
    table_deltas,
)
from pages.papers.results import PapersResult
from pages.shared.page_links import Link
from pages.shared.site_map import GAUSSIAN_BOUNDS

_SMALL_RATIO = 1e-3
_LARGE_RATIO = 10.0  # of a larger ratio the share removed says little


def answer_text(result: PapersResult) -> tuple[str, ...]:
    """Return what the analytic calibration saves at the setting, and whether the claim or the classical σ holds."""
    ratio = setting_ratio(result)
    meaning = _status_sentence(ratio) if ratio.status == FAILS else _claim_sentence(ratio)
    answer = f"At {result.setting.guarantee_text} {_saving_phrase(ratio)}.", meaning
    if result.pinned is None:
        return answer
    pinned = setting_ratio(result.pinned)
    change = f"{_ratio_phrase(pinned)} → {_ratio_phrase(ratio)}"
    return (
        *answer,
        f"Compared with the pin ({result.pinned.setting.guarantee_text}): classical ÷ analytic variance {change}.",
    )


def _saving_phrase(ratio: VarianceRatio) -> str:
    if ratio.status == UNDEFINED:
        return "the classical formula has no σ; the analytic one has"
    if ratio.status == FAILS:
        return f"the classical σ is too small: its variance is {_missing_share(ratio)} below the required one"
    if ratio.ratio >= _LARGE_RATIO:
        return f"the classical Gaussian has {format_down(ratio.ratio, 3)} times the required variance"
    return f"the analytic Gaussian needs {percent_down(ratio.removed, 3)} less variance than the classical Gaussian"


def _missing_share(ratio: VarianceRatio) -> str:
    """Return the share of the required variance that is missing, never all of it."""
    return percent_up(1 - ratio.ratio, 3) if ratio.ratio >= _SMALL_RATIO else "more than 99.9 %"


def _claim_sentence(ratio: VarianceRatio) -> str:
    """Return whether the paper's claim holds at this δ."""
    share = percent_down(ratio.removed_at_one, 3)
    return (
        f"The paper’s “at least a third” holds at ε = 1 for δ from {format_up(least_delta(), 3)} on; at your δ the"
        f" saving there is {'' if ratio.removed_at_one >= THIRD else 'only '}{share}."
    )


def _status_sentence(ratio: VarianceRatio) -> str:
    """Return where the classical σ is proved, and where it is sufficient at this δ."""
    limit = format_down(ratio.failing_epsilon, 3)
    return f"The classical σ is proved for ε < 1 only; at this δ it is sufficient up to ε = {limit}."


def _ratio_phrase(ratio: VarianceRatio) -> str:
    return "no answer" if ratio.status == UNDEFINED else format_nearest(ratio.ratio)


def subtitle(result: PapersResult) -> str:
    """Return the parameters of the picture, and what its marks mean."""
    fixed = f"ε = {format_input_up(result.setting.epsilon)}"
    if curve_axis(result) == "epsilon":
        fixed = f"δ = {format_input_up(result.setting.delta)}"
    return f"Thick: {fixed}; any sensitivity. Dotted: classical σ sufficient but not proved (ε ≥ 1). Red ×: too small."


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
    entries = {"epsilon": exact_text(ratio.epsilon), "delta": exact_text(ratio.delta)}
    link = Link(GAUSSIAN_BOUNDS, GAUSSIAN_BOUNDS.name, entries)
    return f"""\
{_claim_sentence(ratio) if ratio.status == FAILS else _status_sentence(ratio)}

**“Removes at least a third of the variance”** (Balle & Wang 2018, abstract). This is true at ε = 1 for every \
δ from {format_up(least_delta(), 3)} on, and below ε = 1 for smaller δ too. It is not true for every δ: at ε = 1 \
and δ = 1e-10 the saving is {percent_down(ratio_at(1.0, 1e-10).removed, 3)}.

**“By several orders of magnitude” as ε → 0** (§5.1). The ratio grows without bound as ε → 0 at a \
fixed δ: the classical σ grows like 1/ε, and the analytic σ never exceeds what (0, δ)-DP requires. \
How soon it grows depends on δ: at ε = 0.001 and your δ it is {format_nearest(ratio_at(0.001, ratio.delta).ratio, 3)}.

**What to do:** use the analytic σ. It is proved for every ε, and no Gaussian noise with a smaller σ satisfies \
the guarantee. In a release draw it with a floating-point-safe sampler: ordinary floating-point noise can reveal the \
data. σ itself, with all known bounds: {link.markdown}."""


READING_TEXT = (
    "Each cell gives the classical variance ÷ the analytic variance and, in brackets, the share that is removed. "
    "“! unproved”: outside the classical theorem (ε < 1), but the noise is sufficient. “✗ FAILS”: too little noise for "
    "the guarantee. The last column is the ε from which the classical σ is too small."
)
