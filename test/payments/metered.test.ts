import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { privateKeyToAccount } from "viem/accounts";
import { defineProduct } from "../../src/catalog/product.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import { encodeHeader } from "../../src/payments/codec.ts";
import { createBuyer, NETWORK, send, settlementOf, sign } from "../helpers/channel-buyers.ts";
import { signPayment } from "../helpers/gate-bench.ts";
import { callTool } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { createRelayed, PLAIN_PRODUCT } from "../helpers/relayed-products.ts";

const PRICE = 10_000n;
const FLOOR = 1_000n;
const { peer, product: relayed } = createRelayed();
const written = defineProduct({
  ...PLAIN_PRODUCT,
  path: "/written",
  title: "Written",
  description: "Written by a model.",
  price_usd: "0.01",
  ttl: "0s",
  uses_model: { use: "compose", need: "needed" },
  metered: { by: "tokens" },
  fetch: async ({ model }) => {
    const made = await model?.complete({ messages: [{ role: "user", content: "hello" }], max_tokens: 100 });
    return made?.usage.completion_tokens;
  },
  compute: (n, { now_ms }) => ({ as_of_ms: now_ms, data: { n: Number(n) }, warnings: [] }),
});

const MODEL = `[[models]]
id = "local"
base_url = "http://127.0.0.1:9/v1"
model = "m"
use = ["compose"]
price_in = "0"
price_out = "0"
`;
const METERING = `[payments.channels]
enabled = true
claim_sum = "1000"
[metering]
enabled = true
in_per_1k = "0.5"
out_per_1k = "0.1"
[metering.ceilings]
"/raised" = "0.02"
${MODEL}`;

let node: MoneyNode;
let key: string;
beforeAll(async () => {
  const products = [relayed("/relayed"), relayed("/kept", { ttl: "1h" }), relayed("/raised"), written];
  node = await startMoneyNode(METERING, undefined, { timeout: "5s", products });
  await node.node.runChannels();
  key = await buyKey();
});
afterAll(() => node.stop());

async function payExact(path: string): Promise<Response> {
  const challenge = await fetch(`${node.url}${path}`);
  const text = Buffer.from(challenge.headers.get("PAYMENT-REQUIRED") ?? "", "base64").toString();
  const { accepts } = JSON.parse(text) as { accepts: { scheme: string; network: string; amount: string }[] };
  const accepted = accepts.find((one) => one.scheme === "exact" && one.network === NETWORK);
  const account = privateKeyToAccount(`0x${sha256Hex("a buyer of metered answers")}`);
  const payload = await signPayment({ account, value: BigInt(accepted?.amount ?? 0) });
  const header = encodeHeader({ x402Version: 2, accepted, payload });
  return fetch(`${node.url}${path}`, { headers: { "PAYMENT-SIGNATURE": header } });
}
async function buyKey(): Promise<string> {
  return ((await (await payExact("/buy-credits")).json()) as { api_key: string }).api_key;
}
const call = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${node.url}${path}`, { headers: { "X-API-Key": key, ...headers } });
const audited = async () => expect((await node.node.audit()).findings).toEqual([]);
const balance = async (): Promise<bigint> => {
  const status = await fetch(`${node.url}/credits-status`, { headers: { "X-API-Key": key } });
  const { balance_atomic } = (await status.json()) as { balance_atomic: string };
  return BigInt(balance_atomic);
};

describe("a call paid by key", () => {
  test("is charged what its answer took, and says how that came about", async () => {
    const before = await balance();
    peer.price = 25_009;
    const response = await call("/relayed?q=1");
    expect(response.status).toBe(200);
    expect(response.headers.get("X-Charged")).toBe("0.0025");
    expect(JSON.parse(response.headers.get("X-Metering") ?? "")).toMatchObject({
      by: "peer_price",
      peer_price: "25009",
      peer_pct: 10,
      charge: "2500",
      floor: `${FLOOR}`,
      ceiling: `${PRICE}`,
    });
    expect(before - (await balance())).toBe(2_500n);
    await audited();
  });

  test("never costs more than the flat price, nor less than the floor", async () => {
    const before = await balance();
    peer.price = 5_000_000;
    expect((await call("/relayed?q=2")).headers.get("X-Charged")).toBe("0.01");
    peer.price = 0;
    expect((await call("/relayed?q=3")).headers.get("X-Charged")).toBe("0.001");
    expect(before - (await balance())).toBe(PRICE + FLOOR);
  });

  test("costs nothing when there is no answer", async () => {
    const before = await balance();
    peer.fails = true;
    const failed = await call("/relayed?q=4").finally(() => {
      peer.fails = false;
    });
    expect(await failed.json()).toMatchObject({ charged: false });
    expect(await balance()).toBe(before);
    await audited();
  });

  test("costs the same where its answer was there already, and once under its name", async () => {
    peer.price = 30_000;
    const before = await balance();
    const named = { "Idempotency-Key": "order-1" };
    expect((await call("/kept?q=1", named)).headers.get("X-Charged")).toBe("0.003");
    peer.price = 90_000;
    expect((await call("/kept?q=1")).headers.get("X-Charged")).toBe("0.003");
    const again = await call("/kept?q=1", named);
    expect(again.headers.get("X-Idempotent-Replay")).toBe("true");
    expect(again.headers.get("X-Charged")).toBe("0.003");
    expect(before - (await balance())).toBe(6_000n);
    await audited();
  });

  test("that asks what changed costs what was counted, and a part of that where nothing did", async () => {
    peer.price = 40_000;
    const first = await call("/relayed?q=s");
    const since = first.headers.get("X-Receipt-Id");
    const before = await balance();
    const same = await call(`/relayed?q=s&since=${since}`);
    expect(await same.json()).toMatchObject({ changes: { unchanged: true, charged_usd: "0.0004" } });
    expect(same.headers.get("X-Charged")).toBe("0.0004");
    peer.price = 60_000;
    const other = await call(`/relayed?q=s&since=${since}`);
    expect(await other.json()).toMatchObject({ changes: { unchanged: false, charged_usd: "0.006" } });
    expect(other.headers.get("X-Charged")).toBe("0.006");
    expect(before - (await balance())).toBe(6_400n);
    await audited();
  });

  test("counts the tokens its model's host stated, and charges by them", async () => {
    const response = await call("/written");
    const { data } = (await response.json()) as { data: { n: number } };
    const told = JSON.parse(response.headers.get("X-Metering") ?? "");
    const [counted] = told.models as { model: string; in: number; out: number }[];
    expect(counted).toMatchObject({ model: "local", out: data.n });
    expect(counted?.in).toBeGreaterThan(0);
    const sum = BigInt(counted?.in ?? 0) * 500_000n + BigInt(data.n) * 100_000n;
    const expected = sum / 1_000n < FLOOR ? FLOOR : sum / 1_000n > PRICE ? PRICE : sum / 1_000n;
    expect(told).toMatchObject({ charge: `${expected}`, estimated: false });
  });
});

describe("the official client, paying from a channel", () => {
  test("is charged less than it signed for, call after call, and gets back all that was not charged", async () => {
    const buyer = createBuyer(node);
    let charged = 0n;
    for (const [n, price] of [25_000, 0, 5_000_000, 40_004, 10_000].entries()) {
      peer.price = price;
      const response = await buyer.buy(`${node.url}/relayed?q=c${n}`);
      expect(response.status).toBe(200);
      const charge = [2_500n, 1_000n, 10_000n, 4_000n, 1_000n][n] ?? 0n;
      charged += charge;
      const { extra } = settlementOf(response);
      expect(extra).toMatchObject({
        chargedAmount: `${charge}`,
        channelState: { chargedCumulativeAmount: `${charged}` },
      });
    }
    // A flat product is bought from the same channel, at its price.
    const flat = await buyer.buy(`${node.url}/one?q=c`);
    expect(settlementOf(flat).extra).toMatchObject({ chargedAmount: "10000" });
    charged += PRICE;
    const rest = await buyer.scheme.refund(`${node.url}/relayed?q=c`);
    expect(rest).toMatchObject({ success: true, extra: { channelState: { totalClaimed: `${charged}` } } });
    await audited();
  });

  test("signs for a raised ceiling, while exact stays at the flat price", async () => {
    peer.price = 150_000;
    const response = await createBuyer(node).buy(`${node.url}/raised?q=r`);
    expect(settlementOf(response).extra).toMatchObject({ chargedAmount: "15000" });
    const challenge = await fetch(`${node.url}/raised`);
    const body = (await challenge.json()) as { accepts: { scheme: string; amount: string }[]; metered: object };
    const amounts = new Set(body.accepts.map(({ scheme, amount }) => `${scheme} ${amount}`));
    expect([...amounts].sort()).toEqual(["batch-settlement 20000", "exact 10000"]);
    expect(body.metered).toMatchObject({ by: "peer_price", floor: "1000", ceiling: "20000", peer_pct: 10 });
    await audited();
  });

  test("that forgot its channel goes on from what was charged", async () => {
    const buyer = createBuyer(node);
    peer.price = 20_000;
    await buyer.buy(`${node.url}/relayed?q=f1`);
    const response = await buyer.restart().buy(`${node.url}/relayed?q=f2`);
    expect(response.status).toBe(200);
    expect(settlementOf(response).extra?.channelState.chargedCumulativeAmount).toBe("4000");
    await audited();
  });
});

describe("a deposit whose outcome was open", () => {
  test("charges what was counted then when it has landed: not its ceiling, and not what is counted now", async () => {
    const buyer = createBuyer(node);
    const url = `${node.url}/relayed?q=o`;
    peer.price = 25_000;
    const payment = await sign(buyer, url);
    const { script } = node.facilitator;
    script.settle = async (forward) => {
      await forward();
      return new Response("gone", { status: 502 });
    };
    const open = await send(url, payment).finally(() => {
      script.settle = (forward) => forward();
    });
    expect(open.status).toBe(503);
    peer.price = 90_000;
    const served = await send(url, payment);
    expect(served.status).toBe(200);
    expect(served.headers.get("X-Charged")).toBe("0.0025");
    expect(settlementOf(served).extra).toMatchObject({
      chargedAmount: "2500",
      channelState: { chargedCumulativeAmount: "2500" },
    });
    expect(await served.json()).toMatchObject({ data: { n: 25_000 } });
    await audited();
  });

  test("that is refused charges nothing", async () => {
    const buyer = createBuyer(node);
    const { script } = node.facilitator;
    const refusal = { success: false, errorReason: "insufficient_funds", transaction: "", network: NETWORK };
    script.settle = () => Response.json(refusal);
    const url = `${node.url}/relayed?q=p`;
    const refused = await sign(buyer, url)
      .then((payment) => send(url, payment))
      .finally(() => {
        script.settle = (forward) => forward();
      });
    expect(await refused.json()).toMatchObject({ code: "settlement_failed", charged: false });
    await audited();
  });
});

describe("a voucher of which less was charged", () => {
  test("fetches its answer again with the snapshot of then, and buys nothing else", async () => {
    const buyer = createBuyer(node);
    peer.price = 20_000;
    await buyer.buy(`${node.url}/relayed?q=v0`);
    const url = `${node.url}/relayed?q=v1`;
    const payment = await sign(buyer, url);
    const first = await send(url, payment);
    expect(settlementOf(first).extra?.channelState.chargedCumulativeAmount).toBe("4000");
    const again = await send(url, payment);
    expect(again.headers.get("X-Idempotent-Replay")).toBe("true");
    expect(again.headers.get("X-Charged")).toBe("0.002");
    expect(settlementOf(again).extra).toEqual(settlementOf(first).extra as never);
    expect(await again.text()).toBe(await first.text());
    const other = await send(`${node.url}/relayed?q=v2`, payment);
    expect(other.status).toBe(402);
    await audited();
  });

  test("pays once where the next call costs just what it left", async () => {
    const buyer = createBuyer(node);
    // Signed for 20000, charged 10000: a voucher over 20000 is also what a call of 10000 needs next.
    peer.price = 100_000;
    const payment = await sign(buyer, `${node.url}/raised?q=u`);
    expect(settlementOf(await send(`${node.url}/raised?q=u`, payment)).extra?.chargedAmount).toBe("10000");
    const { type: _, deposit: __, ...rest } = payment.payload as Record<string, unknown>;
    const produced = node.work.produced;
    const replayed = await send(`${node.url}/one?q=u`, { ...payment, payload: { type: "voucher", ...rest } });
    expect(replayed.status).toBe(402);
    expect(await replayed.json()).toMatchObject({ code: "payment_already_used", charged: false });
    expect(node.work.produced).toBe(produced);
    await audited();
  });
});

test("a single payment pays the flat price, without a meter", async () => {
  peer.price = 0;
  const response = await payExact("/relayed?q=e");
  expect(response.status).toBe(200);
  expect(response.headers.get("X-Metering")).toBeNull();
  const receipt = await fetch(`${node.url}/receipts/${response.headers.get("X-Receipt-Id")}`);
  expect(await receipt.json()).toMatchObject({ amount_atomic: `${PRICE}` });
});

test("price lists say what is metered, and how; what has one price says nothing", async () => {
  const { products } = (await (await fetch(`${node.url}/get-pricing`)).json()) as {
    products: { path: string; price_atomic: string; metered?: object }[];
  };
  const meteredOf = (path: string) => products.find((one) => one.path === path)?.metered;
  const written_by = { by: "tokens", in_per_1k: "500000", out_per_1k: "100000", floor: "1000", ceiling: "10000" };
  expect(meteredOf("/written")).toMatchObject(written_by);
  expect(meteredOf("/one")).toBeUndefined();
  const { paths } = (await (await fetch(`${node.url}/openapi.json`)).json()) as {
    paths: Record<string, { get: Record<string, unknown> }>;
  };
  expect(paths["/written"]?.get["x-metered"]).toMatchObject(written_by);
  expect(paths["/one"]?.get["x-metered"]).toBeUndefined();
});

test("tools over MCP say the charge, and how it came about, beside their answer", async () => {
  peer.price = 20_000;
  const result = await callTool(node.url, "relayed", { args: { q: "mcp" }, headers: { "X-API-Key": key } });
  expect(result._meta).toMatchObject({
    "intel-node/charged": "0.002",
    "intel-node/metering": { by: "peer_price", charge: "2000" },
  });
});

test("a key needs the ceiling before its call begins: what it may cost, not what the last one did", async () => {
  const headers = { "X-API-Key": key, "content-type": "application/json" };
  const mint = async (body: object) =>
    (await fetch(`${node.url}/keys`, { method: "POST", headers, body: JSON.stringify(body) })).json() as Promise<{
      api_key: string;
    }>;
  peer.price = 0;
  const [capped, daily] = [await mint({ call_cap_atomic: "19999" }), await mint({ daily_cap_atomic: "12000" })];
  const by = (api_key: string, path: string) => fetch(`${node.url}${path}`, { headers: { "X-API-Key": api_key } });
  expect(await (await by(capped.api_key, "/raised?q=k1")).json()).toMatchObject({ code: "api_key_limit" });
  expect((await by(capped.api_key, "/relayed?q=k1")).status).toBe(200);
  // Each counts 1,000 of the day, so that the ceiling of three fits below 12,000, and of a fourth does not.
  for (const n of [2, 3, 4]) expect((await by(daily.api_key, `/relayed?q=k${n}`)).status).toBe(200);
  expect(await (await by(daily.api_key, "/relayed?q=k5")).json()).toMatchObject({ code: "api_key_limit" });
  await audited();
});
