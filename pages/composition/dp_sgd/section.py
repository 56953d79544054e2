"""The section "DP-SGD": ε of a training, or the noise, epochs or batch for a target ε."""

from collections.abc import Iterator, Sequence

from pages.composition.accountants.explanation import CLT_ERROR
from pages.composition.conditions import training_conditions
from pages.composition.dp_sgd import code, exhibits, text
from pages.composition.dp_sgd.parameters import BATCH, EPOCHS, NOISE, RECORDS, SOLVE, TRAINING_VIEW
from pages.composition.dp_sgd.text import noise_text
from pages.composition.results import CompositionResult
from pages.composition.statements import training_statements
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim, Field, Fold, Part, Section
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, tex
from pages.framework.parameters.parameter import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

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


_VIEWS = {"steps": exhibits.epochs_chart, "batch": exhibits.batch_chart, "map": exhibits.map_chart}
_WHY_UNPROVED = (
    "It is certified from the privacy losses on a grid, every step rounded up, or by RDP if that is smaller."
)


def controls(result: CompositionResult) -> Sequence[Field | Parameter]:
    """Return the data, the training, what is solved for, and what is known in its place."""
    solved = {"epsilon": EPSILON, "noise": NOISE, "steps": EPOCHS, "rate": BATCH}[result.values["solve"]]
    inputs = [parameter for parameter in (EPSILON, NOISE, EPOCHS, BATCH, RECORDS) if parameter is not solved]
    return Field(SOLVE, "Compute"), *inputs


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the chosen chart, ε by each accountant, and what would invalidate it."""
    yield _VIEWS[result.values["training_view"]](result, colours)
    yield text.steps_text(result.training)
    yield Fold((exhibits.accounts_table(result, colours),), "ε by each accountant")
    yield Fold((text.traps_text(result.training),), "What would make this ε untrue")


SECTION = Section[CompositionResult](
    controls=controls,
    more_settings=lambda _: (DELTA, Field(TRAINING_VIEW, "Show")),
    parts=parts,
    key="training",
    name="DP-SGD",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.epochs_chart, exhibits.batch_chart, exhibits.map_chart, exhibits.accounts_table),
    claims=lambda _: (Claim("The ε of the answer", reason=_WHY_UNPROVED),),
    snippets=code.snippets,
    statements=training_statements,
    conditions=training_conditions,
)
