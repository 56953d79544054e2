"""The section on maps: its pictures, its table, and how they follow each other."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from pages.denoising.map import explanation as map_explanation
from pages.denoising.map import text
from pages.denoising.map.figures import maps_figure
from pages.denoising.map.parameters import AT_PLACE, GRID, PLACES, TRIPS
from pages.denoising.map.results import MapRelease, map_release, map_source
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Parameter
from pages.shared.counts.parameters import NEIGHBOURS
from pages.shared.shared_parameters import DELTA, EPSILON, SEED


def answer(result: DenoisingResult) -> tuple[str, ...]:
    """What the map keeps and denoising wins back; beside a kept setting, what has changed."""
    made = map_release(result)
    if made is None:
        source = map_source(result)
        return (number_format.escape_markdown(source.problem), text.MENDING) if source is not None else text.MISSING
    said = text.answer(made)
    kept = None if result.pinned is None else map_release(result.pinned)
    return said if kept is None else (*said, text.compared(made, kept))


def strip(result: DenoisingResult) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    source = map_source(result)
    grid = () if source is not None and source.roads is not None else (GRID,)
    return EPSILON, DELTA, TRIPS, *grid, SEED, Field(PLACES, "Places")


def parts(result: DenoisingResult, colour: Colours) -> Iterator[Part]:
    """The maps side by side, what else can be changed, what it means, and every estimator in a table."""
    made = map_release(result)
    if made is None or made.drowned:
        return
    yield maps(result, colour)
    yield Fields((AT_PLACE, Field(NEIGHBOURS, "Neighbours")))
    yield text.meaning(made)
    yield errors(result, colour)


def explanation(result: DenoisingResult) -> str:
    """How the section is computed, in Markdown with TeX."""
    made = map_release(result)
    return text.MISSING[0] if made is None else map_explanation.explanation(made)


def maps(result: DenoisingResult, colour: Colours) -> Exhibit | None:
    """The true counts, the release and each denoised map."""
    made = map_release(result)
    if made is None or made.drowned:
        return None
    figure = maps_figure(made, text.title(made), text.subtitle(made), colour)
    said, header = text.alternative(made), map_explanation.header(made)
    confidential = "" if made.source.sample else CONFIDENTIAL_PICTURE
    return Exhibit("maps", figure, said, lambda: numbers(made), header, confidential=confidential)


def errors(result: DenoisingResult, _: Colours) -> Exhibit | None:
    """The error of each estimator and what SURE expects of it."""
    made = map_release(result)
    if made is None or made.drowned:
        return None
    said, header = text.table_alternative(made), map_explanation.header(made)
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


ALL = (maps, errors)
