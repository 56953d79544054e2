"""The section on maps of counts."""

from collections.abc import Iterator, Sequence

from pages.denoising.claims import map_claims
from pages.denoising.code import map_snippets
from pages.denoising.map import exhibits, text
from pages.denoising.map.explanation import explanation_text
from pages.denoising.map.parameters import AT_PLACE, GRID, PLACES, TRIPS
from pages.denoising.map.results import map_release, map_source
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import CONTRIBUTION
from pages.shared.counts.parameters import NEIGHBOURS
from pages.shared.shared_parameters import DELTA, EPSILON, SEED


def controls(result: DenoisingResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    source = map_source(result)
    if source is None:
        return (Field(PLACES, "Places"),)
    grid = () if source.roads is not None else (GRID,)
    limits = () if _counts_once(result) else (TRIPS,)
    return EPSILON, DELTA, *limits, *grid, SEED, Field(PLACES, "Places")


def _counts_once(result: DenoisingResult) -> bool:
    """Return whether each person counts once, so that no limits are asked for."""
    return result.values[CONTRIBUTION.key] == "once"


def parts(result: DenoisingResult, colours: Colours) -> Iterator[Part]:
    """Yield the maps side by side, what else can be changed, what it means, and every estimator in a table."""
    release = map_release(result)
    if release is None or release.is_drowned:
        return
    yield exhibits.maps(result, colours)
    limits = () if _counts_once(result) else (AT_PLACE,)
    yield Fields((*limits, Field(NEIGHBOURS, "Neighbours")))
    yield text.meaning_text(release)
    yield exhibits.errors(result, colours)


SECTION = Section[DenoisingResult](
    controls=controls,
    parts=parts,
    key="map",
    name="A map",
    answer_text=text.answer_text,
    explanation=explanation_text,
    conditions=text.conditions,
    exhibits=(exhibits.maps, exhibits.errors),
    claims=map_claims,
    snippets=map_snippets,
)
