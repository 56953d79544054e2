"""The door of the deployed app: which pages may connect, judged before Streamlit looks up its own address."""

import pytest
from streamlit.web.server import server_util
from streamlit.web.server.starlette import starlette_websocket

from pages.framework.layout.security_headers import is_same_origin

HOST = "dp.example.org"
SCHEMES = ("", "http:", "https:", "ftp:", "x:", ":", "HTTP:")
STARTS = (*(f"{scheme}//" for scheme in SCHEMES), "", "http:/", "http:///", "http://a@", "http://[", "//http://")
ENDS = ("", "/", "/a", "?", "#", ":80", ".", " ", "\\", "@evil.example", "]")


@pytest.mark.parametrize("host", [HOST, "[::1]:8501", "a/b", "a?b", "a@b", "[::1", "[zz]", ""])
def test_an_origin_that_passes_is_one_that_streamlit_accepts_without_a_lookup(host, monkeypatch):
    def look_up(origin):
        raise AssertionError(f"Streamlit looks up its address for {origin!r}")

    monkeypatch.setattr(starlette_websocket, "is_url_from_allowed_origins", look_up)
    passed = []
    for origin in {start + host + end for start in STARTS for end in ENDS}:
        if is_same_origin([(b"host", host.encode()), (b"origin", origin.encode())]):
            passed.append(origin)
            assert starlette_websocket._is_origin_allowed(origin, host)
    expected = [f"http://{host}", f"https://{host}"] if host in (HOST, "[::1]:8501", "a@b") else []
    assert sorted(passed) == expected


def test_the_lookup_that_is_avoided_is_streamlits():
    assert vars(starlette_websocket)["is_url_from_allowed_origins"] is server_util.is_url_from_allowed_origins


def test_a_request_without_an_origin_passes_and_one_with_two_hosts_or_two_origins_does_not():
    host, origin = (b"host", HOST.encode()), (b"origin", f"https://{HOST}".encode())
    assert is_same_origin([host])
    assert is_same_origin([host, origin])
    assert not is_same_origin([host, host, origin])
    assert not is_same_origin([origin])
    assert not is_same_origin([host, origin, (b"origin", b"https://evil.example")])
