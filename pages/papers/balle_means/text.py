"""The sentences on Experiment 5.2: which mechanism is nearest to the true mean, and what of the paper holds."""

import math

import numpy as np
import pandas as pd

from dpcore.calibrations import FAILS, PROVED
from pages.framework.parameters.number_format import format_input_up, format_nearest, percent
from pages.papers.balle_means.figures import MECHANISM_NAMES
from pages.papers.balle_means.results import DIMENSIONS, EPSILONS, MeanExperiment, MechanismRow
from pages.papers.results import PapersResult

NO_ANSWER = (
    "At ε = 0 there is nothing to compare.",
    "Neither the Laplace nor the classical Gaussian noise has an answer there. Take an ε of 1e-12 or more.",
)
_BURIED_SHARE = 0.9  # of the error of answering 0: a larger error leaves hardly anything of the mean


def answer_text(result: PapersResult) -> tuple[str, ...]:
    """Return which mechanism is nearest, whether the paper's orderings hold, and what has changed."""
    experiment, pinned = result.mean_experiment, result.pinned and result.pinned.mean_experiment
    answer = experiment_answer_text(experiment)
    return answer if pinned is None or not experiment.n_repeats else (*answer, comparison_text(experiment, pinned))


def experiment_answer_text(experiment: MeanExperiment) -> tuple[str, str]:
    """Return which mechanism is nearest at (d, ε) and by how much, and whether the paper's orderings hold."""
    if experiment.n_repeats == 0:
        return "These results are not made yet.", _missing_sentence(experiment)
    if not experiment.is_available:
        return NO_ANSWER
    details = f"{_buried_sentence(experiment)}{_orderings_sentence(experiment)} {_repeats_sentence(experiment)}"
    return _nearest_sentence(experiment), details


def comparison_text(experiment: MeanExperiment, pinned: MeanExperiment) -> str:
    """Return how the errors of the analytic Gaussian and the estimators have changed since the pinned setting."""
    if not (experiment.is_available and pinned.is_available):
        epsilons = f"ε {format_input_up(pinned.setting.epsilon)} → {format_input_up(experiment.setting.epsilon)}"
        return f"Since the pinned setting: {epsilons}; one of them has no answer."
    changes = []
    for key in ("analytic", "james_stein", "soft_universal"):
        if key in experiment.rows and key in pinned.rows:
            before, after = (format_nearest(rows[key].error_mean, 3) for rows in (pinned.rows, experiment.rows))
            changes.append(f"{_short_name(key)} {before} → {after}")
    return f"Since the pinned setting: error of {', '.join(changes)}."


def _short_name(key: str) -> str:
    return MECHANISM_NAMES[key].removeprefix("analytic + ")


def best_row(experiment: MeanExperiment) -> MechanismRow:
    """Return the row of least mean error at (d, ε) among mechanisms that satisfy their guarantee."""
    rows = [row for key, row in experiment.rows.items() if key != "james_stein_plus" and row.status != FAILS]
    return min(rows, key=lambda row: row.error_mean)


def _nearest_sentence(experiment: MeanExperiment) -> str:
    other, analytic, setting = best_beside_analytic(experiment), experiment.rows["analytic"], experiment.setting
    at = f"At d = {setting.dimension:,}, ε = {format_input_up(setting.epsilon)}"
    name = MECHANISM_NAMES[other.mechanism]
    error, analytic_error = format_nearest(other.error_mean, 3), format_nearest(analytic.error_mean, 3)
    errors = f"{error} and {analytic_error}"
    if abs(other.gain_mean) <= 2 * other.gain_standard_error:
        return f"{at} {name} and the analytic Gaussian are too close to call: mean errors ‖·‖₂ {errors}."
    if other.gain_mean < 0:
        return f"{at} nothing is nearer than the analytic Gaussian: mean error ‖·‖₂ {analytic_error}."
    share = math.floor(100 * other.gain_mean / analytic.error_mean + 1e-9)
    if share < 1:
        return f"{at} {name} is hardly nearer than the analytic Gaussian: mean errors ‖·‖₂ {errors}."
    nearest = f"{at} {name} is nearest{_tie_phrase(experiment)}: mean error ‖·‖₂ {error}"
    return f"{nearest}, {share} % below the analytic Gaussian’s {analytic_error}."


def best_beside_analytic(experiment: MeanExperiment) -> MechanismRow:
    """Return the row of least mean error of those that the answer compares with the analytic Gaussian."""
    rows = (row for key, row in experiment.rows.items() if key not in ("analytic", "james_stein_plus"))
    return min((row for row in rows if row.status != FAILS), key=lambda row: row.error_mean)


def _tie_phrase(experiment: MeanExperiment) -> str:
    """Return which other mechanism's error is not distinguishable from the least, if any."""
    least = best_row(experiment)
    for key, row in experiment.rows.items():
        within = row.error_mean - least.error_mean <= 2 * math.hypot(row.standard_error, least.standard_error)
        if key not in (least.mechanism, "james_stein_plus", "analytic") and row.status != FAILS and within:
            return f" ({_short_name(key)} too close to call)"
    return ""


def _buried_sentence(experiment: MeanExperiment) -> str:
    """Return that the noise leaves hardly anything of the mean, if so."""
    row = best_row(experiment)
    if row.error_mean < _BURIED_SHARE * row.norm_mean:
        return ""
    error = format_nearest(row.norm_mean, 3)
    return f"But the noise buries the mean: to answer 0, without any data, has the error {error}. "


def _orderings_sentence(experiment: MeanExperiment) -> str:
    """Return in how many settings of the sweep the denoised means are nearer than the others."""
    orderings, farther = experiment.orderings, ("classical", "laplace", "analytic")
    classical, laplace, analytic = (_n_settings(orderings, "james_stein", key, "as published") for key in farther)
    n_lost = _n_settings(orderings, "soft_universal", "analytic", "reversed")
    return (
        f"The paper has the denoised means nearest. Of {len(DIMENSIONS) * len(EPSILONS)} settings James–Stein beats "
        f"classical in {classical}, Laplace in {laplace}, analytic in {analytic}; the threshold loses to analytic in "
        f"{n_lost}."
    )


def _n_settings(orderings: pd.DataFrame, nearer: str, farther: str, verdict: str) -> int:
    is_pair = (orderings["nearer"].to_numpy() == nearer) & (orderings["farther"].to_numpy() == farther)
    return int(np.count_nonzero(orderings["verdict"].to_numpy()[is_pair] == verdict))


def _repeats_sentence(experiment: MeanExperiment) -> str:
    if experiment.is_complete:
        return f"{experiment.n_repeats} data sets each."
    return f"So far {experiment.n_repeats} of {experiment.setting.n_repeats} data sets each."


def _missing_sentence(experiment: MeanExperiment) -> str:
    """Return that the data sets take a while to draw, and how to get them."""
    setting = experiment.setting
    size = setting.n_records * setting.n_repeats * sum(experiment.dimensions)
    return (
        f"{setting.n_repeats} data sets of {setting.n_records:,} records for each of {len(experiment.dimensions)} d are"
        f" {format_nearest(size / 1e6, 2)} million numbers. Press “Run the experiment” below."
    )


def run_text(experiment: MeanExperiment) -> str:
    """Return how to get all data sets; empty if they are complete."""
    if experiment.is_complete:
        return ""
    return f"“Run the experiment”, below, draws all {experiment.setting.n_repeats} data sets for each d."


def progress_text(share: float) -> str:
    """Return the progress of the task in the background."""
    return f"Drawing the data sets: {percent(share, 2)} done"


def subtitle(experiment: MeanExperiment, along: str, statistics: str) -> str:
    """Return the parameters of a picture, and which `statistics` of the data sets it shows."""
    setting = experiment.setting
    fixed = f"ε = {format_input_up(setting.epsilon)}" if along == "dimension" else f"d = {setting.dimension:,}"
    parameters = f"{fixed}, δ = {format_input_up(setting.delta)}, n = {setting.n_records:,}"
    return f"{parameters}; {statistics} of {experiment.n_repeats} data sets, seed {setting.seed}"


def alternative_text(experiment: MeanExperiment) -> str:
    """Return the text alternative of the pictures."""
    errors = "; ".join(
        f"{MECHANISM_NAMES[key]} {format_nearest(row.error_mean, 3)} ± {format_nearest(row.error_sd, 2)}"
        for key, row in experiment.rows.items()
    )
    answer = " ".join(experiment_answer_text(experiment))
    return f"{answer} Mean error ‖·‖₂ ± standard deviation at this setting: {errors}."


def notes_text(experiment: MeanExperiment) -> str:
    """Return the limits of the experiment and what to do, in Markdown."""
    setting, far = experiment.setting, experiment.largest_noise_rows
    buried = far["soft_universal"].error_mean >= _BURIED_SHARE * far["soft_universal"].norm_mean
    why = "holds only where the noise buries the mean."
    if not buried:
        why = "needs noise that buries the mean, which these settings lack."
    errors = far["analytic"].error_mean, far["soft_universal"].error_mean, far["analytic"].norm_mean
    analytic, threshold, zero = (format_nearest(error, 3) for error in errors)
    centre = (setting.dimension / (12 * setting.n_records)) ** 0.5
    return f"""\
**“Sometimes by orders of magnitude”** {why} At d = {DIMENSIONS[-1]:,}, ε = {EPSILONS[0]} the \
analytic Gaussian’s error is {analytic} and the threshold’s {threshold}; to answer 0, without any data, has {zero}.

**Why the threshold hurts here.** It pays where most numbers are near 0. Here they are about N(0, 1); \
where σ is small it pulls nearly all by T = σ√(2 ln d), and the error nears √(1 + 2 ln d) = \
{format_nearest((1 + 2 * math.log(setting.dimension)) ** 0.5, 3)} times the release’s.

**The box gives the mean away.** The promise counts on a public box, v + [−½, ½] in each coordinate, \
as only that bounds what one record moves. But whoever knows the box knows v, which is √(d/(12n)) = \
{format_nearest(centre, 3)} from the mean in root mean square at d = {setting.dimension:,}. So this \
compares mechanisms and is no recipe; with real data the box must be known without looking at them.

**What is promised.** Neighbours differ by one replaced record; n is public. Laplace noise keeps \
ε-DP, the others (ε, δ)-DP.{_classical_status_phrase(experiment)}

**What to do:** for three numbers or more, take the positive part of James–Stein: its mean squared \
error is never above the release’s, and it costs no privacy. Take the threshold where you expect few \
numbers that stand out."""


def _classical_status_phrase(experiment: MeanExperiment) -> str:
    status = experiment.rows["classical"].status
    if status == PROVED:
        return ""
    if status == FAILS:
        return " **✗ At this ε the classical σ is too small for its promise**, and it is left out of the answer."
    return " At this ε the classical σ is not proved, but enough."


def reading_text(experiment: MeanExperiment) -> str:
    """Return how the table is to be read."""
    return (
        f"At d = {experiment.setting.dimension:,}, ε = {format_input_up(experiment.setting.epsilon)}. σ and b are in"
        " units of the records, rounded up; “Below analytic” is on the same data sets. Within two standard errors it"
        " is too close to call."
    )
