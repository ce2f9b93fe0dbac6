/** The cost of reading a JSON text: how deep it is nested, and how many values it holds at most. */
export interface JSONCost {
  readonly levels: number;
  readonly values: number;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts before anything is parsed: one pass over the bytes of UTF-8, without allocating. The text need not be valid
 * JSON; what is not will be refused by the parser.
 */
export function measureJSON(bytes: Uint8Array): JSONCost {
  let [depth, levels, values, in_text] = [0, 0, 1, false];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (in_text) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) in_text = false;
    } else if (byte === QUOTE) in_text = true;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      depth++;
      if (depth > levels) levels = depth;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
  }
  return { levels, values };
}

/** Nothing that is sold or paid comes near these. */
export interface JSONLimits {
  /** Time to write a value as text grows with the square of its depth. */
  readonly levels_max: number;
  readonly values_max: number;
}
const LIMITS: JSONLimits = { levels_max: 256, values_max: 20_000 };

/** A text that would cost more to read than any call is worth. */
export class CostlyJSONError extends Error {}

/**
 * Parses JSON that a stranger sent, after counting what that will cost.
 * @throws CostlyJSONError above a limit; TypeError or SyntaxError when it is not JSON in UTF-8.
 */
export function parseBoundedJSON(bytes: Uint8Array, { levels_max, values_max } = LIMITS): unknown {
  const { levels, values } = measureJSON(bytes);
  if (levels > levels_max) throw new CostlyJSONError(`may be nested at most ${levels_max} levels deep`);
  if (values > values_max) throw new CostlyJSONError(`may hold at most ${values_max} values`);
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}
