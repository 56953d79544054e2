import streamlit as st

from pages.laplace_gaussian import exhibits, parameters, words
from pages.shared import common, fields, frame
from pages.shared.contents import LAPLACE_GAUSSIAN

found = exhibits.found(frame.open_page(LAPLACE_GAUSSIAN, parameters.OWN, parameters.correct))
now, colour = found.setting, frame.colours()
frame.answer(*found.answer)

with st.container(border=True):
    left, right = st.columns(2)
    with left:
        fields.choice_field(parameters.CASE, "Query")
        if now.case == "counts":
            fields.quantity_field(parameters.K)
        elif now.case == "own":
            fields.quantity_field(common.L1_SENSITIVITY)
        st.text(words.sensitivity_words(now))
    with right:
        fields.choice_field(parameters.GAUSSIAN, "The Gaussian's formula")
        fields.choice_field(parameters.HOLD, "Held equal")
        if now.hold == "tail":
            fields.quantity_field(parameters.T)

if found.possible:
    st.header("How far the noise goes")
    frame.side_by_side(exhibits.tails(found, colour), exhibits.draws(found, colour))
    fields.quantity_field(common.SEED)
    st.markdown(words.ROUNDING)
    frame.show(exhibits.noises(found, colour))
    st.markdown(words.PROMISES)

st.header("Where each wins")
fields.choice_field(common.MEASURE, "Compare by")
st.markdown(found.where_said)
frame.side_by_side(exhibits.statistics(found, colour), exhibits.winners(found, colour))

if found.possible:
    st.header("For several δ at once")
    left, right = st.columns(2)
    with left:
        fields.text_field(common.DELTAS, "δ of the curves, apart by commas", common.DELTAS_HELP)
    with right:
        fields.quantity_field(parameters.CUTOFF)
    frame.side_by_side(exhibits.ratio(found, colour), exhibits.cost(found, colour))
    st.header("Density and distribution")
    frame.side_by_side(exhibits.density(found, colour), exhibits.distribution(found, colour))
frame.explanation(lambda: found.explanation)
