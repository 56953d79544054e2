"""The fields of the page, in the groups in which they stand."""

import streamlit as st

from pages.generalized_gaussian import parameters as own
from pages.generalized_gaussian.parameters import Setting
from pages.shared.common import DELTAS, DELTAS_HELP, MEASURE, SEED
from pages.shared.fields import choice_field, quantity_field, text_field


def promise_fields(pure: str) -> None:
    """Draw the fields of the shape and the guarantee, and what is said of it without δ."""
    with st.container(border=True):
        left, right = st.columns(2)
        with left:
            quantity_field(own.P)
        with right:
            choice_field(own.GUARANTEE, "Guarantee")
            st.markdown(pure)


def shape_fields() -> None:
    """Draw the fields of the densities and the table of shapes."""
    left, right = st.columns(2)
    with left:
        text_field(own.SHAPES, "p of the curves, apart by commas", own.SHAPES_HELP)
    with right:
        choice_field(own.MATCH, "Densities with the")


def size_fields(now: Setting) -> None:
    """Draw the fields of the scale curves."""
    left, right = st.columns([2, 3])
    with left:
        choice_field(own.STATISTICS, "Statistics")
        if now.statistics == "own":
            text_field(own.SENSITIVITIES, "Sensitivity Δ of each, apart by commas", own.SENSITIVITIES_HELP)
    with right:
        choice_field(own.SIZE, "Show")


def monte_carlo_fields(now: Setting) -> None:
    """Draw the fields of the paper's Monte Carlo."""
    left, _ = st.columns(2)
    with left:
        choice_field(own.MONTE_CARLO, "The paper's Monte Carlo")
        if now.monte_carlo == "on":
            quantity_field(own.DRAWS)
            quantity_field(SEED)


def best_fields(said: str) -> None:
    """Draw the fields of the best p, and what is said of it."""
    left, right = st.columns([3, 2])
    with left:
        choice_field(MEASURE, "Compare by")
        st.markdown(said)
    with right:
        text_field(DELTAS, "δ of the curves, apart by commas", DELTAS_HELP)


def bound_fields(moved: str) -> None:
    """Draw the fields of the bounds and the true value, and which Δ is used between them."""
    with st.container(border=True):
        for column, quantity in zip(st.columns(3), (own.LOW, own.HIGH, own.VALUE), strict=True):
            with column:
                quantity_field(quantity)
        st.text(moved)
