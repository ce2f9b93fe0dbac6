import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  createBuyer,
  errorOf,
  send,
  settlementOf,
  sign,
  startChannelNode,
  withPayload,
} from "../../helpers/channel-buyers.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { repeat } from "../../helpers/effort.ts";
import type { MoneyNode } from "../../helpers/money-node.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";

const why = whyNoPostgres();
if (why !== null) noteSkipped("payment channels of two nodes on one ledger", why);
const ROUNDS = repeat({ quick: 6, full: 40, long: 400 });
const PRICE = 10_000n;
const REFUSED = /^invalid_batch_settlement_evm_(channel_busy|cumulative_amount_mismatch)$/;

let server: PostgresServer;
let nodes: readonly [MoneyNode, MoneyNode];
beforeAll(async () => {
  if (why !== null) return;
  server = await startPostgres();
  const nodeOf = (name: string) =>
    `[ledger]\nurl = "${server.url}?schema=channels"\n` +
    `[node]\ncluster = true\ninstance = "${name}"\npublic_url = "https://node.example.com"\n`;
  const first = await startChannelNode({}, nodeOf("node-a"));
  nodes = [first, await startChannelNode({ beside: first }, nodeOf("node-b"))];
});
afterAll(async () => {
  if (why !== null) return;
  await nodes[1].stop();
  await nodes[0].stop();
  await server.stop();
});

const totals = async () => (await nodes[0].node.channelTotals())[0];
const audited = async () => expect((await nodes[1].node.audit()).findings).toEqual([]);

describe.skipIf(why !== null)("two nodes on one ledger", () => {
  test("never both accept one step: who was second is told where the channel stands, uncharged", async () => {
    const [a, b] = nodes;
    const buyer = createBuyer(a);
    expect((await buyer.buy(`${a.url}/one?q=open`)).status).toBe(200);
    let sold = 1n;
    for (let round = 0; round < ROUNDS; round += 1) {
      // What was signed for one node pays at the other as well, for whatever it is sent with.
      const payment = await sign(buyer, `${a.url}/one?q=${round}`);
      const both = await Promise.all([
        send(`${a.url}/one?q=${round}`, payment),
        send(`${b.url}/one?q=${round}-other`, payment),
      ]);
      const [served, ...rest] = both.toSorted((x, y) => x.status - y.status);
      const [status, second] = [served?.status, rest[0] as Response];
      // A top-up that the other node is sending at that very moment: nobody knows yet how it ends.
      const is_sent = payment.payload.type === "deposit" && second.status === 503;
      expect([status, is_sent || second.status]).toEqual([200, is_sent || 402]);
      if (is_sent) expect(await second.json()).toMatchObject({ code: "settlement_unknown" });
      else expect(errorOf(second)).toMatch(REFUSED);
      sold += 1n;
      const { extra } = settlementOf(served as Response);
      expect(extra?.channelState.chargedCumulativeAmount).toBe(String(PRICE * sold));
      expect((await totals())?.earned).toBe(PRICE * sold);
      // A client that lost its answer hears from either node what it needs to go on. Another question each time: where
      // the chain alone told it, it signs what it signed before, and the same question would be answered from then.
      Object.assign(buyer, buyer.restart());
      expect((await buyer.buy(`${nodes[round % 2]?.url}/one?q=then-${round}`)).status).toBe(200);
      sold += 1n;
    }
    expect((await totals())?.earned).toBe(PRICE * sold);
    await audited();
  });

  test("the same call sent to both is one sale, and its answer is fetched from either", async () => {
    const [a, b] = nodes;
    const buyer = createBuyer(b);
    expect((await buyer.buy(`${b.url}/one?q=open`)).status).toBe(200);
    const before = (await totals())?.earned ?? 0n;
    const payment = await sign(buyer, `${a.url}/one?q=same`);
    const both = await Promise.all([a, b].map(({ url }) => send(`${url}/one?q=same`, payment)));
    expect(both.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const again = await Promise.all(
      [a, b].map(async ({ url }) => {
        const response = await send(`${url}/one?q=same`, payment);
        return [response.status, response.headers.get("X-Idempotent-Replay"), await response.text()];
      }),
    );
    expect(again[0]).toEqual([200, "true", again[1]?.[2] as string]);
    expect(again[1]?.slice(0, 2)).toEqual([200, "true"]);
    expect((await totals())?.earned).toBe(before + PRICE);
    await audited();
  });

  test("one deposit sent to both opens one channel, and the money of one is put in once", async () => {
    const [a, b] = nodes;
    const buyer = createBuyer(a);
    const before = await totals();
    const payment = await sign(buyer, `${a.url}/one?q=first`);
    const both = await Promise.all([
      send(`${a.url}/one?q=first`, payment),
      send(`${b.url}/one?q=first-other`, payment),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const after = await totals();
    expect((after?.channels ?? 0) - (before?.channels ?? 0)).toBe(1);
    const put_in = (of: typeof after) => (of?.owed ?? 0n) + (of?.earned ?? 0n);
    expect(put_in(after) - put_in(before)).toBe(50_000n);
    await audited();
  });

  test("a stranger's vouchers in a channel's name do not delay its payer's calls", async () => {
    const [a] = nodes;
    const buyer = createBuyer(a);
    expect((await buyer.buy(`${a.url}/one?q=open`)).status).toBe(200);
    for (let round = 0; round < 3; round += 1) {
      const own = await sign(buyer, `${a.url}/one?q=own-${round}`);
      const { voucher } = own.payload as { voucher: { signature: string } };
      const signature = voucher.signature.replace(/^0x..../, "0x1234");
      const forged = withPayload(own, { voucher: { ...voucher, signature } });
      const flood = Array.from({ length: 40 }, (_, n) => send(`${a.url}/one?q=${round}-${n}`, forged));
      expect((await send(`${a.url}/one?q=own-${round}`, own)).status).toBe(200);
      const words = (await Promise.all(flood)).map(errorOf);
      expect([...new Set(words)]).toEqual(["invalid_batch_settlement_evm_voucher_signature"]);
      Object.assign(buyer, buyer.restart());
      expect((await buyer.buy(`${a.url}/two`)).status).toBe(200);
    }
    await audited();
  });
});
