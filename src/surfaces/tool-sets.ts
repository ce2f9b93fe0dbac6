import { closest } from "../core/closest.ts";
import { NodeError } from "../core/errors.ts";
import type { SurfaceModel, SurfaceProduct } from "./types.ts";

/** The set for clients that bear few tools: find, sample, price, buy. */
export const CORE_SET = "core";
const SETS_MAX = 20;
const NAMES_MAX = 100;

/** The words of a list in a query. */
export const splitNames = (text: string): readonly string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/**
 * The sets of a catalog: `core`, each category, and the first word of a category where that names it alone ("crypto" is
 * "crypto-market").
 */
export function listToolSets({ products }: Pick<SurfaceModel, "products">): ReadonlyMap<string, readonly string[]> {
  const categories = [...new Set(products.map(({ category }) => category))].sort();
  const sets = new Map<string, readonly string[]>([[CORE_SET, []]]);
  for (const category of categories) {
    const ids = products.filter((product) => product.category === category).map(({ id }) => id);
    const [short = category] = category.split("-");
    const same = categories.filter((other) => other.split("-")[0] === short);
    if (same.length === 1 && !sets.has(short)) sets.set(short, ids);
    if (!sets.has(category)) sets.set(category, ids);
  }
  return sets;
}

/** @throws NodeError invalid_parameter naming the sets there are */
export function productsOfSets(model: Pick<SurfaceModel, "products">, text: string): readonly SurfaceProduct[] {
  const sets = listToolSets(model);
  const asked = splitNames(text);
  if (asked.length === 0 || asked.length > SETS_MAX)
    throw invalid("set", `must name 1 to ${SETS_MAX} sets`, sets.keys());
  const ids = new Set(
    asked.flatMap((name) => {
      const of = sets.get(name);
      if (!of) throw unknownName("set", name, sets.keys());
      return of;
    }),
  );
  return model.products.filter(({ id }) => ids.has(id));
}

/** @throws NodeError invalid_parameter for a name that is not in `known` */
export function readNames(param: string, text: string, known: readonly string[]): ReadonlySet<string> {
  const asked = splitNames(text);
  if (asked.length === 0 || asked.length > NAMES_MAX) throw invalid(param, `must name 1 to ${NAMES_MAX} tools`, []);
  for (const name of asked) if (!known.includes(name)) throw unknownName(param, name, known);
  return new Set(asked);
}

const LISTED_MAX = 100;

function invalid(parameter: string, why: string, allowed: Iterable<string>): NodeError {
  return new NodeError("invalid_parameter", `Parameter "${parameter}" ${why}.`, {
    param: parameter,
    details: { parameter, allowed: [...allowed].slice(0, LISTED_MAX) },
  });
}

function unknownName(parameter: string, name: string, known: Iterable<string>): NodeError {
  const all = [...known];
  const nearest = closest(name, all);
  const shown = name.toWellFormed().slice(0, 100);
  const hint = nearest ? ` Did you mean "${nearest}"?` : "";
  return new NodeError("invalid_parameter", `Parameter "${parameter}" names "${shown}", which is not here.${hint}`, {
    param: parameter,
    details: { parameter, got: shown, ...(nearest ? { nearest } : {}), allowed: all.slice(0, LISTED_MAX) },
  });
}

/**
 * Refuses parameters that nobody reads, so that a slip of the pen is not taken for the whole list.
 * @throws NodeError unknown_parameter or invalid_parameter
 */
export function assertQuery(query: URLSearchParams, known: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    const shown = name.toWellFormed().slice(0, 100);
    if (seen.has(name)) throw invalid(shown, "is there twice", known);
    seen.add(name);
    if (known.includes(name)) continue;
    const nearest = closest(name, known);
    const hint = nearest ? ` Did you mean "${nearest}"?` : ` Known are ${known.join(", ")}.`;
    throw new NodeError("unknown_parameter", `Parameter "${shown}" is not known here.${hint}`, {
      param: shown,
      details: { parameter: shown, ...(nearest ? { nearest } : {}), allowed: known },
    });
  }
}
