import { expect, test } from "bun:test";
import type { JobDefinition } from "../../src/catalog/plugin.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { createWholeNode, PRODUCTS, produce } from "../helpers/catalog-world.ts";
import { repeat } from "../helpers/effort.ts";
import type { SimulatedNode } from "../helpers/simulated-node.ts";

/**
 * Figures that products share are equal, day by day: a node lives some days, its jobs run, and everything it sells is
 * compared. A figure is known by its name, the list it stands in and the row it belongs to; a fact of a written answer
 * by its label, whom it is about and its unit.
 */
const FIRST_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const DAY_MS = 86_400_000;
const DAYS = repeat({ quick: 3, full: 10, long: 30 });

interface Figure {
  readonly what: string;
  readonly value: number;
}

/** Names of members that say what a row is of. */
const ROW_NAMES = ["symbol", "pair", "asset", "coin", "tenor", "id", "code", "ticker", "mint", "address"] as const;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function nameRow(row: Readonly<Record<string, unknown>>): string | null {
  for (const name of ROW_NAMES) if (typeof row[name] === "string") return row[name].toUpperCase();
  return null;
}

/** An answer by its call; a parameter at its default is none. */
const nameCall = (path: string, params: unknown): string => `${path} ${JSON.stringify(params ?? {})}`;

/** A fact's value, with all that says what it is. */
function readFact(fact: Readonly<Record<string, unknown>>): Figure | null {
  const { label, about, unit, window, kind, value } = fact;
  if (typeof label !== "string" || typeof value !== "number") return null;
  return { what: `fact: ${[label, about, unit, window, kind].filter((one) => one !== undefined).join(", ")}`, value };
}

/** Every number of an answer, by the row or the answer it belongs to: a bundle's part is an answer of its own. */
function* listFigures(value: unknown, list: string, row: string): Generator<Figure> {
  if (Array.isArray(value)) {
    for (const one of value) yield* listFigures(one, list, row);
    return;
  }
  if (!isRecord(value)) return;
  const { path, params, data } = value;
  if (typeof path === "string" && isRecord(data)) {
    yield* listFigures(data, "", nameCall(path, params));
    return;
  }
  const own = nameRow(value) ?? row;
  for (const [name, member] of Object.entries(value)) {
    if (name === "facts" && Array.isArray(member)) {
      for (const fact of member) {
        const figure = isRecord(fact) ? readFact(fact) : null;
        if (figure) yield figure;
      }
    } else if (typeof member === "number") {
      yield { what: `${list} ${own}: ${name}`, value: member };
    } else yield* listFigures(member, Array.isArray(member) ? name : list, own);
  }
}

/** What one day's answers say of each figure, by product. */
type Told = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;

/** Written editions are made of what other jobs stored: by the clock they come after those, and so they do here. */
const isEdition = ({ id }: JobDefinition): boolean => id.endsWith("-editions");
const JOBS = registry.flatMap(({ jobs }) => jobs).toSorted((a, b) => Number(isEdition(a)) - Number(isEdition(b)));

async function tellDay(node: SimulatedNode): Promise<Told> {
  const told = new Map<string, Map<string, number[]>>();
  for (const product of PRODUCTS) {
    const outcome = await produce(node, product);
    if (!outcome.ok) continue;
    const call = nameCall(product.path, product.definition.example.params);
    for (const { what, value } of listFigures(outcome.sold.data, "", call)) {
      const by_product = told.get(what) ?? new Map<string, number[]>();
      told.set(what, by_product);
      by_product.set(product.path, [...(by_product.get(product.path) ?? []), value]);
    }
  }
  return told;
}

/** Figures of one name that are not the same figure, and why. */
const APART: readonly (readonly [what: RegExp, why: string])[] = [
  [/^ [A-Z]+: score$/, "each product scores a coin by its own rules"],
  [/^factors WIN_RATE_LOWER95: points$/, "one product weighs it 30 points, the other 40"],
];

/** Prices of one coin come from several sources, at the moment of the call or at the end of an hour. */
const PRICE_RATIO = 0.02;
/** An age moves on between two calls, and figures are rounded by each product. */
const ROUNDED_RATIO = 0.001;

const ratioOf = (what: string): number => (/: (?:price|price_usd)$/.test(what) ? PRICE_RATIO : ROUNDED_RATIO);

const isNear = (one: number, other: number, ratio: number): boolean =>
  Math.abs(one - other) <= ratio * Math.max(Math.abs(one), Math.abs(other));

/** A row may stand in an answer more than once: each value of the product that tells fewer is one of the other's. */
function agree(some: readonly number[], others: readonly number[], ratio: number): boolean {
  const [fewer, more] = some.length <= others.length ? [some, others] : [others, some];
  return fewer.every((one) => more.some((other) => isNear(one, other, ratio)));
}

function listApart(told: Told): readonly string[] {
  return [...told].flatMap(([what, by_product]) => {
    if (APART.some(([pattern]) => pattern.test(what))) return [];
    const [first, ...others] = [...by_product.values()];
    const is_one = others.every((values) => agree(first ?? [], values, ratioOf(what)));
    return is_one ? [] : [`${what} ${JSON.stringify([...by_product])}`];
  });
}

test(`what products tell of one figure is one figure, on ${DAYS} lived days`, async () => {
  const node = createWholeNode({ now_ms: FIRST_MS });
  for (let day = 0; day < DAYS; day += 1) {
    node.clock.set(FIRST_MS + day * DAY_MS);
    await node.takeInDatasets();
    // Some find too little to do in their first days.
    for (const job of JOBS) await job.run(node.createContext()).catch(() => undefined);
    const told = await tellDay(node);
    const shared = [...told.values()].filter(({ size }) => size > 1);
    expect(shared.length).toBeGreaterThan(250);
    expect({ day, apart: listApart(told) }).toEqual({ day, apart: [] });
  }
  node.close();
});
