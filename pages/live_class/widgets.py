"""The room of a session: what its buttons do, its end with the session, and its way back after a reload.

The tab keeps the secret of its room as it keeps the user's own data, and sends it to a new session. That session takes
the room over if no other one shows it.
"""

from dataclasses import replace
from secrets import token_hex

import streamlit as st

from pages.framework.layout.page_run import PageState
from pages.framework.session import session_state
from pages.framework.session.data_files import Copy, copy_within_limit
from pages.live_class.results import LiveResult, larger_epsilon, question_of, question_without_noise
from pages.live_class.rooms import MAX_ROOMS, ROOMS, Room, Round

ASK, ASK_LARGER, ASK_EXACTLY, CLOSE, LEAVE = "ask", "ask_larger", "ask_exactly", "close", "leave"
"""What the buttons do: open the room with a question, or ask the next one, at the ε of the page, at a larger one, or
without noise; take no more reports; delete the room."""
SLOT = "room"
"""The slot of the tab's copies that has the secret of its room."""
FULL = f"{MAX_ROOMS} classes have a room at present, the most that this server has. Try again in a few minutes."
OVER = "The room of this tab has ended. Its question and reports are deleted; open another room."
HELD = "Another tab still shows the room of this one. Close that tab and reload this one within two minutes."
_ROOM, _IS_OVER = "dp_room", "dp_room_is_over"


@st.cache_resource(scope="session", max_entries=1, show_spinner=False, on_release=lambda shown: ROOMS.leave(*shown))
def _follow_session(code: str, screen: str, _room: Room) -> tuple[Room, str]:
    """Return a room and its session, which Streamlit releases when the session has lost its browser."""
    del code
    return _room, screen


def _room() -> Room | None:
    """Return the room that this session shows; None without one, or if a new session of its tab has taken it over."""
    room, screen = st.session_state.get(_ROOM), session_state.session().id
    if room is None or not ROOMS.show(room, screen):
        return None
    _follow_session(room.code, screen, room)
    return room


def current_round() -> Round | None:
    """Return the round of the session's room at this moment; None without a room."""
    ROOMS.delete_old()
    room = _room()
    return None if room is None else room.round


def follow(page: PageState[LiveResult]) -> None:
    """Do what the browser's button asks for, at the setting of the page, and draw the page anew."""
    action = session_state.session().request.pop("act", None)
    room = _room()
    if room is None and _takes_over():
        if action is None:
            st.rerun()
        room = _room()
    if action in (ASK, ASK_LARGER, ASK_EXACTLY):
        _ask(room, page, action)
    elif action == CLOSE and room is not None:
        room.close_round()
    elif action == LEAVE and room is not None:
        ROOMS.close(room)
        _store_copy(Copy())
    else:
        return
    st.rerun()


def _takes_over() -> bool:
    """Take over the room whose secret the tab has sent; return whether there is one that no other session shows."""
    restored, problems = session_state.session().restored.get(SLOT), session_state.session().link_problems
    problems[:] = [problem for problem in problems if problem != HELD]
    if restored is None:
        if not st.session_state.get(_IS_OVER) or "link" not in session_state.session().request:
            st.session_state[_IS_OVER] = False
        elif OVER not in problems:  # the run that found it was interrupted, and the link is read once more
            problems.append(OVER)
        return False
    room = ROOMS.find_by_secret(restored.packed)
    if room is None:
        problems.append(OVER)
        st.session_state[_IS_OVER] = True
        _store_copy(Copy())
        return False
    if not ROOMS.show(room, session_state.session().id):
        problems.append(HELD)  # the copy stays in the tab for a reload, and in the session for the next run
        return False
    st.session_state[_ROOM] = room
    _store_copy(restored)
    return True


def _ask(room: Room | None, page: PageState[LiveResult], way: str) -> None:
    if room is None:
        room = ROOMS.open(session_state.session().id)
        if room is None:
            session_state.session().link_problems[:] = [FULL]
            return None
        st.session_state[_ROOM] = room
        _store_copy(copy_within_limit(token_hex(8), room.secret, 0) or Copy())
    setting = page.result.setting
    if way == ASK_EXACTLY:
        return room.ask(question_without_noise(setting))
    if way == ASK_LARGER:
        setting = replace(setting, epsilon=larger_epsilon(setting) or setting.epsilon)
    return room.ask(question_of(setting, room.round.spent))


def _store_copy(copy: Copy) -> None:
    """Have the tab store the secret of its room, or delete the one that it has."""
    session_state.session().restored.pop(SLOT, None)
    session_state.session().copies[SLOT] = copy
