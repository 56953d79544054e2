"""How the numbers of the section are computed, in Markdown with TeX."""

from pages.composition.accountants.explanation import CLT_ERROR
from pages.composition.dp_sgd.text import noise_text
from pages.composition.results import CompositionResult
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, tex

_STEP = (
    "**A step.** Each record is drawn independently with probability q = batch ÷ N. The gradients of the drawn records "
    "are clipped to the norm C and summed, and Gaussian noise with σ = zC is added. With and without one record, the "
    "sum divided by C is distributed as\n\n"
    r"$$P=(1-q)\,\mathcal N(0,z^2)+q\,\mathcal N(1,z^2),\qquad Q=\mathcal N(0,z^2)$$"
)
_ACCOUNTS = (
    "**Certified**: the privacy losses of a step are moved to a fine grid by connecting the dots (Doroshenko et al. "
    "2022), which only increases δ, and composed T times by FFT; ε by RDP is used where it is smaller. **Exact**: the "
    "contour integral of the moment generating function. Its error is far below the digits shown, but not proved. "
    "**RDP**: "
    "Mironov, Talwar & Zhang 2019, with the conversion of Canonne, Kamath & Steinke 2020 at the best order. **CLT**: "
    "Bu, Dong, Long & Su 2020, μ = q√(T(e^{1/z²} − 1)), the limit for many steps. "
    f"{CLT_ERROR} It is below the exact ε at most settings, and above it for little noise or rates near 1."
)
_INVERSES = (
    "**Solving for noise, epochs or batch.** A root of the exact ε is computed first. Then the certified ε is computed "
    "at this value, which is moved to the safe side until the certified ε is at most the target."
)


def explanation_text(result: CompositionResult) -> str:
    """Return how the numbers of the section are computed, with the user's numbers."""
    training = result.training
    noise, rate = tex(noise_text(training)), tex(format_up(training.rate))
    steps, delta = tex(format_nearest(training.steps, 7)), tex(format_input_up(training.delta))
    numbers = (
        rf"$$z={noise},\quad q={rate},\quad T={steps},\quad \delta={delta}:\qquad "
        rf"\varepsilon\le{tex(format_up(training.epsilon))}$$"
    )
    return "\n\n".join((_STEP, numbers, _ACCOUNTS, _INVERSES))
