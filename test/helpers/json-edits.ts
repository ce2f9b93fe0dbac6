/** Edits of JSON as somebody makes them who wants a proof to say something else. */
export type Random = () => number;

/** Mulberry32: the same edits for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(list: readonly T[], random: Random): T => {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new RangeError("there is nothing to pick from");
  return found;
};

type Json = unknown;
type Holder = Record<string | number, Json>;
interface Spot {
  readonly holder: Holder;
  readonly name: string | number;
}

/** One of the many places of a value, deep ones as often as shallow ones. */
function pickSpot(value: Holder, random: Random): Spot | null {
  let spot: Spot | null = null;
  for (let at: Json = value; typeof at === "object" && at !== null; ) {
    const names = Object.keys(at);
    if (names.length === 0) break;
    spot = { holder: at as Holder, name: pick(names, random) };
    at = spot.holder[spot.name];
    if (random() < 0.08) break;
  }
  return spot;
}

const FILL = "0123456789abcdef";

function flipText(text: string, random: Random): string {
  if (text.length === 0) return "0";
  const at = Math.floor(random() * text.length);
  const other = pick(
    [...FILL].filter((letter) => letter !== text[at]),
    random,
  );
  return text.slice(0, at) + other + text.slice(at + 1);
}

function changeLeaf(value: Json, random: Random): Json {
  if (typeof value === "string") return random() < 0.8 ? flipText(value, random) : value.slice(0, -1);
  if (typeof value === "number") return value + pick([-1, 1, 10, 0.5], random);
  if (typeof value === "boolean") return !value;
  return value === null ? pick([0, "", {}, []], random) : value;
}

/** Swaps, drops, doubles, cuts or lengthens a list. */
function changeList(list: Json[], random: Random): void {
  if (list.length === 0) return;
  const at = Math.floor(random() * list.length);
  const other = Math.floor(random() * list.length);
  const kind = pick(["swap", "drop", "double", "cut", "extend"], random);
  if (kind === "swap") [list[at], list[other]] = [list[other], list[at]];
  else if (kind === "drop") list.splice(at, 1);
  else if (kind === "double") list.splice(at, 0, structuredClone(list[other]));
  else if (kind === "cut") list.length = at;
  else list.push(structuredClone(list[at] ?? "0".repeat(64)));
}

/** One to three edits of a copy. `other` is another genuine one, of which parts are taken. */
export function editAtRandom<T>(genuine: T, other: T, random: Random): T {
  const edited = structuredClone(genuine);
  for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits--) {
    const spot = pickSpot(edited as Holder, random);
    const foreign = pickSpot((random() < 0.7 ? other : genuine) as Holder, random);
    if (!spot || !foreign) continue;
    const { holder, name } = spot;
    const value = holder[name];
    const kind = random();
    if (Array.isArray(value)) changeList(value, random);
    else if (typeof value === "object" && value !== null) {
      if (kind < 0.5) holder[name] = structuredClone(foreign.holder[foreign.name]);
      else if (!Array.isArray(holder)) delete holder[name];
    } else if (kind < 0.7) holder[name] = changeLeaf(value, random);
    else if (kind < 0.8 && !Array.isArray(holder)) delete holder[name];
    else holder[name] = structuredClone(foreign.holder[foreign.name]);
  }
  return edited;
}
