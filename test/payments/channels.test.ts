import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import type { PaymentPayload } from "@x402/core/types";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { x402Client } from "@x402/fetch";
import { encodeFunctionData, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { CHANNEL_ABI } from "../../src/payments/channels/abi.ts";
import {
  createBuyer as createChannelBuyer,
  errorOf,
  NETWORK,
  send,
  settlementOf,
  sign,
  startChannelNode,
  withPayload,
} from "../helpers/channel-buyers.ts";
import { type MoneyNode, startMoneyNode, WALLETS } from "../helpers/money-node.ts";
import { spellSignature } from "../helpers/signature-spellings.ts";

/** What keys signed of a payment for a channel. */
interface SignedParts {
  readonly voucher: { signature: string };
  readonly deposit?: { readonly authorization: { readonly erc3009Authorization: { signature: string } } };
}

const PRICE = 10_000n;
const CONTRACT = "0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003";
const SELLER = WALLETS.base.toLowerCase();
const TERMS = "invalid_batch_settlement_evm_";

let node: MoneyNode;
beforeAll(async () => {
  node = await startChannelNode();
});
afterAll(() => node.stop());

const createBuyer = (of: MoneyNode = node) => createChannelBuyer(of);
async function balance(address: string, of = node): Promise<bigint> {
  const chain = (await (await fetch(`${of.url}/__sandbox/chain`)).json()) as {
    balances: Record<string, Record<string, string>>;
  };
  return BigInt(chain.balances[NETWORK]?.[address] ?? "0");
}
const totals = async (of = node) => (await of.node.channelTotals())[0];
const audited = async (of = node) => expect((await of.node.audit()).findings).toEqual([]);

describe("the official client", () => {
  test("opens a channel with one deposit, and pays many calls from it without a facilitator", async () => {
    const buyer = createBuyer();
    const before = await balance(CONTRACT);
    const first = await buyer.buy(`${node.url}/one?q=a`);
    expect(first.status).toBe(200);
    const opened = settlementOf(first);
    expect(opened).toMatchObject({ success: true, amount: "50000", payer: buyer.address });
    expect(opened.extra).toMatchObject({ chargedAmount: "10000", channelState: { balance: "50000" } });
    expect(opened.transaction).toMatch(/^0x[0-9a-f]{64}$/);
    expect((await balance(CONTRACT)) - before).toBe(50_000n);
    const asked = { ...node.facilitator.calls };
    for (let n = 2; n <= 5; n += 1) {
      const response = await buyer.buy(`${node.url}/one?q=a${n}`);
      expect(response.status).toBe(200);
      const { transaction, amount, extra } = settlementOf(response);
      expect({ transaction, amount }).toEqual({ transaction: "", amount: "" });
      expect(extra).toMatchObject({
        chargedAmount: "10000",
        channelState: { chargedCumulativeAmount: String(PRICE * BigInt(n)), balance: "50000" },
      });
    }
    expect(node.facilitator.calls).toEqual(asked);
    // The deposit is used up: the client puts more in by itself.
    const topped = await buyer.buy(`${node.url}/two`);
    expect(settlementOf(topped)).toMatchObject({ amount: "50000", extra: { channelState: { balance: "100000" } } });
    await audited();
  });

  test("is not charged for a call that fails, and the same voucher buys the next one", async () => {
    const buyer = createBuyer();
    await buyer.buy(`${node.url}/one?q=b`);
    const url = `${node.url}/one?q=b2`;
    const payment = await sign(buyer, url);
    node.work.produce = () => Promise.reject(new Error("no data"));
    const failed = await send(url, payment).finally(() => {
      node.work.produce = async () => undefined;
    });
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(await failed.json()).toMatchObject({ charged: false });
    const served = await send(`${node.url}/two`, payment);
    expect(served.status).toBe(200);
    expect(settlementOf(served).extra?.channelState.chargedCumulativeAmount).toBe("20000");
    await audited();
  });

  test("recovers by itself when it has forgotten its channel, and when the node has moved on", async () => {
    const buyer = createBuyer();
    await buyer.buy(`${node.url}/one?q=c`);
    await buyer.buy(`${node.url}/one?q=c2`);
    const anew = buyer.restart();
    const response = await anew.buy(`${node.url}/two`);
    expect(response.status).toBe(200);
    expect(settlementOf(response).extra?.channelState.chargedCumulativeAmount).toBe("30000");
    await audited();
  });

  test("gets back what it asks for, then the rest, and opens the channel again", async () => {
    const buyer = createBuyer();
    const url = `${node.url}/one?q=d`;
    await buyer.buy(url);
    const before = await balance(buyer.address);
    const produced = node.work.produced;
    const part = await buyer.scheme.refund(url, { amount: "15000" });
    expect(part).toMatchObject({ success: true, amount: "15000", extra: { channelState: { balance: "35000" } } });
    expect((await balance(buyer.address)) - before).toBe(15_000n);
    await buyer.buy(`${node.url}/one?q=d2`);
    const rest = await buyer.scheme.refund(url);
    expect(rest).toMatchObject({ success: true, amount: "15000", extra: { channelState: { totalClaimed: "20000" } } });
    expect((await balance(buyer.address)) - before).toBe(30_000n);
    expect(node.work.produced).toBe(produced + 1);
    const again = await buyer.buy(`${node.url}/two`);
    expect(again.status).toBe(200);
    expect(settlementOf(again).extra?.channelState.chargedCumulativeAmount).toBe("30000");
    await audited();
  });
});

describe("the same voucher again", () => {
  test("is answered with the stored bytes, five times bare, always with its name, and never charged", async () => {
    const buyer = createBuyer();
    await buyer.buy(`${node.url}/one?q=e`);
    const url = `${node.url}/one?q=e2`;
    const payment = await sign(buyer, url);
    const name = { "Idempotency-Key": "a-name-that-only-i-know" };
    const first = await send(url, payment, name);
    const bytes = await first.text();
    expect(first.status).toBe(200);
    for (let n = 0; n < 5; n += 1) {
      const again = await send(url, payment);
      expect([again.status, await again.text()]).toEqual([200, bytes]);
      expect(again.headers.get("X-Idempotent-Replay")).toBe("true");
      expect(settlementOf(again).extra).toMatchObject({ chargedAmount: "10000" });
    }
    expect((await send(url, payment)).status).toBe(402);
    expect(await (await send(url, payment, name)).text()).toBe(bytes);
    expect(settlementOf(await buyer.restart().buy(`${node.url}/two`)).extra?.channelState.chargedCumulativeAmount).toBe(
      "30000",
    );
    await audited();
  });

  test("64 at once are one call, and 64 different ones on one channel at most one", async () => {
    const buyer = createBuyer();
    await buyer.buy(`${node.url}/one?q=f`);
    const payment = await sign(buyer, `${node.url}/one?q=f2`);
    const produced = node.work.produced;
    const same = await Promise.all(Array.from({ length: 64 }, () => send(`${node.url}/one?q=f2`, payment)));
    expect(same.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(node.work.produced).toBe(produced + 1);
    const anew = buyer.restart();
    await anew.buy(`${node.url}/two`);
    const next = await sign(anew, `${node.url}/one?q=f3`);
    const earned = (await totals())?.earned ?? 0n;
    const steps = await Promise.all(Array.from({ length: 64 }, (_, n) => send(`${node.url}/one?q=f-${n}`, next)));
    expect(steps.filter(({ status }) => status === 200)).toHaveLength(1);
    const words = new Set(steps.filter(({ status }) => status !== 200).map(errorOf));
    expect([...words].every((word) => /^invalid_batch_settlement_evm_(channel_busy|cumulative_)/.test(word))).toBe(
      true,
    );
    expect((await totals())?.earned).toBe(earned + PRICE);
    await audited();
  });
});

describe("attacks", () => {
  test("what is not this channel's next voucher changes nothing", async () => {
    const [a, b] = [createBuyer(), createBuyer()];
    await a.buy(`${node.url}/one?q=g`);
    await b.buy(`${node.url}/one?q=g`);
    const url = `${node.url}/one?q=g2`;
    const [pay_a, pay_b] = [await sign(a, url), await sign(b, url)];
    const before = await totals();
    type Parts = { voucher: Record<string, string>; channelConfig: Record<string, unknown> };
    const [of_a, of_b] = [pay_a.payload, pay_b.payload] as unknown as [Parts, Parts];
    const stranger = privateKeyToAccount(generatePrivateKey());
    const wrong: readonly (readonly [string, object])[] = [
      ["channel_id_mismatch", { channelConfig: of_b.channelConfig }],
      ["voucher_signature", { voucher: { ...of_a.voucher, signature: of_b.voucher.signature } }],
      ["voucher_signature", { voucher: { ...of_a.voucher, maxClaimableAmount: "20001" } }],
      ["voucher_payload", { voucher: { ...of_a.voucher, maxClaimableAmount: "1".repeat(30) } }],
      ["voucher_payload", { voucher: { ...of_a.voucher, signature: "0x" } }],
      ["payload_type", { type: "claim" }],
      ["channel_id_mismatch", { channelConfig: { ...of_a.channelConfig, receiver: stranger.address } }],
      ["deposit_payload", { type: "deposit" }],
      ["refund_payload", { type: "refund", amount: 5 }],
      ["refund_amount_invalid", { type: "refund", amount: "0" }],
    ];
    for (const [word, change] of wrong) {
      const response = await send(url, withPayload(pay_a, change));
      const expected = word === "refund_amount_invalid" ? /cumulative_amount_mismatch|refund_amount_invalid/ : word;
      expect(response.status).toBe(402);
      expect(errorOf(response)).toMatch(
        new RegExp(`^${TERMS}(${expected instanceof RegExp ? expected.source : expected})$`),
      );
    }
    const other_chain = { ...pay_a, accepted: { ...pay_a.accepted, network: "eip155:8453" } };
    expect((await send(url, other_chain)).status).toBe(402);
    expect(await totals()).toEqual(before);
    expect((await send(url, pay_a)).status).toBe(200);
    await audited();
  });

  test("a corrective 402 names the channel and its last voucher, in a head that fits", async () => {
    const buyer = createBuyer();
    await buyer.buy(`${node.url}/one?q=h`);
    const old = await sign(buyer, `${node.url}/one?q=h2`);
    await send(`${node.url}/one?q=h2`, old);
    const response = await send(`${node.url}/two`, old);
    expect(response.status).toBe(402);
    expect(errorOf(response)).toBe(`${TERMS}cumulative_amount_mismatch`);
    const { accepts } = decodePaymentRequiredHeader(response.headers.get("PAYMENT-REQUIRED") ?? "");
    expect(accepts).toHaveLength(1);
    expect(accepts[0]?.extra).toMatchObject({
      channelState: { chargedCumulativeAmount: "20000", balance: "50000" },
      voucherState: {
        signedMaxClaimable: "20000",
        signature: (old.payload as never as { voucher: { signature: string } }).voucher.signature,
      },
    });
    const body = (await response.json()) as { accepts: { scheme: string }[] };
    expect(body.accepts.map(({ scheme }) => scheme)).toContain("exact");
    expect([...response.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 40)).toBeLessThan(
      4_000,
    );
  });

  test("a flood of salts without money opens no channel", async () => {
    const before = (await totals())?.channels ?? 0;
    const poor = createBuyer();
    await fetch(`${node.url}/__sandbox/fund`, {
      method: "POST",
      body: JSON.stringify({ network: NETWORK, address: poor.account.address, amount_atomic: "1" }),
    });
    for (let n = 1; n <= 10; n += 1) {
      const salt = `0x${n.toString(16).padStart(64, "0")}` as const;
      const signer = { ...poor.account };
      const client = new x402Client().register("eip155:*", new BatchSettlementEvmScheme(signer as never, { salt }));
      const response = await send(`${node.url}/one?q=i`, await sign({ client }, `${node.url}/one?q=i`));
      expect(response.status).toBe(402);
      expect(errorOf(response)).toBe(`${TERMS}insufficient_balance`);
    }
    expect((await totals())?.channels ?? 0).toBe(before);
    await audited();
  });
});

describe("a facilitator that fails", () => {
  const failing = async (settle: typeof node.facilitator.script.settle, work: () => Promise<void>) => {
    const { script } = node.facilitator;
    const honest = script.settle;
    script.settle = settle;
    await work().finally(() => {
      script.settle = honest;
    });
  };

  test.each<[what: string, members: object]>([
    ["as the protocol has it", { transaction: "", network: NETWORK }],
    ["with blank members", { transaction: "", network: "", payer: "" }],
    ["with null members", { transaction: null, network: null, payer: null }],
    ["with a number as reason", { errorReason: 7 }],
  ])("a deposit that is refused (%s) withholds the data and leaves nothing", async (_what, members) => {
    const buyer = createBuyer();
    const before = await totals();
    const refusal = { success: false, errorReason: `${TERMS}deposit_simulation_failed`, ...members };
    await failing(
      () => Response.json(refusal),
      async () => {
        const payment = await sign(buyer, `${node.url}/one?q=j`);
        const response = await send(`${node.url}/one?q=j`, payment);
        expect(response.status).toBe(402);
        expect(await response.json()).toMatchObject({ code: "settlement_failed", charged: false });
      },
    );
    expect(await totals()).toEqual(before);
    await audited();
  });

  test("a deposit that landed unheard of is found on the chain, with its answer for the same payment", async () => {
    const buyer = createBuyer();
    const url = `${node.url}/one?q=k`;
    const payment = await sign(buyer, url);
    const produced = node.work.produced;
    await failing(
      async (forward) => {
        await forward();
        return new Response("gone", { status: 502 });
      },
      async () => {
        const response = await send(url, payment);
        expect(response.status).toBe(503);
        expect(await response.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
      },
    );
    const again = await send(url, payment);
    expect(again.status).toBe(200);
    expect(again.headers.get("X-Idempotent-Replay")).toBe("true");
    expect(node.work.produced).toBe(produced + 1);
    expect((await buyer.restart().buy(`${node.url}/two`)).status).toBe(200);
    await audited();
  });

  test("a deposit that never came charges nothing, and frees the channel when its time is over", async () => {
    const late = await startChannelNode();
    try {
      const buyer = createBuyer(late);
      const url = `${late.url}/one?q=l`;
      const payment = await sign(buyer, url);
      late.facilitator.script.settle = () => new Response("gone", { status: 502 });
      expect((await send(url, payment)).status).toBe(503);
      expect((await send(url, payment)).status).toBe(503);
      expect((await totals(late))?.earned).toBe(0n);
      late.clock.set(late.clock.now() + 600_000);
      await late.node.runChannels();
      late.clock.set(late.clock.now() + 10_000);
      await late.node.runChannels();
      expect(await totals(late)).toBeUndefined();
      await audited(late);
    } finally {
      await late.stop();
    }
  });
});

describe("what was earned", () => {
  const claimMany = async () => {
    const own = await startChannelNode();
    try {
      const buyers = Array.from({ length: 26 }, () => createBuyer(own));
      for (const [n, buyer] of buyers.entries()) {
        await buyer.buy(`${own.url}/one?q=${n}`);
        await buyer.buy(`${own.url}/two`);
      }
      expect(await totals(own)).toMatchObject({ channels: 26, earned: 520_000n, unclaimed: 520_000n, owed: 780_000n });
      const settled = own.facilitator.calls.settle;
      await own.node.runChannels({ all: true });
      // 25 channels, one more, and one sweep.
      expect(own.facilitator.calls.settle - settled).toBe(3);
      expect(await totals(own)).toMatchObject({ unclaimed: 0n, unswept: 0n, swept: 520_000n, owed: 780_000n });
      expect(await balance(SELLER, own)).toBe(520_000n);
      expect(await balance(CONTRACT, own)).toBe(780_000n);
      await own.node.runChannels({ all: true });
      expect(own.facilitator.calls.settle - settled).toBe(3);
      await audited(own);
    } finally {
      await own.stop();
    }
  };
  test("is claimed 25 channels a transaction, and swept to the wallet to the atomic unit", claimMany);

  test.each(["v of 0 or 1", "64 bytes"] as const)(
    "that was signed with %s is claimed, and bought once",
    async (name) => {
      const own = await startChannelNode();
      try {
        const buyer = createBuyer(own);
        const respell = (payment: PaymentPayload): PaymentPayload => {
          const respelled = structuredClone(payment) as unknown as { payload: SignedParts };
          const { voucher, deposit } = respelled.payload;
          voucher.signature = spellSignature(voucher.signature)[name];
          const transfer = deposit?.authorization.erc3009Authorization;
          if (transfer) transfer.signature = spellSignature(transfer.signature)[name];
          return respelled as unknown as PaymentPayload;
        };
        const url = `${own.url}/one?q=spelled`;
        const first = await sign(buyer, url);
        const sold = await send(url, respell(first));
        expect(sold.status).toBe(200);
        const body = await sold.text();
        // The same voucher in the usual spelling is the same payment.
        const again = await send(url, first);
        expect([again.status, await again.text()]).toEqual([200, body]);
        expect(await totals(own)).toMatchObject({ earned: PRICE, unclaimed: PRICE });
        await own.node.runChannels({ all: true });
        expect(await totals(own)).toMatchObject({ unclaimed: 0n, swept: PRICE });
        await audited(own);
      } finally {
        await own.stop();
      }
    },
  );

  test("is not booked as claimed on a facilitator's word alone", async () => {
    const own = await startChannelNode();
    try {
      const buyer = createBuyer(own);
      await buyer.buy(`${own.url}/one?q=m`);
      const honest = own.facilitator.script.settle;
      const lie = { success: true, transaction: `0x${"7".repeat(64)}`, network: NETWORK, amount: "" };
      own.facilitator.script.settle = () => Response.json(lie);
      await own.node.runChannels({ all: true });
      expect(await totals(own)).toMatchObject({ unclaimed: 10_000n });
      own.facilitator.script.settle = honest;
      await own.node.runChannels({ all: true });
      expect(await totals(own)).toMatchObject({ unclaimed: 0n, swept: 10_000n });
      await audited(own);
    } finally {
      await own.stop();
    }
  });

  test("is claimed before a channel, or all of them, have more unclaimed than the operator wants", async () => {
    const limits = 'enabled = true\nclaim_sum = "1000"\nunclaimed_max = "0.02"\nunclaimed_all_max = "0.03"\n';
    const own = await startMoneyNode(`[payments.channels]\n${limits}`, undefined, { timeout: "5s" });
    try {
      await own.node.runChannels();
      const [a, b] = [createBuyer(own), createBuyer(own)];
      for (let n = 0; n < 3; n += 1) expect((await a.buy(`${own.url}/one?q=${n}`)).status).toBe(200);
      expect(await totals(own)).toMatchObject({ earned: 30_000n, unclaimed: 10_000n });
      for (let n = 0; n < 2; n += 1) expect((await b.buy(`${own.url}/one?q=${n}`)).status).toBe(200);
      expect((await totals(own))?.unclaimed).toBeLessThanOrEqual(30_000n);
      const honest = own.facilitator.script.settle;
      own.facilitator.script.settle = () => new Response("gone", { status: 502 });
      expect((await a.buy(`${own.url}/one?q=x`)).status).toBe(200);
      expect((await a.buy(`${own.url}/one?q=y`)).status).toBe(503);
      own.facilitator.script.settle = honest;
      expect((await a.buy(`${own.url}/one?q=y`)).status).toBe(200);
      await audited(own);
    } finally {
      await own.stop();
    }
  });

  test("is claimed at once when its payer withdraws, and nothing more is sold to him", async () => {
    const own = await startChannelNode();
    try {
      const buyer = createBuyer(own);
      const payment = await sign(buyer, `${own.url}/one?q=n`);
      expect((await send(`${own.url}/one?q=n`, payment)).status).toBe(200);
      await own.node.runChannels({ all: true });
      await buyer.buy(`${own.url}/two`);
      const { channelConfig } = payment.payload as never as { channelConfig: never };
      const call = async (functionName: "initiateWithdraw" | "finalizeWithdraw", ...more: readonly bigint[]) => {
        const data = encodeFunctionData({
          abi: parseAbi(CHANNEL_ABI),
          functionName,
          args: [channelConfig, ...more] as never,
        });
        const body = JSON.stringify({ network: NETWORK, data, sender: buyer.account.address });
        return (await fetch(`${own.url}/__sandbox/contract`, { method: "POST", body })).status;
      };
      expect(await call("initiateWithdraw", 40_000n)).toBe(200);
      await own.node.runChannels();
      expect(await totals(own)).toMatchObject({ withdrawing: 1, earned: 20_000n, unclaimed: 0n, swept: 20_000n });
      const refused = await send(`${own.url}/two`, await sign(buyer.restart(), `${own.url}/two`));
      expect(refused.status).toBe(402);
      own.clock.set(own.clock.now() + 25 * 3_600_000);
      expect(await call("finalizeWithdraw")).toBe(200);
      await own.node.runChannels();
      expect(await totals(own)).toMatchObject({ withdrawing: 0, owed: 0n, lost: 0n });
      await audited(own);
    } finally {
      await own.stop();
    }
  });
});

describe("the offer", () => {
  test("stands beside exact in the 402, of a plan too", async () => {
    const { accepts } = decodePaymentRequiredHeader(
      (await fetch(`${node.url}/one`)).headers.get("PAYMENT-REQUIRED") ?? "",
    );
    const offered = accepts.filter(({ scheme }) => scheme === "batch-settlement");
    expect(accepts[0]?.scheme).toBe("exact");
    expect(offered).toMatchObject([
      { network: NETWORK, amount: "10000", payTo: WALLETS.base, extra: { withdrawDelay: 86_400, name: "USDC" } },
    ]);
    expect(String(offered[0]?.extra.receiverAuthorizer)).toMatch(/^0x[0-9a-fA-F]{40}$/);
    const plan = await fetch(`${node.url}/buy-credits`);
    const of_plan = decodePaymentRequiredHeader(plan.headers.get("PAYMENT-REQUIRED") ?? "").accepts;
    expect(of_plan.filter(({ scheme }) => scheme === "batch-settlement")).toMatchObject([{ amount: "10000" }]);
    expect(await (await fetch(`${node.url}/one?x402Version=1`)).text()).not.toContain("batch-settlement");
  });

  test("is not there unless the operator wants it", async () => {
    const plain = await startMoneyNode("", undefined, { timeout: "5s" });
    try {
      expect(await (await fetch(`${plain.url}/one`)).text()).not.toContain("batch-settlement");
    } finally {
      await plain.stop();
    }
  });
});
