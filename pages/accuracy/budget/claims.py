"""The totals of a budget, which are proved on request."""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal

from dpcore import gaussian
from pages.accuracy.results import AccuracyResult
from pages.framework.layout.section import Claim
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import exact_text, format_up
from pages.shared import guarantee_claims

Part = tuple[str, tuple[Decimal, ...], int]


def claims(result: AccuracyResult) -> Iterator[Claim]:
    """Yield that the shares add up to what is shown, and what the Gaussians really give."""
    shares = result.shares
    if shares is None:
        return
    total, delta = format_up(float(shares.total_epsilon)), format_up(float(shares.total_delta))
    spent = list(zip(shares.epsilon.tolist(), shares.delta.tolist(), strict=True))
    parts = [
        ("promise", (guarantee_claims.number(exact_text(e)), guarantee_claims.number(exact_text(d))), 1)
        for e, d in spent
    ]
    yield _composition_claim(f"δ({total}) of the queries’ shares", total, delta, parts)
    normal = [float(gaussian.analytic_sigma(e, d)) for e, d in spent if d > 0]
    if math.isfinite(shares.exact_epsilon):
        exact = format_up(float(shares.exact_epsilon))
        yield _composition_claim(f"δ({exact}) of all the Gaussians", exact, delta, _gaussian_parts(normal))
    if shares.shrink < 1:
        part = number_format.percent_up(float(shares.shrink))
        less = [sigma * float(guarantee_claims.number(part.removesuffix(" %"))) / 100 for sigma in normal]
        yield _composition_claim(
            f"δ({total}) of all the Gaussians with {part} of the noise", total, delta, _gaussian_parts(less)
        )


def _gaussian_parts(multipliers: Sequence[float]) -> list[Part]:
    return [("gaussian", (guarantee_claims.number(exact_text(multiplier)),), 1) for multiplier in multipliers]


def _composition_claim(subject: str, epsilon: str, delta: str, parts: Sequence[Part]) -> Claim:
    arguments = {"epsilon": guarantee_claims.number(epsilon), "parts": parts}
    return Claim(subject, guarantee_claims.number(delta), "composition_delta", arguments)
