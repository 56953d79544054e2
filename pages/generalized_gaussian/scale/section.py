"""The section on how much noise each guarantee requires."""

from collections.abc import Iterator, Sequence
from functools import partial

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.generalized_gaussian import code, figures, parameters
from pages.generalized_gaussian.densities.text import paper_text
from pages.generalized_gaussian.explanation import explanation_text
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.scale import text
from pages.shared.bounded_noise import P
from pages.shared.formulas import BASIS, SAMPLER, THEORY
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SEED, SIGNIFICANCE


def _size_over(result: GeneralizedGaussianResult, colours: Colours, x: str) -> Exhibit | None:
    """Return the noise that each guarantee requires over p, ε or δ (`x`); None where that takes too long."""
    setting, curves, simulated = result.setting.curve_setting, result.curves(x), result.simulated_sizes(x)
    if curves is None:
        return None
    pinned_curves = result.pinned and result.pinned.curves(x)
    value, measure = getattr(setting, x), (setting.size, text.measure_name(setting))
    subtitle = text.subtitle(setting, x)
    figure = figures.size_figure(
        curves, text.GUARANTEE_NAMES, x, measure, value, subtitle, colours, simulated, pinned_curves
    )
    numbers = partial(text.numbers_frame, curves, simulated)
    alternative = text.alternative_text(curves, x, setting)
    return Exhibit(f"size_{x}", figure, alternative, numbers, text.csv_header_of_curves(result), (x, ""))


def size_over_p(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the noise that each guarantee requires over p."""
    return _size_over(result, colours, "p")


def size_over_epsilon(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the noise that each guarantee requires over ε."""
    return _size_over(result, colours, "epsilon")


def size_over_delta(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the noise that each guarantee requires over δ."""
    return _size_over(result, colours, "delta")


_EXHIBITS = {"p": size_over_p, "epsilon": size_over_epsilon, "delta": size_over_delta}


def controls(result: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the curves."""
    sensitivities = Field(parameters.SENSITIVITIES, "Δ · of each statistic", parameters.SENSITIVITIES_HELP)
    sensitivity = {"one": (L2_SENSITIVITY,), "three": (), "own": (sensitivities,)}[result.setting.statistics]
    return EPSILON, DELTA, P, *sensitivity, Field(parameters.AGAINST, "Horizontal axis")


def parts(result: GeneralizedGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the size of the noise over p, ε or δ, and the sentences on several statistics."""
    setting = result.setting
    yield _EXHIBITS[setting.against](result, colours)
    level = (SIGNIFICANCE,) if setting.size == "accuracy" else ()
    yield Fields((Field(parameters.SIZE, "Size"), Field(parameters.STATISTICS, "Statistics"), *level))
    if setting.statistic_sensitivities:
        draws = (parameters.DRAWS, SEED) if setting.monte_carlo == "on" else ()
        yield Fields((Field(parameters.MONTE_CARLO, "The paper’s Monte Carlo"), *draws))
    yield f"{text.statistics_text(result)} {paper_text(result)}\n\n{BASIS}\n\n{SAMPLER}"
    yield text.draws_text(result) if setting.statistic_sensitivities else None


SECTION = Section(
    controls=controls,
    parts=parts,
    key="size",
    name="How much noise",
    answer_text=text.answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=tuple(_EXHIBITS.values()),
    claims=code.scale_claims,
    snippets=code.noise_snippets,
)
