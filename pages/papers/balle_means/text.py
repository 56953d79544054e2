"""The sentences on Experiment 5.2: which mechanism is nearest to the true mean, and what of the paper holds."""

import math

import numpy as np
import pandas as pd

from dpcore.calibrations import FAILS, PROVED
from pages.framework.parameters.number_format import format_input_up, format_nearest, percent, pin_sentence
from pages.papers.balle_means.figures import MECHANISMS
from pages.papers.balle_means.results import DIMENSIONS, EPSILONS, MeanExperiment, MechanismRow
from pages.papers.results import PapersResult

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
