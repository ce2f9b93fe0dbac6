"""Checks an answer of /trust-hash without the node: python3 verify-seal.py seal.json <node key> [answer.json]

The key is node_key of the node's /.well-known/verify-manifest, without "ed25519:". answer.json is an answer you hold, as
it came. Needs nothing but Python 3.8. Ends with 0 when all holds, 4 when anything is off.
"""
import base64
import hashlib
import json
import sys

P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
L = 2**252 + 27742317777372353535851937790883648493


class Number(str):
    """A number as it was written: the node's JSON is in canonical form already."""


def canonical(value):
    """JSON in canonical form (RFC 8785)."""
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(json.dumps(n, ensure_ascii=False) + ":" + canonical(value[n]) for n in names) + "}"
    return str(value) if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


sha256 = lambda data: hashlib.sha256(data).hexdigest()


def root_of(leaves):
    """The root of a tree (RFC 6962, section 2.1): split at the largest power of two below the count."""
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\x01" + bytes.fromhex(root_of(leaves[:split]) + root_of(leaves[split:])))


def recover(y, sign):
    """The point of the curve with this y; None where there is none (RFC 8032, section 5.1.3)."""
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    is_point = (x * x - square) % P == 0 and y < P and not (x == 0 and sign)
    x = x if x % 2 == sign else P - x
    return (x, y, 1, x * y % P) if is_point else None


def add(a, b):
    e, f = (a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0])
    g, h = 2 * D * a[3] * b[3], 2 * a[2] * b[2]
    return ((f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P)


def times(n, point):
    total = (0, 1, 1, 0)
    while n:
        if n & 1:
            total = add(total, point)
        point, n = add(point, point), n >> 1
    return total


def is_signed(text, key, signature):
    """Whether a key signed a text (Ed25519, RFC 8032, section 5.1.7)."""
    key, signature = (base64.urlsafe_b64decode(one + "=" * (-len(one) % 4)) for one in (key, signature))
    if len(key) != 32 or len(signature) != 64:
        return False
    read = lambda b: recover(int.from_bytes(b, "little") & (2**255 - 1), b[31] >> 7)
    a, r, s = read(key), read(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % L
    one, other = times(s, recover(4 * pow(5, P - 2, P) % P, 0)), add(r, times(h, a))
    return all((one[i] * other[2] - other[i] * one[2]) % P == 0 for i in (0, 1))


def find_fault(seal, node_key, answer):
    leaves = [one["leaf_hash"] for one in seal["leaves"]]
    if not leaves or str(len(leaves)) != seal["leaf_count"] or root_of(leaves) != seal["root"]:
        return "the leaves do not lead to the root"
    record = {name: seal[name] for name in ("seq", "prev_hash", "root", "leaf_count", "sealed_at")}
    if sha256(canonical({**record, "v": Number("1")}).encode()) != seal["record_hash"]:
        return "record_hash is not the hash of the record"
    statement = "intel-node:seal:v1\n" + canonical({name: seal[name] for name in ("leaf_count", "root", "sealed_at")})
    if seal["public_key"] != node_key or seal["signed_text"] != statement:
        return "it is signed by another key, or states another root"
    if not is_signed(statement.encode(), node_key, seal["signature"]):
        return "the key did not sign it"
    item = answer and {"as_of": answer["as_of"], "data": answer["data"], "product": "/" + answer["product"]}
    return None if item is None or sha256(b"\x00" + canonical(item).encode()) in leaves else "this answer is not under the root"


files = [json.load(open(f, encoding="utf-8"), parse_int=Number, parse_float=Number) for f in sys.argv[1:2] + sys.argv[3:]]
fault = find_fault(files[0]["data"], sys.argv[2], files[1] if len(files) > 1 else None)
print("sealed: everything holds" if fault is None else "NOT PROVEN: " + fault)
sys.exit(0 if fault is None else 4)
