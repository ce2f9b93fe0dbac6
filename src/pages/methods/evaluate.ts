import { type Expression, type Formula, type FormulaValue, readMember } from "./formula.ts";

/** Words of direction with their signs. */
const SIGNS: Readonly<Record<string, number>> = {
  bullish: 1,
  long: 1,
  buy: 1,
  bearish: -1,
  short: -1,
  sell: -1,
  neutral: 0,
  abstain: 0,
};

const asNumbers = (value: FormulaValue): readonly number[] | null => {
  const list = typeof value === "object" ? value : [value];
  const numbers = list.filter((one) => typeof one === "number");
  return numbers.length === list.length && numbers.length > 0 ? numbers : null;
};
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
};

/** Functions of all members of a list. */
const OF_LISTS = new Map<string, (numbers: readonly number[]) => number>([
  ["sum", sum],
  ["mean", (numbers) => sum(numbers) / numbers.length],
  ["median", median],
  ["min", (numbers) => Math.min(...numbers)],
  ["max", (numbers) => Math.max(...numbers)],
]);
/** Functions of each member. */
const OF_EACH = new Map<string, (number: number) => number>([
  ["abs", Math.abs],
  ["sqrt", Math.sqrt],
  ["exp", Math.exp],
  ["ln", Math.log],
  ["floor", Math.floor],
]);
const DAY_MS = 86_400_000;

const OPERATIONS = new Map<string, (left: number, right: number) => number>([
  ["+", (left, right) => left + right],
  ["-", (left, right) => left - right],
  ["*", (left, right) => left * right],
  ["/", (left, right) => left / right],
  ["^", (left, right) => left ** right],
  ["<", (left, right) => Number(left < right)],
  [">", (left, right) => Number(left > right)],
  ["<=", (left, right) => Number(left <= right)],
  [">=", (left, right) => Number(left >= right)],
]);

/** Reads a path of the answer. A reader may change values to find out how much rounding moves a result. */
export type ReadPath = (path: string) => FormulaValue | null;

/** The value of an expression; null if a needed member is missing or not a figure. */
function evaluate(expression: Expression, read: ReadPath): FormulaValue | null {
  if (expression.kind === "number" || expression.kind === "word") return expression.value;
  if (expression.kind === "path") return read(expression.text);
  if (expression.kind === "operation") {
    const [left, right] = [evaluate(expression.left, read), evaluate(expression.right, read)];
    return left === null || right === null ? null : combine(expression.sign, left, right);
  }
  const given = expression.given.map((one) => evaluate(one, read));
  return given.every((one) => one !== null) ? call(expression.name, given) : null;
}

function combine(sign: string, left: FormulaValue, right: FormulaValue): FormulaValue | null {
  if (typeof left === "object" || typeof right === "object") {
    const length = typeof left === "object" ? left.length : typeof right === "object" ? right.length : 0;
    if (typeof left === "object" && typeof right === "object" && left.length !== right.length) return null;
    const at = (value: FormulaValue, index: number): FormulaValue =>
      typeof value === "object" ? (value[index] ?? "") : value;
    const made = Array.from({ length }, (_, index) => combine(sign, at(left, index), at(right, index)));
    return made.every((one) => one !== null) ? made : null;
  }
  if (sign === "=") return Number(left === right);
  const operate = OPERATIONS.get(sign);
  if (!operate || typeof left !== "number" || typeof right !== "number") return null;
  const result = operate(left, right);
  return Number.isFinite(result) ? result : null;
}

function call(name: string, given: readonly FormulaValue[]): FormulaValue | null {
  const [first, second] = given;
  if (first === undefined) return null;
  if (name === "count") return typeof first === "object" ? first.length : null;
  if (name === "length") return typeof first === "string" ? first.length : null;
  if (name === "sign") return signOf(first);
  if (name === "days" && typeof first === "string" && typeof second === "string") {
    const days = (Date.parse(second) - Date.parse(first)) / DAY_MS;
    return Number.isFinite(days) ? days : null;
  }
  const of_list = OF_LISTS.get(name);
  if (of_list) {
    const numbers = asNumbers(given.length > 1 ? given : first);
    return numbers && of_list(numbers);
  }
  const of_each = OF_EACH.get(name);
  if (!of_each) return null;
  const numbers = asNumbers(first);
  if (!numbers?.every((one) => Number.isFinite(of_each(one)))) return null;
  return typeof first === "object" ? numbers.map(of_each) : of_each(numbers[0] ?? 0);
}

function signOf(value: FormulaValue): FormulaValue | null {
  if (typeof value === "object") {
    const signs = value.map(signOf);
    return signs.every((one) => one !== null) ? signs : null;
  }
  if (typeof value === "number") return Math.sign(value);
  return Object.hasOwn(SIGNS, value) ? (SIGNS[value] ?? null) : null;
}

/** The paths that an expression reads. */
const listPaths = (expression: Expression): readonly string[] =>
  expression.kind === "path"
    ? [expression.text]
    : expression.kind === "operation"
      ? [...listPaths(expression.left), ...listPaths(expression.right)]
      : expression.kind === "call"
        ? expression.given.flatMap(listPaths)
        : [];

/** Half a unit of a figure's last written digit. */
function halfPlace(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const { length = 0 } = mantissa.split(".")[1] ?? "";
  return 0.5 * 10 ** (Number(exponent) - length);
}

/** Moves a figure by half a unit of its last digit; whole numbers, such as counts and weights, are exact. */
const shift = (value: FormulaValue, by: number): FormulaValue =>
  typeof value === "number"
    ? value + (Number.isInteger(value) ? 0 : by * halfPlace(value))
    : typeof value === "string"
      ? value
      : value.map((one) => shift(one, by));

/** A formula computed on an answer. */
export interface WorkedFormula {
  readonly formula: Formula;
  readonly result: number;
  /** The figure in the answer; null if the answer has none. */
  readonly stated: number | null;
  /** Whether both figures agree within the rounding of the inputs. */
  readonly agrees: boolean;
}

/**
 * Computes a formula on the members of an answer. Figures of answers are rounded, so the result may differ from the
 * stated figure by as much as half a unit of each input's last digit moves it. Null if the answer lacks an input.
 */
export function workOut(formula: Formula, data: unknown): WorkedFormula | null {
  const read: ReadPath = (path) => readMember(data, path);
  const result = evaluate(formula.expression, read);
  if (typeof result !== "number") return null;
  if (formula.field === null) return { formula, result, stated: null, agrees: true };
  const stated = read(formula.field);
  if (typeof stated !== "number") return null;
  const moved = listPaths(formula.expression).map((moved_path) => {
    const near = [-1, 1].map((by) =>
      evaluate(formula.expression, (path) => {
        const value = read(path);
        return path === moved_path && value !== null ? shift(value, by) : value;
      }),
    );
    return Math.max(...near.map((one) => (typeof one === "number" ? Math.abs(one - result) : 0)));
  });
  const allowed = sum(moved) + halfPlace(stated) + Math.abs(stated) * 1e-9;
  return { formula, result, stated, agrees: Math.abs(result - stated) <= allowed };
}
