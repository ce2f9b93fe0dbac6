import {
  assertShallow,
  assertSilent,
  type InputPlace,
  isTaken,
  listToPlain,
  membersOf,
  toPlain,
} from "./inputs-text.ts";

/** Size of a part, counted in values; 64 characters of a text count as one. It takes some tenths of a millisecond. */
const PART_SIZE = 2_000;
const CHARS_PER_VALUE = 64;
/** Of this number of rows of a long list only the first is measured, because rows are similar. */
const ALIKE = 16;
const LONG = 100;

/** The size of a value up to the limit; a larger value is not measured to its end. */
function sizeOf(value: unknown, limit: number): number {
  if (typeof value === "string") return 1 + value.length / CHARS_PER_VALUE;
  if (typeof value !== "object" || value === null) return 1;
  if (Array.isArray(value)) return sizeOfList(value, limit);
  if (value instanceof Map || value instanceof Set) return sizeOfList([...value], limit);
  let size = 1;
  for (const name in value) {
    if (size >= limit) break;
    size += sizeOf((value as Readonly<Record<string, unknown>>)[name], limit - size);
  }
  return size;
}

function sizeOfList(list: readonly unknown[], limit: number): number {
  let size = 1;
  for (let n = 0; n < list.length && size < limit; n += 1) size += sizeOf(list[n], limit - size);
  return size;
}

/**
 * The text of `encodeInputs` in parts, to be joined in order, so that a caller on a shared thread can pause between
 * them. The value must not change until the last part.
 * @throws NotPlainError for a value that cannot be encoded, with its path.
 */
export const encodeInParts = (inputs: unknown): Generator<string, void> => listParts(inputs, null, 0);

/** Time on the serving thread per piece, ms: a megabyte takes ten in all. */
const PIECE_MS = 3;

export interface EncodeInTurns {
  /** Runs one piece of the work when its turn comes. */
  readonly inTurn: <T>(piece: () => T) => Promise<T>;
  readonly elapsed_ms: () => number;
  /** Called with each part of the text. */
  readonly onPart?: (part: string) => void;
}

/** The same text, encoded in pieces of a few milliseconds. @throws NotPlainError as above. */
export async function encodeInTurns(inputs: unknown, { inTurn, elapsed_ms, onPart }: EncodeInTurns): Promise<string> {
  const parts = encodeInParts(inputs);
  const texts: string[] = [];
  /** @returns whether the work is finished. */
  const writeSome = (): boolean => {
    const until_ms = elapsed_ms() + PIECE_MS;
    while (elapsed_ms() < until_ms) {
      const { done, value } = parts.next();
      if (done === true) return true;
      texts.push(value);
      onPart?.(value);
    }
    return false;
  };
  while (!(await inTurn(writeSome)));
  return texts.join("");
}

function* listParts(value: unknown, place: InputPlace | null, depth: number): Generator<string, void> {
  if (typeof value !== "object" || value === null || sizeOf(value, PART_SIZE) < PART_SIZE) {
    yield JSON.stringify(toPlain(value, place, depth));
    return;
  }
  assertShallow(place, depth);
  if (Array.isArray(value)) yield* listPartsOfList(value, place, depth);
  else if (value instanceof Map || value instanceof Set) {
    yield value instanceof Map ? '{"$map":' : '{"$set":';
    yield* listPartsOfList([...value], place, depth);
    yield "}";
  } else {
    const members = membersOf(value);
    if (members === null) {
      yield JSON.stringify(toPlain(value, place, depth));
      return;
    }
    assertSilent(members, place);
    const is_taken = isTaken(members);
    if (is_taken) yield '{"$object":';
    yield* listPartsOfRecord(members, place, depth);
    if (is_taken) yield "}";
  }
}

/** Joins small neighbours into one part. */
function* listPartsOfList(list: readonly unknown[], place: InputPlace | null, depth: number): Generator<string, void> {
  yield "[";
  let [from, size, more] = [0, 0, 0];
  const alike = list.length < LONG ? 1 : ALIKE;
  const together = (to: number): string => {
    const text = JSON.stringify(listToPlain(list.slice(from, to), place, { depth, from }));
    return `${from > 0 ? "," : ""}${text.slice(1, -1)}`;
  };
  for (let n = 0; n < list.length; n += 1) {
    if (n % alike === 0 || more >= PART_SIZE) more = sizeOf(list[n], PART_SIZE);
    if (more >= PART_SIZE) {
      if (n > from) yield together(n);
      if (n > 0) yield ",";
      yield* listParts(list[n], { under: place, name: n }, depth + 1);
      [from, size] = [n + 1, 0];
    } else if (size + more >= PART_SIZE) {
      yield together(n + 1);
      [from, size] = [n + 1, 0];
    } else size += more;
  }
  if (from < list.length) yield together(list.length);
  yield "]";
}

function* listPartsOfRecord(
  members: Readonly<Record<string, unknown>>,
  place: InputPlace | null,
  depth: number,
): Generator<string, void> {
  let before = "{";
  for (const name of Object.keys(members)) {
    yield `${before}${JSON.stringify(name)}:`;
    yield* listParts(members[name], { under: place, name }, depth + 1);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}
