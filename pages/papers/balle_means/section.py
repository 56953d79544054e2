"""The section on Experiment 5.2."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

from dpcore import denoise
from dpcore.calibrations import DP, FAILS, LAPLACE, PROVED, PURE_DP
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.panels import number, program
from pages.framework.layout.section import Claim, Field, Fields, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, percent
from pages.framework.parameters.parameter import Parameter
from pages.papers.balle_means import figures, text
from pages.papers.balle_means.figures import MECHANISMS
from pages.papers.balle_means.results import PAPER_DELTA, MeanExperiment
from pages.papers.balle_means.text import best_beside_analytic
from pages.papers.parameters import MEAN_DIMENSION, MEAN_RECORDS, MEAN_REPEATS, MEANS_AGAINST, MEANS_GRID
from pages.papers.results import PapersResult
from pages.shared.other_libraries import DPCORE, gaussian_sigma
from pages.shared.shared_parameters import DELTA, EPSILON, SEED


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
    figure = figures.errors_figure(experiment, pinned, text.subtitle(experiment, "mean ± s.d."), colours)
    return _exhibit("mean_errors", figure, result, experiment.picture_errors)


def ratios(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return the mean errors relative to the analytic Gaussian's."""
    experiment = result.mean_experiment
    if not experiment.is_available:
        return None
    figure = figures.ratios_figure(experiment, text.subtitle(experiment, "means"), colours)
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
    return Exhibit(name, picture, text.alternative_text(experiment), numbers, header)


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
        yield text.run_text(experiment)
        yield ratios(result, colours)
        yield text.notes_text(experiment)
        yield mechanisms(result, colours)
        yield text.reading_text(experiment)


SECTION = Section[PapersResult](
    controls=controls,
    parts=parts,
    key="means",
    name="Balle & Wang 5.2: means",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(errors, ratios, mechanisms),
    claims=lambda _: (Claim("The errors", reason=_WHY_UNPROVED),),
    snippets=snippets,
)
