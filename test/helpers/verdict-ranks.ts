/** Verdicts that call something better or worse, worst first. Words that only describe (bullish) have no order. */
const ORDERS: readonly (readonly string[])[] = [
  ["AVOID", "WATCH", "SIZE"],
  ["AVOID", "CAUTION", "OK"],
  ["BLOCK", "CAUTION", "CLEAR"],
  ["unsafe", "caution", "acceptable", "sound"],
  ["hit", "possible", "incomplete", "clear"],
  ["very_poor", "poor", "fair", "good", "excellent"],
  ["blocked", "excellent"],
  ["not_executable", "none", "watch", "opportunity"],
  ["insufficient", "diverge", "loose", "agree"],
];
const VERDICTS: readonly string[] = ["verdict", "band", "launch_verdict"];
/** What tells one row of a list from another. */
const NAMES: readonly string[] = ["address", "token", "symbol", "pair", "id"];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Every verdict in an answer that has an order, by where it stands and whose it is. */
export function listVerdicts(value: unknown, at = ""): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!isObject(value)) return found;
  const whose = NAMES.map((name) => value[name]).find((name) => typeof name === "string") ?? "";
  for (const [name, inner] of Object.entries(value)) {
    const here = Array.isArray(value) ? at : `${at}.${name}`;
    if (typeof inner === "string" && VERDICTS.includes(name)) {
      const word = inner.replace(/^provisional_/, "");
      if (ORDERS.some((order) => order.includes(word))) found.set(`${here} ${whose}`, word);
    }
    for (const [key, word] of listVerdicts(inner, here)) found.set(key, word);
  }
  return found;
}

/** Verdicts that are better than they were with everything at hand. */
export function listImproved(data: unknown, whole: unknown): readonly string[] {
  const before = listVerdicts(whole);
  return [...listVerdicts(data)].flatMap(([key, word]) => {
    const was = before.get(key) ?? "";
    const order = ORDERS.find((one) => one.includes(word) && one.includes(was)) ?? [];
    return order.indexOf(word) > order.indexOf(was) ? [`${key} is ${word} and was ${was}`] : [];
  });
}
