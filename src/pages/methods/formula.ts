import { isJson } from "../json.ts";

/** A value in a formula: a figure, a word, or a list, on which operators work member by member. */
export type FormulaValue = number | string | readonly FormulaValue[];

/** One formula of a product's methodology, over the members of its answer. */
export interface Formula {
  /** Path of the result in the answer; null if the answer does not state it. */
  readonly field: string | null;
  /** Name of the result: the field, or a title if no field has it. */
  readonly title: string;
  readonly expression: Expression;
  /** The formula as written. */
  readonly text: string;
}

export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "word"; readonly value: string }
  | { readonly kind: "path"; readonly text: string; readonly steps: readonly Step[] }
  | { readonly kind: "call"; readonly name: string; readonly given: readonly Expression[] }
  | {
      readonly kind: "operation";
      readonly sign: string;
      readonly left: Expression;
      readonly right: Expression;
    };

type Step =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "row"; readonly at: number }
  | { readonly kind: "every" }
  | { readonly kind: "having"; readonly name: string }
  | { readonly kind: "where"; readonly name: string; readonly is: string };

/** A figure, a word, an operator, or a path: "rows[0].price", "rows[*].price", "rows[price?].x", "rows[id=BTC].x". */
const TOKEN =
  /\s*(?:\d+(?:\.\d+)?|"[^"]*"|[A-Za-z_]\w*(?:\.\w+|\[(?:-?\d+|\*|\w+\?|\w+=[\w./:-]+)\])*|>=|<=|[-+*/^(),<>=])/y;
/** A path in a formula, captured as a group; quoted words and names of functions match too, but without a group. */
const PATH = /"[^"]*"|\b[A-Za-z_]\w*(?=\()|\b([A-Za-z_]\w*(?:\.\w+|\[(?:-?\d+|\*|\w+\?|\w+=[\w./:-]+)\])*)/g;
const STEP = /^(?:(\w+)|\[(?:(-?\d+)|(\*)|(\w+)\?|(\w+)=([\w./:-]+))\])\.?/;

/** Operators by precedence, weakest first; those of one row are equal and associate to the left. */
const LEVELS: readonly (readonly string[])[] = [
  [">=", "<=", "<", ">", "="],
  ["+", "-"],
  ["*", "/"],
];

function readTokens(text: string): readonly string[] {
  const found: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text);
    if (!match) throw new TypeError(`the formula "${text}" cannot be read`);
    found.push(match[0].trim());
  }
  return found;
}

function readPath(text: string): Expression {
  const steps: Step[] = [];
  for (let rest = text; rest !== ""; ) {
    const match = STEP.exec(rest);
    if (!match) throw new TypeError(`the path "${text}" cannot be read`);
    const [whole, member, at, every, having, name, is] = match;
    if (member !== undefined) steps.push({ kind: "member", name: member });
    else if (at !== undefined) steps.push({ kind: "row", at: Number(at) });
    else if (every !== undefined) steps.push({ kind: "every" });
    else if (having !== undefined) steps.push({ kind: "having", name: having });
    else steps.push({ kind: "where", name: name ?? "", is: is ?? "" });
    rest = rest.slice(whole.length);
  }
  return { kind: "path", text, steps };
}

/** Parses one side of a formula. @throws TypeError if it is invalid. */
function parseExpression(text: string): Expression {
  const tokens = readTokens(text);
  let at = 0;
  const take = (wanted?: string): string => {
    const token = tokens[at];
    if (token === undefined || (wanted !== undefined && token !== wanted)) {
      throw new TypeError(`the formula "${text}" lacks ${wanted ?? "an end"}`);
    }
    at += 1;
    return token;
  };
  const readLevel = (level: number): Expression => {
    const signs = LEVELS[level];
    if (!signs) return readPower();
    let left = readLevel(level + 1);
    while (signs.includes(tokens[at] ?? "")) {
      left = { kind: "operation", sign: take(), left, right: readLevel(level + 1) };
    }
    return left;
  };
  const readPower = (): Expression => {
    if (tokens[at] === "-") {
      take();
      return { kind: "operation", sign: "-", left: { kind: "number", value: 0 }, right: readPower() };
    }
    const base = readAtom();
    return tokens[at] === "^" ? { kind: "operation", sign: take(), left: base, right: readPower() } : base;
  };
  const readAtom = (): Expression => {
    const token = take();
    if (token === "(") {
      const inner = readLevel(0);
      take(")");
      return inner;
    }
    if (/^\d/.test(token)) return { kind: "number", value: Number(token) };
    if (token.startsWith('"')) return { kind: "word", value: token.slice(1, -1) };
    if (!/^[A-Za-z_]/.test(token)) throw new TypeError(`the formula "${text}" has "${token}" where a figure belongs`);
    if (tokens[at] !== "(") return readPath(token);
    take("(");
    const given = [readLevel(0)];
    while (tokens[at] === ",") {
      take();
      given.push(readLevel(0));
    }
    take(")");
    return { kind: "call", name: token, given };
  };
  const read = readLevel(0);
  if (at < tokens.length) throw new TypeError(`the formula "${text}" goes on after its end`);
  return read;
}

/** 'spread_bps = (ask - bid) / mid * 10000', or '"blocks with data" = count(status)'. @throws TypeError for others. */
export function parseFormula(line: string): Formula {
  const [, label, field, text] = /^(?:"([^"]+)"|(\S+)) = (.+)$/.exec(line.trim()) ?? [];
  const title = label ?? field;
  if (title === undefined || text === undefined) throw new TypeError(`"${line}" is no formula`);
  return { field: field ?? null, title, text, expression: parseExpression(text) };
}

/** The value of a path in an answer; null if it does not exist. */
export function readMember(data: unknown, path: string): FormulaValue | null {
  const expression = readPath(path);
  return expression.kind === "path" ? follow(data, expression.steps) : null;
}

function follow(value: unknown, steps: readonly Step[]): FormulaValue | null {
  const [step, ...rest] = steps;
  if (step === undefined) return toValue(value);
  if (step.kind === "member") {
    return isJson(value) && Object.hasOwn(value, step.name) ? follow(value[step.name], rest) : null;
  }
  if (!Array.isArray(value)) return null;
  if (step.kind === "row") return follow(value.at(step.at), rest);
  if (step.kind === "where") {
    return follow(
      value.find((one) => isJson(one) && Object.hasOwn(one, step.name) && String(one[step.name]) === step.is),
      rest,
    );
  }
  const rows =
    step.kind === "having"
      ? value.filter((one) => isJson(one) && Object.hasOwn(one, step.name) && one[step.name] !== null)
      : value;
  const members = rows.map((one) => follow(one, rest));
  return members.every((one) => one !== null) ? members : null;
}

function toValue(value: unknown): FormulaValue | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") return /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  // The only question about rows is their number.
  return Array.isArray(value) ? value.map((one) => toValue(one) ?? "") : null;
}

/** The text of a formula with each path replaced. */
export const replacePaths = (text: string, replace: (path: string) => string): string =>
  text.replaceAll(PATH, (whole, path: string | undefined) => (path === undefined ? whole : replace(path)));
