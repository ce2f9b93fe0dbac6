import { type TSchema, Type } from "@sinclair/typebox";

/** An object without further members. */
export const closed = { additionalProperties: false } as const;

/**
 * A value or null. `when` says where null is no missing figure, such as "without a loss" or "for stablecoins": it ends
 * the description as "null without a loss." Any other null of the field is missing, and a warning of the answer names
 * it.
 */
export const nullable = <S extends TSchema>(schema: S, description: string, when?: string) =>
  Type.Union(
    [schema, Type.Null()],
    when === undefined ? { description } : { description: describeNull(description, when), null_when: when },
  );

/** "Gains over losses; null without a loss.", "Null for others." */
function describeNull(description: string, when: string): string {
  if (description === "") return `Null ${when}.`;
  return description.endsWith(".") ? `${description} Null ${when}.` : `${description}; null ${when}.`;
}

/** One of a list of constants; for a parameter, perhaps with a default. */
export const oneOf = <V extends string | number>(list: readonly V[], description: string, fallback?: V) =>
  Type.Union(
    list.map((value) => Type.Literal(value)),
    { description, ...(fallback === undefined ? {} : { default: fallback }) },
  );

/** A text. */
export const text = (description: string) => Type.String({ description });
/** How the runner rounds a number: places behind the point, or figures that count. */
export type Rounding = { readonly decimals: number } | { readonly digits: number };

/** A number; with `rounding`, rounded by the runner. */
export const number = (description: string, rounding?: Rounding) => Type.Number({ description, ...rounding });

/** A part of a whole, 0 to 1. */
export const share = (description: string, rounding?: Rounding) =>
  Type.Number({ description, minimum: 0, maximum: 1, ...rounding });
/** How many, 0 or more. */
export const count = (description: string) => Type.Integer({ description, minimum: 0 });
/** A day of the calendar, YYYY-MM-DD. */
export const day = (description: string) => Type.String({ description, pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" });
