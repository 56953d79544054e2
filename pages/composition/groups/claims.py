"""The guarantee of the group under Gaussian noise, which "Verify" proves."""

from collections.abc import Iterator

from pages.composition.groups.results import groups_at
from pages.composition.results import CompositionResult
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Target

_SHUFFLED = "Its δ is a sum over the clones of a report, each step rounded up."


def claims(result: CompositionResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed ε of the group, and that the shuffled one has no proof here."""
    groups = groups_at(result)
    if groups is None:
        return
    target = Target(format_up(groups.gaussian), format_input_up(groups.setting.delta), str(groups.setting.size))
    yield guarantee_claims.gaussian(target, exact_text(groups.sigma))
    yield Claim("ε of the shuffled reports", reason=_SHUFFLED)
