"""The section on the bounds of a sum or mean: what to say and to do, and what bounds from confidential data leak.

Statements have of the user's own values only what was decided without them.
"""

from collections.abc import Iterator, Sequence

from dpcore.families import FAMILIES
from dpcore.mechanism import NoiseDistribution
from dpcore.rounding import round_down
from pages.clipping import code
from pages.clipping.bounds import exhibits, text
from pages.clipping.bounds.results import BoundsResult
from pages.clipping.bounds.text import bound_words, query_word, shape_words
from pages.clipping.parameters import BOUND, COUNT_SHARE, ERROR, HIGH, LOW, NEIGHBOURS, NOISE, QUERY, UNIT
from pages.clipping.results import ClippingResult
from pages.clipping.text import PRESETS, bound_conditions, links_text, presets_text
from pages.framework.export.exhibit import Colours
from pages.framework.layout.offers import Statements
from pages.framework.layout.section import Field, Fold, Part, Section
from pages.framework.parameters.number_format import (
    escape_markdown,
    exact_text,
    format_input_up,
    format_nearest,
    percent,
)
from pages.framework.parameters.parameter import Parameter
from pages.shared import statements as shared_statements
from pages.shared.formulas import SAMPLER, WHOLE_SAMPLER, truncated_laplace_texts
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE, and_delta
from pages.shared.statements import Release, in_full, off_by, release_statements
from pages.shared.values.parameters import (
    MEDIAN,
    N_RECORDS,
    P90,
    SHAPE,
    SOURCE_FIELD,
    amount_up,
    quantile_name,
    unit_after,
)

LEAK = (
    "**⚠ Bounds taken from confidential data leak:** no noise protects what they reveal. Use **public knowledge**, an "
    "**older release**, or a **private quantile**{cost}."
)
EQUAL_VALUES = (
    "**Where many people have the same value, a private quantile can be far off**: it lies anywhere up to the next "
    "different values, at every ε. Of a million values 5 in a range from 0 to 10, three private medians at ε = 1 were "
    "9.75, 4.74 and 2.12. Spread such values first: add to each a random number of its own, of at most half the step "
    "to which it is rounded."
)


def leak_text(bounds: BoundsResult) -> str:
    """Return the warning that bounds from confidential data leak, with the cost of a private bound."""
    private = bounds.private
    if private is None:
        cost = ", whose cost the page shows for values from lo = 0 on and continuous noise"
        return LEAK.format(cost=cost)
    ratio = private.error / float(bounds.best.root_mean_square_error)
    cost = (
        f": with {percent(private.share)} of ε for the {quantile_name(private.quantile)} between 0 and the "
        f"maximum of your range, the root mean square error is {amount_up(private.error)}, "
        f"{format_nearest(ratio, 3)} times that at the best public bound"
    )
    return LEAK.format(cost=cost)


_NAMES = {"sum": "sum", "mean": "average"}


def has_statements(result: ClippingResult) -> bool:
    """Return whether there are values, and bounds that do not come from the user's own ones."""
    bounds = result.bounds
    return bounds is not None and not (result.setting.is_own and bounds.setting.is_sought)


def statements(result: ClippingResult) -> Statements | None:
    """Return the statements at the chosen bound; None for one that comes from the user's own values."""
    bounds, setting = result.bounds, result.setting
    if bounds is None or not has_statements(result):
        return None
    name = _NAMES[query_word(result)]
    low, high = map(in_full, bound_words(bounds))
    release = Release(
        noise=f"Values below {low} count as {low}, values above {high} count as {high}. {_noise_text(bounds, name)}",
        error=_error(result, bounds, name),
        mechanism=mechanism_text(result, bounds),
        proof=FAMILIES[setting.noise].calibration.theorem,
        epsilon=format_input_up(setting.epsilon),
        delta="" if setting.noise_delta is None else format_input_up(setting.noise_delta),
        neighbours=bounds.setting.neighbours,
    )
    return release_statements(release, bound_conditions(result))


def _noise_text(bounds: BoundsResult, name: str) -> str:
    if bounds.setting.share is not None:
        return "Random noise is added to the sum and to the number of values, whose ratio is published as the average"
    return f"Random noise is added to the {name} before it is published"


def _error(result: ClippingResult, bounds: BoundsResult, name: str) -> tuple[str, str]:
    """Return the error that the page states or, for the user's own values, of the noise of a sum alone."""
    setting, unit = result.setting, result.setting.unit
    if not setting.is_own:
        subject, exact = f"for values as assumed, the published {name}", f"the {name} of all values as they are"
        public, numbers = off_by(
            subject, float(bounds.chosen.half_width), setting.significance, unit, exact=exact, is_at_least=True
        )
        return public, f"{numbers} (assumed: {shape_words(result)})"
    if setting.query != "sum" or FAMILIES[setting.noise].truncated:
        return "", ""
    scale = float(bounds.chosen.noise_scale)
    half_width = NoiseDistribution(setting.noise, (scale,), scale).half_width(setting.significance)
    exact = "the exact sum of the values so limited"
    return off_by("the published sum", half_width, setting.significance, unit, exact=exact, is_at_least=True)


def mechanism_text(result: ClippingResult, bounds: BoundsResult) -> str:
    """Return the noise of the sum, with its scale; of a mean it is divided by the number of values, which may be a
    noisy one: the two noises then have a share of ε and δ each.
    """
    setting, n, share = result.setting, bounds.unit_count, bounds.setting.share
    family, sensitivity = FAMILIES[setting.noise], float(bounds.chosen.sensitivity) * n
    of_sum = _scale_text(result, float(bounds.chosen.noise_scale) * n, 1 - (share or 0.0), sensitivity)
    if share is None:
        divided = "" if setting.query == "sum" else ", divided by the number of values"
        return f"{family.words} noise in the sum, {of_sum}{divided}"
    middle = exact_text(bounds.low + (bounds.high - bounds.low) / 2)
    parts = "ε" if setting.noise_delta is None else "ε and δ"
    return (
        f"{family.words} noise in the sum of distances from the middle {middle}, {of_sum}, with {percent(1 - share)} "
        f"of {parts}, and in the number of values, {_scale_text(result, float(bounds.chosen.count_scale), share, 1.0)},"
        f" with {percent(share)}; the middle and their ratio add up to the mean"
    )


def _scale_text(result: ClippingResult, scale: float, share: float, sensitivity: float) -> str:
    """Return the scale of a noise with a share of ε and δ, and the Δ for which it is made."""
    setting, delta = result.setting, f"Δ = {amount_up(sensitivity)}"
    if setting.noise == "truncated_laplace":
        own = float(round_down(setting.epsilon * share)), float(round_down(setting.delta * share))
        bound, width = truncated_laplace_texts(*own, sensitivity)
        return f"A = {bound}, b = {width}, {delta}"
    return f"{FAMILIES[setting.noise].symbol} = {amount_up(scale)}, {delta}"


def steps_text(result: ClippingResult, bounds: BoundsResult) -> str:
    """Return what to do in three steps; of the user's own values only with bounds that were decided without them."""
    setting, unit = result.setting, escape_markdown(result.setting.unit)
    if setting.is_own and bounds.setting.is_sought:
        return (
            "**What to do:** decide the bounds without these data, and enter them. Then the noise to add stands here."
        )
    size, (low, high) = amount_up(float(bounds.chosen.half_width)), bound_words(bounds)
    error = "" if setting.is_own else f"±{size} {unit_after(size, unit)} (for values as assumed here), "
    terms = f"ε = {format_input_up(setting.epsilon)}{and_delta(setting.noise_delta)}"
    return shared_statements.steps_text(
        f"Clip every value to [{low}, {high}] before the {query_word(result)} is computed.",
        f"**Add {mechanism_text(result, bounds)}.**",
        f"Publish it with {error}the bounds, {terms} and the conditions.",
    )


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


def controls(result: ClippingResult) -> Sequence[Field | Parameter]:
    """Return the query, the values, the bound and ε."""
    bounds = result.bounds
    if result.has_no_values:
        return (SOURCE_FIELD,)
    values = () if result.setting.is_own else (MEDIAN, P90)
    bound = Field(BOUND, value=None if bounds is None else bounds.best_high)
    return Field(QUERY, "Statistic"), SOURCE_FIELD, *values, bound, EPSILON


def more_settings(result: ClippingResult) -> Sequence[Field | Parameter]:
    """Return the fields that few users change: those of the values, the bounds, the noise and the error."""
    setting, bounds = result.setting, result.bounds
    if result.has_no_values:
        return ()
    values = () if setting.is_own else (N_RECORDS, Field(SHAPE, "Shape of the values"))
    low = Field(LOW, value=None if bounds is None else bounds.low)
    delta = () if FAMILIES[setting.noise].pure else (DELTA,)
    for_query = {"sum": (Field(NEIGHBOURS, "Neighbours"),), "mean": (), "counted_mean": (COUNT_SHARE,)}
    terms = Field(NOISE, "Noise"), *delta, *for_query[setting.query]
    return *values, HIGH, low, *terms, Field(ERROR, "Error to minimise"), SIGNIFICANCE, Field(UNIT, "Unit")


def parts(result: ClippingResult, colours: Colours) -> Iterator[Part]:
    """Yield the error over the bound, the warning, what to do, and folded the values, the choices, and another ε."""
    bounds = result.bounds
    if bounds is None:
        return
    yield exhibits.error_curve(result, colours)
    yield text.below_text(bounds)
    yield leak_text(bounds)
    yield steps_text(result, bounds)
    yield Fold(lambda: (exhibits.values_chart(result, colours),), "What the bounds cut of the values")
    yield Fold(lambda: (exhibits.choices(result, colours),), "Compare the bounds in numbers")
    over_epsilon = exhibits.bound_over_epsilon, exhibits.error_over_epsilon
    yield Fold(lambda: [exhibit(result, colours) for exhibit in over_epsilon], "Another ε")
    is_whole = FAMILIES[result.setting.noise].whole
    sampler = f"{WHOLE_SAMPLER} {text.WHOLE_VALUES}" if is_whole else SAMPLER
    yield Fold((sampler,), "How to draw the noise")
    yield Fold((EQUAL_VALUES,), "Private quantiles where many values are equal")
    yield f"{links_text(result, bounds)} {presets_text(result, 'sum', PRESETS)}"


SECTION = Section[ClippingResult](
    key="sum",
    name="Clip a sum or mean",
    controls=controls,
    more_settings=more_settings,
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
    claims=code.bound_claims,
    snippets=code.bound_snippets,
    statements=statements,
    has_statements=has_statements,
    downloads=lambda result: code.bound_downloads(result, statements) if has_statements(result) else None,
)
