import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AnyProduct } from "../../src/catalog/product.ts";
import { type ProductNode, parseParams, startProductNode } from "../helpers/product-node.ts";

/** Whoever asks for what does not exist is told so: no product calls that a failure of its own. */
type Params = Readonly<Record<string, unknown>>;

let node: ProductNode;
beforeAll(async () => {
  node = await startProductNode();
});
afterAll(() => node.stop());

/** Subjects of every form that parameters take, none of which there is. */
const NO_SUCH: readonly string[] = [
  ...["ZZZZQ", "ZZZQ", "ZZZZ3", "QQQZZZ", "ZZZ/QQQ", "9999", "no-such-subject", "2026-01-04"],
  "0x00000000000000000000000000000000000badBa",
  "BadBadBadBadBadBadBadBadBadBadBadBadBadBad1",
  "ba".repeat(32),
  "https://no-such-peer.invalid/",
];

/** Calls that name what does not exist, one parameter at a time; those that the product refuses at once are no calls. */
function listCalls(product: AnyProduct): readonly Params[] {
  const properties = Object.entries(product.params.properties as Readonly<Record<string, Params>>);
  return properties
    .filter(([, schema]) => schema.type === "string")
    .flatMap(([name]) => NO_SUCH.map((subject) => ({ ...product.example.params, [name]: subject })))
    .filter((params) => isTaken(product, params));
}

function isTaken(product: AnyProduct, params: Params): boolean {
  try {
    parseParams(product, params);
    return true;
  } catch {
    return false;
  }
}

/** What a paid call came to, where it is this node's failure. */
async function findFailure(product: AnyProduct, params: Params): Promise<string | null> {
  const response = await node.buy(product, params);
  if (response.status < 500) return null;
  return `${product.path} ${JSON.stringify(params)}: ${response.status} ${await response.text()}`;
}

test("a paid call for a subject that does not exist is never this node's failure", async () => {
  const calls = node.products.flatMap((product) => listCalls(product).map((params) => [product, params] as const));
  expect(calls.length).toBeGreaterThan(50);
  const failures: string[] = [];
  for (const [product, params] of calls) {
    const failure = await findFailure(product, params);
    if (failure !== null) failures.push(failure);
  }
  expect(failures).toEqual([]);
});
