"""The sentences on Liu's experiments: whether the published order came out, warnings, subtitles, and the table."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from dpcore.calibrations import CLASSICAL, FAILS, PROVED
from dpcore.tables import MECHANISMS, SvmScore
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import capitalized, format_input_up, format_nearest, percent, plural
from pages.papers.liu_tables.figures import AXES, NAMED, SHORT, is_on_log_axis
from pages.papers.liu_tables.results import MOST_CELLS, TableExperiment
from pages.shared.counts.table import YOURS


def scores_text(scores: Sequence[SvmScore]) -> str:
    """Return how far the scores are from that of the original counts."""
    original, *released = scores
    first = f"Trained on the original counts, the machine predicts {100 * original.accuracy:.1f} % of the test records."
    if not released:
        return first
    gains = sorted(100 * (score.accuracy - original.accuracy) for score in released)
    low, high = (f"{gain:+.2f}".replace("-", "−") for gain in (gains[0], gains[-1]))
    between = f"{low}" if low == high else f"{low} to {high}"
    return (
        f"{first} Training on released counts changes this by {between} percentage points; each share has a "
        f"standard error of {100 * original.standard_error:.2f} points. Liu finds losses of 0.25 to 1 point."
    )


def subtitle(scores: Sequence[SvmScore]) -> str:
    """Return the parameters of the figure of scores, which are those of one ε and δ."""
    placed = [score.setting for score in scores if score.setting is not None]
    if not placed:
        return "trained on the original counts; ± one standard error"
    epsilon, delta = placed[0].epsilon, max(setting.delta for setting in placed)
    at_delta = f", δ = {format_input_up(delta)}" if delta else ""
    return (
        f"RBF support vector machine, ε = {format_input_up(epsilon)}{at_delta}; one release each; ± one standard error"
    )


Means = dict[str, dict[tuple[float, float], float]]


def analytic_text(results: pd.DataFrame) -> str:
    """Return how near the analytic Gaussian comes in ℓ₁ distance, and its guarantee, in Markdown."""
    mean = _mean_distances(results)
    settings, nearer, laplace = _analytic_wins(mean)
    return (
        "**What the paper omits: the analytic Gaussian.** Its mean ℓ₁ distance is below that of the pDP and the"
        f" classical Gaussian {_settings_text(nearer, settings)} ({_difference_from_pdp(mean, 'analytic')}), and below"
        f" Laplace’s {_settings_text(laplace, settings)}. Its guarantee, (ε, δ)-DP, is weaker than pure ε-DP and pDP."
    )


def generalized_text(results: pd.DataFrame) -> str:
    """Return how far the generalized Gaussian is from the pDP Gaussian, to which the paper finds it similar."""
    return (
        "**The generalized Gaussian.** Liu finds p = 3 similar to the pDP Gaussian. Here its mean ℓ₁ distance is "
        f"{_difference_from_pdp(_mean_distances(results), 'generalized')}."
    )


def _analytic_wins(mean: Means) -> tuple[int, int, int]:
    """Return the number of settings, and in how many the analytic Gaussian beats both Gaussians, and Laplace."""
    analytic = mean["analytic"]
    nearer = sum(value < min(mean["pdp"][place], mean["classical"][place]) for place, value in analytic.items())
    laplace = sum(value < mean["laplace"][epsilon, 0.0] for (epsilon, _), value in analytic.items())
    return len(analytic), nearer, laplace


def _settings_text(n_settings: int, settings: int) -> str:
    """Return a number of settings out of all, in words."""
    if n_settings == 0:
        return "in no setting"
    if n_settings < settings:
        return f"in {n_settings} of {settings} settings"
    return {1: "in the one setting", 2: "in both settings"}.get(settings, f"in all {settings} settings")


def _difference_from_pdp(mean: Means, name: str) -> str:
    """Return how far a mechanism's mean ℓ₁ distances are from those of the pDP Gaussian, where those are above 0."""
    pdp = mean["pdp"]
    shares = sorted(100 * (value / pdp[place] - 1) for place, value in mean[name].items() if pdp[place] > 0)
    if not shares:
        return "not comparable with the pDP Gaussian’s, which is 0"
    condition = " where that is above 0" if len(shares) < len(pdp) else ""
    low, high = shares[0], shares[-1]
    if low < 0 <= high:
        between = f"from {format_nearest(-low, 2)} % below to {format_nearest(high, 2)} % above"
    else:
        least, most = (f"{format_nearest(share, 2)} %" for share in sorted((abs(low), abs(high))))
        between = f"{least if least == most else f'{least} to {most}'} {'below' if low < 0 else 'above'}"
    return f"{between} the pDP Gaussian’s{condition}"


def _mean_distances(results: pd.DataFrame) -> Means:
    """Return the mean ℓ₁ distance of each mechanism at each (ε, δ)."""
    mean: Means = {name: {} for name in MECHANISMS}
    for row in results.to_dict("records"):
        mean[row["mechanism"]][row["epsilon"], row["delta"]] = row["l1_mean"]
    return mean


_POST_PROCESSING = {
    "paper": "clipped to [0, n] and scaled to n",
    "rounded": "clipped to [0, n], scaled to n and rounded",
    "none": "not processed",
}
NO_TABLE = (
    "Choose a table to run Liu’s experiments on.",
    "They need its counts: upload or paste your own table below, or choose a sample table, or Adult under “Data”.",
)
NO_ADULT = ("Adult has not been loaded.", "Open “Adult’s file” below to upload its file or to fetch it from UCI.")
_PUBLIC_TOTAL = (
    "**The true total n is disclosed.** These releases are clipped at n and scaled to n, which Liu takes as public. "
    "The noise is for adding or removing one person, which changes n: the total alone distinguishes the two tables, so "
    "no (ε, δ) of this page holds for these releases. Where n is public, neighbours are tables with one person "
    "replaced, which changes two cells: Laplace noise must then be twice as large, Gaussian noise √2 times. In a "
    "publication, do not scale to the true n."
)
_GUARANTEES_DIFFER = (
    "**The guarantees of the mechanisms differ{scaled}.** Laplace noise satisfies pure ε-DP. The pDP and the "
    "generalized Gaussian satisfy probabilistic DP: the privacy loss exceeds ε with probability at most δ. The "
    "classical and the analytic Gaussian satisfy (ε, δ)-DP, which is weaker: probabilities may exceed the e^ε bound by "
    "up to δ.{fails} Liu chose δ = 0.01 and more for this comparison; in a publication, choose δ far below 1/n."
)
_EMPTY_CELLS = (
    "**Empty cells are left out.** Of about {possible} combinations only those that occur are released, as in the "
    "paper. Listing a cell reveals that somebody is in it, whichever noise its count gets, and no (ε, δ) covers that. "
    "This is an experiment: do not publish a table in this way."
)
_MOST_COMPARISONS = 6  # further comparisons of one verdict are only counted
_VERDICTS = {"too close": "too close to call", "reversed": "reversed"}
_ORDER = "Liu orders the errors Laplace, pDP Gaussian, classical Gaussian"


def answer_text(experiment: TableExperiment) -> tuple[str, str]:
    """Return whether the published order came out, and how the analytic Gaussian compares."""
    if experiment.results is None or experiment.order is None:
        return "This experiment has not been run yet.", pending_text(experiment)
    if experiment.is_exact:
        return _exact_release_text(experiment)
    verdicts = experiment.order["verdict"].to_list()
    n_as_published, total = verdicts.count("as published"), len(verdicts)
    exceptions = [
        f"{plural(count, 'is', 'are')} {phrase}"
        for word, phrase in _VERDICTS.items()
        if (count := verdicts.count(word))
    ]
    ending = f"; {' and '.join(exceptions)}" if exceptions else ""
    settings, nearer, _ = _analytic_wins(_mean_distances(experiment.results))
    share = _settings_text(nearer, settings)
    how_many = f"all {total}" if n_as_published == total else f"{n_as_published} of {total}"
    return (
        f"Liu’s order of the mechanisms holds in {how_many} comparisons{ending}.",
        f"{_ORDER}; the analytic Gaussian, omitted in the paper, has a smaller ℓ₁ distance than both Gaussians "
        f"{share}.",
    )


def _exact_release_text(experiment: TableExperiment) -> tuple[str, str]:
    """Return that every release is the table itself, and why."""
    if experiment.post == "none" or (experiment.counts.size > 1 and experiment.counts.any()):
        first = "Every release of the experiment is the table itself."
        return first, "No released count differs from the true count, so there is nothing to compare."
    reason = "It has one cell" if experiment.counts.size == 1 else "All its counts are 0"
    return (
        "Scaled to n, this table is always released exactly.",
        f"{reason}, so there is nothing to compare: choose your own settings without post-processing.",
    )


def pending_text(experiment: TableExperiment) -> str:
    """Return that the results take a while, and how to compute them; or that there are too many cells."""
    if experiment.counts.size > MOST_CELLS:
        return f"The table has {experiment.counts.size:,} cells; the experiments take at most {MOST_CELLS:,}."
    return (
        f"It draws about {experiment.n_noisy_counts / 1e6:,.0f} million noisy counts: {experiment.n_repeats:,} releases"
        f" in each of {len(experiment.settings)} settings. Press “Run the experiment” below the picture."
    )


def progress_text(name: str, share: float) -> str:
    """Return which background task runs, and its progress."""
    if name == "machines":
        return f"Training machines: {percent(share, 2)} done"
    return f"Releasing the table: {percent(share, 2)} done"


def data_text(experiment: TableExperiment) -> str:
    """Return the table and its post-processing, for a subtitle."""
    return f"{experiment.source}; {_POST_PROCESSING[experiment.post]}; seed {experiment.seed}"


def releases_subtitle(experiment: TableExperiment) -> str:
    """Return the parameters of the figure of one release."""
    n_cells = experiment.plotted_cells.size
    few = f"; {n_cells} of the cells are shown" if n_cells < experiment.counts.size else ""
    at = f"ε = {format_input_up(experiment.epsilon)}, δ = {format_input_up(experiment.delta)}"
    is_in_experiment = experiment.epsilon in experiment.epsilons and experiment.delta in experiment.deltas
    remark = "" if is_in_experiment else " (not a setting of the paper)"
    return f"One release at {at}{remark}; {data_text(experiment)}{few}"


def distances_subtitle(experiment: TableExperiment) -> str:
    """Return the parameters of the figure of distances."""
    results = experiment.results
    is_any_zero = results is not None and not is_on_log_axis(results[f"{experiment.distance}_mean"].to_numpy()).all()
    zero = "; a log axis cannot show a distance of 0" if is_any_zero else ""
    return f"Mean ± standard deviation of {experiment.n_repeats:,} releases; {data_text(experiment)}{zero}"


def releases_alternative_text(experiment: TableExperiment) -> str:
    """Return what the figure of one release shows, in a sentence."""
    distances = {name: abs(row - experiment.counts).sum() for name, row in (experiment.releases or {}).items()}
    distances_text = "; ".join(f"{NAMED[name].name} {format_nearest(value)}" for name, value in distances.items())
    return f"One release by each mechanism against the original counts. The ℓ₁ distance of each: {distances_text}."


def distances_alternative_text(experiment: TableExperiment) -> str:
    """Return what the figure of distances shows, in a sentence."""
    return f"{SHORT[experiment.distance]} of {len(experiment.settings)} settings. {' '.join(answer_text(experiment))}"


def results_html(results: pd.DataFrame, post: str) -> str:
    """Return the means and standard deviations as an accessible HTML table."""
    heads = ["Mechanism", f"Guarantee{_scaling_note(post)}", "ε", "δ", "ℓ₁ in counts", "KL(original ‖ release) in nats"]
    body = []
    for row in results.to_dict("records"):
        distances = [f"{format_nearest(row[f'{name}_mean'])} ± {format_nearest(row[f'{name}_sd'], 2)}" for name in AXES]
        name, epsilon = row["mechanism"], format_input_up(row["epsilon"])
        delta = format_input_up(row["delta"]) if row["delta"] else "–"
        body.append([NAMED[name].name, _guarantee_cell(name, row["epsilon"], row["delta"]), epsilon, delta, *distances])
    label = "Mean ± standard deviation of the distances"
    return number_format.table_html(label, "means", [*heads, "KL(release ‖ original) in nats"], body)


def _scaling_note(post: str) -> str:
    """Return that a guarantee is that of the noise before scaling, where the releases are scaled."""
    return "" if post == "none" else ", before scaling"


def _guarantee_cell(mechanism: str, epsilon: float, delta: float) -> str:
    """Return the guarantee and, for the classical Gaussian, whether it is proved and holds."""
    if mechanism != "classical":
        return NAMED[mechanism].guarantee
    status = str(CLASSICAL.verdict(epsilon, delta).status)
    remark = {PROVED: "", FAILS: ": ✗ FAILS"}.get(status, ": ! sufficient at this ε, but unproved")
    return f"{NAMED[mechanism].guarantee}{remark}"


def order_text(experiment: TableExperiment) -> str:
    """Return the comparisons that did not come out as published, in Markdown."""
    if experiment.order is None:
        return ""
    rows = experiment.order.to_dict("records")
    sentences = [
        _comparisons_text(phrase, [row for row in rows if row["verdict"] == verdict])
        for verdict, phrase in _VERDICTS.items()
    ]
    return f"{''.join(sentences)}Means within two standard errors of each other are too close to call."


def _comparisons_text(phrase: str, rows: list[dict[Any, Any]]) -> str:
    """Return the first comparisons of one verdict, and how many more there are; empty if there are none."""
    if not rows:
        return ""
    comparisons = [
        f"{NAMED[row['nearer']].name} and {NAMED[row['farther']].name} at ε = {format_input_up(row['epsilon'])}, "
        f"δ = {format_input_up(row['delta'])} in {SHORT[row['measure']]}"
        for row in rows[:_MOST_COMPARISONS]
    ]
    more = f"; and {len(rows) - _MOST_COMPARISONS} more" if len(rows) > _MOST_COMPARISONS else ""
    return f"{capitalized(phrase)}: {'; '.join(comparisons)}{more}. "


def warnings_text(experiment: TableExperiment) -> str:
    """Return warnings on what the experiment does not guarantee, in Markdown."""
    guarantees = _GUARANTEES_DIFFER.format(
        scaled=_scaling_note(experiment.post), fails=_classical_failure_text(experiment)
    )
    parts = [guarantees] if experiment.post == "none" else [_PUBLIC_TOTAL, guarantees]
    if experiment.n_possible_cells is not None:
        parts.insert(0, _EMPTY_CELLS.format(possible=format_nearest(experiment.n_possible_cells, 1)))
    return "\n\n".join(parts)


def too_small_text(least: int) -> str:
    """Return that the experiment has too little noise for a table with suppressed counts, in Markdown."""
    return (
        "**✗ This is too little noise for your table.** Between 0 and a suppressed count, one person can change a cell "
        f"by {least}; the experiment has noise for a change by 1, as in the paper. “A table” has noise for a larger c."
    )


def _classical_failure_text(experiment: TableExperiment) -> str:
    """Return that the classical Gaussian violates its guarantee, where ε is so large; after a space."""
    verdicts = {
        str(CLASSICAL.verdict(setting.epsilon, setting.delta).status)
        for setting in experiment.settings
        if setting.mechanism == "classical"
    }
    return " Where the table below says ✗, the classical σ violates it." if FAILS in verdicts else ""


def csv_header(experiment: TableExperiment) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV, without the total of the user's own table."""
    total = "" if experiment.source.startswith(YOURS) else f", n = {experiment.counts.sum():,.10g}"
    cells = plural(experiment.counts.size, "cell")
    return {
        "table": f"{experiment.source}{total}, {cells}",
        "processing": _POST_PROCESSING[experiment.post],
        "repeats": str(experiment.n_repeats),
        "seed": str(experiment.seed),
        "noise": "floating-point draws of a known seed: for trial, not a release",
        "units": "epsilon in nats; scale b of the density e^(-(|x|/b)^p) and l1 in counts; KL in nats, pseudocount 1/2",
    }


EXPLANATION = r"""
**What is done** (Liu 2019, §4, doi:10.1109/TKDE.2018.2845388). Noise is added to each count: Laplace of scale
$b=1/\varepsilon$, the pDP Gaussian by Eq. 17, the classical one by Eq. 18, the generalized one by Corollary 9 at $p=3$,
and Gaussian noise of the least σ of (ε, δ)-DP, the analytic one, which the paper does not have. Each is for a
sensitivity of 1: one person, who is in one cell, is added or removed.

**Distances.** $\ell_1=\sum|\text{release}-\text{count}|$. The KL divergences compare shares with a pseudocount of ½ in
each cell of both tables (Jeffreys’ prior), $p\propto\text{count}+\tfrac12$ and
$q\propto\max(0,\text{release})+\tfrac12$: $\sum p\ln(p/q)$ and $\sum q\ln(q/p)$, in nats. The paper used KL.Dirichlet
of the R package entropy and prints neither its pseudocount nor its order, so its values may differ from these.

**Chance.** The noises of one family are the same draws times the scale of each setting, so that chance affects all
settings alike; the seed of the link draws them again. A comparison counts as decided where the means differ by more
than two standard errors.
""".strip()
