"""The app as a server: `streamlit run app.py` serves `start.py` and the scripts in `pages/`."""

import os
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is there; threads of its own slow those of sessions

import streamlit as st

from pages.framework.layout import page_run, security_headers
from pages.live_class import rooms
from pages.report import document


@asynccontextmanager
async def in_browser(_: st.App) -> AsyncIterator[None]:
    """Open the app in a browser of this machine, unless there is none; Streamlit does so for plain scripts only."""
    if not st.get_option("server.headless"):
        address = f"http://{st.get_option('server.address')}:{st.get_option('server.port')}"
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()  # some browsers return when they end
    yield


rooms.ROOMS.place = str(st.get_option("server.port"))  # by which a proxy finds this process
app = st.App(
    Path(__file__).with_name("start.py"),
    lifespan=in_browser,
    routes=rooms.routes(st.get_option("server.baseUrlPath")),
    middleware=security_headers.middleware(page_run.ENGINE + page_run.REDIRECTION, *document.scripts()),
)
