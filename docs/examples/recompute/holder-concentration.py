"""Makes an answer of /holder-concentration again from its bundle: python3 holder-concentration.py bundle.json

Its figures, by the method the product's README tells. Needs nothing but Python 3.9. Ends with 0 when all
agree, 1 when one differs, 2 when the file is no bundle of /holder-concentration or its inputs are withheld.
"""
import hashlib
import json
import math
import sys

FAULTS, COUNT = [], [0]


def plain(one):
    """What JSON has no word for stands in an object of one member that begins with "$"."""
    name = next(iter(one)) if len(one) == 1 else ""
    if name == "$bigint":
        return int(one[name])
    return {"$set": one.get("$set"), "$value": None}.get(name, one)


def read_bundle(product):
    """Inputs and data of an answer whose bytes are those its hashes name."""
    with open(sys.argv[1], encoding="utf-8") as file:
        bundle = json.load(file)
    if bundle.get("format") != "intel-node-bundle/1" or bundle["recipe"]["path"] != product or bundle["inputs"] is None:
        print("this is no bundle of " + product + " with its inputs")
        sys.exit(2)
    for name, of in (("answer", "response_sha256"), ("inputs", "inputs_sha256")):
        same(of, hashlib.sha256(bundle[name].encode()).hexdigest(), bundle[of])
    return json.loads(bundle["inputs"], object_hook=plain), json.loads(bundle["answer"])["data"]


def same(name, mine, said):
    COUNT[0] += 1
    if mine != said:
        FAULTS.append(f"{name}: the answer says {said}, it is {mine}")


def near(name, mine, said, decimals):
    """Equal once rounded to so many decimals."""
    if mine is None or said is None:
        return same(name, mine, said)
    COUNT[0] += 1
    if not abs(mine - said) <= 0.5 * 10.0**-decimals + 1e-9 * abs(mine):
        FAULTS.append(f"{name}: the answer says {said}, it is {mine}")


def near_digits(name, mine, said, digits):
    """Equal once rounded to so many significant digits."""
    near(name, mine, said, digits - 1 - math.floor(math.log10(abs(mine))) if mine else 0)


BURNS = {"1nc1nerator11111111111111111111111111111111"}


def holders_by_rugcheck(profile):
    """Shares of holders, largest first, and of what is taken out: pools, burn addresses and lockers."""
    report = profile["rugcheck"]["value"]
    marks = report.get("knownAccounts") or {}
    pools = {pair["pair_address"] for pair in profile["pairs"]["value"]} if profile["pairs"]["ok"] else set()
    for market in report.get("markets") or []:
        pools |= {market.get("pubkey"), market.get("liquidityA"), market.get("liquidityB")}
    held, out = {}, {}
    for row in report["topHolders"]:
        names = {row["address"], row.get("owner") or row["address"]}
        kinds = [(marks[name].get("type") or "").lower() for name in names if name in marks]
        is_out = names & (pools | BURNS) or any("amm" in kind or "lock" in kind for kind in kinds)
        (out if is_out else held)[row.get("owner") or row["address"]] = row["pct"]
    return held, out


inputs, data = read_bundle("/holder-concentration")
if data["source"] != "rugcheck":
    print("this program reads RugCheck's list of holders only")
    sys.exit(2)
held, out = holders_by_rugcheck(inputs["profile"])
shares = sorted(held.values(), reverse=True)
n, known, rest = len(shares), sum(shares), 100 - sum(shares) - sum(out.values())
is_whole = rest <= 0.5

top = lambda count: sum(shares[:count]) if n >= count or is_whole else None
missing = max(0, 10 - n)
at_most = sum(shares[:10]) + (min(missing * min([*shares, *out.values()]), max(0, rest)) if missing else 0)
hhi = sum(share * share for share in shares)
# Unseen holders are at most as large as the smallest known one: as many of that size as fit, and what is left.
full = math.floor(rest / shares[-1]) if rest > 0 else 0
hhi_most = hhi + (full * shares[-1] ** 2 + (rest - full * shares[-1]) ** 2 if rest > 0 else 0)
thirds = [count for count in range(1, n + 1) if sum(shares[:count]) > 100 / 3]
gini = sum((2 * i - n - 1) * x for i, x in enumerate(reversed(shares), 1)) / (n * known)
band = "low" if at_most < 20 else "moderate" if at_most < 35 else "high" if at_most < 50 else "critical"
if shares[0] >= 20 and band in ("low", "moderate"):
    band = "high"

for count in (1, 5, 10):
    near(f"top{count}_pct", top(count), data[f"top{count}_pct"], 4)
near("top10_min_pct", sum(shares[:10]), data["top10_min_pct"], 4)
near("top10_max_pct", at_most, data["top10_max_pct"], 4)
near("hhi_lower", hhi, data["hhi_lower"], 2)
near("hhi_upper", hhi_most, data["hhi_upper"], 2)
near("effective_holders_min", 10000 / hhi_most, data["effective_holders_min"], 2)
near("effective_holders_max", 10000 / hhi, data["effective_holders_max"], 2)
same("nakamoto_33", thirds[0] if thirds else None, data["nakamoto_33"])
near("gini_known", gini, data["gini_known"], 4)
same("band", band, data["band"])
same("source_depth", n, data["source_depth"])
for row in data["rows"]:
    near(f"rows {row['owner']}", held.get(row["owner"]), row["pct"], 4)
for row in data["excluded"]:
    near(f"excluded {row['address']}", out.get(row["address"]), row["pct"], 4)
mint = inputs["profile"]["mint"]
if mint and mint["ok"]:
    same("supply", str(mint["value"]["powers"]["supply"]), data["supply"])


for fault in FAULTS:
    print("DIFFERS " + fault)
print(f"{COUNT[0]} figures checked, {len(FAULTS)} differ")
sys.exit(1 if FAULTS else 0)
