import { expect, test } from "bun:test";
import type { JobDefinition } from "../../src/catalog/plugin.ts";
import { getOwn } from "../../src/core/own.ts";
import { listMarks } from "../../src/jobs/list-marks.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { createWholeNode, PRODUCTS, produce } from "../helpers/catalog-world.ts";
import { repeat } from "../helpers/effort.ts";
import type { SimulatedNode } from "../helpers/simulated-node.ts";

/**
 * Figures that products share are equal at every moment: a node lives some days, its jobs run at their own marks, so
 * that what is stored is as old as it is in life, and everything the node sells is compared. A figure is known by its
 * name, the list it stands in and the row it belongs to; a fact of a written answer by its label, whom it is about and
 * its unit.
 */
const FIRST_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const DAY_MS = 86_400_000;
/** Three moments a day, each at another minute of another hour; the fourth is a day and 42 minutes after the first. */
const STEP_MS = (8 * 60 + 14) * 60_000;
const MOMENTS = repeat({
  quick: 4,
  full: Math.ceil((30 * DAY_MS) / STEP_MS),
  long: Math.ceil((30 * DAY_MS) / STEP_MS),
});

interface Figure {
  readonly what: string;
  readonly value: number;
}

/** Names of members that say what a row is of. */
const ROW_NAMES = ["symbol", "pair", "asset", "coin", "tenor", "id", "code", "ticker", "mint", "address"] as const;

/** Members that hold a level of the product's own making, under a name that readings have too. */
const OWN_LEVELS: readonly string[] = ["invalidation"];
/** One figure under two names: where it stands, and what it is called elsewhere. */
const SAME: Readonly<Record<string, string>> = {
  " /market-brief {}: btc_funding_apr_pct": " BTC: funding_apr_pct",
  " /market-brief {}: eth_funding_apr_pct": " ETH: funding_apr_pct",
  " /market-brief {}: sol_funding_apr_pct": " SOL: funding_apr_pct",
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Where figures stand: the list, whose row, and the token that the answer or the row is about. */
interface Place {
  readonly list: string;
  readonly row: string;
  readonly token: string;
}
const NOWHERE: Place = { list: "", row: "", token: "" };

function findPlace(record: Readonly<Record<string, unknown>>, within: Place): Place {
  const { token: about } = record;
  const token = isRecord(about) && typeof about.address === "string" ? about.address : within.token;
  const name = ROW_NAMES.map((one) => record[one]).find((one) => typeof one === "string");
  return { ...within, token, row: typeof name === "string" ? `${token}${name.toUpperCase()}` : within.row };
}

/** An answer by its call; a parameter at its default is none. */
const nameCall = (path: string, params: unknown): string => `${path} ${JSON.stringify(params ?? {})}`;

/** A fact's value, with all that says what it is, its day included: a written answer may be of yesterday. */
function readFact(fact: Readonly<Record<string, unknown>>): Figure | null {
  const { label, about, unit, window, kind, value, as_of } = fact;
  if (typeof label !== "string" || typeof value !== "number") return null;
  const names = [label, about, unit, window, kind, String(as_of).slice(0, "2026-10-01".length)];
  return { what: `fact: ${names.filter((one) => one !== undefined).join(", ")}`, value };
}

function* listFacts(facts: readonly unknown[]): Generator<Figure> {
  for (const fact of facts) {
    const figure = isRecord(fact) ? readFact(fact) : null;
    if (figure) yield figure;
  }
}

/** Every number of an answer, by the row or the answer it belongs to: a bundle's part is an answer of its own. */
function* listFigures(value: unknown, within: Place): Generator<Figure> {
  if (Array.isArray(value)) {
    for (const one of value) yield* listFigures(one, within);
    return;
  }
  if (!isRecord(value)) return;
  const { path, params, data } = value;
  if (typeof path === "string" && isRecord(data)) {
    yield* listFigures(data, { ...NOWHERE, row: nameCall(path, params) });
    return;
  }
  const place = findPlace(value, within);
  for (const [name, member] of Object.entries(value)) {
    if (OWN_LEVELS.includes(name)) continue;
    if (name === "facts" && Array.isArray(member)) yield* listFacts(member);
    else if (typeof member === "number") {
      const what = `${place.list} ${place.row}: ${name}`;
      yield { what: getOwn(SAME, what) ?? what, value: member };
    } else yield* listFigures(member, Array.isArray(member) ? { ...place, list: name } : place);
  }
}

/** What one moment's answers say of each figure, by product. */
type Told = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;

/** Written editions are made of what other jobs stored: where both have one mark they come after those. */
const isEdition = ({ id }: JobDefinition): boolean => id.endsWith("-editions");
const JOBS = registry.flatMap(({ jobs }) => jobs).toSorted((a, b) => Number(isEdition(a)) - Number(isEdition(b)));

/** Each job's last mark after one moment and up to another, in order. */
const listLastMarks = (from_ms: number, to_ms: number) =>
  JOBS.flatMap((job) => {
    const at_ms = listMarks({ cron: job.schedule }, { from_ms, to_ms: to_ms + 1 }).at(-1);
    return at_ms === undefined ? [] : [{ job, at_ms }];
  }).toSorted((a, b) => a.at_ms - b.at_ms);

/** The clock is at the moment once its jobs have run, each at its last mark before. */
async function liveTo(node: SimulatedNode, to_ms: number): Promise<void> {
  const from_ms = node.clock.now();
  await node.takeInDatasets();
  for (const { job, at_ms } of listLastMarks(from_ms, to_ms)) {
    // A call that is made again has moved the clock.
    if (at_ms > node.clock.now()) node.clock.set(at_ms);
    // Some find too little to do in their first days.
    await job.run(node.createContext()).catch(() => undefined);
  }
  node.clock.set(to_ms);
}

async function tellMoment(node: SimulatedNode): Promise<Told> {
  const told = new Map<string, Map<string, number[]>>();
  for (const product of PRODUCTS) {
    const outcome = await produce(node, product);
    if (!outcome.ok) continue;
    const call = nameCall(product.path, product.definition.example.params);
    for (const { what, value } of listFigures(outcome.sold.data, { ...NOWHERE, row: call })) {
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
  [/^factors \w+AGE: value$/, "minutes old when it was assessed, which each row says: one product tells stored rows"],
  [
    /^records [A-Z]+: (?:horizon_h|seq)$/,
    "records of two chains, signals and theses, have their own horizons and numbers",
  ],
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

test(`what products tell of one figure is one figure, at ${MOMENTS} moments of lived days`, async () => {
  const node = createWholeNode({ now_ms: FIRST_MS - DAY_MS });
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    await liveTo(node, FIRST_MS + moment * STEP_MS);
    const told = await tellMoment(node);
    const shared = [...told.values()].filter(({ size }) => size > 1);
    expect(shared.length).toBeGreaterThan(250);
    expect({ moment, apart: listApart(told) }).toEqual({ moment, apart: [] });
  }
  node.close();
});
