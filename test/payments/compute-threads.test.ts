import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type FileNode, ownPlugins, startFileNode } from "../helpers/file-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";
import { createTurnTimers } from "../helpers/turn-timers.ts";

/**
 * What an operator's own products do in the thread that computes them, where the node itself would end with them: the
 * call that meets it is not charged, and every other call goes on.
 */
const COMPUTES = {
  fine: "({ as_of_ms: now_ms, data: { n: Number(n) }, warnings: [] })",
  endless: "{ for (;;) Math.sqrt(Number(n)); }",
  exits: "{ process.exit(3); }",
  throws: '{ throw new TypeError("of its own"); }',
  late: '{ queueMicrotask(() => { throw new Error("later"); }); process.exit(4); }',
  wrong: '({ as_of_ms: now_ms, data: { n: "none" }, warnings: [] })',
} as const;

const productOf = ([name, compute]: readonly [string, string]): string => `defineProduct({
  path: "/${name}", title: "Own", description: "An own product.", category: "test", tags: ["test"],
  price_usd: "0.01", params: Type.Object({ q: Type.Optional(Type.String({ maxLength: 9 })) }),
  data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers: [], requires: [], ttl: "0s", deadline_ms: ${name === "endless" ? 1_000 : 60_000},
  preview: { every: "24h" },
  fetch: async () => 12n, compute: (n, { now_ms }) => ${compute},
})`;

const PRODUCTS = Object.entries(COMPUTES).map(productOf).join(",");
const PLUGIN = `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct } from "intel-node";
export default definePlugin({ id: "own", title: "Own", products: [${PRODUCTS}] });
`;

let own: FileNode;
let key: string;
beforeAll(async () => {
  own = await startFileNode({
    toml: ownPlugins('[work]\nthreads = 1\n[limits]\nloopback_exempt = true\n[plans.buy_credits]\nprice = "0.10"\n'),
    plugins: { own: PLUGIN },
    timers: createTurnTimers(),
  });
  const plan = `${own.url}/buy-credits`;
  key = ((await (await pay(plan)).json()) as { api_key: string }).api_key;
});
afterAll(() => own.stop());

async function pay(url: string): Promise<Response> {
  const [payer] = PAYERS;
  if (!payer) throw new Error("nobody pays");
  return fetch(url, { headers: await payFor(url, await payer.newPayer(own.url), 2) });
}
const byKey = (path: string) => fetch(`${own.url}${path}`, { headers: { "x-api-key": key } });
async function readBalance(): Promise<string> {
  const { balance } = (await (await byKey("/credits-status")).json()) as { readonly balance: unknown };
  expect(balance).toBeDefined();
  return JSON.stringify(balance);
}
const settled = () => own.sandbox.readChain().settlements;
const tell = async (response: Response) => {
  const { code, charged, detail } = (await response.json()) as Readonly<Record<string, unknown>>;
  return { status: response.status, code, charged, detail };
};

const REFUSALS = [
  ["endless", { status: 504, code: "deadline_exceeded", charged: false }],
  ["exits", { status: 503, code: "product_failed", charged: false }],
  ["throws", { status: 503, code: "product_failed", charged: false }],
  ["late", { status: 503, code: "product_failed", charged: false }],
  ["wrong", { status: 503, code: "product_failed", charged: false }],
] as const;

describe.each(REFUSALS)("what /%s does in its thread", (name, refusal) => {
  test("is charged to no key, and takes no other call with it", async () => {
    const before = await readBalance();
    const [refused, sold] = await Promise.all([byKey(`/${name}`), byKey("/fine")]);
    expect(await tell(refused)).toMatchObject(refusal);
    expect([sold.status, await sold.json()]).toMatchObject([200, { data: { n: 12 } }]);
    const after = await readBalance();
    expect(after).not.toBe(before);
    expect(await (await byKey(`/${name}`)).json()).toMatchObject({ charged: false });
    expect(await readBalance()).toBe(after);
  });

  test("settles no payment", async () => {
    const before = settled();
    expect(await tell(await pay(`${own.url}/${name}`))).toMatchObject(refusal);
    expect(settled()).toBe(before);
    expect((await pay(`${own.url}/fine`)).status).toBe(200);
    expect(settled()).toBe(before + 1);
  });
});

test("the operator reads what the product threw, by its own name and line", () => {
  const told = own.log.filter((line) => line.includes("product_failed")).join("\n");
  expect(told).toContain("TypeError: of its own");
  expect(told).toContain("own.ts");
  expect(told).toContain("the thread that computed it ended");
});

test("the books are whole after all that", async () => {
  expect(await own.node.audit()).toMatchObject({ ok: true });
});

test("a changed plugin computes as it says now", async () => {
  expect(await (await byKey("/fine")).json()).toMatchObject({ data: { n: 12 } });
  own.writePlugin("own", PLUGIN.replace("{ n: Number(n) }", "{ n: Number(n) + 1 }"));
  expect(await own.node.reload()).toMatchObject({ ok: true });
  expect(await (await byKey("/fine")).json()).toMatchObject({ data: { n: 13 } });
});
