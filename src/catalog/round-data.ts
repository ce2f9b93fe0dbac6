import type { TSchema } from "@sinclair/typebox";
import { isMissing } from "../core/missing.ts";
import { roundTo, roundToDigits } from "../core/rounding.ts";

/** Rounds the numbers of one value; the value itself is left as it is. */
export type Rounder = (value: unknown) => unknown;

const DECIMALS_MAX = 12;
const DIGITS_MAX = 17;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isMissing(value);

/**
 * The rounding that a data schema declares: `decimals` is the number of decimal places, `digits` the number of
 * significant figures, for prices of any size. Products compute in full precision and declare it once, where the field
 * is described. Works on objects, lists, records and unions; null if the schema rounds nothing.
 * @throws TypeError when `decimals` or `digits` is not a usable whole number, or one field has both.
 */
export function createRounder(schema: TSchema): Rounder | null {
  const own = roundNumber(schema);
  const members = roundMembers(schema);
  const items = schema.items === undefined ? null : createRounder(schema.items as TSchema);
  const choices = (Array.isArray(schema.anyOf) ? (schema.anyOf as readonly TSchema[]) : [])
    .map(createRounder)
    .filter((one) => one !== null);
  if (!own && !members && !items && choices.length === 0) return null;
  return (value) => {
    if (typeof value === "number" && own) return own(value);
    if (Array.isArray(value) && items) return value.map(items);
    const whole = members && isRecord(value) ? members(value) : value;
    return choices.reduce((rounded, round) => round(rounded), whole);
  };
}

function roundNumber({ decimals, digits }: TSchema): ((value: number) => number) | null {
  if (decimals === undefined && digits === undefined) return null;
  if (decimals !== undefined && digits !== undefined) throw new TypeError("a field has decimals or digits, not both");
  const isWhole = (count: unknown, min: number, max: number): count is number =>
    Number.isInteger(count) && Number(count) >= min && Number(count) <= max;
  // A value that is not a number is left to the schema's own check.
  const unlessOdd = (round: (value: number) => number) => (value: number) =>
    Number.isFinite(value) ? round(value) : value;
  if (decimals !== undefined) {
    if (!isWhole(decimals, 0, DECIMALS_MAX)) throw new TypeError(`decimals must be 0 to ${DECIMALS_MAX}`);
    return unlessOdd((value) => roundTo(value, decimals));
  }
  if (!isWhole(digits, 1, DIGITS_MAX)) throw new TypeError(`digits must be 1 to ${DIGITS_MAX}`);
  return unlessOdd((value) => roundToDigits(value, digits));
}

function roundMembers(schema: TSchema): ((value: Readonly<Record<string, unknown>>) => unknown) | null {
  const named = Object.entries((schema.properties ?? {}) as Readonly<Record<string, TSchema>>).flatMap(
    ([name, one]) => {
      const round = createRounder(one);
      return round ? [[name, round] as const] : [];
    },
  );
  const [pattern] = Object.values((schema.patternProperties ?? {}) as Readonly<Record<string, TSchema>>);
  const others = pattern ? createRounder(pattern) : null;
  if (named.length === 0 && !others) return null;
  return (value) => {
    const rounded: Record<string, unknown> = { ...value };
    if (others) for (const [name, one] of Object.entries(rounded)) rounded[name] = others(one);
    for (const [name, round] of named) if (Object.hasOwn(rounded, name)) rounded[name] = round(rounded[name]);
    return rounded;
  };
}

/**
 * Rounds data as its schema says, in the middle of `compute`: for what a product makes of the figures it sells, such as
 * prose about them, a hash over them or a comparison of two answers. All else is rounded when it is sold.
 * @throws TypeError as createRounder.
 */
export function roundAs(schema: TSchema): <T>(data: T) => T {
  const round = createRounder(schema);
  return <T>(data: T): T => (round === null ? data : (round(data) as T));
}
