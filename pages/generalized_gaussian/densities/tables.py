"""The table of the noise of each shape."""

import numpy as np

from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.generalized_gaussian.cached_results import NoiseSize
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import shape_name
from pages.shared.error_text import share


def table_html(result: GeneralizedGaussianResult) -> str:
    """Return the accessible HTML table of the noise of every p, beside that of a pinned setting."""
    heads = ["Shape", "Scale b, query units", "Standard deviation", "Mean |error|"]
    heads += [f"± for <span>{share(result.setting.significance)}</span> of releases", "The paper’s b", "Its variance"]
    heads += [] if result.pinned is None else ["Standard deviation ÷ pinned"]
    body = []
    for index, (p, noise) in enumerate(result.noises.items()):
        published_scale = None if result.published_scales is None else float(result.published_scales[index])
        body.append(
            [
                shape_name(p).removesuffix(" noise"),
                *map(format_up, noise),
                *_published_bound_cells(noise, published_scale),
                *_pinned_ratio_cells(result, p, noise),
            ]
        )
    return number_format.table_html("The noise of each shape in numbers", "numbers", heads, body)


def _pinned_ratio_cells(result: GeneralizedGaussianResult, p: float, noise: NoiseSize) -> list[str]:
    """Return the deviation of a shape over that of the pinned setting, where that has the shape."""
    if result.pinned is None:
        return []
    pinned = result.pinned.noises.get(p)
    return ["–" if pinned is None else format_nearest(noise.deviation / pinned.deviation)]


def _published_bound_cells(noise: NoiseSize, published_scale: float | None) -> list[str]:
    """Return the paper's b, and its variance over that of the noise."""
    if published_scale is None:
        return ["–", "–"]
    ratio = float(np.square(published_scale / np.float64(noise.scale)))
    return [
        format_up(published_scale),
        f"{format_nearest(ratio, 3)} times" if ratio >= 10 else f"{100 * max(ratio - 1, 0):.1f} % more",
    ]
