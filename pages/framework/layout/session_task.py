"""A computation of minutes with what a session holds: it runs in the background, with its progress and a stop."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import streamlit as st

from pages.framework.layout import widgets
from pages.framework.rendering.render_jobs import BackgroundTask
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session import session_state


@dataclass(frozen=True)
class SessionTask:
    """A computation in the background: the beginning of its keys in the session, and what is done with its pieces.

    `store` puts the pieces into the session, and returns whether the session did not have them yet.
    """

    prefix: str
    store: Callable[[BackgroundTask], bool]
    progress_text: Callable[[BackgroundTask], str]

    @property
    def running(self) -> BackgroundTask | None:
        """The computation that the session has, None without one."""
        return session_state.uploads().get(f"{self.prefix}_task")

    def start(self, name: Hashable, make: Callable[[Progress], object]) -> None:
        """Start a computation."""
        session_state.uploads().pop(f"{self.prefix}_problem", None)
        session_state.uploads()[f"{self.prefix}_task"] = BackgroundTask(name, make)

    def stop(self) -> None:
        """Stop the computation, if there is one; what it has computed is stored."""
        if self.running is not None:
            self.running.stop()

    def end(self) -> None:
        """Stop the computation, and forget it and why it failed: its data have changed."""
        self.stop()
        for name in ("task", "problem"):
            session_state.uploads().pop(f"{self.prefix}_{name}", None)

    def button(self, label: str, name: str, start: Callable[[], None], help_text: str | None = None) -> None:
        """Draw a button that starts the computation, which can't be pressed while one is running."""
        is_busy = self.running is not None
        st.button(label, key=f"{self.prefix}_{name}", on_click=start, disabled=is_busy, help=help_text)

    def draw(self) -> None:
        """Draw why the last computation failed, and the progress of the running one."""
        widgets.show_problem(self.prefix, session_state.uploads().get(f"{self.prefix}_problem", ""))
        if self.running is not None:
            _show_progress(self)


@st.fragment(run_every=1.0)
def _show_progress(session_task: SessionTask) -> None:
    """Show the progress of a computation; when a piece is done, render the page with it."""
    task = session_task.running
    if task is None:
        return
    is_finished = task.is_finished
    if session_task.store(task) or is_finished:
        if is_finished:
            session_state.uploads().pop(f"{session_task.prefix}_task", None)
            if task.problem:
                session_state.uploads()[f"{session_task.prefix}_problem"] = task.problem
        st.rerun()
    st.progress(task.share, session_task.progress_text(task))
    st.button("Stop", key=f"{session_task.prefix}_stop", on_click=session_task.stop)
