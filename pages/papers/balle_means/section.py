"""The section on Experiment 5.2: its sentences, which mechanism is nearest to the mean, and what of the paper holds."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpcore import denoise
from dpcore.calibrations import DP, FAILS, LAPLACE, PROVED, PURE_DP
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.panels import number, program
from pages.framework.layout.section import Claim, Field, Fields, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, percent, pin_sentence
from pages.framework.parameters.parameter import Parameter
from pages.papers.balle_means import figures
from pages.papers.balle_means.figures import MECHANISMS
from pages.papers.balle_means.results import DIMENSIONS, EPSILONS, PAPER_DELTA, MeanExperiment, MechanismRow
from pages.papers.parameters import MEAN_DIMENSION, MEAN_RECORDS, MEAN_REPEATS, MEANS_AGAINST, MEANS_GRID
from pages.papers.results import PapersResult
from pages.shared.other_libraries import DPCORE, gaussian_sigma
from pages.shared.shared_parameters import DELTA, EPSILON, SEED

NO_ANSWER = (
    "At ε = 0 there is nothing to compare.",
    "Neither Laplace noise nor the classical Gaussian has an answer there. Choose an ε of at least 1e-12.",
)
_N_SETTINGS = len(DIMENSIONS) * len(EPSILONS)
_BURIED_SHARE = 0.9  # of the error of answering 0: a larger error leaves hardly anything of the mean


def answer_text(result: PapersResult) -> tuple[str, ...]:
    """Return which mechanism is nearest, whether the paper's orderings hold, and what has changed."""
    experiment, pinned = result.mean_experiment, result.pinned and result.pinned.mean_experiment
    answer = experiment_answer_text(experiment)
    return answer if pinned is None or not experiment.n_repeats else (*answer, comparison_text(experiment, pinned))


def experiment_answer_text(experiment: MeanExperiment) -> tuple[str, str]:
    """Return which mechanism has the least error at (d, ε), and whether the paper's order of mechanisms holds."""
    if experiment.n_repeats == 0:
        return "This experiment has not been run yet.", _missing_sentence(experiment)
    if not experiment.is_available:
        return NO_ANSWER
    return _nearest_sentence(experiment), _buried_sentence(experiment) or _denoising_sentence(experiment)


def comparison_text(experiment: MeanExperiment, pinned: MeanExperiment) -> str:
    """Return how the errors of the analytic Gaussian and the estimators have changed since the pinned setting."""
    if not (experiment.is_available and pinned.is_available):
        epsilons = f"ε {format_input_up(pinned.setting.epsilon)} → {format_input_up(experiment.setting.epsilon)}"
        return pin_sentence(f"{epsilons}; one of them has no answer")
    changes = []
    for key in ("analytic", "james_stein", "soft_universal"):
        if key in experiment.rows and key in pinned.rows:
            before, after = (format_nearest(rows[key].error_mean, 3) for rows in (pinned.rows, experiment.rows))
            changes.append(f"{MECHANISMS[key].words} {before} → {after}")
    return pin_sentence(f"error of {', '.join(changes)}", f"ε = {format_input_up(pinned.setting.epsilon)}")


def best_row(experiment: MeanExperiment) -> MechanismRow:
    """Return the row of least mean error at (d, ε) among mechanisms that satisfy their guarantee."""
    rows = [row for key, row in experiment.rows.items() if key != "james_stein_plus" and row.status != FAILS]
    return min(rows, key=lambda row: row.error_mean)


def _nearest_sentence(experiment: MeanExperiment) -> str:
    other, analytic, setting = best_beside_analytic(experiment), experiment.rows["analytic"], experiment.setting
    at = f"At d = {setting.dimension:,}, ε = {format_input_up(setting.epsilon)}"
    name = MECHANISMS[other.mechanism].words
    error, analytic_error = format_nearest(other.error_mean, 3), format_nearest(analytic.error_mean, 3)
    if abs(other.gain_mean) <= 2 * other.gain_standard_error:
        return (
            f"{at} {name} and the analytic Gaussian are too close to call: errors about {error} and {analytic_error}."
        )
    if other.gain_mean < 0:
        return f"{at} no mechanism has a smaller mean error than the analytic Gaussian, about {analytic_error}."
    share = math.floor(100 * other.gain_mean / analytic.error_mean + 1e-9)
    below = f"{share} %" if share >= 1 else "less than 1 %"
    return f"{at} {name} has the least mean error, about {error}: {below} below the analytic Gaussian’s."


def best_beside_analytic(experiment: MeanExperiment) -> MechanismRow:
    """Return the row of least mean error of those that the answer compares with the analytic Gaussian."""
    rows = (row for key, row in experiment.rows.items() if key not in ("analytic", "james_stein_plus"))
    return min((row for row in rows if row.status != FAILS), key=lambda row: row.error_mean)


def _tie_sentence(experiment: MeanExperiment) -> str:
    """Return which other mechanism's error is not distinguishable from the least, if any."""
    least = best_row(experiment)
    for key, row in experiment.rows.items():
        within = row.error_mean - least.error_mean <= 2 * math.hypot(row.standard_error, least.standard_error)
        if key not in (least.mechanism, "james_stein_plus", "analytic") and row.status != FAILS and within:
            return f" At this setting {MECHANISMS[key].words} is too close to the least error to call."
    return ""


def _buried_sentence(experiment: MeanExperiment) -> str:
    """Return that the noise leaves hardly anything of the mean, if so."""
    row = best_row(experiment)
    if row.error_mean < _BURIED_SHARE * row.norm_mean:
        return ""
    error = format_nearest(row.norm_mean, 3)
    return f"The noise hides the mean: answering 0, without any data, has the mean error {error}."


def _denoising_sentence(experiment: MeanExperiment) -> str:
    """Return in how many settings of the sweep the denoised means have smaller errors than the release."""
    gained = _n_settings(experiment.orderings, "james_stein", "analytic", "as published")
    lost = _n_settings(experiment.orderings, "soft_universal", "analytic", "reversed")
    return (
        "The paper finds denoised means nearest: here James–Stein is nearer than the analytic Gaussian in"
        f" {gained} of {_N_SETTINGS} settings, and the soft threshold is farther in {lost}."
    )


def _orderings_text(experiment: MeanExperiment) -> str:
    """Return in how many settings of the sweep the paper's order of James–Stein and the others holds."""
    nearer = {
        farther: _n_settings(experiment.orderings, "james_stein", farther, "as published")
        for farther in experiment.orderings["farther"].unique()
    }
    lost = _n_settings(experiment.orderings, "soft_universal", "analytic", "reversed")
    return (
        f"**The paper’s order.** Of {_N_SETTINGS} settings of d and ε, James–Stein has a smaller mean error than the"
        f" classical Gaussian in {nearer['classical']}, than Laplace noise in {nearer['laplace']} and than the"
        f" analytic Gaussian in {nearer['analytic']}. The soft threshold has a larger error than the analytic Gaussian"
        f" in {lost}."
        f"{_tie_sentence(experiment)}"
    )


def _n_settings(orderings: pd.DataFrame, nearer: str, farther: str, verdict: str) -> int:
    is_pair = (orderings["nearer"].to_numpy() == nearer) & (orderings["farther"].to_numpy() == farther)
    return int(np.count_nonzero(orderings["verdict"].to_numpy()[is_pair] == verdict))


def _missing_sentence(experiment: MeanExperiment) -> str:
    """Return that the data sets take a while to draw, and how to get them."""
    setting = experiment.setting
    size = setting.n_records * setting.n_repeats * sum(experiment.dimensions)
    return (
        f"It draws about {format_nearest(size / 1e6, 2)} million numbers: {setting.n_repeats} data sets of"
        f" {setting.n_records:,} records for each d. Press “Run the experiment” below."
    )


def run_text(experiment: MeanExperiment) -> str:
    """Return how many data sets there are, and how to get all."""
    if experiment.is_complete:
        return f"Means of {experiment.n_repeats} data sets for each d."
    return (
        f"Means of {experiment.n_repeats} of {experiment.setting.n_repeats} data sets for each d. “Run the experiment”,"
        " below, draws all of them."
    )


def progress_text(share: float) -> str:
    """Return the progress of the task in the background."""
    return f"Drawing the data sets: {percent(share, 2)} done"


def subtitle(experiment: MeanExperiment, statistics: str) -> str:
    """Return the parameters of a picture, and which `statistics` of the data sets it shows."""
    setting = experiment.setting
    fixed = f"ε = {format_input_up(setting.epsilon)}" if setting.along == "dimension" else f"d = {setting.dimension:,}"
    parameters = f"{fixed}, δ = {format_input_up(setting.delta)}, n = {setting.n_records:,}"
    return f"{parameters}; {statistics} of {experiment.n_repeats} data sets, seed {setting.seed}"


def alternative_text(experiment: MeanExperiment) -> str:
    """Return the text alternative of the pictures."""
    errors = "; ".join(
        f"{MECHANISMS[key].name} {format_nearest(row.error_mean, 3)} ± {format_nearest(row.error_sd, 2)}"
        for key, row in experiment.rows.items()
    )
    answer = " ".join(experiment_answer_text(experiment))
    return f"{answer} Mean error ‖·‖₂ ± standard deviation at this setting: {errors}."


def notes_text(experiment: MeanExperiment) -> str:
    """Return the limits of the experiment and what to do, in Markdown."""
    setting, far = experiment.setting, experiment.largest_noise_rows
    buried = far["soft_universal"].error_mean >= _BURIED_SHARE * far["soft_universal"].norm_mean
    reason = "This holds only where the noise hides the mean."
    if not buried:
        reason = "This needs noise that hides the mean, which these settings do not have."
    errors = far["analytic"].error_mean, far["soft_universal"].error_mean, far["analytic"].norm_mean
    analytic, threshold, zero = (format_nearest(error, 3) for error in errors)
    centre = (setting.dimension / (12 * setting.n_records)) ** 0.5
    return f"""\
{_orderings_text(experiment)}

**“Sometimes by orders of magnitude.”** {reason} At d = {DIMENSIONS[-1]:,}, ε = {EPSILONS[0]} the mean error of the \
analytic Gaussian is {analytic} and that of the soft threshold {threshold}; answering 0, without any data, has {zero}.

**Why the soft threshold does harm here.** It helps where most numbers are near 0. Here they are about N(0, 1): \
where σ is small it shifts nearly all of them by T = σ√(2 ln d), and its error approaches √(1 + 2 ln d) = \
{format_nearest((1 + 2 * math.log(setting.dimension)) ** 0.5, 3)} times that of the release.

**The box discloses the mean.** The guarantee assumes a public box, v + [−½, ½] in each coordinate: only the box \
bounds the effect of one record. But the box discloses v, whose root mean square distance from the mean is \
√(d/(12n)) = {format_nearest(centre, 3)} at d = {setting.dimension:,}. With real data the \
box must be known without looking at them.

**Guarantees.** Neighbours differ by one replaced record; n is public. Laplace noise satisfies pure \
ε-DP, the others (ε, δ)-DP.{_classical_status_phrase(experiment)}

**What to do:** for three numbers or more, use the positive part of James–Stein. James–Stein shrinks all numbers \
towards 0 by one factor, which it estimates from the release. Its mean squared error is never above the release’s, \
and it costs no privacy. Use the soft threshold where you expect few large numbers."""


def _classical_status_phrase(experiment: MeanExperiment) -> str:
    status = experiment.rows["classical"].status
    if status == PROVED:
        return ""
    if status == FAILS:
        return " **✗ At this ε the classical σ is too small for its guarantee**, so the answer leaves it out."
    return " At this ε the classical σ is sufficient, but not proved."


def reading_text(experiment: MeanExperiment) -> str:
    """Return how the table is to be read."""
    return (
        f"At d = {experiment.setting.dimension:,}, ε = {format_input_up(experiment.setting.epsilon)}. σ and b are in"
        " units of the records, rounded up. “Below analytic” compares errors on the same data sets; a difference"
        " within two standard errors is too close to call."
    )


def table_html(experiment: MeanExperiment) -> str:
    """Return the mechanisms at (d, ε), as an accessible HTML table."""
    heads = ["Mechanism", "σ or b", "Guarantee", "Mean error ‖·‖₂", "s.d.", "Standard error", "Below analytic"]
    body = []
    for key, row in experiment.rows.items():
        gain = percent(row.gain_mean / experiment.rows["analytic"].error_mean, 3)
        cells = [MECHANISMS[key].name, format_up(row.scale), _guarantee_cell(key, row.status)]
        cells += [format_nearest(row.error_mean), format_nearest(row.error_sd, 3)]
        tie = ", too close to call" if abs(row.gain_mean) <= 2 * row.gain_standard_error else ""
        cells += [format_nearest(row.standard_error, 2), "–" if key == "analytic" else f"{gain}{tie}"]
        body.append(cells)
    return number_format.table_html("Errors at this setting", "means", heads, body)


def _guarantee_cell(key: str, status: str) -> str:
    status_text = {PROVED: "✓", FAILS: "✗ FAILS:"}.get(status, "! sufficient, unproved:")
    return f"{status_text} {PURE_DP if key == LAPLACE.key else DP}"


def settings_frame(experiment: MeanExperiment) -> pd.DataFrame:
    """Return the whole sweep and the lines through the open setting, each setting once."""
    frames = pd.concat([experiment.sweep, experiment.along_dimension, experiment.along_epsilon], ignore_index=True)
    once = frames.drop_duplicates(["dimension", "epsilon", "mechanism"])
    return once.sort_values(["dimension", "epsilon"], kind="stable", ignore_index=True)


def errors(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return the mean error of each mechanism along d or ε, and its spread."""
    experiment, pinned = result.mean_experiment, result.pinned and result.pinned.mean_experiment
    if not experiment.is_available:
        return None
    pinned = pinned if pinned is not None and pinned.is_available else None
    figure = figures.errors_figure(experiment, pinned, subtitle(experiment, "mean ± s.d."), colours)
    return _exhibit("mean_errors", figure, result, experiment.picture_errors)


def ratios(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return the mean errors relative to the analytic Gaussian's."""
    experiment = result.mean_experiment
    if not experiment.is_available:
        return None
    figure = figures.ratios_figure(experiment, subtitle(experiment, "means"), colours)
    return _exhibit("mean_error_ratios", figure, result, experiment.picture_errors)


def mechanisms(result: PapersResult, _: Colours) -> Exhibit | None:
    """Return the table of the mechanisms at (d, ε); its CSV has the whole sweep."""
    experiment = result.mean_experiment
    if not experiment.is_available:
        return None
    return _exhibit("mean_mechanisms", table_html(experiment), result, lambda: settings_frame(experiment))


def _exhibit(
    name: str, picture: Figure | str, result: PapersResult, numbers: pd.DataFrame | Callable[[], pd.DataFrame]
) -> Exhibit:
    experiment, setting = result.mean_experiment, result.mean_experiment.setting
    header: dict[str, Any] = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta)}
    header |= {"dimension": setting.dimension, "records": setting.n_records, "data sets": experiment.n_repeats}
    header |= {"seed": setting.seed, "neighbours": "one record replaced by another of the same public box, n public"}
    units = "epsilon in nats; errors Euclidean distances in the units of the records; scale sigma or b likewise"
    header |= {"units": units} | ({} if result.pinned is None else {"pinned": result.pinned.setting.description})
    return Exhibit(name, picture, alternative_text(experiment), numbers, header)


def explanation_text(result: PapersResult) -> str:
    """Return how the experiment is done, in Markdown with TeX and the user's numbers."""
    setting = result.mean_experiment.setting
    sensitivity = denoise.mean_sensitivity(setting.dimension, setting.n_records)
    return _TEMPLATE.format(
        d=f"{setting.dimension:,}".replace(",", "{,}"),
        n=f"{setting.n_records:,}".replace(",", "{,}"),
        l2=number_format.tex(format_up(float(sensitivity.l2))),
        l1=number_format.tex(format_up(float(sensitivity.l1))),
        paper_n=MEAN_RECORDS.default,
        paper_delta=format_input_up(PAPER_DELTA),
        paper_repeats=MEAN_REPEATS.default,
    )


_TEMPLATE = r"""
**What is done** (Balle & Wang 2018, §5.2). Each data set draws a centre $v\sim N(0,I_d)$ and $n={n}$ records
$v+U[-\tfrac12,\tfrac12]^d$; $y$ is their mean. One record replaced by another of the same box moves it by at most

$$\Delta_2=\frac{{\sqrt d}}n={l2},\qquad \Delta_1=\frac dn={l1}\qquad(d={d}).$$

**Mechanisms.** The classical σ (Dwork & Roth 2014, Theorem A.1) and the analytic σ (Theorem 8) for (ε, δ) and
$\Delta_2$; Laplace noise of scale $\Delta_1/\varepsilon$. From the analytic release $\hat y$, James–Stein (Theorem 11)
and the soft threshold (Theorem 12):

$$\left(1-\frac{{(d-2)\sigma^2}}{{\lVert\hat y\rVert^2}}\right)\hat y,\qquad
\operatorname{{sign}}(\hat y_i)\max\!\left(0,|\hat y_i|-\sigma\sqrt{{2\ln d}}\right).$$

James–Stein is drawn as published. The table also has its positive part, which never reverses the sign of the release.
Denoising uses the release and σ alone, so it costs no privacy.

**The error** is the Euclidean distance $\lVert\text{{released}}-y\rVert_2$; divide by $\sqrt d$ for the root mean
square of a coordinate. All ε and mechanisms meet the same data sets, and the Gaussian releases the same standard noise,
so that chance affects them alike; the seed of the link draws them again. The sweep over 8 d from 10 to 2,000
and 7 ε from 0.01 to 1 is this page’s. n = {paper_n}, δ = {paper_delta} and {paper_repeats} data sets for each point
are the published paper’s (Figure 1 and its text).
""".strip()


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return σ at the open setting, and the errors that the answer compares."""
    experiment = result.mean_experiment
    if not experiment.is_available:
        return ()
    setting, rows = experiment.setting, (best_beside_analytic(experiment), experiment.rows["analytic"])
    budget = f"{number(setting.epsilon)}, {number(setting.delta)}"
    code = program(
        "import numpy as np",
        "from dpcore import denoise",
        "",
        f"dimension, n_records, n_repeats = {setting.dimension}, {setting.n_records}, {experiment.n_repeats}",
        f"rng = np.random.default_rng([{setting.seed}, dimension])",
        "draws = denoise.mean_draws(rng, dimension, n_records, n_repeats)",
        f"errors = denoise.mean_errors(draws, {budget}).set_index('mechanism')",
        "print(errors.scale['analytic'])",
        f"print(*errors.error_mean[{[row.mechanism for row in rows]}])",
    )
    n_repeats = experiment.n_repeats
    n_data_sets = f"{n_repeats}" if experiment.is_complete else f"the {n_repeats} so far of {setting.n_repeats}"
    mechanisms = " and of ".join(MECHANISMS[row.mechanism].name for row in rows)
    note = f"σ, and the mean errors ‖·‖₂ of {mechanisms}, of {n_data_sets} data sets."
    own = Snippet(DPCORE, code, note, (rows[1].scale, *(row.error_mean for row in rows)))
    sensitivity = setting.dimension**0.5 / setting.n_records
    return own, *gaussian_sigma(setting.epsilon, setting.delta, sensitivity, rows[1].scale)


_WHY_UNPROVED = "They are means over simulated data sets: estimates, and no guarantee."


def controls(result: PapersResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    delta = () if result.mean_experiment.setting.is_published else (DELTA,)
    return EPSILON, *delta, MEAN_DIMENSION, Field(MEANS_AGAINST, "Horizontal axis")


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors along d or ε, alone and over the analytic Gaussian's, notes on them, and the numbers."""
    experiment = result.mean_experiment
    if experiment.is_available:
        yield errors(result, colours)
    sizes = () if experiment.setting.is_published else (MEAN_RECORDS, MEAN_REPEATS)
    yield Fields((Field(MEANS_GRID, "Settings"), *sizes, SEED))
    if experiment.is_available:
        yield run_text(experiment)
        yield ratios(result, colours)
        yield notes_text(experiment)
        yield mechanisms(result, colours)
        yield reading_text(experiment)


SECTION = Section[PapersResult](
    controls=controls,
    parts=parts,
    key="means",
    name="Balle & Wang 5.2: means",
    answer_text=answer_text,
    explanation=explanation_text,
    exhibits=(errors, ratios, mechanisms),
    claims=lambda _: (Claim("The errors", reason=_WHY_UNPROVED),),
    snippets=snippets,
)
