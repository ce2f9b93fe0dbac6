/** One difference between two answers; null for a missing member, else JSON. */
export interface Difference {
  /** Path of the member, such as "data.rows[3].price". */
  readonly path: string;
  readonly expected: string | null;
  readonly got: string | null;
}

const DIFFERENCES_MAX = 50;
const CHARS_MAX = 200;

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > CHARS_MAX ? `${text.slice(0, CHARS_MAX)}…` : text;
};
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The first fifty differences between two answers. Texts that are not JSON count as one difference. */
export function diffAnswers(expected: string, got: string): readonly Difference[] {
  if (expected === got) return [];
  const found: Difference[] = [];
  const [one, other] = [parse(expected), parse(got)];
  walk({ expected: one, got: other, path: "", found });
  // The values are equal but the bytes differ: in the order of members, or in the form of a number.
  return found.length > 0 ? found : [{ path: "(order of members)", expected: show(expected), got: show(got) }];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Walk {
  readonly expected: unknown;
  readonly got: unknown;
  readonly path: string;
  readonly found: Difference[];
}

function walk({ expected, got, path, found }: Walk): void {
  if (found.length >= DIFFERENCES_MAX || Object.is(expected, got)) return;
  if (!isObject(expected) || !isObject(got) || Array.isArray(expected) !== Array.isArray(got)) {
    found.push({ path: path === "" ? "(the whole answer)" : path, expected: show(expected), got: show(got) });
    return;
  }
  const is_list = Array.isArray(expected);
  for (const name of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    const at = is_list ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    const [has, had] = [Object.hasOwn(expected, name), Object.hasOwn(got, name)];
    if (has && had) walk({ expected: expected[name], got: got[name], path: at, found });
    else if (found.length < DIFFERENCES_MAX) {
      found.push({ path: at, expected: has ? show(expected[name]) : null, got: had ? show(got[name]) : null });
    }
  }
}
