"""The numbers of the section on maps, as an HTML table and as frames."""

import numpy as np
import pandas as pd

from dpcore.denoise import ESTIMATORS
from pages.denoising.map.results import MapRelease
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest

_TUNING_FORMS = {
    "james_stein_plus": "factor {}",
    "soft_universal": "T = {}",
    "soft_sure": "T = {}",
    "wavelet_universal": "T = {}",
    "graph_wavelet": "T = {}",
    "laplacian": "λ = {}",
    "trend_filtering": "λ = {}",
}


def table_html(release: MapRelease) -> str:
    """Return every estimator with its errors, as HTML."""
    heads = ["Estimator", "RMSE of<br>this release", "RMSE expected<br>by SURE", "Tuning", "Note"]
    rows = []
    for key, estimate in release.estimates.items():
        tuning = _TUNING_FORMS.get(key, "–").format(format_nearest(float(estimate.tuning)))
        cells = [format_nearest(release.rmse[key]), _expected_cell(release, key), tuning, _note_cell(release, key)]
        rows.append([ESTIMATORS[key].name, *cells])
    return number_format.table_html("RMSE of each estimator", "errors", heads, rows)


def _note_cell(release: MapRelease, key: str) -> str:
    least = [mark for mark, place in (("in truth", release.best), ("by SURE", release.best_by_sure)) if place == key]
    worse = ["✗ worse than the release"] if release.rmse[key] > release.rmse["none"] else []
    return ", ".join([*([f"least {' and '.join(least)}"] if least else []), *worse])


def _expected_cell(release: MapRelease, key: str) -> str:
    return "near 0" if release.rmse_by_sure[key] == 0 < release.sigma else format_nearest(release.rmse_by_sure[key])


def place_frame(release: MapRelease) -> pd.DataFrame:
    """Return every place with its true count, the release, and each estimate."""
    roads, counts = release.source.roads, release.place_counts
    if roads is None:
        lat, lon = np.meshgrid(counts.lat, counts.lon, indexing="ij")
        frame = pd.DataFrame({"lat": lat.ravel().round(6), "lon": lon.ravel().round(6)})
    else:
        frame = pd.DataFrame({"node": roads.ids, "lat": roads.lat, "lon": roads.lon})
    frame["true"] = release.count.ravel()
    denoised = {key: estimate.value.ravel() for key, estimate in release.estimates.items()}
    return frame.assign(**denoised).rename(columns={"none": "released"})


def error_frame(release: MapRelease) -> pd.DataFrame:
    """Return the errors; SURE is a sum over the places in squared units."""
    return pd.DataFrame(
        {
            "estimator": list(release.estimates),
            "rmse": list(release.rmse.values()),
            "sure": [float(estimate.sure) for estimate in release.estimates.values()],
            "tuning": [float(estimate.tuning) for estimate in release.estimates.values()],
        }
    )
