import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { at, type Bend, type BentRow, bendAnswer, findLists, listBends, listNumbers, renderBent } from "./bent-rows.ts";
import { createWholeNode, type Outcome, produce } from "./catalog-world.ts";
import type { BentCall, SimulatedNode } from "./simulated-node.ts";

/** A list in one of the answers a product is made of. */
interface AskedList {
  readonly call: string;
  readonly bends: readonly BentRow[];
}

export interface OddRowWorld {
  readonly whole: SimulatedNode;
  readonly now_ms: number;
}

const nameOf = ({ provider, path, body }: BentCall): string => `${provider} ${path} ${body}`;

async function parse(answer: Response): Promise<unknown> {
  return answer
    .clone()
    .json()
    .catch(() => undefined);
}

function sell(
  { whole, now_ms }: OddRowWorld,
  product: CatalogProduct,
  bend: (answer: Response, asked: BentCall) => Response | Promise<Response>,
): Promise<Outcome> {
  return produce(createWholeNode({ now_ms, stores: whole, bend }), product);
}

/** The lists of every JSON answer a product's example is made of. */
export async function findAskedLists(world: OddRowWorld, product: CatalogProduct): Promise<readonly AskedList[]> {
  const found = new Map<string, unknown>();
  await sell(world, product, async (answer, asked) => {
    found.set(nameOf(asked), await parse(answer));
    return answer;
  });
  return [...found].flatMap(([call, answer]) =>
    findLists(answer).map((list) => {
      const rows = (at(answer, list) as readonly unknown[]).length;
      return { call, bends: [...new Set([0, rows - 1])].flatMap((index) => listBends(answer, list, index)) };
    }),
  );
}

/** Bends that make another answer which may be true, or which nobody can tell from one. */
const MAY_BE_TRUE: readonly (readonly [what: RegExp, bend: Bend, why: string])[] = [
  [/^lifi .*feeCosts/, "duplicate", "two equal fees"],
  [/^alternative_me .*value/, "zero", "the index goes down to 0"],
  [/^twse .*Change/, "zero", "a price that stayed where it was"],
  [/^mempool_space .*feeRange/, "missing", "lists of several lengths, of which both ends are read"],
];
const mayBeTrue = (call: string, bent: BentRow): boolean =>
  MAY_BE_TRUE.some(([what, bend]) => bend === bent.bend && what.test(`${call} ${renderBent(bent)}`));

/** How long a call took is about this run alone. */
const withoutTimes = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data, (name, value: unknown) => (name === "first_answer_ms" ? undefined : value)));
const numbersOf = (outcome: Outcome): Set<string> =>
  outcome.ok ? listNumbers(withoutTimes(outcome.sold.data)) : new Set();

/** Two refusals that say the same: without the row there is nothing to sell either. */
const isSameRefusal = (a: Outcome, b: Outcome): boolean =>
  !a.ok && !b.ok && a.error.code === b.error.code && a.error.message === b.error.message;

/**
 * Makes a product with a row bent, and says what is wrong with that: a number that stands neither in the answer with
 * the row as it was nor in the one without it, or nothing at all where without the row it would be sold and no provider
 * is missing.
 */
export async function judgeOddRow(
  world: OddRowWorld,
  product: CatalogProduct,
  { call, bent, full }: { readonly call: string; readonly bent: BentRow; readonly full: Outcome },
): Promise<readonly string[]> {
  const change = (one: BentRow) => async (answer: Response, asked: BentCall) => {
    const json = nameOf(asked) === call ? await parse(answer) : undefined;
    if (json === undefined) return answer;
    return Response.json(bendAnswer(json, one), { status: answer.status });
  };
  if (mayBeTrue(call, bent)) return [];
  const got = await sell(world, product, change(bent));
  const what = `${product.path}: ${call.slice(0, 80)} ${renderBent(bent)}`;
  const findWithout = () => sell(world, product, change({ ...bent, field: [], bend: "missing_row" }));
  if (!got.ok) {
    if (isSameRefusal(got, await findWithout())) return [];
    const is_proper = [503, 504].includes(got.error.status) && !/TypeError|RangeError/.test(String(got.error.cause));
    return is_proper ? [] : [`${what}: ${got.error.status} ${got.error.message} ${got.error.cause}`];
  }
  // Where the whole answer was refused, the source says so, and the product what it lacks.
  if (got.sold.sources.some(({ ok }) => !ok)) return [];
  const without = await findWithout();
  // Columns that lost a member do not match any more: then nothing says what the answer without it would be.
  if (!without.ok || without.sold.sources.some(({ ok }) => !ok)) return [];
  const known = new Set([...numbersOf(full), ...numbersOf(without)].map(Number));
  const fresh = [...numbersOf(got)].map(Number).filter((number) => !isAmong(number, known));
  return fresh.length === 0 ? [] : [`${what}: numbers ${fresh.slice(0, 4).join(", ")}`];
}

const isAmong = (number: number, known: ReadonlySet<number>): boolean =>
  known.has(number) || [...known].some((one) => Math.abs(one - number) <= Math.abs(number) * 1e-6);
