"""Liu's experiment with dpcore; other libraries do not have it."""

from pages.framework.export.exhibit import CONFIDENTIAL_CODE
from pages.framework.layout.code_panel import program, unavailable
from pages.framework.layout.section import Snippet
from pages.papers.results import PapersResult
from pages.shared.counts.link_format import MOST_CELLS
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP

_NO_EXPERIMENT = {
    OPENDP: "It has none of the compared σ; its own follows from ρ-zCDP.",
    DP_ACCOUNTING: "It accounts for privacy, and releases no table.",
    DIFFPRIVLIB: "It has no σ of probabilistic DP, which stands in every comparison.",
    OPACUS: "It has Gaussian noise on gradients only.",
}
_SHIPPED = {"czech": "tables.czech_autoworkers()", "mildew": "tables.mildew()"}
_VERDICTS = ("as published", "too close", "reversed")


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return how often Liu's order came out; nothing where nothing was compared or the table is too long to list."""
    experiment, table = result.table_experiment, result.values["table"]
    is_short = experiment is not None and (table in _SHIPPED or experiment.counts.size <= MOST_CELLS)
    if (
        experiment is None
        or result.values["data"] != "table"
        or not is_short
        or experiment.order is None
        or experiment.is_exact
    ):
        return ()
    counts = f"{_SHIPPED[table]}['count']" if table in _SHIPPED else f"np.array({experiment.counts.tolist()})"
    processed = f"lambda noisy: tables.post_process(noisy, n, n, {experiment.post == 'rounded'})"
    code = program(
        "import numpy as np",
        "from dpcore import tables",
        "",
        f"counts = {counts}",
        "n = counts.sum()",
        f"settings = tables.experiment_settings({list(experiment.epsilons)}, {list(experiment.deltas)})",
        f"post = {'None' if experiment.post == 'none' else processed}",
        f"rng = np.random.default_rng({experiment.seed})",
        f"results = tables.experiment(rng, counts, settings, {experiment.n_repeats}, post)",
        "verdicts = tables.paper_ordering(results)['verdict'].to_list()",
        f"print(*map(verdicts.count, {_VERDICTS}))",
    )
    verdicts = experiment.order["verdict"].to_list()
    note = "The comparisons in which Liu’s order holds, is too close to call, and is reversed."
    if table not in _SHIPPED:
        note = f"{note} {CONFIDENTIAL_CODE}"
    snippet = Snippet(DPCORE, code, note, tuple(float(verdicts.count(verdict)) for verdict in _VERDICTS))
    return snippet, *unavailable(_NO_EXPERIMENT)
