import {
  assertShallow,
  assertSilent,
  type InputPlace,
  isTaken,
  listToPlain,
  membersOf,
  toPlain,
} from "./inputs-text.ts";

/** Of a part: values in it, and as many as 64 characters of a text stand for. Some tenths of a millisecond. */
const PART_SIZE = 2_000;
const CHARS_PER_VALUE = 64;
/** Rows of a long list are much alike: of so many the first is looked at. */
const ALIKE = 16;
const LONG = 100;

/** How much a value is, as far as the limit: what is larger is not gone through to its end. */
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
 * The text of `encodeInputs` in parts, to be put together in their order, so that whoever has a thread to share can
 * stop between them. The value must stay as it is until the last part.
 * @throws NotPlainError for what cannot be written down, naming the place.
 */
export const encodeInParts = (inputs: unknown): Generator<string, void> => listParts(inputs, null, 0);

/** Of the thread that serves so much is asked at a time, ms: to write a megabyte takes ten. */
const PIECE_MS = 3;

export interface EncodeInTurns {
  /** Does one piece of the work when it is its turn. */
  readonly inTurn: <T>(piece: () => T) => Promise<T>;
  readonly elapsed_ms: () => number;
  /** Told each part of the text as it is written. */
  readonly onPart?: (part: string) => void;
}

/** The same text, written in pieces of some milliseconds. @throws NotPlainError as above. */
export async function encodeInTurns(inputs: unknown, { inTurn, elapsed_ms, onPart }: EncodeInTurns): Promise<string> {
  const parts = encodeInParts(inputs);
  const texts: string[] = [];
  /** @returns whether that was all. */
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

/** Neighbours that are small together are one part. */
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
