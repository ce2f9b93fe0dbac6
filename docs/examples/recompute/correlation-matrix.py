"""Makes an answer of /correlation-matrix again from its bundle: python3 correlation-matrix.py bundle.json

Its figures, by the method the product's README tells. Needs nothing but Python 3.9. Ends with 0 when all
agree, 1 when one differs, 2 when the file is no bundle of /correlation-matrix or its inputs are withheld.
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


DAY_MS = 86_400_000


def mean(values):
    return math.fsum(values) / len(values)


def pearson(x, y):
    """Product-moment correlation; None where one of them stands still."""
    dx, dy = [v - mean(x) for v in x], [v - mean(y) for v in y]
    size = math.sqrt(math.fsum(v * v for v in dx) * math.fsum(v * v for v in dy))
    return math.fsum(a * b for a, b in zip(dx, dy)) / size if size > 0 else None


def ranks(values):
    """Ranks from 1; equal values share the mean of theirs."""
    ordered = sorted(values)
    return [ordered.index(v) + (ordered.count(v) + 1) / 2 for v in values]


def beta_fraction(a, b, x):
    """Continued fraction of the incomplete beta function, by Lentz's method (DLMF 8.17.22)."""
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    total = d
    for m in range(1, 500):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / ((1 + term * d) or tiny), (1 + term / c) or tiny
            total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return total


def p_value(r, n):
    """Two-sided, of t = r sqrt((n - 2) / (1 - r^2)) with n - 2 degrees of freedom: I_x(df / 2, 1 / 2), x = 1 - r^2."""
    a, b, x = (n - 2) / 2, 0.5, 1 - r * r
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(1 - x))
    is_left = x < (a + 1) / (a + b + 2)
    return front * beta_fraction(a, b, x) / a if is_left else 1 - front * beta_fraction(b, a, 1 - x) / b


def shrinkage_of(series, correlations):
    """Ledoit and Wolf 2004, on returns of mean 0 and deviation 1, towards the mean variance."""
    n, p = len(series[0]), len(series)
    unit = []
    for x in series:
        deviation = math.sqrt(mean([(v - mean(x)) ** 2 for v in x]))
        unit.append([(v - mean(x)) / deviation for v in x])
    norm = sum(v * v for row in correlations for v in row)
    fourth = sum(sum(unit[i][k] ** 2 for i in range(p)) ** 2 for k in range(n))
    distance = norm - p
    return min((fourth / n - norm) / n, distance) / distance


def largest_eigenvalue(matrix):
    vector = [1.0] * len(matrix)
    for _ in range(2000):
        moved = [sum(a * b for a, b in zip(row, vector)) for row in matrix]
        length = math.sqrt(sum(v * v for v in moved))
        vector = [v / length for v in moved]
    return length


inputs, data = read_bundle("/correlation-matrix")
symbols = data["symbols"]
closes = {one["symbol"]: {bar["t_ms"]: bar["close"] for bar in one["bars"]} for one in inputs["series"]}
last_ms = min(max(days) for days in closes.values())
PAIRS = [(i, j) for i in range(len(symbols)) for j in range(i)]


def returns_of(days, end_ms):
    """Log returns of the days all coins have, each from one day's close to the next one's."""
    whole = [
        end_ms - back * DAY_MS
        for back in reversed(range(days))
        if all(end_ms - (back + more) * DAY_MS in closes[s] for s in symbols for more in (0, 1))
    ]
    return [[math.log(closes[s][t] / closes[s][t - DAY_MS]) for t in whole] for s in symbols]


def check_matrix(name, matrix, said, compare, precision):
    """Both halves; the diagonal says nothing."""
    for i, j in PAIRS if said else []:
        for a, b in ((i, j), (j, i)):
            compare(f"{name}[{symbols[a]}][{symbols[b]}]", matrix[i][j], said[a][b], precision)


def check_window(window, series):
    n, size = len(series[0]), len(symbols)
    name = f"{window['days']} days"
    matrix = [[1.0 if i == j else pearson(x, y) for j, y in enumerate(series)] for i, x in enumerate(series)]
    ranked = [ranks(x) for x in series]
    spearman = [[None if i == j else pearson(x, y) for j, y in enumerate(ranked)] for i, x in enumerate(ranked)]
    each = lambda function: [[function(matrix[i][j]) if j < i else None for j in range(size)] for i in range(size)]
    bound = lambda side: each(lambda r: math.tanh(math.atanh(r) + side * 1.959964 / math.sqrt(n - 3)))
    values = each(lambda r: p_value(r, n))
    same(f"{name}.n", n, window["n"])
    check_matrix(f"{name}.pearson", matrix, window["pearson"], near, 4)
    check_matrix(f"{name}.pearson_p", values, window["pearson_p"], near_digits, 4)
    check_matrix(f"{name}.ci_lo", bound(-1), window["ci_lo"], near, 4)
    check_matrix(f"{name}.ci_hi", bound(1), window["ci_hi"], near, 4)
    check_matrix(f"{name}.spearman", spearman, window["spearman"], near, 4)
    shrinkage = shrinkage_of(series, matrix)
    check_matrix(f"{name}.shrunk", each(lambda r: r * (1 - shrinkage)), window["shrunk"], near, 4)
    near(f"{name}.shrinkage", shrinkage, window["shrinkage"], 4)
    near(f"{name}.mean_corr", mean([matrix[i][j] for i, j in PAIRS]), window["mean_corr"], 4)
    near(f"{name}.pc1_share", largest_eigenvalue(matrix) / size, window["pc1_share"], 4)
    # Holm: the smallest times the number of pairs, the next times one less, and never less than the one before.
    adjusted, reached = {}, 0.0
    for place, (i, j) in enumerate(sorted(PAIRS, key=lambda pair: values[pair[0]][pair[1]])):
        reached = max(reached, min(1.0, values[i][j] * (len(PAIRS) - place)))
        adjusted[symbols[j], symbols[i]] = reached
    for pair in window["significant_pairs"]:
        near_digits(f"{name}.p_holm {pair['a']} {pair['b']}", adjusted[pair["a"], pair["b"]], pair["p_holm"], 4)
        same(f"{name} {pair['a']} {pair['b']} is significant", adjusted[pair["a"], pair["b"]] <= 0.05, True)
    return matrix


now = [returns_of(window["days"], last_ms) for window in data["windows"]]
matrices = [check_window(window, series) for window, series in zip(data["windows"], now)]
if data["change"]:
    before = returns_of(90, last_ms - 30 * DAY_MS)
    change = [[x - pearson(before[i], before[j]) for j, x in enumerate(row)] for i, row in enumerate(matrices[0])]
    check_matrix("change", change, data["change"], near, 4)
bitcoin = now[1][symbols.index("BTC")]
square = math.fsum((v - mean(bitcoin)) ** 2 for v in bitcoin)
for symbol, coin in zip(symbols, now[1]):
    slope = math.fsum((b - mean(bitcoin)) * (c - mean(coin)) for b, c in zip(bitcoin, coin)) / square
    near(f"beta_to_btc.{symbol}", slope, data["beta_to_btc"][symbol], 4)
ordered = sorted((matrices[0][i][j] for i, j in PAIRS), reverse=True)
for name, mine in (("highest", ordered[:3]), ("lowest", ordered[::-1][:3])):
    for place, pair in enumerate(data["extremes"][name]):
        near(f"extremes.{name}[{place}]", mine[place], pair["pearson"], 4)


for fault in FAULTS:
    print("DIFFERS " + fault)
print(f"{COUNT[0]} figures checked, {len(FAULTS)} differ")
sys.exit(1 if FAULTS else 0)
