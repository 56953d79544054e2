"""The ε of a training by how its batches are drawn, in lines of code."""

from pages.composition import other_libraries
from pages.composition.batch_sampling.results import batching_at
from pages.composition.dp_sgd.code import poisson_snippets
from pages.composition.results import CompositionResult
from pages.framework.layout.code_panel import number, program
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DPCORE


def snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return the bounds on ε with the batches of the loader."""
    batching = batching_at(result)
    if batching.loader == "poisson":
        return poisson_snippets(batching, batching.poisson)
    lines = [
        "from dpcore import composition",
        "",
        f"delta, noise, uses = {number(batching.delta)}, {number(batching.noise)}, {batching.uses}",
        "print(composition.unamplified_epsilon(delta, noise, uses))",
    ]
    values, note = [batching.at_most], "ε without amplification, which holds for a fixed order."
    if batching.loader != "fixed" and batching.complete_epochs and batching.at_least > 0:
        arguments = f"delta, noise, {batching.batches}, {batching.complete_epochs}"
        lines.append(f"print(composition.shuffled_batches_epsilon_at_least({arguments}))")
        values.append(batching.at_least)
        note = "ε without amplification, an upper bound for shuffled batches, and the lower bound."
    return Snippet(DPCORE, program(*lines), note, tuple(values)), *other_libraries.unamplified_snippets(
        batching.noise, batching.uses, batching.delta, batching.at_most
    )
