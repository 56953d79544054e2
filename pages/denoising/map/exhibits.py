"""The maps and the table of the section on maps."""

from pages.denoising.map import tables, text
from pages.denoising.map.figures import maps_figure
from pages.denoising.map.results import MapRelease, map_release
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit


def maps(result: DenoisingResult, colours: Colours) -> Exhibit | None:
    """Return the maps of the true counts, the release and each estimate."""
    release = map_release(result)
    if release is None or release.is_drowned:
        return None
    figure = maps_figure(release, text.title(release), text.subtitle(release), colours)
    alternative, header = text.alternative_text(release), csv_header(release)
    confidential = "" if release.source.is_sample else CONFIDENTIAL_PICTURE
    return Exhibit("maps", figure, alternative, lambda: tables.place_frame(release), header, confidential=confidential)


def errors(result: DenoisingResult, _: Colours) -> Exhibit | None:
    """Return the table of the true error of each estimator and the error that SURE expects."""
    release = map_release(result)
    if release is None or release.is_drowned:
        return None
    alternative, header = text.table_alternative_text(release), csv_header(release)
    confidential = "" if release.source.is_sample else CONFIDENTIAL_FIGURES
    html, frame = tables.table_html(release), tables.error_frame(release)
    return Exhibit("map_errors", html, alternative, frame, header, confidential=confidential)


def csv_header(release: MapRelease) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV, to the last digit."""
    setting, other = release.setting, release.comparison.other
    return {
        "places": release.source.name,
        "epsilon": repr(setting.epsilon),
        "delta": repr(setting.delta),
        "trips": repr(setting.trips),
        "at_place": repr(setting.at_place),
        "neighbours": setting.neighbours,
        "sensitivity": repr(release.sensitivity),
        "sigma": repr(release.sigma),
        "least noise as it is": "none"
        if other is None
        else f"{other.name}, rmse {release.comparison.undenoised_rmse!r}",
        "seed": repr(setting.seed),
        "units": f"counts, sigma and rmse in {release.source.unit}; sure is the sum over the places of squared ones; "
        "epsilon in nats; places in degrees",
        "warning": "a trial, not a release: with the seed its noise can be subtracted; true counts and rmse are "
        "computed from the data without noise",
    }
