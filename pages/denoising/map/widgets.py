"""The fields for the user's own places, and the background task on them."""

import streamlit as st

from pages.denoising.estimator_phrases import ESTIMATOR_PHRASES
from pages.denoising.map.parameters import PLACES
from pages.denoising.map.places import PlaceSource
from pages.denoising.map.results import map_release
from pages.denoising.map.task_widgets import PROBLEM_KEY, SLOT, end_task, is_busy, render_progress, start_task
from pages.denoising.map.upload import CHOICES, COUNT_CHOICES, POINT_CHOICES, YOURS, choice_fields, read_upload
from pages.denoising.results import DenoisingResult
from pages.framework.layout import widgets
from pages.framework.layout.own_data import OwnData
from pages.framework.session import session_state
from pages.framework.session.data_files import OWN, FileInput
from pages.shared.conditions import CATEGORIES, CONTRIBUTION

_TYPES = ("csv", "tsv", "txt", "gz")
OWN_PLACES = OwnData[PlaceSource](
    slot=SLOT,
    noun="places",
    label="Use your own places",
    remove="Back to the shipped places",
    inputs=(
        FileInput(
            "points",
            "Points: a CSV with a latitude and a longitude in each row",
            _TYPES,
            resets=(*POINT_CHOICES, "decimal"),
        ),
        FileInput(
            "counts",
            "Counts at the junctions, instead of points",
            _TYPES,
            "A CSV with the name of a junction and a count.",
            resets=tuple(COUNT_CHOICES),
        ),
        FileInput("nodes", "Junctions: a CSV with a name, a latitude and a longitude in each row", _TYPES, resets=()),
        FileInput("edges", "Roads: a CSV with the names of two junctions in each row", _TYPES, resets=()),
    ),
    choice=PLACES,
    conditions=(CONTRIBUTION, CATEGORIES),
    choices=CHOICES,
    read=read_upload,
    refused=lambda problem: PlaceSource(YOURS, problem=problem),
    fields=choice_fields,
    is_combined=True,
    on_change=end_task,
)


def render_fields(result: DenoisingResult) -> None:
    """Render the widgets below the stage: the user's own places, and the task on them."""
    OWN_PLACES.draw()
    release = map_release(result) if result.values[PLACES.key] == OWN else None
    if release is not None and release.pending and not release.is_drowned:
        names = " and ".join(ESTIMATOR_PHRASES[key] for key in release.pending)
        st.button(f"Make {names}", key="map_run", on_click=start_task, args=(release,), disabled=is_busy())
    widgets.show_problem("map_work", session_state.uploads().get(PROBLEM_KEY, ""))
    if is_busy():
        render_progress()
