"""The guarantees that "Verify" proves for the noise below the denoising; what denoising gains is an estimate."""

from collections.abc import Iterator

from pages.denoising.counts.release_results import sensitivity_of
from pages.denoising.map.results import map_release
from pages.denoising.results import DenoisingResult
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Target

_ESTIMATE = "It is a mean over simulated releases of these numbers: an estimate, and no guarantee."


def counts_claims(result: DenoisingResult) -> Iterator[Claim]:
    """Yield the guarantees of the noise of the counts, and that the rest is estimated."""
    release = result.denoisable_release
    if release is not None:
        yield from _release_claims(result, release.sigma, float(sensitivity_of(result.values, release.size).l2))
    yield from estimate_claims(result)


def map_claims(result: DenoisingResult) -> Iterator[Claim]:
    """Yield the guarantees of the noise of the map, and that the rest is estimated."""
    release = map_release(result)
    if release is not None:
        yield from _release_claims(result, release.sigma, release.sensitivity)
    yield from estimate_claims(result)


def estimate_claims(_: DenoisingResult) -> Iterator[Claim]:
    """Yield that the gain of denoising is an estimate."""
    yield Claim("The error after denoising", reason=_ESTIMATE)


def _release_claims(result: DenoisingResult, sigma: float, sensitivity: float) -> Iterator[Claim]:
    epsilon, delta = result.setting.epsilon, result.setting.delta
    shown_target = Target(format_input_up(epsilon), format_input_up(delta), exact_text(sensitivity))
    yield guarantee_claims.gaussian(shown_target, format_up(sigma))
    exact_target = guarantee_claims.computed_target(epsilon, delta, sensitivity)
    yield guarantee_claims.gaussian(exact_target, exact_text(sigma))
