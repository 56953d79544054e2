"""The binary message format in which responses, stages and figures are sent to the browser.

A message is the length of its JSON, the JSON, and the arrays to which the JSON refers by number, as raw bytes. Bytes
are an array of type "u1", so that a message may contain other messages. Arrays that are equal, such as the x of several
lines, are sent once. `browser/packing.js` reads it.
"""

import json
import struct
from typing import Any

import numpy as np

_TYPES = {"f4": "<f4", "f8": "<f8", "i4": "<i4", "u1": "u1"}


def pack(message: dict[str, Any]) -> bytes:
    """Return a message as bytes; every array in it has one or two axes, and bytes count as an array of bytes.

    >>> unpack(pack({"figure": {"x": np.array([1.0, 2.0])}}))["figure"]["x"].tolist()
    [1.0, 2.0]
    >>> unpack(pack({"file": b"x,y"}))["file"].tobytes()
    b'x,y'
    """
    arrays: list[tuple[str, int, int, list[int] | None]] = []
    parts: dict[tuple[str, tuple[int, ...], bytes], int] = {}  # with the number of each array
    end = 0

    def point(value: Any) -> Any:
        nonlocal end
        if isinstance(value, np.generic):
            return value.item()
        value = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.asarray(value)
        kind = f"{value.dtype.kind}{value.dtype.itemsize}"
        if kind not in _TYPES and value.dtype.kind not in "iub":
            return value.tolist()
        kind = kind if kind in _TYPES else "f8"
        raw = np.ascontiguousarray(value, _TYPES[kind]).tobytes()
        place = parts.setdefault((kind, value.shape, raw), len(arrays))
        if place == len(arrays):
            arrays.append((kind, end, len(raw), list(value.shape) if value.ndim == 2 else None))
            end += len(raw)
        return {"$": place}

    body = json.dumps(message, default=point, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    head = f'{{"arrays":{json.dumps(arrays, separators=(",", ":"))},{body[1:]}'.encode()
    return b"".join((struct.pack("<I", len(head)), head, *(raw for _, _, raw in parts)))


def unpack(raw: bytes) -> dict[str, Any]:
    """Return the message from which `pack` made these bytes."""
    (size,) = struct.unpack_from("<I", raw)
    message = json.loads(raw[4 : 4 + size])
    arrays = []
    for kind, start, length, shape in message.pop("arrays"):
        array = np.frombuffer(raw, _TYPES[kind], length // int(kind[1]), 4 + size + start)
        arrays.append(array.reshape(shape) if shape else array)

    def fill(value: Any) -> Any:
        if isinstance(value, dict):
            return arrays[value["$"]] if "$" in value else {key: fill(part) for key, part in value.items()}
        return [fill(part) for part in value] if isinstance(value, list) else value

    return fill(message)
