"""Checks the free proof of a paid answer without the node: python3 verify-answer.py seal.json <node key> [answer.json]

seal.json is the node's /receipts/<id>/seal (<id> is X-Receipt-Id of the answer), answer.json the answer's bytes as they
came. The key is node_key of /.well-known/verify-manifest, without "ed25519:". Needs nothing but Python 3.8. Ends with 0
when all holds, 4 when anything is off.
"""
import base64
import hashlib
import json
import sys

P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
L = 2**252 + 27742317777372353535851937790883648493


def canonical(value):
    """What is sealed, in canonical form (RFC 8785): texts and small whole numbers, names in ASCII."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


sha256 = lambda data: hashlib.sha256(data).hexdigest()
pair = lambda left, right: sha256(b"\x01" + bytes.fromhex(left + right))


def climb(leaf, index, count, path):
    """The root that a leaf and the hashes beside its way up lead to (RFC 9162, section 2.1.3.2)."""
    value, last = leaf, count - 1
    for beside in path:
        if index % 2 or index == last:
            value = pair(beside, value)
            while index % 2 == 0 and index:
                index, last = index >> 1, last >> 1
        else:
            value = pair(value, beside)
        index, last = index >> 1, last >> 1
    return value if last == 0 else ""


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


def find_fault(proof, node_key, answer):
    item, record = proof["item"], proof["record"]
    if answer is not None and sha256(answer) != item["response_sha256"]:
        return "the proof is of another answer"
    if sha256(b"\x00" + canonical(item).encode()) != proof["leaf_hash"]:
        return "leaf_hash is not the hash of the item"
    if climb(proof["leaf_hash"], proof["leaf_index"], record["leaf_count"], proof["audit_path"]) != record["root"]:
        return "the proof leads elsewhere"
    if sha256(canonical(record).encode()) != proof["record_hash"]:
        return "record_hash is not the hash of the record"
    sealed = {name: value for name, value in record.items() if name not in ("v", "seq", "prev_hash")}
    statement = "intel-node:receipt-seal:v1\n" + canonical(sealed)
    signed = item["node_id"] == sealed["node_id"] and is_signed(statement.encode(), node_key, proof["signature"])
    return None if signed else "the key did not sign it"


proof = json.load(open(sys.argv[1], encoding="utf-8"))["proof"]
answer = open(sys.argv[3], "rb").read() if len(sys.argv) > 3 else None
fault = "there is no seal yet" if proof is None else find_fault(proof, sys.argv[2], answer)
print("sealed: everything holds" if fault is None else "NOT PROVEN: " + fault)
sys.exit(0 if fault is None else 4)
