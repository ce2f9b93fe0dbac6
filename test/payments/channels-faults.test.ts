import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupLedger } from "../../src/ledger/backup.ts";
import { createLog } from "../../src/telemetry/log.ts";
import {
  type ChannelBuyer,
  createBuyer,
  send,
  settlementOf,
  sign,
  startChannelNode,
} from "../helpers/channel-buyers.ts";
import type { MoneyNode } from "../helpers/money-node.ts";

const DAY_MS = 86_400_000;

const totals = async (of: MoneyNode) => (await of.node.channelTotals())[0];
const audited = async (of: MoneyNode) => expect((await of.node.audit()).findings).toEqual([]);
const chargedOf = (response: Response) => settlementOf(response).extra?.channelState.chargedCumulativeAmount;

/** A node whose first round of claims is over, for one test. */
async function withNode(work: (node: MoneyNode) => Promise<void>): Promise<void> {
  const node = await startChannelNode();
  try {
    await work(node);
  } finally {
    await node.stop();
  }
}

describe("books of yesterday", () => {
  /** Two calls, a backup, two more, whatever `then` does; and the node that has only the backup. */
  async function restoreAfter(
    then: (node: MoneyNode) => Promise<void>,
    work: (restored: MoneyNode, buyer: ChannelBuyer, events: () => readonly Record<string, unknown>[]) => Promise<void>,
  ): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "channels-backup-"));
    const books = join(folder, "ledger.db");
    await withNode(async (node) => {
      const buyer = createBuyer(node);
      for (const n of [1, 2]) expect((await buyer.buy(`${node.url}/one?q=${n}`)).status).toBe(200);
      // All claimed, and a day ago: nothing but the voucher itself makes the node look at this channel.
      await node.node.runChannels({ all: true });
      expect(backupLedger(join(node.data, "ledger.db"), books).file).toBe(books);
      for (const n of [3, 4]) expect((await buyer.buy(`${node.url}/one?q=${n}`)).status).toBe(200);
      await then(node);
      node.clock.set(node.clock.now() + DAY_MS + 60_000);
      let lines = "";
      const write = (text: string) => {
        lines += text;
      };
      const log = createLog({ level: "info", format: "json", secrets: [], write });
      const events = () =>
        lines
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Record<string, unknown>);
      const restored = await startChannelNode({ books, beside: node, log });
      try {
        await work(restored, buyer, events);
        await audited(restored);
      } finally {
        await restored.stop();
      }
    }).finally(() => rmSync(folder, { recursive: true, force: true }));
  }

  test("forget vouchers: the client signs on from them, nothing is charged twice, what is lost is named", async () => {
    await restoreAfter(
      async () => undefined,
      async (restored, buyer, events) => {
        const response = await buyer.buy(`${restored.url}/two`);
        expect(response.status).toBe(200);
        // Four answers of 10,000 were delivered; the books know of two, and of this one.
        expect(chargedOf(response)).toBe("30000");
        expect(await totals(restored)).toMatchObject({ earned: 30_000n, owed: 20_000n, lost: 0n });
        const ahead = events().filter(({ event }) => event === "channel_voucher_ahead");
        expect(ahead).toMatchObject([{ payer: buyer.address, charged: "20000", signed: "50000", forgotten: "20000" }]);
      },
    );
  });

  test("that forget a claim learn of it from the chain before they sell for vouchers it has paid", async () => {
    await restoreAfter(
      (node) => node.node.runChannels({ all: true }),
      async (restored, buyer) => {
        const response = await buyer.buy(`${restored.url}/two`);
        expect(response.status).toBe(200);
        expect(chargedOf(response)).toBe("50000");
        expect((await totals(restored))?.unclaimed).toBe(10_000n);
        await restored.node.runChannels({ all: true });
        expect(await totals(restored)).toMatchObject({ earned: 30_000n, unclaimed: 0n, lost: 0n });
      },
    );
  });
});

describe("a clock that is wrong by a day", () => {
  test.each([1, -1])("%p: vouchers are as good as before, a deposit out of its time charges nothing", async (days) => {
    await withNode(async (node) => {
      const buyer = createBuyer(node);
      expect((await buyer.buy(`${node.url}/one?q=a`)).status).toBe(200);
      const kept = await sign(buyer, `${node.url}/one?q=b`);
      expect((await send(`${node.url}/one?q=b`, kept)).status).toBe(200);
      const late = await sign(createBuyer(node), `${node.url}/two`);
      const before = await totals(node);
      node.clock.set(node.clock.now() + days * DAY_MS);
      expect((await send(`${node.url}/two`, late)).status).toBe(days > 0 ? 402 : 200);
      if (days > 0) expect(await totals(node)).toEqual(before);
      // The answer is kept for ten minutes: after that the same voucher buys nothing, and is not charged again.
      expect((await send(`${node.url}/one?q=b`, kept)).status).toBe(days > 0 ? 402 : 200);
      const response = await buyer.restart().buy(`${node.url}/two`);
      expect([response.status, chargedOf(response)]).toEqual([200, "30000"]);
      await audited(node);
    });
  });

  test("set back, it does not put off claims by time", async () => {
    await withNode(async (node) => {
      const buyer = createBuyer(node);
      node.clock.set(node.clock.now() + DAY_MS);
      await node.node.runChannels();
      node.clock.set(node.clock.now() - DAY_MS);
      expect((await buyer.buy(`${node.url}/one`)).status).toBe(200);
      await node.node.runChannels();
      expect(await totals(node)).toMatchObject({ unclaimed: 0n, swept: 10_000n });
      await audited(node);
    });
  });
});

test("a silent RPC stops no sale and holds no round up; what was claimed is booked when it speaks", async () => {
  await withNode(async (node) => {
    let asked = 0;
    const silent = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch() {
        asked += 1;
        return new Response("gone", { status: 503 });
      },
    });
    const buyers = Array.from({ length: 8 }, () => createBuyer(node));
    const honest = node.sandbox.rpcUrl;
    Object.assign(node.sandbox, { rpcUrl: () => `http://127.0.0.1:${silent.port}` });
    try {
      for (const buyer of buyers) {
        expect((await buyer.buy(`${node.url}/one`)).status).toBe(200);
        expect((await buyer.buy(`${node.url}/two`)).status).toBe(200);
      }
      asked = 0;
      await node.node.runChannels({ all: true });
      // Three questions of each channel it tried: a few channels, not each of them.
      expect(asked).toBeLessThanOrEqual(18);
      expect(await totals(node)).toMatchObject({ earned: 160_000n, unclaimed: 160_000n });
    } finally {
      Object.assign(node.sandbox, { rpcUrl: honest });
      await silent.stop(true);
    }
    await node.node.runChannels({ all: true });
    expect(await totals(node)).toMatchObject({ earned: 160_000n, unclaimed: 0n, swept: 160_000n });
    await audited(node);
  });
});

test("refunds in a loop: none of nothing reaches a facilitator, small ones stop at three", async () => {
  await withNode(async (node) => {
    const buyer = createBuyer(node);
    const url = `${node.url}/one`;
    expect((await buyer.buy(url)).status).toBe(200);
    const { payload, ...rest } = await sign(buyer, url);
    const { voucher, ...parts } = payload as { readonly voucher: Record<string, string> };
    const settled = node.facilitator.calls.settle;
    const again = await buyer.scheme.refund(url, { amount: "1" });
    expect(again).toMatchObject({ success: true, amount: "1" });
    for (let n = 0; n < 20; n += 1) {
      const zero = await send(url, { ...rest, payload: { ...parts, voucher, type: "refund", amount: "0" } });
      expect(zero.status).toBe(402);
    }
    expect(node.facilitator.calls.settle - settled).toBe(1);
    for (const _ of [2, 3]) expect(await buyer.scheme.refund(url, { amount: "1" })).toMatchObject({ amount: "1" });
    for (let n = 0; n < 20; n += 1) {
      await expect(buyer.scheme.refund(url, { amount: "1" })).rejects.toThrow();
    }
    expect(node.facilitator.calls.settle - settled).toBe(3);
    expect(await totals(node)).toMatchObject({ earned: 10_000n, owed: 39_997n });
    await audited(node);
  });
});
