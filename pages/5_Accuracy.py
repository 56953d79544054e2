import streamlit as st

from pages.accuracy import budget_words, exhibits, parameters, words
from pages.accuracy.fields import budget_editor, query_fields
from pages.shared import fields, frame
from pages.shared.contents import ACCURACY

found = exhibits.found(frame.open_page(ACCURACY, parameters.OWN, parameters.correct))
now, colour = found.setting, frame.colours()
frame.answer(*found.answer)
with st.container(border=True):
    left, right = st.columns(2)
    with left:
        fields.choice_field(parameters.KNOWN, "I know")
        if now.wanted is not None:
            fields.quantity_field(parameters.ACCURACY)
        if now.query != "proportion":
            fields.text_field(parameters.UNIT, "Unit of the query", words.UNIT_HELP)
    with right:
        query_fields(now)
    st.markdown(now.reason)

st.header("What each ε buys")
frame.show(exhibits.accuracies(found, colour))
st.header("All mechanisms in numbers")
st.markdown(words.ROUNDING)
frame.show(exhibits.mechanisms(found, colour))
st.markdown(found.readings)

st.header("How many records it takes")
if now.asked.width is not None and now.wanted is None:
    fields.quantity_field(parameters.ACCURACY)
st.markdown(found.records_said)
frame.show(exhibits.records(found, colour))

st.header("A budget over several queries")
st.markdown(budget_words.NOTE)
left, right = st.columns([2, 3])
with left:
    budget_editor(now.budget, found.shares)
with right:
    fields.problem("budget", found.too_much)
    st.markdown(found.shares_said)
    frame.show(exhibits.shares(found, colour))
frame.show(exhibits.shares_table(found, colour))
frame.explanation(lambda: found.explanation)
