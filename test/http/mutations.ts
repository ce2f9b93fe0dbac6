/** Seeded mutations of payment headers, queries and bodies: the same seed and number give the same request. */
export interface Random {
  /** From 0 to below `max`. */
  below(max: number): number;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
}

/** A small, fast generator (mulberry32); good enough to vary requests. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (max: number) => Math.floor(next() * max);
  return {
    below,
    chance: (share) => next() < share,
    pick: (list) => {
      if (list.length === 0) throw new RangeError("nothing to pick from");
      return list[below(list.length)] as (typeof list)[number];
    },
  };
}

/** JSON texts that a careless reader trips over; texts, because some cannot be made by JSON.stringify. */
const NASTY: readonly string[] = [
  "null",
  "true",
  "0",
  "-1",
  "-0",
  "1e999",
  "1e-999",
  "9007199254740993",
  '""',
  '" "',
  '"0"',
  '"00010000"',
  '"1e4"',
  '"10000.0"',
  '"-10000"',
  '"0x2710"',
  `"${"9".repeat(100)}"`,
  `"${"9".repeat(5_000)}"`,
  `"0x${"f".repeat(64)}"`,
  `"0x${"F".repeat(130)}"`,
  `"0x${"0".repeat(40)}"`,
  '"\\u0000"',
  '"\\ud800"',
  '"\\u0663\\u0660"',
  '"\\u202e"',
  "[]",
  "{}",
  "[[[[[[[[]]]]]]]]",
  '{"toString":1,"valueOf":1}',
  '{"__proto__":{"amount":"1"}}',
  '{"constructor":{"prototype":{}}}',
  '{"length":-1}',
  '{"then":1}',
  '{"toJSON":"a"}',
  `${"[".repeat(2_000)}${"]".repeat(2_000)}`,
  `${'{"a":'.repeat(500)}1${"}".repeat(500)}`,
  `[${"0,".repeat(1_000)}0]`,
];
const KEYS: readonly string[] = [
  "__proto__",
  "constructor",
  "toString",
  "payload",
  "x402Version",
  "",
  "\u0000",
  "ключ",
];
const HEADER_SIZES: readonly number[] = [12_287, 12_288, 12_289, 16_000, 16_384];
const SALT = "@@nasty@@";

type Path = readonly string[];

/** Paths of all members, outer ones included. */
function listPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => listPaths(member, [...path, name]))];
}

/** A copy with the member at `path` changed; undefined removes it. */
function change(value: unknown, path: Path, edit: (old: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return edit(value);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = { ...value };
  copy[name] = change(copy[name], rest, edit);
  return copy;
}

function mutateText(text: string, random: Random): string {
  if (text === "") return "x";
  const at = random.below(text.length);
  const one = text[at] ?? "";
  return random.pick([
    () => text.slice(0, at),
    () => text.slice(0, at) + String.fromCharCode(one.charCodeAt(0) ^ (1 << random.below(7))) + text.slice(at + 1),
    () => text.slice(0, at) + one.toUpperCase() + text.slice(at + 1),
    () => text.toUpperCase(),
    () => `${text}${one}`,
    () => ` ${text} `,
    () => text.slice(0, at) + text.slice(at + 1),
  ])();
}

/** Changes one member of a JSON value and returns the JSON text. */
function mutateJSON(value: unknown, random: Random): string {
  const path = random.pick(listPaths(value));
  const nasty = random.pick(NASTY);
  const edited = random.pick([
    () => change(value, path, () => SALT),
    () => change(value, path, () => SALT),
    () => change(value, path, () => undefined),
    () => change(value, path, (old) => (typeof old === "string" ? mutateText(old, random) : SALT)),
    () => change(value, path, (old) => [old]),
    () => change(value, path, (old) => (typeof old === "object" ? { ...old, [random.pick(KEYS)]: SALT } : SALT)),
  ])();
  const text = JSON.stringify(edited) ?? nasty;
  const whole = text.replaceAll(`"${SALT}"`, nasty);
  if (!random.chance(0.05) || !whole.startsWith("{")) return whole;
  // A member that is there twice, and one no object literal can have.
  return `{"__proto__":${nasty},"payload":${nasty},${whole.slice(1)}`;
}

const encode = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** Characters fetch lets through in a header, but no payment has. */
const printable = (random: Random): string => String.fromCharCode(0x21 + random.below(0x5d));

/** A payment header that is a little, or very much, not what it was. */
export function mutateHeader(header: string, random: Random): string {
  if (random.chance(0.05)) return header;
  const decoded: unknown = JSON.parse(Buffer.from(header, "base64").toString("utf8"));
  const at = random.below(header.length);
  const edited = () => encode(mutateJSON(decoded, random));
  return random.pick([
    edited,
    edited,
    edited,
    edited,
    () => header.slice(0, at),
    () => header.slice(0, at) + printable(random) + header.slice(at + 1),
    () => header.slice(0, at) + header.slice(at + 1 + random.below(8)),
    () => header.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
    () => `${header}${"=".repeat(1 + random.below(4))}`,
    () => `${header.slice(0, at)} ${header.slice(at)}`,
    () => encode(header),
    () => `${header}, ${header}`,
    () => encode(JSON.stringify([decoded])),
    () => encode(random.pick(NASTY)),
    () => encode(JSON.stringify(decoded).padEnd(random.pick(HEADER_SIZES) * 0.75, " ")),
    edited,
    edited,
    edited,
    edited,
    () => header.padEnd(random.pick(HEADER_SIZES), "A"),
    () => Buffer.from(JSON.stringify(decoded), "utf16le").toString("base64"),
    () => Array.from({ length: 1 + random.below(200) }, () => printable(random)).join(""),
  ])();
}

const NAMES = [
  "symbol",
  "text",
  "count",
  "loud",
  "preview",
  "x402Version",
  "limit",
  "cursor",
  "label",
  "__proto__",
  "",
];
const VALUES = [
  "1",
  "2",
  "",
  "SOL",
  "btc",
  "$ETH/USD",
  "-1",
  "1e9",
  "true",
  "%00",
  "%ff",
  "%",
  "null",
  "[]",
  "'--",
  "\u202e",
];

export function makeQuery(random: Random): string {
  const parts = Array.from({ length: random.below(4) }, () => {
    const value = random.chance(0.05) ? "x".repeat(random.below(5_000)) : random.pick(VALUES);
    return `${random.pick(NAMES)}${random.pick(["=", "=", "=", "", "[]=", "=="])}${value}`;
  });
  return parts.length === 0 ? "" : `?${parts.join(random.pick(["&", "&", ";"]))}`;
}

export function makeBody(random: Random): string {
  const good = { text: "hello", count: 3, loud: true };
  return random.pick([
    () => mutateJSON(good, random),
    () => mutateJSON(good, random),
    () => mutateText(JSON.stringify(good), random),
    () => random.pick(NASTY),
    () => "",
    () => "x".repeat(random.below(300_000)),
  ])();
}
