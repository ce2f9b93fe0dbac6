/** Kinds of values, as bits. */
const KINDS = ["null", "boolean", "number", "string", "list", "object"] as const;
const NULL = 1;
const OBJECT = 1 << 5;

/** Members of a JSON answer by path ("/rows/[]/price"), with the kinds of their values but no values. */
export interface AnswerShape {
  readonly kinds: ReadonlyMap<string, number>;
  /** Whether a limit was reached: members not listed may exist nevertheless. */
  readonly is_partial: boolean;
}

const DEPTH_MAX = 8;
const PATHS_MAX = 200;
const VALUES_MAX = 1_000;
/** Rows of a list that are inspected, because all rows are of one kind. */
const ROWS_MAX = 8;
/** An object with more members counts as a list by key. */
const MEMBERS_MAX = 60;
/** Names that are data, such as BTC-USD, 0x1f98, 2026-11-28 and 1027. */
const KEY_NAME = /\d|^[^a-z]+$|[^\w$@.-]|^.{41,}$/;

const kindOf = (value: unknown): number => {
  if (value === null) return NULL;
  if (Array.isArray(value)) return 1 << 4;
  return 1 << Math.max(0, KINDS.indexOf(typeof value as (typeof KINDS)[number]));
};

const nameKinds = (kinds: number): string => KINDS.filter((_, bit) => kinds & (1 << bit)).join(" or ");

const NO_WORDS: ReadonlySet<string> = new Set();

/**
 * The shape of a parsed answer, within limits that keep it far below a millisecond.
 * @param words of the request, in lower case: a member named after one is requested data, and not part of the shape.
 */
export function readShape(value: unknown, words: ReadonlySet<string> = NO_WORDS): AnswerShape {
  const kinds = new Map<string, number>();
  let left = VALUES_MAX;
  let is_partial = false;
  const walk = (one: unknown, path: string, depth: number): void => {
    const known = kinds.get(path);
    if (left <= 0 || depth > DEPTH_MAX || (known === undefined && kinds.size >= PATHS_MAX)) {
      is_partial = true;
      return;
    }
    left -= 1;
    kinds.set(path, (known ?? 0) | kindOf(one));
    if (Array.isArray(one)) {
      for (const row of one.slice(0, ROWS_MAX)) walk(row, `${path}/[]`, depth + 1);
    } else if (typeof one === "object" && one !== null) {
      walkMembers(Object.entries(one), path, depth);
    }
  };
  const walkMembers = (members: readonly (readonly [string, unknown])[], path: string, depth: number): void => {
    const is_list = members.length > MEMBERS_MAX;
    for (const [name, inner] of is_list ? members.slice(0, ROWS_MAX) : members) {
      const is_key = is_list || KEY_NAME.test(name) || words.has(name.toLowerCase());
      walk(inner, `${path}/${is_key ? "*" : name}`, depth + 1);
    }
  };
  walk(value, "", 0);
  return { kinds, is_partial };
}

/** The record of one member over all answers. */
export interface KnownMember {
  kinds: number;
  /** Number of answers that had its parent, and of those that had the member. */
  judged: number;
  seen: number;
  /** Number of newest consecutive answers without it, although all earlier ones had it. */
  gone: number;
  /** Number of newest consecutive answers in which it had a new kind, and that kind. */
  odd: number;
  odd_kinds: number;
}

/** Members of an endpoint's answers since the watch began. */
export type KnownShape = Map<string, KnownMember>;

/** Number of answers before anything counts as usual. */
const LEARN_MIN = 6;
/** Number of consecutive answers that make a difference a change. */
const CHANGED_MIN = 3;

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

/** Whether the answer could have that member: the rows of an empty list cannot lack one. */
const isJudged = ({ kinds, is_partial }: AnswerShape, path: string): boolean => {
  const own = path.slice(path.lastIndexOf("/") + 1);
  // Rows and members by key may appear and disappear.
  if (is_partial || own === "[]" || own === "*") return false;
  return (kinds.get(parentOf(path)) ?? 0) === OBJECT;
};

function judgePresence(member: KnownMember, is_there: boolean): void {
  const is_usual = member.judged >= LEARN_MIN && member.seen === member.judged;
  if (!is_there && is_usual) {
    member.gone += 1;
    return;
  }
  // It came back before its absence counted as a change, so it is optional.
  if (is_there && member.gone > 0 && member.gone < CHANGED_MIN) member.judged += member.gone;
  member.gone = 0;
  member.judged += 1;
  if (is_there) member.seen += 1;
}

function judgeKinds(member: KnownMember, kinds: number): void {
  const fresh = kinds & ~member.kinds & ~NULL;
  if (member.judged <= LEARN_MIN) member.kinds |= kinds;
  else if (fresh !== 0 && member.kinds !== NULL) {
    member.odd += 1;
    member.odd_kinds |= fresh;
    return;
  } else if (member.odd > 0 && member.odd < CHANGED_MIN) member.kinds |= member.odd_kinds;
  if (member.kinds === NULL) member.kinds |= kinds;
  member.odd = 0;
  member.odd_kinds = 0;
}

/** Adds one more answer to the record. */
export function learnShape(known: KnownShape, shape: AnswerShape): void {
  for (const [path, member] of known) {
    if (isJudged(shape, path)) judgePresence(member, shape.kinds.has(path));
  }
  for (const [path, kinds] of shape.kinds) {
    const member = known.get(path);
    if (member) {
      // For members that may be absent, only their presence is counted.
      if (!isJudged(shape, path)) member.judged += 1;
      if (!isJudged(shape, path)) member.seen += 1;
      judgeKinds(member, kinds);
    } else if (known.size < PATHS_MAX) {
      known.set(path, { kinds, judged: 1, seen: 1, gone: 0, odd: 0, odd_kinds: 0 });
    }
  }
}

export interface ShapeDiff {
  readonly gone: readonly string[];
  readonly came: readonly string[];
  readonly other: readonly string[];
}

/** The lasting changes; null without any. A new member alone does not count as a change. */
export function diffShape(known: KnownShape): ShapeDiff | null {
  const gone = [...known].filter(([, member]) => member.gone >= CHANGED_MIN).map(([path]) => path);
  const other = [...known]
    .filter(([, { odd }]) => odd >= CHANGED_MIN)
    .map(([path, { kinds, odd_kinds }]) => `${path || "/"}: ${nameKinds(odd_kinds)} (was ${nameKinds(kinds)})`);
  if (gone.length === 0 && other.length === 0) return null;
  const came = [...known].filter(([, { judged }]) => judged < LEARN_MIN).map(([path]) => path);
  return { gone, came, other };
}
