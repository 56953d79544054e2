"""The table of ε and of the noise for a target by each way to draw batches."""

import math

from pages.composition.batch_sampling.results import Batching, poisson_noise, unamplified_noise
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_down, format_input_up, format_up


def loader_rows(batching: Batching, target: float) -> list[tuple[str, float, float, float, str]]:
    """Return for each way to draw batches the bounds on ε, the noise for a target, and which loaders use it."""
    poisson = poisson_noise(target, batching.delta, batching.rate, batching.steps)
    safe = unamplified_noise(target, batching.delta, batching.uses)
    return [
        ("Poisson", batching.poisson, batching.poisson, poisson, "Opacus DPDataLoader; each record independently"),
        (
            "Shuffled each epoch",
            batching.at_least,
            batching.at_most,
            safe,
            "torch DataLoader(shuffle=True); tf.data only with a full shuffle buffer",
        ),
        ("Fixed order", batching.at_most, batching.at_most, safe, "torch DataLoader(shuffle=False)"),
    ]


def table_html(batching: Batching, target: float) -> str:
    """Return ε and the noise for a target by each way to draw batches, as a table."""
    heads = [
        "Batches",
        f"ε at δ = {format_input_up(batching.delta)}",
        f"Noise multiplier for ε = {format_input_up(target)}",
        "Loader",
    ]
    body = [
        [name, _interval_text(least, most), format_up(noise) if math.isfinite(noise) else "none up to 1e6", by]
        for name, least, most, noise, by in loader_rows(batching, target)
    ]
    return number_format.table_html("ε by how batches are drawn", "loaders", heads, body)


def _interval_text(least: float, most: float) -> str:
    if least == most:
        return format_up(most)
    return f"at least {format_down(least)}, at most {format_up(most)}" if least > 0 else f"at most {format_up(most)}"
