"""Follows an OpenTimestamps proof: python3 verify-anchor.py 3.json 3.json.ots [<height>:<block header or Merkle root>]

Prints what the proof says, and whether it ends at the block you give. Needs nothing but Python 3.8. Ends with 0 when it
existed before that block, 3 when nothing speaks against it, 1 when the proof is of other bytes or of another block.
"""
import hashlib
import sys

MAGIC = bytes.fromhex("004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e8929401")
PENDING = bytes.fromhex("83dfe30d2ef90c8e")
BITCOIN = bytes.fromhex("0588960d73d71901")
HASHES = {0x02: "sha1", 0x03: "ripemd160", 0x08: "sha256"}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, length):
        taken = self.data[self.at : self.at + length]
        if len(taken) != length:
            sys.exit("the proof ends too early")
        self.at += length
        return taken

    def number(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def text(self):
        return self.take(self.number())


def attested(reader, message):
    """Each attestation with the message it is of."""
    while True:
        tag = reader.take(1)[0]
        is_last = tag != 0xFF
        if not is_last:
            tag = reader.take(1)[0]
        if tag == 0x00:
            kind = reader.take(8)
            payload = Reader(reader.text())
            if kind == PENDING:
                yield "pending", payload.text().decode(), message
            elif kind == BITCOIN:
                yield "bitcoin", payload.number(), message
        elif tag == 0xF0:
            yield from attested(reader, message + reader.text())
        elif tag == 0xF1:
            yield from attested(reader, reader.text() + message)
        elif tag in HASHES:
            yield from attested(reader, hashlib.new(HASHES[tag], message).digest())
        else:
            sys.exit("an operation that is not known here: 0x%02x" % tag)
        if is_last:
            return


def main(statement, proof, block=None):
    with open(statement, "rb") as file:
        digest = hashlib.sha256(file.read()).digest()
    with open(proof, "rb") as file:
        reader = Reader(file.read())
    if reader.take(len(MAGIC)) != MAGIC or reader.take(1) != b"\x08" or reader.take(32) != digest:
        print("broken: it is no proof of these bytes")
        return 1
    height, _, given = (block or "").partition(":")
    root = bytes.fromhex(given)[36:68] if len(given) == 160 else bytes.fromhex(given)[::-1]
    code = 3
    for kind, who, message in attested(reader, digest):
        if kind == "pending":
            print("pending at calendar", who)
        elif str(who) != height:
            print("it says block", who, "with the Merkle root", message[::-1].hex())
        elif message == root:
            print("proven: it existed before Bitcoin block", who)
            code = 0
        else:
            print("broken: its path does not end at the Merkle root given for block", who)
            code = 1 if code == 3 else code
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
