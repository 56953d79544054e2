"""What the noise of the answer promises and how far it reaches, to be proved."""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal

from dpcore import gaussian
from dpcore.calibrations import PURE_DP, Calibration
from pages.accuracy.exhibits import AccuracyResult
from pages.accuracy.query import AccuracySetting
from pages.accuracy.recommendation import MechanismRow, recommended
from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Target

Part = tuple[str, tuple[Decimal, ...], int]

_SYMBOLS = {"laplace": "b", "geometric": "s", "gaussian": "σ"}
_TWO_CELLS = "Of two cells its δ is a sum over all the ways in which they move together, not enclosed here."
_STAIRCASE = "Its ε is the loss that its steps are built with; its ± is a sum over them, not enclosed here."


def claims(result: AccuracyResult) -> Iterator[Claim]:
    """What the answer of the open section promises."""
    setting = result.setting
    if setting.section == "budget":
        yield from _budget(result)
    elif setting.section == "records":
        yield from _records(result)
    else:
        best = recommended(result.answers, setting).row
        normal = result.answers["analytic"]
        for each in (best,) if best is normal else (best, normal):
            yield from _answer(each, setting)


def _answer(each: MechanismRow, setting: AccuracySetting) -> Iterator[Claim]:
    """A noise at the ε that is given with the ± that is shown, or at the ε that is shown with the ± that is given."""
    epsilon, reach = (setting.epsilon, each.accuracy) if setting.wanted is None else (each.epsilon, setting.wanted)
    if math.isnan(epsilon) or math.isnan(reach) or epsilon > 1e6:
        return
    rule = each.calibration
    if rule.family == "discrete_gaussian":
        yield from _discrete(each, setting)
        return
    if rule.family not in _SYMBOLS:
        yield Claim(f"{rule.name} noise", reason=_STAIRCASE)
        return
    texts = (
        (format_input_up(epsilon), format_up(reach))
        if setting.wanted is None
        else (format_up(epsilon), format_input_up(reach))
    )
    yield from _noise(rule, texts, setting.asked.sensitivity(rule), setting)


def _discrete(row: MechanismRow, setting: AccuracySetting) -> Iterator[Claim]:
    """That discrete Gaussian noise on one number keeps its guarantee, and how far it reaches."""
    mechanism = row.mechanism
    if setting.asked.single:
        asked = Target(
            format_input_up(setting.epsilon), format_input_up(setting.delta), format_up(setting.asked.l1, 15)
        )
        yield guarantee_claims.discrete(asked, format_up(mechanism.scale))
    else:
        yield Claim(f"The promise of {mechanism.name} noise", reason=_TWO_CELLS)
    level = format_input_up(setting.significance)
    yield guarantee_claims.within(mechanism.family, "σ", exact_text(mechanism.scale), format_up(row.accuracy), level)


def _noise(rule: Calibration, texts: tuple[str, str], moved: float, setting: AccuracySetting) -> Iterator[Claim]:
    """That noise which keeps the ε of a text falls within the ± of another."""
    (epsilon, reach), level = texts, format_input_up(setting.significance)
    at = float(guarantee_claims.number(epsilon))
    scale = float(rule.scale(at, 0.0 if rule.promise == PURE_DP else setting.delta, moved))
    asked, symbol, whole = (
        Target(epsilon, format_input_up(setting.delta), format_up(moved, 15)),
        _SYMBOLS[rule.family],
        exact_text(scale),
    )
    if rule.family == "gaussian":
        yield guarantee_claims.gaussian(asked, format_up(scale))
    else:
        yield {"laplace": guarantee_claims.laplace, "geometric": guarantee_claims.geometric}[rule.family](
            asked, format_up(scale)
        )
    yield guarantee_claims.within(rule.family, symbol, whole, reach, level)


def _records(result: AccuracyResult) -> Iterator[Claim]:
    """That the sensitivity at the n that is shown takes noise which reaches no farther than is wanted."""
    setting, width = result.setting, result.setting.asked.width
    if width is None or setting.accuracy >= width:
        return
    for n, key in zip(result.least_records, ("laplace", "analytic"), strict=True):
        if not math.isnan(n):
            rule = result.answers[key].calibration
            moved = width / float(guarantee_claims.number(format_up(n)))
            yield from _noise(
                rule, (format_input_up(setting.epsilon), format_input_up(setting.accuracy)), moved, setting
            )


def _budget(result: AccuracyResult) -> Iterator[Claim]:
    """That the shares add up to what is shown, and what the Gaussians really give."""
    shares = result.shares
    if shares is None:
        return
    total, delta = format_up(float(shares.total_epsilon)), format_up(float(shares.total_delta))
    spent = list(zip(shares.epsilon.tolist(), shares.delta.tolist(), strict=True))
    parts = [
        ("promise", (guarantee_claims.number(exact_text(e)), guarantee_claims.number(exact_text(d))), 1)
        for e, d in spent
    ]
    yield _together(f"δ({total}) of the queries’ shares", total, delta, parts)
    normal = [float(gaussian.analytic_sigma(e, d)) for e, d in spent if d > 0]
    if math.isfinite(shares.exact_epsilon):
        exact = format_up(float(shares.exact_epsilon))
        yield _together(f"δ({exact}) of all the Gaussians", exact, delta, _gaussians(normal))
    if shares.shrink < 1:
        part = number_format.percent_up(float(shares.shrink))
        less = [sigma * float(guarantee_claims.number(part.removesuffix(" %"))) / 100 for sigma in normal]
        yield _together(f"δ({total}) of all the Gaussians with {part} of the noise", total, delta, _gaussians(less))


def _gaussians(multipliers: Sequence[float]) -> list[Part]:
    return [("gaussian", (guarantee_claims.number(exact_text(each)),), 1) for each in multipliers]


def _together(subject: str, epsilon: str, delta: str, parts: Sequence[Part]) -> Claim:
    given = {"epsilon": guarantee_claims.number(epsilon), "parts": parts}
    return Claim(subject, guarantee_claims.number(delta), "composition_delta", given)
