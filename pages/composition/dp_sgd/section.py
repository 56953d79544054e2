"""The section "DP-SGD": ε of a training, or the noise, epochs or batch for a target ε."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.composition import code
from pages.composition.accountants.section import CLT_ERROR
from pages.composition.conditions import training_conditions
from pages.composition.dp_sgd import figures, results, text
from pages.composition.dp_sgd.results import MIN_EXACT_NOISE, NOISES, RATES, Training, ratio_map
from pages.composition.dp_sgd.text import noise_text
from pages.composition.parameters import BATCH, EPOCHS, NOISE, RECORDS, SOLVE
from pages.composition.results import CompositionResult
from pages.composition.statements import training_statements
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Claim, Field, Fold, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, percent_down, tex
from pages.framework.parameters.parameter import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON


def account_rows(training: Training) -> list[tuple[str, float, str]]:
    """Return for each accountant its name, the ε of the training, and the kind of that value."""
    return [
        ("Certified (the answer)" if training.is_solved else "Certified", training.epsilon, "upper bound"),
        ("Exact, by a contour integral", training.exact, _exact_worth(training)),
        ("RDP, at the best order", training.rdp, "upper bound"),
        ("CLT (Gaussian limit)", training.clt, _clt_worth(training)),
    ]


def _exact_worth(training: Training) -> str:
    if not math.isnan(training.exact):
        return "correct to about 9 digits, not proved"
    too_long = "takes too long for so little noise"
    return f"not available: {too_long if training.noise < MIN_EXACT_NOISE else 'integration failed'}"


def _clt_worth(training: Training) -> str:
    if math.isnan(training.clt):
        return "not available for so little noise"
    if training.clt < training.exact:
        return f"not a bound: here {percent_down(1 - training.clt / training.exact, 2)} too small"
    if training.clt < training.best_epsilon:
        return "not a bound; whether it is too small here is not known"
    return "not a bound; here it is not too small"


def table_html(training: Training) -> str:
    """Return ε by each accountant as a table."""
    best = training.best_epsilon or math.nan
    body = [
        [name, _rounded_by_worth(value, worth), _rounded_by_worth(value / best, worth), worth]
        for name, value, worth in account_rows(training)
    ]
    compared = "÷ certified" if math.isnan(training.exact) else "÷ exact"
    heads = ["Accountant", f"ε at δ = {format_input_up(training.delta)}", compared, "Kind of value"]
    return number_format.table_html("ε of this training by each accountant", "accounts", heads, body)


def _rounded_by_worth(value: float, worth: str) -> str:
    return format_up(value) if worth == "upper bound" else format_nearest(value)


def epochs_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of ε over the epochs, by each accountant."""
    training, pinned = _trainings(result)
    curves = results.epoch_curves(training)
    figure = figures.epochs_figure(
        training, curves, pinned and (pinned, results.epoch_curves(pinned)), text.subtitle(training, "steps"), colours
    )
    numbers = pd.DataFrame({key: getattr(curves, key) for key in ("epochs", "steps", "exact", "rdp", "clt")})
    alternative = text.alternative_text(training)
    return Exhibit("epsilon_over_epochs", figure, alternative, numbers, _training_csv_header(training))


def batch_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of the noise that satisfies the same ε, over the batch."""
    training, pinned = _trainings(result)
    curves = results.batch_curves(training)
    figure = figures.batch_figure(
        training, curves, pinned and (pinned, results.batch_curves(pinned)), text.subtitle(training, "batch"), colours
    )
    numbers = pd.DataFrame({key: getattr(curves, key) for key in ("batch", "exact", "rdp")})
    return Exhibit("noise_over_batch", figure, text.alternative_text(training), numbers, _training_csv_header(training))


def map_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the map of the ratios of RDP and of the CLT to the exact ε, over rate and noise."""
    training = result.training
    ratios = ratio_map(training.epochs, training.delta)
    figure = figures.map_figure(training, ratios, text.map_subtitle(training, ratios), colours)
    rate, noise = (axis.ravel() for axis in np.meshgrid(RATES, NOISES))
    grid = {"rate": rate, "noise_multiplier": noise, "exact": ratios.exact.ravel()}
    numbers = pd.DataFrame(grid | {"rdp_over_exact": ratios.rdp.ravel(), "clt_over_exact": ratios.clt.ravel()})
    return Exhibit("rdp_over_exact", figure, text.map_alternative_text(ratios), numbers, _training_csv_header(training))


def accounts_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε of this training by each accountant."""
    training = result.training
    numbers = pd.DataFrame(account_rows(training), columns=["account", "epsilon", "worth"])
    html, alternative = table_html(training), text.alternative_text(training)
    return Exhibit("accounts", html, alternative, numbers, _training_csv_header(training))


def _trainings(result: CompositionResult) -> tuple[Training, Training | None]:
    return result.training, result.pinned and result.pinned.training


def _training_csv_header(training: Training) -> dict[str, Any]:
    header = {"records": training.records, "batch": training.batch, "epochs": training.epochs, "steps": training.steps}
    header |= {"noise_multiplier": repr(training.noise), "delta": repr(training.delta)}
    header |= {"target_epsilon": repr(training.target)}
    header |= {"neighbours": "one record added or removed", "sampling": "Poisson"}
    return header | {"units": "epsilon in nats; rdp an upper bound, exact an estimate to 9 digits, clt no bound"}


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


_VIEWS = {"steps": epochs_chart, "batch": batch_chart, "map": map_chart}
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
    yield Fold((accounts_table(result, colours),), "ε by each accountant")
    yield Fold((text.traps_text(result.training),), "What would make this ε untrue")


SECTION = Section[CompositionResult](
    controls=controls,
    more_settings=lambda _: (DELTA,),
    parts=parts,
    key="training",
    name="DP-SGD",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(epochs_chart, batch_chart, map_chart, accounts_table),
    claims=lambda _: (Claim("The ε of the answer", reason=_WHY_UNPROVED),),
    snippets=code.training_snippets,
    statements=training_statements,
    conditions=training_conditions,
)
