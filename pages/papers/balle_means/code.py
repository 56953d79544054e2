"""σ and the errors of Experiment 5.2 in lines of code, with dpcore and with other libraries."""

from pages.framework.layout.code_panel import number, program
from pages.framework.layout.section import Snippet
from pages.papers.balle_means.figures import MECHANISM_NAMES
from pages.papers.balle_means.text import best_beside_analytic
from pages.papers.results import PapersResult
from pages.shared.libraries import DPCORE
from pages.shared.other_libraries import gaussian_sigma


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
    mechanisms = " and of ".join(MECHANISM_NAMES[row.mechanism] for row in rows)
    note = f"σ, and the mean errors ‖·‖₂ of {mechanisms}, of {n_data_sets} data sets."
    own = Snippet(DPCORE, code, note, (rows[1].scale, *(row.error_mean for row in rows)))
    sensitivity = setting.dimension**0.5 / setting.n_records
    return own, *gaussian_sigma(setting.epsilon, setting.delta, sensitivity, rows[1].scale)
