"""What stands between the server and each request: security headers, and the limits of uploads."""

from starlette.middleware import Middleware

from pages.framework import streamlit_host
from pages.framework.layout.security_headers import (
    MAX_UPLOAD_BODY,
    UploadBudget,
    response_headers,
    with_security_headers,
    with_upload_limits,
)


def middleware(markup: str, *scripts: str) -> list[Middleware]:
    """Return the middleware of the app, for the inline scripts in this markup and for further scripts.

    Uploads are held in memory only.
    """
    streamlit_host.hold_uploads_in_memory(MAX_UPLOAD_BODY)
    return [
        Middleware(with_security_headers, headers=response_headers(markup, *scripts)),
        Middleware(with_upload_limits, budget=UploadBudget(), stored=streamlit_host.uploaded_files),
    ]
