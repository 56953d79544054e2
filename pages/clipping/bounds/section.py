"""The section on the bounds of a sum or mean."""

from collections.abc import Iterator, Sequence

from dpcore import truncated_laplace
from dpcore.families import FAMILIES
from pages.clipping.bounds import code, exhibits, links_text, text
from pages.clipping.bounds.parameters import BOUND, COUNT_SHARE, ERROR, HIGH, LOW, SHAPE
from pages.clipping.bounds.private_text import leak_text
from pages.clipping.conditions import bound_conditions
from pages.clipping.parameters import MEDIAN, N_RECORDS, NEIGHBOURS, NOISE, P90, QUERY, SOURCE_FIELD, UNIT
from pages.clipping.presets_text import presets_text
from pages.clipping.results import ClippingResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim, Field, Fields, Part, Row, Section
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.framework.parameters.parameter import Parameter
from pages.shared import guarantee_claims
from pages.shared.formulas import SAMPLER, WHOLE_SAMPLER
from pages.shared.guarantee_claims import Target
from pages.shared.looks import guarantee_claim
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE

EXPLANATION = r"""
Values are clipped to [lo, U], so that one person changes their sum by at most
$\Delta=\max(|lo|,U)$ (a person is added or removed) or $U-lo$ (a person is replaced), and noise for Δ is added.

- **Bias** $B=\sum(\mathrm{clip}(x)-x)$. Of a distribution it is the mean, a closed form: for the lognormal distribution
  $E(X-U)_+=e^{m+s^2/2}\,\Phi\!\left(\frac{m+s^2-\ln U}{s}\right)-U\,\Phi\!\left(\frac{m-\ln U}{s}\right)$ with
  $e^m$ the median and $e^{m+1.2816\,s}$ the 90th percentile; of the normal one the 90th percentile is
  $m+1.2816\,s$.
- **Root mean square error** $\sqrt{B^2+\mathrm{Var}}$; with Laplace noise of scale b the **mean absolute error** is
  $|B|+b\,e^{-|B|/b}$. The **±** is the least a such that the error is within ±a in the stated share of releases.
- **The best bound**, above 0 and above lo, is searched for on successively finer grids and rounded to three digits;
  every number of the answer is computed at the rounded bound. With Laplace noise and lo = 0 the number of values above
  it times |B| is $2U/\varepsilon^2$. Where values are cut on both sides, all that is cut counts,
  $\sum|\mathrm{clip}(x)-x|$: that one side makes up for the other is an accident.
- **Rule of thumb**: the bound that about 1/ε values exceed. Its mean absolute error is at most twice the least one
  (compare Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019, *Bounding user contributions: a bias–variance trade-off in
  differential privacy*, ICML). It is proved for lo = 0 and Laplace noise.
- **A private bound** is a quantile by the exponential mechanism (Smith 2011) between 0 and the maximum of your range,
  with a share of ε; the rest of ε, and δ, buy the noise of the sum. Share and quantile are the best of a grid, and the
  error is the root mean square over the exact distribution of the bound. Means of up to 1,000 groups, small ones at the
  top, represent more values. It is not offered for lo ≠ 0, negative values, noise on the whole numbers, or a counted n.
- **A mean** with public n has the errors of the sum divided by n, and one person is replaced. **With n counted**, a
  share s of ε and δ buys noise for the count, the rest noise for the sum of the distances to the middle of the bounds,
  of sensitivity $(U-lo)/2$. Its errors are right to first order in 1/n; ± and the mean absolute error add up both
  noises, and are upper bounds of that.

The public figures: household incomes in the United States in 2012 have a median of 51,017 dollars and a 90th percentile
of 146,000 dollars (U.S. Census Bureau, P60-245, Table A-2); the trips are a sample of 21,589 trips of New York yellow
cabs in January 2013 and January 2015 (NYC Taxi & Limousine Commission, trip records), with 1.76 and 6.0 miles.

The bias of a distribution is a mean: real data differ. The noise scale and the errors are rounded up. Discrete Gaussian
noise is computed for bounds and values up to 100,000, and with a lower bound that you enter; the half-width as the
error that is least, for any other noise and a lower bound that you enter: the search for others takes too long.
"""


_ERROR = "The error depends on the values, of which the page knows a distribution or the user’s own."

_COUNTED = "It is that of two releases, of a sum and of a count: open each in “One number” to have it proved."


def claims(result: ClippingResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise, and that the error is no guarantee."""
    bounds, setting = result.bounds, result.setting
    if bounds is None:
        return
    if bounds.count_share is not None:
        yield Claim("The guarantee of the mean", reason=_COUNTED)
        yield Claim("The error of the clipped mean", reason=_ERROR)
        return
    sensitivity = float(bounds.chosen.sensitivity) * bounds.unit_count
    scale = format_up(float(bounds.chosen.noise_scale) * bounds.unit_count)
    target = Target(format_input_up(setting.epsilon), format_input_up(setting.delta), exact_text(sensitivity))
    if setting.noise == "truncated_laplace":
        bound = truncated_laplace.bound_from_epsilon(setting.epsilon, setting.delta, sensitivity)
        b = truncated_laplace.scale_from_epsilon(setting.epsilon, sensitivity)
        yield guarantee_claims.truncated_laplace(target, exact_text(float(bound)), exact_text(float(b)))
    else:
        yield guarantee_claim(setting.noise, target, scale)
    yield Claim("The error of the clipped sum", reason=_ERROR)


def controls(result: ClippingResult) -> Sequence[Field | Parameter]:
    """Return the values, the bounds, the guarantee, the query and the noise."""
    setting, bounds = result.setting, result.bounds
    if result.has_no_values:
        return (SOURCE_FIELD,)
    values = () if setting.is_own else (MEDIAN, P90, N_RECORDS)
    guarantee = (EPSILON,) if FAMILIES[setting.noise].pure else (EPSILON, DELTA)
    bound = Field(BOUND, value=None if bounds is None else bounds.best_high)
    return (SOURCE_FIELD, *values, bound, HIGH, *guarantee, Field(QUERY, "Query"), Field(NOISE, "Noise"))


def _more_fields(result: ClippingResult) -> Fields:
    """Return the parameters that are seldom changed."""
    setting, bounds = result.setting, result.bounds
    shape = () if setting.is_own else (Field(SHAPE, "Shape of the values"),)
    low = Field(LOW, value=None if bounds is None else bounds.low)
    for_query = {"sum": (Field(NEIGHBOURS, "Neighbours"),), "mean": (), "counted_mean": (COUNT_SHARE,)}
    return Fields(
        (*shape, low, *for_query[setting.query], Field(ERROR, "Error to minimise"), SIGNIFICANCE, Field(UNIT, "Unit"))
    )


def parts(result: ClippingResult, colours: Colours) -> Iterator[Part]:
    """Yield the error over the bound beside the values, the warning, the choices, ε, and what follows."""
    bounds = result.bounds
    if bounds is None:
        return
    yield Row((exhibits.error_curve(result, colours), exhibits.values_chart(result, colours)))
    yield text.below_text(bounds)
    yield leak_text(bounds)
    yield _more_fields(result)
    yield exhibits.choices(result, colours)
    yield Row((exhibits.bound_over_epsilon(result, colours), exhibits.error_over_epsilon(result, colours)))
    is_whole = FAMILIES[result.setting.noise].whole
    sampler = f"{WHOLE_SAMPLER} {text.WHOLE_VALUES}" if is_whole else SAMPLER
    yield f"{text.report_text(result, bounds)}\n\n{sampler}"
    yield f"{links_text.links_text(result, bounds)} {presets_text(result, 'sum', links_text.PRESETS)}"


SECTION = Section[ClippingResult](
    key="sum",
    name="Clip a sum or mean",
    controls=controls,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda result: EXPLANATION,
    conditions=bound_conditions,
    exhibits=(
        exhibits.error_curve,
        exhibits.values_chart,
        exhibits.choices,
        exhibits.bound_over_epsilon,
        exhibits.error_over_epsilon,
    ),
    claims=claims,
    snippets=code.snippets,
)
