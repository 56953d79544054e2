"""The table of the noise of each shape."""

import numpy as np

from dpcore.mechanism import Mechanism
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_nearest,
    format_up,
    share,
)
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import shape_name


def table_html(result: GeneralizedGaussianResult) -> str:
    """The noise of every p in numbers, as an accessible HTML table; with a kept setting, over its noise."""
    heads = ["Shape", "Scale b, query units", "Standard deviation", "Mean |error|"]
    heads += [f"± for <span>{share(result.setting.significance)}</span> of releases", "The paper's b", "Its variance"]
    heads += [] if result.pinned is None else ["Standard deviation ÷ pinned"]
    body = []
    for at, (p, noise) in enumerate(result.noises.items()):
        half_width = noise.half_width(result.setting.significance)
        cells = [format_up(size) for size in (noise.scale, noise.deviation, noise.mean_absolute_error, half_width)]
        paper = None if result.published_scales is None else float(result.published_scales[at])
        body.append(
            [
                shape_name(p).removesuffix(" noise"),
                *cells,
                *_published_bound_cells(noise, paper),
                *_pinned_ratio_cells(result, p),
            ]
        )
    return number_format.table_html("The noise of each shape in numbers", "numbers", heads, body)


def _pinned_ratio_cells(result: GeneralizedGaussianResult, p: float) -> list[str]:
    """How large the deviation of a shape is beside that of the kept setting, where that has the shape."""
    if result.pinned is None:
        return []
    before = result.pinned.noises.get(p)
    return ["–" if before is None else format_nearest(result.noises[p].deviation / before.deviation)]


def _published_bound_cells(noise: Mechanism, paper: float | None) -> list[str]:
    """The paper's b, and its variance over that of the noise."""
    if paper is None:
        return ["–", "–"]
    ratio = float(np.square(paper / np.float64(noise.scale)))
    return [
        format_up(paper),
        f"{format_nearest(ratio, 3)} times" if ratio >= 10 else f"{100 * max(ratio - 1, 0):.1f} % more",
    ]
