import streamlit as st

from pages.shared import fields, frame
from pages.shared.common import SEED
from pages.shared.contents import TRADEOFF
from pages.tradeoff import exhibits, words
from pages.tradeoff import fields as own_fields
from pages.tradeoff.curves import listing
from pages.tradeoff.explanation import explanation
from pages.tradeoff.parameters import ALPHA, CONFIDENCE, PRIOR, QUOTE, VIEW, own

curves = listing(own_fields.points_held())
found = exhibits.found(frame.open_page(TRADEOFF, own(curves)), own_fields.attack_held())
frame.answer(*words.answer(found.row, found.setting))
colour = frame.colours()
left, right = st.columns([3, 2])
with left:
    fields.quantity_fields(ALPHA, PRIOR)
    fields.choice_field(VIEW, "Show")
    frame.show(exhibits.curves(found, colour), own_fields.take_alpha)
with right, st.container(border=True):
    own_fields.curve_editor(curves, found.setting.curves, found.names)

st.header("The curves in numbers")
st.markdown(words.rounding(found.rows))
frame.show(exhibits.table(found, colour))
st.markdown(words.GLOSSARY)

st.header("One number instead of the curve")
fields.choice_field(QUOTE, "Quote the chosen curve")
st.markdown("\n\n".join([*found.quotation_said, words.USED]))
frame.show(exhibits.quotation(found, colour))

st.header("What an attack has proved")
own_fields.attack_fields()
if found.measured is not None:
    left, right = st.columns(2)
    with left:
        fields.quantity_field(CONFIDENCE)
    if found.measured.attack.from_scores:
        with right:
            fields.quantity_field(SEED)
    own_fields.drop_attack_button()
st.markdown(found.attack_said)
frame.show(exhibits.attack(found, colour))
if found.measured is not None:
    st.markdown(words.NOT_PROVED)
frame.explanation(lambda: explanation(found.row, found.quoted[0]))
