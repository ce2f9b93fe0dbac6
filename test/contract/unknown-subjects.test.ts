import { afterAll, beforeAll, expect, test } from "bun:test";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import type { ParsedParams } from "../../src/catalog/params.ts";
import { isNodeError } from "../../src/core/errors.ts";
import { createWholeNode, PRODUCTS, produce, runJobs } from "../helpers/catalog-world.ts";
import type { SimulatedNode } from "../helpers/simulated-node.ts";

/**
 * Whoever asks for what does not exist is told so, at no cost: 404 or 422, which agents do not try again, and no
 * failure of the node's own.
 */
const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
type Params = Readonly<Record<string, unknown>>;

let stores: SimulatedNode;
beforeAll(async () => {
  stores = createWholeNode({ now_ms: NOW_MS });
  await runJobs(stores);
});
afterAll(() => stores.close());

/** Subjects of every form that parameters take, none of which there is. */
const NO_SUCH: readonly string[] = [
  ...["ZZZZQ", "ZZZQ", "ZZZZ3", "QQQZZZ", "ZZZ/QQQ", "9999", "no-such-subject", "2026-01-04"],
  "0x00000000000000000000000000000000000badBa",
  "BadBadBadBadBadBadBadBadBadBadBadBadBadBad1",
  "ba".repeat(32),
  "https://no-such-peer.invalid/",
];

/** A name server that is silent looks like a name there is not: nobody can say that such a host does not exist. */
const HOSTS: ReadonlySet<string> = new Set(["/agent-call target", "/x402-audit url"]);

interface Call {
  readonly product: CatalogProduct;
  readonly asked: Params;
  readonly request: ParsedParams;
  /** Path and parameter. */
  readonly what: string;
}

/** Calls that name what does not exist, one parameter at a time; what the product refuses at once is no call. */
function listCalls(product: CatalogProduct): readonly Call[] {
  const { params, example, path } = product.definition;
  const properties = Object.entries(params.properties as Readonly<Record<string, Params>>);
  const texts = properties.filter(([name, { type }]) => type === "string" && !HOSTS.has(`${path} ${name}`));
  return texts.flatMap(([name]) =>
    NO_SUCH.flatMap((subject) => {
      const asked = { ...example.params, [name]: subject };
      const request = readAtOnce(product, asked);
      return request ? [{ product, asked, request, what: `${path} ${name}` }] : [];
    }),
  );
}

/** The parameters as the product reads them; null where it refuses them before anybody is asked. */
function readAtOnce(product: CatalogProduct, asked: Params): ParsedParams | null {
  try {
    return product.params.fromBody(asked);
  } catch (error) {
    if (isNodeError(error)) return null;
    throw error;
  }
}

async function ask({ product, request }: Pick<Call, "product" | "request">) {
  const node = createWholeNode({ now_ms: NOW_MS, stores });
  const outcome = await produce(node, product, request);
  node.close();
  return outcome;
}

test("a call for a subject that does not exist is never this node's failure", async () => {
  const calls = PRODUCTS.flatMap(listCalls);
  expect(new Set(calls.map(({ what }) => what)).size).toBeGreaterThan(25);
  const failures: string[] = [];
  for (const call of calls) {
    const outcome = await ask(call);
    if (outcome.ok || [404, 422].includes(outcome.error.status)) continue;
    failures.push(`${call.what} ${JSON.stringify(call.asked)}: ${outcome.error.status} ${outcome.error.message}`);
  }
  expect(failures).toEqual([]);
});

/** A slip of the keyboard, and what was meant. */
const SLIPS: readonly (readonly [path: string, param: string, slip: string, meant: string])[] = [
  ["/analise", "symbol", "BTCX", "BTC"],
  ["/br-equity", "symbol", "PETX4", "PETR4"],
  ["/earnings-whisper", "symbol", "AAPLX", "AAPL"],
  ["/equity-dossier", "symbol", "AAPLX", "AAPL"],
  ["/sentiment", "symbol", "BTCX", "BTC"],
];

for (const [path, param, slip, meant] of SLIPS) {
  test(`${path} says what may have been meant by ${slip}`, async () => {
    const product = PRODUCTS.find(({ definition }) => definition.path === path);
    if (!product) throw new Error(`there is no ${path}`);
    const outcome = await ask({ product, request: product.params.fromBody({ [param]: slip }) });
    if (outcome.ok) throw new Error("it was answered");
    expect([404, 422]).toContain(outcome.error.status);
    expect(outcome.error.message).toContain(meant);
    expect(outcome.error.options.details).toMatchObject({ parameter: param, got: slip });
    expect((outcome.error.options.details as { near?: readonly string[] }).near).toContain(meant);
  });
}
