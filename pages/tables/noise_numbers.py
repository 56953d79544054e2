"""The numbers behind the pictures and the table of the noises, as frames for a CSV."""

from collections.abc import Sequence

import pandas as pd

from pages.tables.found import Found
from pages.tables.mechanism_words import verdict
from pages.tables.noise_along import Curve


def along(x: str, curves: Sequence[Curve]) -> pd.DataFrame:
    """± of every noise over k or ε, called `x`, as a frame."""
    frames = [
        pd.DataFrame({x: curve.x, "noise": curve.rule.key, "half_width": curve.half_width, "status": curve.status})
        for curve in curves
    ]
    return pd.concat(frames, ignore_index=True)


def side_by_side(found: Found) -> pd.DataFrame:
    """The noises in numbers, as a frame."""
    return pd.DataFrame(
        {
            "noise": [noise.name for noise in found.noises],
            "promise": [noise.promise for noise in found.noises],
            "theorem": [noise.theorem for noise in found.noises],
            "scale": [noise.scale for noise in found.noises],
            "half_width_each": [float(noise.half_width(found.setting.significance)) for noise in found.noises],
            "half_width_all": [float(noise.half_width(found.together)) for noise in found.noises],
            "variance": [noise.variance() for noise in found.noises],
            "mean_absolute_error": [noise.mean_absolute_error() for noise in found.noises],
            "true_delta": [noise.true_delta for noise in found.noises],
            "verdict": [verdict(noise, found) for noise in found.noises],
        }
    )
