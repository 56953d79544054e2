import streamlit as st

from pages.gaussian_bounds import exhibits, words
from pages.gaussian_bounds.fields import counts_field, counts_held
from pages.gaussian_bounds.parameters import BOUND, OWN, PINNED
from pages.shared import fields, frame
from pages.shared.contents import GAUSSIAN_BOUNDS

found = exhibits.found(frame.open_page(GAUSSIAN_BOUNDS, OWN), counts_held())
frame.answer(*words.answer(found.rows, found.setting))
fields.pin_button(PINNED, words.PIN_HELP)
if found.pinned is not None:
    st.text(f"Pinned, in grey: {words.described(found.pinned.setting)}.")
colour = frame.colours()

st.header("Which bound asks for how much")
frame.show(exhibits.ratio(found, colour))
left, right = st.columns(2)
with left:
    frame.show(exhibits.profile(found, colour))
    frame.show(exhibits.sigma_delta(found, colour))
with right:
    frame.show(exhibits.sigma_epsilon(found, colour))
    frame.show(exhibits.pdp_share(found, colour))

st.header("The bounds in numbers")
st.markdown(words.ROUNDING)
frame.show(exhibits.bounds(found, colour))
frame.explanation(lambda: words.explanation(found.rows, found.setting))

st.header("On a real table")
fields.choice_field(BOUND, "Bound that sets σ")
counts_field()
st.markdown(found.counts_said)
frame.show(exhibits.counts(found, colour))
