"""What the noise of a table promises and how far it reaches, to be proved."""

from collections.abc import Iterator

from dpcore.calibrations import FAILS, PROBABILISTIC_DP
from dpcore.mechanism import Mechanism
from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.number_format import exact_text, format_input_down, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Target
from pages.tables.results import TablesResult

_ESTIMATE = "It is counted in draws, of which a seed in the link makes always the same: an estimate, and no promise."
_FAMILIES = {
    "staircase": "Its ε is the loss that its steps are built with; its ± is a sum over them, not enclosed here.",
    "discrete_gaussian": "Of several cells its δ is a sum over all the ways in which they move together: it is rounded "
    "up at every step, and enclosed here of one cell only.",
    "generalized_gaussian": "Of several cells its δ is a convolution of losses on a grid, each step of which is "
    "rounded up.",
}


def claims(result: TablesResult) -> Iterator[Claim]:
    """Yield the guarantee of the answer's noise, as shown and as computed, and its ± for each cell and for all."""
    noise = result.section_noise
    if not result.missing and noise is not None:
        yield from _promise(result, noise)
        yield from _within(result, noise)


def release_claims(result: TablesResult) -> Iterator[Claim]:
    """Yield the same for a release, and that its error is an estimate."""
    yield from claims(result)
    if not result.missing and result.noise is not None:
        yield Claim("How far this release, or many, are off", reason=_ESTIMATE)


def _promise(result: TablesResult, noise: Mechanism) -> Iterator[Claim]:
    """What the noise keeps when one person moves all that they can."""
    setting, sensitivity = result.setting, result.sensitivity
    if noise.family in _FAMILIES and not (noise.family == "discrete_gaussian" and sensitivity.n_moved == 1):
        yield Claim(f"The promise of {noise.name} noise", reason=_FAMILIES[noise.family])
        return
    epsilon, delta = format_input_up(setting.epsilon), format_input_up(setting.delta)
    if noise.family == "gaussian":
        moved = float(sensitivity.l2)
        yield _claim(noise, Target(epsilon, delta, exact_text(moved)), format_up(noise.scale))
        yield _claim(
            noise, guarantee_claims.computed_target(setting.epsilon, setting.delta, moved), exact_text(noise.scale)
        )
    else:  # a sum of what is added to each cell
        moved = f"{guarantee_claims.number(format_input_down(setting.per_cell)) * int(sensitivity.n_moved):f}"
        yield _claim(noise, Target(epsilon, delta, moved), format_up(noise.scale))


def _claim(noise: Mechanism, asked: Target, scale: str) -> Claim:
    if noise.family == "gaussian":
        notion = "pDP δ" if noise.guarantee == PROBABILISTIC_DP else "δ"
        return guarantee_claims.gaussian(asked, scale, notion, broken=noise.status == FAILS)
    made = {
        "laplace": guarantee_claims.laplace,
        "geometric": guarantee_claims.geometric,
        "discrete_gaussian": guarantee_claims.discrete,
    }
    return made[noise.family](asked, scale)


def _within(result: TablesResult, noise: Mechanism) -> Iterator[Claim]:
    """The ± of each cell and, if there are several, of all together."""
    if noise.family not in ("laplace", "geometric", "gaussian", "discrete_gaussian"):
        return
    level, scale = format_input_up(result.setting.significance), exact_text(noise.scale)
    for n_cells, each in {1: result.setting.significance, result.n_cells: result.together}.items():
        reach = format_up(float(noise.half_width(each)))
        yield guarantee_claims.within(noise.family, noise.symbol, scale, reach, level, n_cells)
