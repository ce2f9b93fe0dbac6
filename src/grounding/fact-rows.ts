import type { ListedFact } from "./facts.ts";

/** A fact as a row of a product's example: name, label, value, unit, and whatever differs from the pack's defaults. */
export type FactRow = readonly [
  name: string,
  label: string,
  value: number,
  unit: ListedFact["unit"],
  rest?: Partial<Pick<ListedFact, "kind" | "about" | "window" | "from" | "as_of">>,
];

/** The facts of an example, written as rows. */
export const readFactRows = (frame: Pick<ListedFact, "from" | "as_of">, rows: readonly FactRow[]): ListedFact[] =>
  rows.map(([name, label, value, unit, rest], index) => ({
    id: `F${index + 1}`,
    name,
    label,
    value,
    unit,
    kind: "level",
    about: null,
    window: null,
    ...frame,
    ...rest,
  }));
