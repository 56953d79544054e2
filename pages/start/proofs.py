"""What the answer of the start page promises, to be proved."""

from collections.abc import Iterator

from pages.gaussian_bounds.exhibits import rows_of
from pages.shared import promises
from pages.shared.common import Setting
from pages.shared.proofs import Claim
from pages.shared.text import entry_of, up


def claims(now: Setting) -> Iterator[Claim]:
    """The σ of the answer, as it is shown and as it was computed."""
    given, sigma = (now.epsilon, now.delta, now.l2_sensitivity), rows_of(now)["analytic"].mechanism.scale
    yield promises.gaussian(promises.shown(*given), up(sigma))
    yield promises.gaussian(promises.computed(*given), entry_of(sigma))
