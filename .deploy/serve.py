"""The app as others reach it: `python -m streamlit run .deploy/serve.py` in the checkout."""

import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is there; threads of its own slow those of sessions

import streamlit as st
from starlette.middleware import Middleware

from pages.report import document
from pages.shared import frame, serving, session, uploads

uploads.limit_uploads(session.uploaded_files)
app = st.App(
    Path(__file__).resolve().parents[1] / "app.py",
    middleware=[Middleware(serving.guarded, headers=serving.security(frame.ENGINE, *document.scripts()))],
)
