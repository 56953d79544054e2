"""The app as others reach it: `python -m streamlit run .deploy/serve.py` in the checkout."""

import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is there; threads of its own slow those of sessions

import streamlit as st
from starlette.middleware import Middleware

from pages.framework import streamlit_host
from pages.framework.layout import page_frame, security_headers, upload_limits
from pages.report import document

upload_limits.limit_uploads(streamlit_host.uploaded_files)
app = st.App(
    Path(__file__).resolve().parents[1] / "app.py",
    middleware=[
        Middleware(
            security_headers.with_security_headers,
            headers=security_headers.response_headers(page_frame.ENGINE, *document.scripts()),
        )
    ],
)
