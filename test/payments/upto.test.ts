import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import type { PaymentPayload } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { keepStep } from "../../src/payments/gate/steps/keep.ts";
import { recordStep } from "../../src/payments/gate/steps/record.ts";
import { settleStep } from "../../src/payments/gate/steps/settle.ts";
import { NETWORK, send, settlementOf, withPayload } from "../helpers/channel-buyers.ts";
import { type MoneyNode, type Reply, startMoneyNode } from "../helpers/money-node.ts";
import { createRelayed } from "../helpers/relayed-products.ts";

const PRICE = 10_000n;
/** The sandbox's. */
const FACILITATOR = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
const { peer, product: relayed } = createRelayed();

const UPTO = `[payments.upto]
enabled = true
[metering]
enabled = true
[metering.ceilings]
"/raised" = "0.02"
`;

let node: MoneyNode;
beforeAll(async () => {
  const products = [relayed("/relayed"), relayed("/raised"), relayed("/flat", { metered: false })];
  node = await startMoneyNode(UPTO, undefined, { timeout: "5s", products });
});
afterAll(() => node.stop());
afterEach(async () => {
  peer.price = 25_000;
  peer.fails = false;
  node.facilitator.script.settle = (forward) => forward();
  node.facilitator.script.verify = (forward) => forward();
  expect((await node.node.audit()).findings).toEqual([]);
});

/** Somebody who pays with the official client, and nothing else. */
function createBuyer() {
  const account = privateKeyToAccount(generatePrivateKey());
  const client = new x402Client().register("eip155:*", new UptoEvmScheme(account));
  const balance = () => BigInt(node.sandbox.readChain().balance(account.address));
  return { account, client, buy: wrapFetchWithPayment(fetch, client), balance };
}
type Buyer = ReturnType<typeof createBuyer>;

/** The payment the official client makes for a URL, unsent. */
async function sign({ client }: Pick<Buyer, "client">, url: string): Promise<PaymentPayload> {
  const required = decodePaymentRequiredHeader((await fetch(url)).headers.get("PAYMENT-REQUIRED") ?? "");
  return client.createPaymentPayload({
    ...required,
    accepts: required.accepts.filter(({ scheme }) => scheme === "upto"),
  });
}
const receiptOf = async (response: Response) =>
  (await (await fetch(`${node.url}/receipts/${response.headers.get("X-Receipt-Id")}`)).json()) as {
    amount_atomic: string;
  };

describe("the official client, which signs for the most,", () => {
  test("pays what the answer used, and gets the calculation", async () => {
    const buyer = createBuyer();
    const before = buyer.balance();
    const response = await buyer.buy(`${node.url}/relayed?q=1`);
    expect(response.status).toBe(200);
    expect(settlementOf(response)).toMatchObject({ success: true, amount: "2500", network: NETWORK });
    expect(response.headers.get("X-Charged")).toBe("0.0025");
    expect(JSON.parse(response.headers.get("X-Metering") ?? "")).toMatchObject({ charge: "2500", ceiling: `${PRICE}` });
    expect(await receiptOf(response)).toMatchObject({ amount_atomic: "2500" });
    expect(before - buyer.balance()).toBe(2_500n);
  });

  test.each([
    ["the floor", "/relayed", 0, 1_000n],
    ["the flat price at most", "/relayed", 5_000_000, PRICE],
    ["a raised ceiling at most", "/raised", 5_000_000, 20_000n],
  ])("pays %s", async (_what, path, price, charge) => {
    const buyer = createBuyer();
    const before = buyer.balance();
    peer.price = price;
    const response = await buyer.buy(`${node.url}${path}?q=b`);
    expect(settlementOf(response)).toMatchObject({ amount: `${charge}` });
    expect(before - buyer.balance()).toBe(charge);
  });

  test("pays what an answer took that tells what changed, and nothing where nothing did", async () => {
    const buyer = createBuyer();
    // Answers of the same bytes are one answer, to whichever question: this one has bytes of its own.
    peer.price = 31_000;
    const first = await buyer.buy(`${node.url}/relayed?q=s`);
    const before = buyer.balance();
    const again = () => buyer.buy(`${node.url}/relayed?q=s&since=${first.headers.get("X-Receipt-Id")}`);
    expect(await (await again()).json()).toMatchObject({ changes: { unchanged: true, charged_usd: "0.00" } });
    expect(buyer.balance()).toBe(before);
    peer.price = 40_000;
    const other = await again();
    expect(await other.json()).toMatchObject({ changes: { unchanged: false, charged_usd: "0.004" } });
    expect(before - buyer.balance()).toBe(4_000n);
  });

  test("is charged nothing when there is no answer, and pays with the same signature when there is one", async () => {
    const buyer = createBuyer();
    const before = buyer.balance();
    const url = `${node.url}/relayed?q=f`;
    const payment = await sign(buyer, url);
    peer.fails = true;
    expect(await (await send(url, payment)).json()).toMatchObject({ charged: false });
    expect(buyer.balance()).toBe(before);
    peer.fails = false;
    expect((await send(url, payment)).status).toBe(200);
    expect(before - buyer.balance()).toBe(2_500n);
  });
});

describe("what the 402 offers:", () => {
  const acceptsOf = async (path: string, url = node.url) =>
    decodePaymentRequiredHeader((await fetch(`${url}${path}`)).headers.get("PAYMENT-REQUIRED") ?? "").accepts;

  test("a metered product, over its ceiling, with the facilitator's account, beside exact at its price", async () => {
    const accepts = await acceptsOf("/raised");
    expect(accepts[0]).toMatchObject({ scheme: "exact", amount: "10000" });
    expect(accepts.filter(({ scheme }) => scheme === "upto")).toMatchObject([
      { network: NETWORK, amount: "20000", extra: { assetTransferMethod: "permit2", facilitatorAddress: FACILITATOR } },
    ]);
    const body = (await (await fetch(`${node.url}/raised`)).json()) as { metered: object };
    expect(body.metered).toMatchObject({ charged_to: ["api key", "payment channel", "x402 upto"] });
  });

  test("its header stays below 4,000 bytes", async () => {
    for (const path of ["/relayed", "/raised"]) {
      const header = (await fetch(`${node.url}${path}`)).headers.get("PAYMENT-REQUIRED") ?? "";
      expect(header.length).toBeLessThan(4_000);
    }
  });

  test.each(["/flat", "/buy-credits"])("nothing of it for %s, which has one price", async (path) => {
    expect((await acceptsOf(path)).map(({ scheme }) => scheme)).not.toContain("upto");
  });

  test("a buyer who pays by exact pays the flat price, without a meter", async () => {
    const buyer = createBuyer();
    const exact = new x402Client().register("eip155:*", new ExactEvmScheme(buyer.account));
    const before = buyer.balance();
    const response = await wrapFetchWithPayment(fetch, exact)(`${node.url}/relayed?q=e`);
    expect(response.status).toBe(200);
    expect(response.headers.get("X-Charged")).toBeNull();
    expect(before - buyer.balance()).toBe(PRICE);
  });

  test.each<[string, string, Reply | undefined]>([
    ["by a node that does not say so", "[metering]\nenabled = true\n", undefined],
    [
      "where no facilitator says which account takes it",
      UPTO,
      async (forward) => {
        const said = (await (await forward()).json()) as { kinds: { scheme: string }[] };
        const kinds = said.kinds.map((kind) => (kind.scheme === "upto" ? { ...kind, extra: {} } : kind));
        return Response.json({ ...said, kinds });
      },
    ],
  ])("nothing of it %s", async (_what, config, supported) => {
    const products = [relayed("/relayed")];
    const other = await startMoneyNode(config, undefined, { products, ...(supported ? { supported } : {}) });
    try {
      expect((await acceptsOf("/relayed", other.url)).map(({ scheme }) => scheme)).not.toContain("upto");
      const payment = await sign(createBuyer(), `${node.url}/relayed?q=x`);
      const refused = await send(`${other.url}/relayed?q=x`, payment);
      expect(refused.status).toBe(402);
      expect(other.facilitator.calls.verify + other.facilitator.calls.settle).toBe(0);
    } finally {
      await other.stop();
    }
  });
});

describe("the same signature again", () => {
  test("fetches the stored answer at the stored charge, and buys nothing else", async () => {
    const buyer = createBuyer();
    const before = buyer.balance();
    const url = `${node.url}/relayed?q=r`;
    const payment = await sign(buyer, url);
    const first = await send(url, payment);
    peer.price = 90_000;
    const again = await send(url, payment);
    expect(again.headers.get("X-Idempotent-Replay")).toBe("true");
    expect(again.headers.get("X-Charged")).toBe("0.0025");
    expect(settlementOf(again)).toMatchObject({ amount: "2500" });
    expect(await again.text()).toBe(await first.text());
    const other = await send(`${node.url}/relayed?q=r2`, payment);
    expect(await other.json()).toMatchObject({ code: "payment_already_used", charged: false });
    expect(before - buyer.balance()).toBe(2_500n);
  });

  test("sent many times at once is taken once", async () => {
    const buyer = createBuyer();
    const before = buyer.balance();
    const url = `${node.url}/relayed?q=m`;
    const payment = await sign(buyer, url);
    const answers = await Promise.all(Array.from({ length: 16 }, () => send(url, payment)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(before - buyer.balance()).toBe(2_500n);
  });
});

describe("a new signature for the same request within a minute", () => {
  test("fetches the earlier answer, takes nothing and names what was taken; X-Allow-Duplicate buys anew", async () => {
    const buyer = createBuyer();
    const before = buyer.balance();
    const url = `${node.url}/relayed?q=d`;
    // Answers of the same bytes are one answer: this one has bytes of its own.
    peer.price = 33_000;
    const first = await buyer.buy(url);
    peer.price = 90_000;
    const settled = node.facilitator.calls.settle;
    const again = await buyer.buy(url);
    expect(again.headers.get("X-Duplicate-Payment-Avoided")).toBe("true");
    expect(again.headers.get("X-Charged")).toBe("0.0033");
    expect(settlementOf(again)).toEqual(settlementOf(first));
    expect(await again.text()).toBe(await first.text());
    expect(node.facilitator.calls.settle).toBe(settled);
    expect(before - buyer.balance()).toBe(3_300n);
    const meant = await buyer.buy(url, { headers: { "X-Allow-Duplicate": "true" } });
    expect(meant.headers.get("X-Duplicate-Payment-Avoided")).toBeNull();
    expect(meant.headers.get("X-Charged")).toBe("0.009");
    expect(before - buyer.balance()).toBe(12_300n);
    // After a minute it is a call of its own.
    node.clock.advance(60_000);
    const later = await buyer.buy(url);
    expect(later.headers.get("X-Duplicate-Payment-Avoided")).toBeNull();
    expect(before - buyer.balance()).toBe(21_300n);
  });
});

describe("what is not the payer's word on our terms is refused before any facilitator hears of it:", () => {
  const { address: stranger } = privateKeyToAccount(generatePrivateKey());
  interface Permit {
    readonly permitted: Record<string, string>;
    readonly witness: Record<string, string>;
  }
  const FORGERIES: readonly (readonly [string, (permit: Permit) => object])[] = [
    ["another spender", () => ({ spender: stranger })],
    ["the proxy of exact", () => ({ spender: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001" })],
    ["another receiver", ({ witness }) => ({ witness: { ...witness, to: stranger } })],
    ["another facilitator", ({ witness }) => ({ witness: { ...witness, facilitator: stranger } })],
    ["a time to come", ({ witness }) => ({ witness: { ...witness, validAfter: "9999999999" } })],
    ["a time that is over", () => ({ deadline: "1" })],
    ["another token", ({ permitted }) => ({ permitted: { ...permitted, token: stranger } })],
    ["more than the ceiling", ({ permitted }) => ({ permitted: { ...permitted, amount: "10001" } })],
    ["less than the ceiling", ({ permitted }) => ({ permitted: { ...permitted, amount: "9999" } })],
    ["a nonce beyond 256 bits", () => ({ nonce: (2n ** 256n).toString() })],
    ["a nonce of another spelling", () => ({ nonce: "007" })],
    ["a member too many", () => ({ more: "1" })],
  ];
  test.each(FORGERIES)("%s", async (_what, change) => {
    const buyer = createBuyer();
    const url = `${node.url}/relayed?q=forged`;
    const payment = await sign(buyer, url);
    const { permit2Authorization } = payment.payload as { permit2Authorization: Permit };
    const permit = { ...permit2Authorization, ...change(permit2Authorization) };
    const before = { ...node.facilitator.calls };
    const refused = await send(url, withPayload(payment, { permit2Authorization: permit }));
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({ charged: false });
    expect(node.facilitator.calls.settle).toBe(before.settle);
    expect(node.facilitator.calls.verify).toBe(before.verify);
  });

  test("a permit where an authorization was accepted, and the reverse", async () => {
    const buyer = createBuyer();
    const url = `${node.url}/relayed?q=mixed`;
    const permit = await sign(buyer, url);
    const required = decodePaymentRequiredHeader((await fetch(url)).headers.get("PAYMENT-REQUIRED") ?? "");
    const exact = required.accepts.filter(({ scheme, network }) => scheme === "exact" && network === NETWORK);
    const client = new x402Client().register("eip155:*", new ExactEvmScheme(buyer.account));
    const authorization = await client.createPaymentPayload({ ...required, accepts: exact });
    const verified = node.facilitator.calls.verify;
    for (const mixed of [
      { ...permit, accepted: exact[0] },
      { ...authorization, accepted: permit.accepted },
      { x402Version: 1, scheme: "upto", network: "base-sepolia", payload: permit.payload },
    ]) {
      const refused = await send(url, mixed);
      expect(refused.status).toBe(402);
      expect(await refused.json()).toMatchObject({ code: "invalid_payment", charged: false });
    }
    expect(node.facilitator.calls.verify).toBe(verified);
  });

  test("a signature of somebody else reaches no settlement", async () => {
    const url = `${node.url}/relayed?q=other`;
    const payment = await sign(createBuyer(), url);
    const { permit2Authorization } = payment.payload as { permit2Authorization: object };
    const settled = node.facilitator.calls.settle;
    const permit = { ...permit2Authorization, from: stranger };
    const refused = await send(url, withPayload(payment, { permit2Authorization: permit }));
    expect(refused.status).toBe(402);
    expect(node.facilitator.calls.settle).toBe(settled);
  });
});

describe("a facilitator", () => {
  /** Settles over another amount than it was told, and says what a test wants. */
  const takeInstead =
    (amount: string, told: string): Reply =>
    async () => {
      const call = JSON.parse(node.facilitator.last.settle) as { paymentRequirements: object };
      const paymentRequirements = { ...call.paymentRequirements, amount };
      const body = JSON.stringify({ ...call, paymentRequirements });
      const headers = { "content-type": "application/json" };
      const done = await fetch(`${node.sandbox.facilitatorUrl()}/settle`, { method: "POST", headers, body });
      return Response.json({ ...((await done.json()) as object), amount: told });
    };
  const open = { status: 503, code: "settlement_unknown" };
  const outcomeOf = async (response: Response) => {
    const { code } = (await response.json()) as { code: string };
    return { status: response.status, code };
  };

  test.each([
    ["more, and says so", "10000"],
    ["less, and says so", "1000"],
  ])("that takes %s, sells nothing: the payment stays open for the operator", async (_what, amount) => {
    const buyer = createBuyer();
    const url = `${node.url}/relayed?q=t${amount}`;
    const payment = await sign(buyer, url);
    node.facilitator.script.settle = takeInstead(amount, amount);
    expect(await outcomeOf(await send(url, payment))).toEqual(open);
    node.clock.advance(3_000);
    expect(await outcomeOf(await send(url, payment))).toEqual(open);
  });

  test("that takes nothing and says another amount is not believed", async () => {
    const buyer = createBuyer();
    const before = buyer.balance();
    const url = `${node.url}/relayed?q=t0`;
    const payment = await sign(buyer, url);
    node.facilitator.script.settle = () =>
      Response.json({ success: true, transaction: `0x${"ab".repeat(32)}`, network: NETWORK, amount: "9" });
    expect(await outcomeOf(await send(url, payment))).toEqual(open);
    expect(buyer.balance()).toBe(before);
  });

  test("that is told twice takes it once, and the answer is handed over at its charge", async () => {
    const buyer = createBuyer();
    const before = buyer.balance();
    const url = `${node.url}/relayed?q=t2`;
    const payment = await sign(buyer, url);
    node.facilitator.script.settle = async (forward) => {
      await forward();
      return forward();
    };
    expect(await outcomeOf(await send(url, payment))).toEqual(open);
    peer.price = 90_000;
    const served = await send(url, payment);
    expect(served.status).toBe(200);
    expect(served.headers.get("X-Charged")).toBe("0.0025");
    expect(before - buyer.balance()).toBe(2_500n);
  });

  test("whose answer got lost after it took the money is not asked for another amount", async () => {
    const buyer = createBuyer();
    const before = buyer.balance();
    const url = `${node.url}/relayed?q=lost`;
    const payment = await sign(buyer, url);
    node.facilitator.script.settle = async (forward) => {
      await forward();
      return new Response("gone", { status: 502 });
    };
    expect(await outcomeOf(await send(url, payment))).toEqual(open);
    peer.price = 90_000;
    const served = await send(url, payment);
    expect(served.status).toBe(200);
    expect(await served.json()).toMatchObject({ data: { n: 25_000 } });
    expect(before - buyer.balance()).toBe(2_500n);
  });

  test("that never heard of it is asked for the stored charge, and no other", async () => {
    const buyer = createBuyer();
    const before = buyer.balance();
    const url = `${node.url}/relayed?q=never`;
    const payment = await sign(buyer, url);
    node.facilitator.script.settle = () => new Response("gone", { status: 502 });
    expect(await outcomeOf(await send(url, payment))).toEqual(open);
    peer.price = 90_000;
    node.facilitator.script.settle = (forward) => forward();
    node.clock.advance(11_000);
    const served = await send(url, payment);
    const told = JSON.parse(node.facilitator.last.settle) as {
      paymentRequirements: { amount: string };
      paymentPayload: { accepted: { scheme: string; amount: string } };
    };
    expect(told.paymentRequirements).toMatchObject({ scheme: "upto", amount: "2500" });
    expect(told.paymentPayload.accepted).toMatchObject({ scheme: "upto", amount: `${PRICE}` });
    expect(served.status).toBe(200);
    expect(await served.json()).toMatchObject({ data: { n: 25_000 } });
    expect(before - buyer.balance()).toBe(2_500n);
  });

  test("that is asked once more and says another amount is not believed then either", async () => {
    const buyer = createBuyer();
    const url = `${node.url}/relayed?q=again`;
    const payment = await sign(buyer, url);
    node.facilitator.script.settle = () => new Response("gone", { status: 502 });
    expect(await outcomeOf(await send(url, payment))).toEqual(open);
    node.facilitator.script.settle = () =>
      Response.json({ success: true, transaction: `0x${"cd".repeat(32)}`, network: NETWORK, amount: "9" });
    node.clock.advance(11_000);
    const asked = node.facilitator.calls.settle;
    expect(await outcomeOf(await send(url, payment))).toEqual(open);
    expect(node.facilitator.calls.settle).toBe(asked + 1);
  });

  test("that refuses takes nothing, and the same signature pays later", async () => {
    const buyer = createBuyer();
    const before = buyer.balance();
    const url = `${node.url}/relayed?q=refused`;
    const payment = await sign(buyer, url);
    const refusal = { success: false, errorReason: "permit2_allowance_required", transaction: "", network: NETWORK };
    node.facilitator.script.settle = () => Response.json(refusal);
    expect(await (await send(url, payment)).json()).toMatchObject({ code: "settlement_failed", charged: false });
    node.facilitator.script.settle = (forward) => forward();
    peer.price = 40_000;
    expect(settlementOf(await send(url, payment))).toMatchObject({ amount: "4000" });
    expect(before - buyer.balance()).toBe(4_000n);
  });

  test("that misses an allowance tells the buyer what to do, and to send the same payment again", async () => {
    const url = `${node.url}/relayed?q=allowance`;
    const payment = await sign(createBuyer(), url);
    node.facilitator.script.verify = () =>
      Response.json({ isValid: false, invalidReason: "permit2_allowance_required", payer: "" });
    expect(await (await send(url, payment)).json()).toMatchObject({
      diagnostic: { reason: "permit2_allowance_required", retryable: true, same_payment: true },
    });
  });
});

describe("work that breaks off", () => {
  /** A call whose work ends right before a step, as when the machine stops there. */
  async function breakAt(step: { run: unknown }, url: string) {
    const buyer = createBuyer();
    const before = buyer.balance();
    const payment = await sign(buyer, url);
    const broken = spyOn(step as { run: () => unknown }, "run").mockImplementation(() => {
      throw new Error("stopped by the test");
    });
    try {
      expect((await send(url, payment)).status).toBeGreaterThanOrEqual(500);
    } finally {
      broken.mockRestore();
    }
    // What is counted from now on would cost more.
    peer.price = 90_000;
    return { payment, spent: () => before - buyer.balance() };
  }

  test("before the answer was kept charges nothing, and the same signature buys a new one", async () => {
    const url = `${node.url}/relayed?q=before-keep`;
    const { payment, spent } = await breakAt(keepStep, url);
    expect(spent()).toBe(0n);
    expect(settlementOf(await send(url, payment))).toMatchObject({ amount: "9000" });
    expect(spent()).toBe(9_000n);
  });

  test("before anybody was asked for the money is taken up at the stored charge", async () => {
    const url = `${node.url}/relayed?q=before-settle`;
    const { payment, spent } = await breakAt(settleStep, url);
    expect(spent()).toBe(0n);
    expect((await send(url, payment)).status).toBe(503);
    node.clock.advance(11_000);
    const served = await send(url, payment);
    expect(served.status).toBe(200);
    expect(settlementOf(served)).toMatchObject({ amount: "2500" });
    expect(spent()).toBe(2_500n);
  });

  test("after the money was taken hands over what it paid for", async () => {
    const url = `${node.url}/relayed?q=before-record`;
    const { payment, spent } = await breakAt(recordStep, url);
    expect(spent()).toBe(2_500n);
    const served = await send(url, payment);
    expect(served.status).toBe(200);
    expect(served.headers.get("X-Charged")).toBe("0.0025");
    expect(spent()).toBe(2_500n);
  });
});

test("a facilitator that takes more than it says is found out by the look at the chain", async () => {
  const config = `${UPTO}[payments.channels]\nenabled = false\n`;
  const careful = await startMoneyNode(`confirm_always = true\n${config}`, undefined, {
    timeout: "5s",
    products: [relayed("/relayed")],
  });
  try {
    const url = `${careful.url}/relayed?q=more`;
    const payment = await sign(createBuyer(), url);
    careful.facilitator.script.settle = async () => {
      const call = JSON.parse(careful.facilitator.last.settle) as { paymentRequirements: object };
      const body = JSON.stringify({ ...call, paymentRequirements: { ...call.paymentRequirements, amount: "10000" } });
      const headers = { "content-type": "application/json" };
      const done = await fetch(`${careful.sandbox.facilitatorUrl()}/settle`, { method: "POST", headers, body });
      return Response.json({ ...((await done.json()) as object), amount: "2500" });
    };
    const response = await send(url, payment);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
    expect((await careful.node.audit()).findings).toEqual([]);
  } finally {
    await careful.stop();
  }
});
