import streamlit as st

from pages.generalized_gaussian import best_words, bounded_words, exhibits, fields, scale_words, words
from pages.generalized_gaussian.parameters import ERROR, OWN, SCALE, correct
from pages.shared import frame
from pages.shared.contents import GENERALIZED_GAUSSIAN
from pages.shared.fields import choice_field

found = exhibits.found(frame.open_page(GENERALIZED_GAUSSIAN, OWN, correct))
now, colour = found.setting, frame.colours()
frame.answer(*words.answer(found))
fields.promise_fields(words.pure_words(now))

st.header("The noise of each shape")
fields.shape_fields()
frame.show(exhibits.densities(found, colour))
frame.show(exhibits.shapes(found, colour))
st.markdown(words.table_words(now))

st.header("How much noise each promise needs")
fields.size_fields(now)
st.markdown(scale_words.statistics_words(found))
if now.together:
    fields.monte_carlo_fields(now)
    st.markdown(scale_words.draws_words(found))
frame.side_by_side(*(curve(found, colour) for curve in (exhibits.size_p, exhibits.size_epsilon, exhibits.size_delta)))

st.header("Which p is best?")
fields.best_fields(best_words.map_words(found))
left, right = st.columns([3, 2])
with left:
    frame.show(exhibits.best_map(found, colour))
with right:
    frame.show(exhibits.best_p(found, colour))
    frame.show(exhibits.saving(found, colour))

st.header("When the statistic has bounds")
st.markdown(bounded_words.answer(found))
fields.bound_fields(bounded_words.sensitivity_words(now))
if found.bounded is not None:
    choice_field(ERROR, "Error over the true value")
    frame.side_by_side(exhibits.bounded_errors(found, colour), exhibits.bounded_densities(found, colour))
    st.markdown(f"{bounded_words.error_words(found.bounded)} {bounded_words.CLIPPING}")
    st.header("Against the exponential mechanism")
    st.markdown(bounded_words.exponential_words(found.bounded))
    choice_field(SCALE, "Show")
    frame.side_by_side(exhibits.bounded_shapes(found, colour), exhibits.bounded_widths(found, colour))
    frame.show(exhibits.bounded(found, colour))
    st.markdown(bounded_words.ROUNDING)
frame.explanation(lambda: f"{words.explanation(found)}\n\n{bounded_words.explanation(found)}")
