"""The room of a session: what its buttons do, and its end with the session."""

import streamlit as st

from pages.framework.layout.page_run import PageState
from pages.framework.session import session_state
from pages.live_class.results import LiveResult, question_of
from pages.live_class.rooms import MAX_ROOMS, ROOMS, Room, Round

ASK, CLOSE, LEAVE = "ask", "close", "leave"
"""What the buttons do: open the room with a question, or ask the next one; take no more reports; delete the room."""
_ROOM = "dp_room"
_FULL = f"{MAX_ROOMS} classes have a room at present, the most that this server has. Try again in a few minutes."


@st.cache_resource(scope="session", max_entries=1, show_spinner=False, on_release=ROOMS.leave)
def _follow_session(code: str, _room: Room) -> Room:
    """Return a room, which Streamlit releases when the session has lost its browser: it may come back to the room."""
    del code
    return _room


def _room() -> Room | None:
    room = st.session_state.get(_ROOM)
    if room is None or room.is_deleted:
        return None
    ROOMS.return_to(room)
    return _follow_session(room.code, room)


def current_round() -> Round | None:
    """Return the round of the session's room at this moment; None without a room."""
    ROOMS.delete_old()
    room = _room()
    return None if room is None else room.round


def follow(page: PageState[LiveResult]) -> None:
    """Do what the browser's button asks for, at the setting of the page, and draw the page anew."""
    action = session_state.request().pop("act", None)
    room = _room()
    if action == ASK:
        _ask(room, page)
    elif action == CLOSE and room is not None:
        room.close_round()
    elif action == LEAVE and room is not None:
        ROOMS.close(room)
    else:
        return
    st.rerun()


def _ask(room: Room | None, page: PageState[LiveResult]) -> None:
    if room is None:
        room = ROOMS.open()
        if room is None:
            session_state.link_problems()[:] = [_FULL]
            return
        st.session_state[_ROOM] = _follow_session(room.code, room)
    room.ask(question_of(page.result.setting, room.round.spent))
