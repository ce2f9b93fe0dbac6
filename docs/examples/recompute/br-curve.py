"""Makes an answer of /br-curve again from its bundle: python3 br-curve.py bundle.json

Its figures, by the method the product's README tells. Needs nothing but Python 3.9. Ends with 0 when all
agree, 1 when one differs, 2 when the file is no bundle of /br-curve or its inputs are withheld.
"""
import datetime
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


YEAR = 252
DAY = datetime.timedelta(days=1)
MONTHS = "FGHJKMNQUVXZ"


def easter(year):
    """Sunday of Easter in the Gregorian calendar (Meeus, Astronomical Algorithms, 1991)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    month, day = divmod(h + m - 7 * ((a + 11 * h + 22 * m) // 451) + 114, 31)
    return datetime.date(year, month, day + 1)


def holidays(year):
    """ANBIMA's: the national ones, Carnival, Good Friday and Corpus Christi; 20 November by law 14.759 since 2024."""
    fixed = [(1, 1), (4, 21), (5, 1), (9, 7), (10, 12), (11, 2), (11, 15), (12, 25)] + [(11, 20)] * (year >= 2024)
    moved = [easter(year) + days * DAY for days in (-48, -47, -2, 60)]
    return {datetime.date(year, month, day) for month, day in fixed} | set(moved)


inputs, data = read_bundle("/br-curve")
if inputs["day"] is None:
    print("this curve is made of retail bonds, which this program does not know")
    sys.exit(2)
CLOSED = {datetime.date.fromisoformat(day) for day in inputs["extra"]}.union(*map(holidays, range(2020, 2110)))


def is_open(day):
    return day.weekday() < 5 and day not in CLOSED


def expiry_of(symbol):
    """DI1 on the first bank day of its month, DAP on the 15th or the next one."""
    day = datetime.date(2000 + int(symbol[4:]), MONTHS.index(symbol[3]) + 1, 1 if symbol.startswith("DI1") else 15)
    while not is_open(day):
        day += DAY
    return day


def count_until(start, dates):
    """Bank days from a day to each of others: the first not counted, the last counted."""
    counted, day, total = {}, start, 0
    while day < max(dates):
        day += DAY
        total += is_open(day)
        counted[day] = total
    return [counted.get(one, 0) for one in dates]


def vertices(settled, root):
    rows = [row for row in settled["settlements"] if row["symbol"].startswith(root) and row["rate"] is not None]
    counts = count_until(datetime.date.fromisoformat(settled["date"]), [expiry_of(row["symbol"]) for row in rows])
    return sorted((du, row["rate"], row["symbol"], row["settle"]) for du, row in zip(counts, rows) if du > 0)


def log_growth(points, du):
    """ln of the growth factor: linear in du between two vertices, None before the first and after the last."""
    logs = [(at, math.log(1 + rate / 100) * at / YEAR) for at, rate, *_ in points]
    if du == 0 and logs:
        return 0.0
    if not logs or not logs[0][0] <= du <= logs[-1][0]:
        return None
    if du == logs[0][0]:
        return logs[0][1]
    (x0, y0), (x1, y1) = next((a, b) for a, b in zip(logs, logs[1:]) if a[0] <= du <= b[0])
    return y0 + (y1 - y0) * (du - x0) / (x1 - x0)


def forward(points, start, end):
    first, last = log_growth(points, start), log_growth(points, end)
    return None if first is None or last is None else (math.exp((last - first) * YEAR / (end - start)) - 1) * 100


def less(a, b, factor=100):
    return None if a is None or b is None else (a - b) * factor


def fisher(nominal, real):
    return None if nominal is None or real is None else ((1 + nominal / 100) / (1 + real / 100) - 1) * 100


day, past = inputs["day"], inputs["past"]
futures = vertices(day, "DI1")
overnight = inputs["di_overnight"]
# The overnight rate is the vertex of one day, unless it is farther from the nearest future than 100 basis points.
is_one_market = futures and overnight is not None and abs(futures[0][1] - overnight) * 100 <= 100
nominal = ([(1, overnight, None, None)] if is_one_market and futures[0][0] > 1 else []) + futures
inflation_linked = vertices(day, "DAP")
# From 126 days on, and the longest shorter one before them.
long = next((n for n, point in enumerate(inflation_linked) if point[0] >= 126), None)
real = [] if long is None else inflation_linked[max(0, long - 1):]


def gap(points, du, rate):
    """Business days from a term to the nearest vertex."""
    return None if rate is None else min(abs(at - du) for at, *_ in points)


now, before = {}, {name: {} for name in past}
for row in data["curve"]:
    term, du = row["tenor"], row["du"]
    now[term] = forward(nominal, 0, du)
    over = forward(real, 0, du) if du >= 126 else None
    near(f"nominal {term}", now[term], row["nominal"], 4)
    near(f"real {term}", over, row["real"], 4)
    near(f"breakeven {term}", fisher(now[term], over), row["breakeven"], 4)
    same(f"nominal_gap_du {term}", gap(nominal, du, now[term]), row["nominal_gap_du"])
    same(f"real_gap_du {term}", gap(real, du, over), row["real_gap_du"])
PAST = {name: vertices(settled, "DI1") for name, settled in past.items() if settled is not None}
for row in data["curve"]:
    for name in past:
        before[name][row["tenor"]] = forward(PAST[name], 0, row["du"]) if name in PAST else None
        change = less(now[row["tenor"]], before[name][row["tenor"]])
        near(f"change_{name[1:]}d_bps {row['tenor']}", change, row[f"change_{name[1:]}d_bps"], 1)

f5y5y, real_5y5y = forward(nominal, 1260, 2520), forward(real, 1260, 2520)
for name, mine in {
    **{"f3m3m": forward(nominal, 63, 126), "f1y1y": forward(nominal, 252, 504), "f2y1y": forward(nominal, 504, 756)},
    **{"f5y5y": f5y5y, "real_5y5y": real_5y5y, "breakeven_5y5y": fisher(f5y5y, real_5y5y)},
}.items():
    near(f"forwards.{name}", mine, data["forwards"][name], 4)


def belly(terms):
    return None if None in (terms["2y"], terms["5y"], terms["10y"]) else 2 * terms["5y"] - terms["2y"] - terms["10y"]


for name, mine in {
    **{"s3m10y": less(now["10y"], now["3m"]), "s1s5s": less(now["5y"], now["1y"])},
    **{"s2s10s": less(now["10y"], now["2y"]), "fly_2_5_10": less(belly(now), 0)},
}.items():
    near(f"slopes.{name}", mine, data["slopes"][name], 1)
d21 = before["d21"]
moves = [move for move in (less(now[term], d21[term]) for term in now) if move is not None]
near("pca_like.level_21d", sum(moves) / len(moves) if moves else None, data["pca_like"]["level_21d"], 1)
slope = less(less(now["10y"], now["1y"], 1), less(d21["10y"], d21["1y"], 1))
near("pca_like.slope_21d", slope, data["pca_like"]["slope_21d"], 1)
near("pca_like.curvature_21d", less(belly(now), belly(d21)), data["pca_like"]["curvature_21d"], 1)

known = {symbol: (du, rate, pu) for du, rate, symbol, pu in futures + inflation_linked}
for row in data["futures"]:
    du, rate, pu = known[row["symbol"]]
    same(f"{row['symbol']}.expiry", expiry_of(row["symbol"]).isoformat(), row["expiry"])
    same(f"{row['symbol']}.du", du, row["du"])
    near(f"{row['symbol']}.rate", rate, row["rate"], 4)
    near(f"{row['symbol']}.pu", pu, row["pu"], 2)
    same(f"{row['symbol']} gives its PU", abs(100000 / (1 + rate / 100) ** (du / YEAR) - pu) <= 0.02, True)
    near(f"{row['symbol']}.dv01_brl", -pu * (du / YEAR) / (1 + rate / 100) * 0.0001, row["dv01_brl"], 4)
    near(f"{row['symbol']}.modified_duration", du / YEAR / (1 + rate / 100), row["modified_duration"], 4)


for fault in FAULTS:
    print("DIFFERS " + fault)
print(f"{COUNT[0]} figures checked, {len(FAULTS)} differ")
sys.exit(1 if FAULTS else 0)
