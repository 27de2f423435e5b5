# SPDX-License-Identifier: MIT
"""A decoder of PNG images of 8 or 16 bits per sample, without libpng: what our encoder writes is checked by
the specification, not by the library that wrote it."""
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 4: 2, 2: 3, 6: 4}  # by colour type


def chunks(data):
    """The (type, content) of every chunk; each checksum must be right."""
    assert data.startswith(SIGNATURE)
    at = len(SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8:at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + content)
        yield kind, content
        at += 12 + length


def _paeth(left, up, corner):
    distance = [abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)]
    return (left, up, corner)[distance.index(min(distance))]


def _unfilter(kind, row, above, step):
    out = bytearray(row)
    for i, byte in enumerate(row):
        left, up = out[i - step] if i >= step else 0, above[i]
        corner = above[i - step] if i >= step else 0
        out[i] = (byte + (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]) & 255
    return bytes(out)


def decode(data):
    """(width, height, channels, pixels as bytes) of a PNG; samples of 16 bits have two, big end first."""
    parts = list(chunks(data))
    assert parts[0][0] == b"IHDR" and parts[-1] == (b"IEND", b"")
    width, height, depth, colour, compression, method, interlace = struct.unpack(">IIBBBBB", parts[0][1])
    assert depth in (8, 16) and (compression, method, interlace) == (0, 0, 0)
    lines = zlib.decompress(b"".join(content for kind, content in parts if kind == b"IDAT"))
    step = CHANNELS[colour] * depth // 8
    size = width * step
    assert len(lines) == height * (1 + size)
    rows, above = [], bytes(size)
    for y in range(height):
        line = lines[y * (1 + size):(y + 1) * (1 + size)]
        above = _unfilter(line[0], line[1:], above, step)
        rows.append(above)
    return width, height, CHANNELS[colour], b"".join(rows)
