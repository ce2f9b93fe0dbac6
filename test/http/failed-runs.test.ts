import { afterAll, beforeAll, expect, test } from "bun:test";
import { RUN_KINDS, type RunKind } from "../../src/catalog/failed-run.ts";
import { type ErrorCode, NodeError, type NodeErrorOptions, UpstreamError } from "../../src/core/errors.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

let node: MoneyNode;
let header: Record<string, string>;
beforeAll(async () => {
  node = await startMoneyNode("", undefined, { timeout: "5s" });
  const url = `${node.url}/one`;
  const [first] = PAYERS;
  if (!first) throw new Error("nobody pays");
  // What was not charged for can be used again and again.
  header = await payFor(url, await first.newPayer(url), 2);
});
afterAll(() => node.stop());

/** What everybody sees of the product: whether its last run went well. */
async function readOk(): Promise<boolean | null> {
  node.clock.advance(1_000);
  const { products } = (await (await fetch(`${node.url}/live`)).json()) as {
    products: readonly { path: string; ok: boolean | null }[];
  };
  return products.find(({ path }) => path === "/one")?.ok ?? null;
}

async function failWith(error: unknown): Promise<number> {
  node.work.produce = () => Promise.reject(error);
  return (await fetch(`${node.url}/one`, { headers: header })).status;
}

const codes = Object.entries(RUN_KINDS) as [ErrorCode, RunKind][];
const outcomes: [string, RunKind, unknown][] = [
  ...codes.map(([code, kind]): [string, RunKind, unknown] => [code, kind, new NodeError(code, "of a test")]),
  ["a peer of the buyer's choice that is dead", "asked", withOption({ of_request: true })],
  ["this node's own rate", "busy", withOption({ own_limit: true })],
  ["an upstream's word that there is no such thing", "asked", new UpstreamError("upstream_not_found", "x", "no")],
  ["an upstream that fails", "failed", new UpstreamError("upstream_timeout", "x", "late")],
  ["a fault of the product's own", "failed", new TypeError("of a test")],
];
function withOption(option: NodeErrorOptions): NodeError {
  return new NodeError("upstream_unavailable", "of a test", option);
}

test("the run that took its preview went well", async () => {
  expect(await readOk()).toBe(true);
});

test.each(outcomes)("%s: the run counts as %s", async (_what, kind, error) => {
  expect(await failWith(error)).toBeGreaterThanOrEqual(400);
  const ok = await readOk();
  expect(ok).toBe(kind !== "failed");
  // The next one that goes well puts it right; it is not paid for with the header that is used again.
  node.work.produce = async () => undefined;
  const [first] = PAYERS;
  if (kind !== "failed" || !first) return;
  const url = `${node.url}/one`;
  expect((await fetch(url, { headers: await payFor(url, await first.newPayer(url), 2) })).status).toBe(200);
  expect(await readOk()).toBe(true);
});
