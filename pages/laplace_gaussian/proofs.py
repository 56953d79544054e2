"""What both noises promise, to be proved."""

from collections.abc import Iterator
from dataclasses import replace

from dpcore.calibrations import FAILS, PROBABILISTIC_DP, UNDEFINED
from pages.framework.parameters.number_format import entry_of, given_up, up
from pages.laplace_gaussian.found import Found
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Asked
from pages.shared.verify_panel import Claim


def claims(found: Found) -> Iterator[Claim]:
    """The scale of each noise as it is shown and as it was computed, and its ±."""
    if not found.possible:
        return
    now, noises, level = found.setting, found.noises, given_up(found.setting.significance)
    shown = Asked(given_up(now.epsilon), given_up(now.delta), entry_of(now.l1))
    yield guarantee_claims.laplace(shown, up(noises.laplace.scale))
    yield guarantee_claims.laplace(
        guarantee_claims.computed(now.epsilon, now.delta, now.l1), entry_of(noises.laplace.scale)
    )
    yield guarantee_claims.within(
        "laplace", "b", entry_of(noises.laplace.scale), up(found.errors[0]["accuracy"]), level
    )
    yield from _gaussian(found, shown)
    yield guarantee_claims.within(
        "gaussian", "σ", entry_of(noises.gaussian.scale), up(found.errors[1]["accuracy"]), level
    )


def _gaussian(found: Found, shown: Asked) -> Iterator[Claim]:
    """Where ε is shared σ is shown for it; else σ follows from b, and the ε that is shown from σ."""
    now, noises = found.setting, found.noises
    if noises.gaussian.status == UNDEFINED:
        return
    same = now.hold == "epsilon"
    asked = replace(shown, moved=entry_of(now.l2), epsilon=shown.epsilon if same else up(noises.gaussian.epsilon))
    sigma = up(noises.gaussian.scale) if same else entry_of(noises.gaussian.scale)
    notion = "pDP δ" if now.calibration.promise == PROBABILISTIC_DP else "δ"
    yield guarantee_claims.gaussian(asked, sigma, notion, broken=noises.gaussian.status == FAILS)
    if same:
        exact = guarantee_claims.computed(now.epsilon, now.delta, now.l2)
        yield guarantee_claims.gaussian(
            exact, entry_of(noises.gaussian.scale), notion, broken=noises.gaussian.status == FAILS
        )
