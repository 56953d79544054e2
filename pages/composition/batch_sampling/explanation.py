"""How the numbers of the section are computed, in Markdown with TeX."""

from pages.composition.batch_sampling.results import batching_at
from pages.composition.results import CompositionResult
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_nearest, tex

_POISSON = "**Poisson.** The certified ε of DP-SGD, as in the section DP-SGD."
_SHUFFLED = (
    "**Shuffled, at least** (Chua et al. 2024, arXiv:2403.17673): an attacker who only tests whether some batch of an "
    "epoch exceeds a number C already proves\n\n"
    r"$$\delta\ \ge\ \sup_C\ \Bigl[1-\Phi\bigl(\tfrac{C-2}{\sigma}\bigr)\Phi\bigl(\tfrac{C}{\sigma}\bigr)^{T-1}\Bigr]"
    r"-e^\varepsilon\Bigl[1-\Phi\bigl(\tfrac{C-1}{\sigma}\bigr)\Phi\bigl(\tfrac{C}{\sigma}\bigr)^{T-1}\Bigr]$$"
    "\n\nOver several epochs, each shuffled anew, the attacker counts the epochs in which this happens. σ is the noise "
    "multiplier. An incomplete epoch is not part of the lower bound."
)
_FIXED = (
    "**No amplification**: a record is in at most ⌈E⌉ batches, so the whole training is at most one Gaussian release "
    "with μ = √⌈E⌉/σ. In fixed order this is exact; for shuffled batches it is an upper bound, since the order "
    "is independent of the data. No smaller proved bound is available on this page."
)
_NEIGHBOURS = (
    "**Neighbours.** For shuffled and fixed batches, the gradient of one record is replaced by 0 (zero-out), because "
    "removing the record would move others to different batches. Under Poisson sampling this is the same as adding or "
    "removing it."
)


def explanation_text(result: CompositionResult) -> str:
    """Return how the numbers of the section are computed, with the user's numbers."""
    batching = batching_at(result)
    sigma, batches = tex(format_input_down(batching.noise)), tex(format_nearest(batching.batches, 7))
    numbers = (
        rf"$$\sigma={sigma},\quad T={batches}\ \text{{batches an epoch}},\quad"
        rf" E={tex(format_input_up(batching.epochs))}$$"
    )
    return "\n\n".join((_POISSON, _SHUFFLED, numbers, _FIXED, _NEIGHBOURS))
