import socket

from pages.framework.streamlit_host import send_promptly


def test_sockets_opened_before_send_small_messages_at_once():
    with socket.socket() as opened, socket.socket(socket.AF_UNIX) as other:
        send_promptly.cache_clear()
        send_promptly()
        assert opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert other.fileno() >= 0


def test_connections_accepted_later_do_too():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        send_promptly.cache_clear()
        send_promptly()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
