"""The maps and the table of the section on maps."""

import numpy as np
import pandas as pd

from pages.denoising.map import text
from pages.denoising.map.figures import maps_figure
from pages.denoising.map.results import MapRelease, map_release
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit


def maps(result: DenoisingResult, colour: Colours) -> Exhibit | None:
    """The true counts, the release and each denoised map."""
    made = map_release(result)
    if made is None or made.drowned:
        return None
    figure = maps_figure(made, text.title(made), text.subtitle(made), colour)
    said, header = text.alternative(made), csv_header(made)
    confidential = "" if made.source.sample else CONFIDENTIAL_PICTURE
    return Exhibit("maps", figure, said, lambda: numbers(made), header, confidential=confidential)


def errors(result: DenoisingResult, _: Colours) -> Exhibit | None:
    """The error of each estimator and what SURE expects of it."""
    made = map_release(result)
    if made is None or made.drowned:
        return None
    said, header = text.table_alternative(made), csv_header(made)
    confidential = "" if made.source.sample else CONFIDENTIAL_FIGURES
    return Exhibit("map_errors", text.table(made), said, error_numbers(made), header, confidential=confidential)


def numbers(made: MapRelease) -> pd.DataFrame:
    """Every place with its true count, the release, and what each estimator makes of it."""
    roads, counted = made.source.roads, made.counted
    if roads is None:
        lat, lon = np.meshgrid(counted.lat, counted.lon, indexing="ij")
        frame = pd.DataFrame({"lat": lat.ravel().round(6), "lon": lon.ravel().round(6)})
    else:
        frame = pd.DataFrame({"node": roads.ids, "lat": roads.lat, "lon": roads.lon})
    frame["true"] = made.count.ravel()
    denoised = {key: each.value.ravel() for key, each in made.estimates.items()}
    return frame.assign(**denoised).rename(columns={"none": "released"})


def error_numbers(made: MapRelease) -> pd.DataFrame:
    """The errors in numbers; SURE as it is, a sum over the places in squared units."""
    return pd.DataFrame(
        {
            "estimator": list(made.estimates),
            "rmse": list(made.rmse.values()),
            "sure": [float(each.sure) for each in made.estimates.values()],
            "tuning": [float(each.tuning) for each in made.estimates.values()],
        }
    )


def csv_header(made: MapRelease) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV, to the last digit."""
    asked = made.asked
    return {
        "places": made.source.name,
        "epsilon": repr(asked.epsilon),
        "delta": repr(asked.delta),
        "trips": repr(asked.trips),
        "at_place": repr(asked.at_place),
        "neighbours": asked.neighbours,
        "sensitivity": repr(made.sensitivity),
        "sigma": repr(made.sigma),
        "seed": repr(asked.seed),
        "units": f"counts, sigma and rmse in {made.source.unit}; sure is the sum over the places of squared ones; "
        "epsilon in nats; places in degrees",
        "warning": "a trial and no release: with the seed its noise can be taken off again; true counts and rmse are "
        "computed from the data without noise",
    }
