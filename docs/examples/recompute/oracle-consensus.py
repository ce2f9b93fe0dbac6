"""Makes an answer of /oracle-consensus again from its bundle: python3 oracle-consensus.py bundle.json

Its figures, by the method the product's README tells. Needs nothing but Python 3.9. Ends with 0 when all
agree, 1 when one differs, 2 when the file is no bundle of /oracle-consensus or its inputs are withheld.
"""
import hashlib
import json
import math
import statistics
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


# Each source's weight, and the age in seconds up to which it is used.
TABLE = {
    **{"pyth": (1.5, 120), "redstone": (1.5, 180), "chainlink": (1.5, 3600)},
    **{name: (1.0, 30) for name in ("kraken", "bitstamp", "gemini", "cryptocom", "coinbase")},
    **{name: (0.7, 30) for name in ("binance", "okx", "bybit")},
}
ORACLES, IN_USDT = ("pyth", "redstone", "chainlink"), ("binance", "okx", "bybit")


def weighted_median(priced):
    """The first price whose cumulative weight exceeds half of the whole; exactly half: the mean of it and the next."""
    ordered = sorted(priced)
    # Weights have one decimal: in tenths their sums are exact.
    tenths = [round(weight * 10) for _, weight in ordered]
    for i in range(len(ordered)):
        reached = 2 * sum(tenths[: i + 1])
        if reached > sum(tenths):
            return ordered[i][0]
        if reached == sum(tenths):
            return (ordered[i][0] + ordered[i + 1][0]) / 2
    return None


inputs, data = read_bundle("/oracle-consensus")
rate, prices, ages = inputs["usdt_usd"], {}, {}
for reading in inputs["readings"]:
    source, outcome = reading["source"], reading["outcome"]
    if not outcome["ok"] or (source in IN_USDT and rate is None):
        continue
    price, at_ms = outcome["value"]["price"], outcome["value"]["at_ms"]
    age = None if at_ms is None else max(0, inputs["read_at_ms"] - at_ms) / 1000
    prices[source], ages[source] = price * (rate if source in IN_USDT else 1), age
fresh = {name: price for name, price in prices.items() if ages[name] is None or ages[name] <= TABLE[name][1]}
if all(ages[name] is None for name in fresh):
    fresh = {}

m = statistics.median(fresh.values())
scale = max(1.4826 * statistics.median([abs(price - m) for price in fresh.values()]), 0.0002 * m)
kept = {name: price for name, price in fresh.items() if abs(price - m) <= min(5 * scale, 0.02 * m)}
oracles = [name for name in kept if name in ORACLES]
consensus = weighted_median([(price, TABLE[name][0]) for name, price in kept.items()])
spread = None if consensus is None else (max(kept.values()) - min(kept.values())) / consensus * 10000
score = 0 if spread is None else 100 * max(0, 1 - spread / 100) * min(1, len(kept) / 6) * (1 if oracles else 0.8)
few = len(kept) < 3
verdict = "insufficient" if few else "agree" if spread <= 25 else "loose" if spread <= 100 else "diverge"

near_digits("consensus_usd", consensus, data["consensus_usd"], 8)
near("range_bps", spread, data["range_bps"], 2)
near("score", score, data["score"], 1)
same("verdict", verdict, data["verdict"])
same("n_fresh", len(fresh), data["n_fresh"])
same("n_kept", len(kept), data["n_kept"])
same("n_oracles", len(oracles), data["n_oracles"])
for row in data["sources_detail"]:
    name = row["source"]
    same(f"{name}.used", name in kept, row["used"])
    same(f"{name}.weight", TABLE[name][0], row["weight"])
    near_digits(f"{name}.price", prices.get(name), row["price"], 8)
    off = None if consensus is None or name not in prices else (prices[name] / consensus - 1) * 10000
    near(f"{name}.deviation_bps", off, row["deviation_bps"], 2)


for fault in FAULTS:
    print("DIFFERS " + fault)
print(f"{COUNT[0]} figures checked, {len(FAULTS)} differ")
sys.exit(1 if FAULTS else 0)
