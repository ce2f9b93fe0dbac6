import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import type { AnyProduct } from "../../src/catalog/product.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { FAULTS, type ScriptedFault } from "../../src/sandbox/upstreams.ts";
import { BINARY, cleanUp, type DemoNode, newPayer, signFor, startDemo } from "../helpers/demo-node.ts";
import { EFFORT } from "../helpers/effort.ts";
import { until } from "../helpers/hang-limit.ts";

/**
 * A real node whose upstreams misbehave in every way the sandbox knows: no money moves for data that is not to be had,
 * no data is made up, and the same signature buys the data once the upstreams are well again.
 */
const PATHS = ["/fear-greed", "/mempool", "/oracle-consensus", "/pyth-price"];
/** One of every kind of upstream, through the compiled program; test/contract/faults.test.ts has all the others. */
const PRODUCTS: readonly AnyProduct[] = registry
  .flatMap(({ products }) => products.map(({ product }) => product))
  .filter(({ path }) => PATHS.includes(path));
const BROKEN = FAULTS.filter((fault) => fault !== "none");
const STALE_S = 8 * 86_400;
/** Longer than any ttl, so that nothing is sold from memory. */
const REST_MS = 1_200_000;
const DAY_MS = 86_400_000;
/** Ends pauses and breakers, and leaves a signature of 300 s valid. */
const COOL_DOWN_S = 90;
const PAUSE_MS = 250;

interface Source {
  readonly provider: string;
  readonly fetched_at: string;
  readonly ok: boolean;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

interface Case {
  readonly product: AnyProduct;
  readonly payer: string;
  readonly header: string;
  /** Time on the node's clock just before the fault was set. */
  readonly set_at: string;
  /** What was named as fetched before: the clock goes back between faults, so time alone does not tell. */
  readonly known: ReadonlySet<string>;
  readonly reply: Reply;
  readonly settled: number;
}

let node: DemoNode;
let start_ms = 0;

beforeAll(async () => {
  node = await startDemo({ history: true, domains: ["crypto-market"] });
  start_ms = Date.parse(await getNow());
  // The clock is set back for each fault: a day that began in between would be fetched in one and found in the next.
  if (start_ms % DAY_MS > DAY_MS - 2 * REST_MS) start_ms += DAY_MS / 2;
});
afterAll(async () => {
  setSystemTime();
  await cleanUp();
});

const setFault = (provider: string, fault: ScriptedFault) => node.control("/upstreams", { provider, fault });

async function getNow(): Promise<string> {
  return String((await node.control("/clock")).now);
}

/** Signs as a buyer whose clock agrees with the node's. */
async function signNow(path: string, account: ReturnType<typeof newPayer>): Promise<string> {
  setSystemTime(new Date(await getNow()));
  try {
    return await signFor(node, path, account);
  } finally {
    setSystemTime();
  }
}

async function pay(path: string, header: string): Promise<Reply> {
  const response = await node.get(path, { "PAYMENT-SIGNATURE": header });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** Payments of this payer that reached the chain. */
async function countSettled(payer: string): Promise<number> {
  const { settlements } = await node.control("/chain");
  if (!Array.isArray(settlements)) throw new Error("the sandbox names no settlements");
  return settlements.filter((one) => JSON.stringify(one).toLowerCase().includes(payer.toLowerCase())).length;
}

const countSettleCalls = async (): Promise<number> => Number((await node.control("/facilitator")).settle_calls);

/**
 * Upstreams that are well and known to be well, nothing kept that may still be sold, and the same time of day for every
 * case. The clock goes back for it: what was kept or paused later than now must not count.
 * @returns what the answers of now were made of.
 */
async function recover(products: readonly AnyProduct[]): Promise<ReadonlySet<string>> {
  const fetched = new Set<string>();
  await setFault("*", "none");
  await node.control("/clock", { now: start_ms });
  for (const { path } of products) {
    const reply = await payUntilSold(path, await signNow(path, newPayer()));
    if (reply.status !== 200) throw new Error(`${path} could not be bought before the fault: ${reply.text}`);
    for (const source of sourcesOf({ body: JSON.parse(reply.text) })) fetched.add(nameFetch(source));
  }
  await node.control("/clock", { now: start_ms + REST_MS });
  return fetched;
}

/** Whether a source was fetched while the fault was on. */
const wasFetchedIn = ({ set_at, known }: Case, source: Source): boolean =>
  Date.parse(source.fetched_at) >= Date.parse(set_at) && !known.has(nameFetch(source));

const nameFetch = ({ provider, fetched_at }: Source): string => `${provider} ${fetched_at}`;

interface Purchase {
  readonly cases: readonly Case[];
  /** Calls of the facilitator's settle that it took. */
  readonly settle_calls: number;
}

/** Pays for each product once while one fault is on; products at the same time. */
async function buyUnder(provider: string, fault: ScriptedFault, products: readonly AnyProduct[]): Promise<Purchase> {
  const known = await recover(products);
  const signed: { product: AnyProduct; payer: string; header: string }[] = [];
  for (const product of products) {
    const account = newPayer();
    signed.push({ product, payer: account.address, header: await signNow(product.path, account) });
  }
  const set_at = await getNow();
  const before = await countSettleCalls();
  await setFault(provider, fault);
  const cases = await Promise.all(
    signed.map(async (one) => {
      const reply = await pay(one.product.path, one.header);
      return { ...one, set_at, known, reply, settled: await countSettled(one.payer) };
    }),
  );
  return { cases, settle_calls: (await countSettleCalls()) - before };
}

const sourcesOf = ({ body }: Pick<Reply, "body">): readonly Source[] => {
  if (!Array.isArray(body.sources)) throw new Error("the answer names no sources");
  return body.sources;
};

/** A refusal a buyer can act on, that cost nothing. */
function checkUncharged({ reply, settled }: Case): void {
  expect([503, 504]).toContain(reply.status);
  expect(reply.headers.get("content-type")).toBe("application/problem+json");
  expect(reply.body.charged).toBe(false);
  expect(reply.body.retryable).toBe(true);
  expect(["upstream_unavailable", "upstream_bad_response", "deadline_exceeded"]).toContain(String(reply.body.code));
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(reply.body.data).toBeUndefined();
  expect(settled).toBe(0);
}

/** An answer as it was promised: it matches the published schema and says where everything came from. */
function checkSold({ product, reply, settled }: Case): void {
  expect(reply.status).toBe(200);
  expect([...Value.Errors(product.data, reply.body.data)]).toEqual([]);
  expect(reply.text).not.toMatch(/NaN|Infinity|undefined|\[object/);
  expect(Date.parse(String(reply.body.as_of))).toBeLessThanOrEqual(Date.parse(String(reply.body.generated_at)));
  expect(sourcesOf(reply).length).toBeGreaterThan(0);
  expect(Array.isArray(reply.body.warnings)).toBe(true);
  expect(settled).toBe(1);
}

/**
 * Asks with one and the same payment until it buys: breakers and pauses take a moment to end, and a busy machine may
 * need more than a product's deadline. A payment whose time is over ends it too.
 */
async function payUntilSold(path: string, header: string): Promise<Reply> {
  let reply = await pay(path, header);
  const isOver = async (): Promise<boolean> => {
    if (reply.status !== 503 && reply.status !== 504) return true;
    await Bun.sleep(PAUSE_MS);
    reply = await pay(path, header);
    return false;
  };
  await until(isOver, `${path} to be sold`, 0);
  return reply;
}

const find = (cases: readonly Case[], { path }: AnyProduct): Case => {
  const found = cases.find(({ product }) => product.path === path);
  if (!found) throw new Error(`${path} was not bought`);
  return found;
};

test("the node sells every product whose faults are tested here", async () => {
  const { products } = (await (await node.get("/get-pricing")).json()) as {
    products: { path: string; category: string }[];
  };
  // Plans and the node's own record ask no upstream.
  const fed = products.filter(({ category }) => category !== "plans" && category !== "trust");
  const sold = fed.map(({ path }) => path).sort();
  expect(PRODUCTS).toHaveLength(PATHS.length);
  expect(sold).toEqual(expect.arrayContaining(PATHS));
});

describe.each(BROKEN)("while every upstream answers with %s", (fault) => {
  let cases: readonly Case[] = [];
  let settle_calls = 0;

  beforeAll(async () => {
    ({ cases, settle_calls } = await buyUnder("*", fault, PRODUCTS));
  });

  test("only what was delivered is settled", () => {
    expect(cases.length).toBe(PRODUCTS.length);
    expect(settle_calls).toBe(cases.filter(({ reply }) => reply.status === 200).length);
  });

  test.each(PRODUCTS)("$path is refused uncharged, or sold from what was fetched before", (product) => {
    const one = find(cases, product);
    if (one.reply.status !== 200) return checkUncharged(one);
    checkSold(one);
    const good = sourcesOf(one.reply).filter(({ ok }) => ok);
    // Old data is told by its age; every other fault leaves nothing usable but what is stored.
    const used = fault === "stale" ? [] : good.filter((source) => wasFetchedIn(one, source));
    expect(used).toEqual([]);
    expect(good.length).toBeGreaterThan(0);
    const age_s = (Date.parse(String(one.reply.body.generated_at)) - Date.parse(String(one.reply.body.as_of))) / 1000;
    return expect(age_s).toBeLessThan(STALE_S);
  });

  test.each(PRODUCTS)("the same payment buys $path once they are well again, and is settled once", async (product) => {
    const { header, payer, reply, set_at } = find(cases, product);
    await setFault("*", "none");
    // The same moment for each of them: however long the others took, the signature is still valid.
    await node.control("/clock", { now: Date.parse(set_at) + COOL_DOWN_S * 1_000 });
    const again = await payUntilSold(product.path, header);
    checkSold({ ...find(cases, product), reply: again, settled: await countSettled(payer) });
    if (reply.status === 200) expect(again.text).toBe(reply.text);
  });
});

/** With quick counts each fault meets another product; all pairs in this process: test/contract/faults.test.ts. */
const PAIRS = BROKEN.flatMap((fault, nth) =>
  PRODUCTS.map((product) => ({ fault, product, path: product.path })).filter(
    (_, index) => EFFORT !== "quick" || index === nth % PRODUCTS.length,
  ),
);

describe("while the first upstream of a product fails", () => {
  test.each(PAIRS)("with $fault, $path is sold without it or refused uncharged", async ({ fault, product }) => {
    const first = product.providers[0]?.id ?? "";
    const { cases, settle_calls } = await buyUnder(first, fault, [product]);
    const one = find(cases, product);
    expect(settle_calls).toBe(one.reply.status === 200 ? 1 : 0);
    if (one.reply.status !== 200) return checkUncharged(one);
    checkSold(one);
    const sources = sourcesOf(one.reply);
    expect(sources.some(({ ok, provider }) => !ok && provider === first)).toBe(true);
    return expect(sources.some(({ ok, provider }) => ok && provider !== first)).toBe(true);
  });
});

test("an upstream on trial after an outage is named among the sources while it still fails", async () => {
  const product = PRODUCTS.find(({ path }) => path === "/mempool");
  if (!product) throw new Error("/mempool is not there");
  // Enough failures to stop calling it; the next purchase, when the pause is over, tries one call.
  const { cases } = await buyUnder("mempool_space", "http500", [product]);
  expect(find(cases, product).reply.status).toBe(200);
  await node.control("/clock", { advance_s: COOL_DOWN_S });
  const reply = await pay(product.path, await signNow(product.path, newPayer()));
  expect(reply.status).toBe(200);
  expect(sourcesOf(reply).filter(({ provider, ok }) => provider === "mempool_space" && !ok)).not.toEqual([]);
});

test("the books balance and nothing unexpected was logged after all of it", async () => {
  await setFault("*", "none");
  const audit = Bun.spawn([BINARY, "ledger", "audit", "--data", node.data, "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const report = JSON.parse(await new Response(audit.stdout).text());
  expect(report.findings).toEqual([]);
  expect(report.ok).toBe(true);
  const { settlements } = await node.control("/chain");
  expect(Array.isArray(settlements) ? settlements.length : -1).toBe(report.receipts);
  expect(report.receipts).toBe(await countSettleCalls());
  expect(node.log()).not.toMatch(/"event":"(unexpected|invariant)"/);
});
