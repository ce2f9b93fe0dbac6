import { expect } from "bun:test";
import { least, most } from "../../src/core/money.ts";
import type { ChannelState, ChannelStep, NewChannel } from "../../src/ledger/channel-rows.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { type ChannelModel, type ModelChannel, stirChain } from "./channel-model.ts";
import type { Random } from "./model.ts";

const NETWORK = "eip155:84532";
const PRICES = [1_000n, 3_000n, 10_000n, 50_000n] as const;
/** A bounded world, as for keys: a channel that is hardly ever used cannot go wrong. */
const CHANNELS_MAX = 60;

export interface ChannelRun {
  readonly random: Random;
  readonly channels: ChannelModel;
  readonly clock: { now(): number };
  readonly ledger: Ledger;
  readonly count: number;
}

const idOf = (n: number): string => `0x${n.toString(16).padStart(64, "0")}`;
const transactionOf = (run: ChannelRun): string => `0x${run.count.toString(16).padStart(64, "1")}`;
const channelOf = (n: number): NewChannel => ({
  id: idOf(n),
  network: NETWORK,
  token: "0xusdc",
  payer: `0xpayer${n}`,
  receiver: "0xseller",
  config: JSON.stringify({ n }),
  label: "organic",
});
const stepOf = ({ n }: ModelChannel, signed: bigint, amount: bigint): ChannelStep => ({
  channel: idOf(n),
  signed,
  amount,
  signature: `0xsigned${signed}`,
  product: "/one",
  fingerprint: "f",
  voucher_sha256: `sha ${n} ${signed}`,
  identifier: null,
  proof: null,
});
const sayOf = ({ chain }: ModelChannel): ChannelState => ({
  balance: chain.balance,
  total_claimed: chain.claimed,
  withdraw_requested_at: chain.withdraw_at,
  refund_nonce: chain.nonce,
});
const someChannel = ({ channels: { channels }, random }: ChannelRun): ModelChannel | null =>
  channels.length === 0 ? null : random.pick(channels);

/** What became of what was sent: it landed, it did not, or nobody knows yet. */
async function end(run: ChannelRun, channel: ModelChannel): Promise<void> {
  const { ledger, channels, random } = run;
  const { move, chain } = channel;
  if (move === null) return;
  const outcome = random.below(10);
  if (outcome < 2) {
    await ledger.channels.end(move.id, { state: "unknown", reason: "timeout", chain_transaction: null });
    return;
  }
  // What the contract holds by now has to bear it: else the transaction fails there.
  const claimed = channel.ours + channel.foreign;
  const bears = move.kind === "deposit" || (chain.balance - move.amount >= claimed && chain.claimed <= claimed);
  if (outcome < 4 || chain.balance < move.before || !bears) {
    channel.move = null;
    const row = await ledger.channels.end(move.id, { state: "failed", reason: "refused" });
    if (!channel.used) channels.channels.splice(channels.channels.indexOf(channel), 1);
    expect(row === null).toBe(!channel.used);
    return;
  }
  if (move.kind === "deposit") chain.balance += move.amount;
  else Object.assign(chain, { balance: chain.balance - move.amount, claimed, nonce: chain.nonce + 1n });
  const balance = move.kind === "deposit" ? move.before + move.amount : move.before - move.amount;
  const now = { ...sayOf(channel), balance };
  channel.move = null;
  channels.learn(channel, now);
  // Where others' claims have moved the channel on, what it was sent for is a gift.
  const off = move.signed - channels.charged(channel) - move.price;
  if (move.price > 0n && channels.judge(channel, move.price, off) === "ok") channels.earn(channel, move.price);
  const landed = { state: "done", chain_transaction: transactionOf(run), now } as const;
  await ledger.channels.end(move.id, landed);
  // A second word about it changes nothing.
  await ledger.channels.end(move.id, { state: "failed", reason: "late" });
}

async function deposit(run: ChannelRun, channel: ModelChannel, opens: boolean): Promise<void> {
  const { ledger, channels, random, clock } = run;
  const price = random.pick(PRICES);
  const amount = BigInt(1 + random.below(400_000));
  const off = random.below(10) === 0 ? 1n : 0n;
  const before = channels.balance(channel);
  const signed = channels.charged(channel) + price + off;
  const begun = await ledger.channels.begin({
    kind: "deposit",
    channel: idOf(channel.n),
    amount,
    facilitator: "main",
    valid_until_ms: clock.now() + 300_000,
    step: { ...stepOf(channel, signed, price), body: "{}" },
    opening: opens ? { channel: channelOf(channel.n), state: sayOf(channel) } : null,
  });
  const expected = channels.judge(channel, price, off, amount);
  expect(begun.ok ? "ok" : begun.why).toBe(expected as never);
  if (!begun.ok) {
    if (opens) channels.channels.splice(channels.channels.indexOf(channel), 1);
    return;
  }
  channel.move = { id: begun.id, kind: "deposit", amount, before, price, signed };
  if (random.below(5) > 0) await end(run, channel);
}

/** Commands of payment channels, among all others of the books. */
export const CHANNEL_COMMANDS: Readonly<
  Record<string, { readonly weight: number; run(run: ChannelRun): Promise<void> }>
> = {
  channel_open: {
    weight: 2,
    async run(run) {
      if (run.channels.channels.length >= CHANNELS_MAX) return;
      await deposit(run, run.channels.add(run.count), true);
    },
  },
  channel_deposit: {
    weight: 3,
    async run(run) {
      const channel = someChannel(run);
      if (channel) await deposit(run, channel, false);
    },
  },
  voucher: {
    weight: 20,
    async run(run) {
      const { channels, random, ledger } = run;
      const channel = someChannel(run);
      if (channel === null) return;
      const amount = random.pick(PRICES);
      // A step too far, one that was, and one of another price.
      const off = random.below(8) > 0 ? 0n : random.pick([1n, -1n, amount, -amount]);
      const signed = channels.charged(channel) + amount + off;
      const expected = channels.judge(channel, amount, off);
      const result = await ledger.channels.charge(stepOf(channel, signed, amount), { body: '{"n":1}' });
      expect(result.ok ? "ok" : result.why).toBe(expected as never);
      if (result.ok) channels.earn(channel, amount);
    },
  },
  channel_refund: {
    weight: 2,
    async run(run) {
      const { channels, random, ledger } = run;
      const channel = someChannel(run);
      if (channel === null) return;
      const amount = random.below(2) === 0 ? channel.payers : (channel.payers * BigInt(random.below(100))) / 100n;
      if (amount === 0n) return;
      const before = channels.balance(channel);
      const begun = await ledger.channels.begin({
        kind: "refund",
        channel: idOf(channel.n),
        amount,
        facilitator: "main",
        valid_until_ms: 0,
        step: null,
        opening: null,
      });
      const why = channel.move !== null ? "busy" : channel.lost > 0n ? "closed" : "ok";
      expect(begun.ok ? "ok" : begun.why).toBe(why as never);
      if (!begun.ok) return;
      channel.move = { id: begun.id, kind: "refund", amount, before, price: 0n, signed: 0n };
      if (random.below(5) > 0) await end(run, channel);
    },
  },
  channel_end: {
    weight: 4,
    async run(run) {
      const open = run.channels.channels.filter(({ move }) => move !== null);
      if (open.length > 0) await end(run, run.random.pick(open));
    },
  },
  channel_claim: {
    weight: 2,
    async run(run) {
      const { channels, random, ledger } = run;
      const some = channels.channels.filter(({ used }) => used && random.below(4) === 0).slice(0, 25);
      let sum = 0n;
      const claims = some.map((channel) => {
        const { chain, ours, foreign } = channel;
        const total = ours + foreign;
        // No more than it holds: a withdrawal may have come first.
        if (total > chain.claimed) chain.claimed = least(total, chain.balance);
        const own = least(chain.claimed, total);
        if (own - foreign > channel.claimed) {
          sum += own - foreign - channel.claimed;
          channel.claimed = own - foreign;
        }
        return { channel: idOf(channel.n), total: chain.claimed };
      });
      expect(await ledger.channels.claimed(claims, transactionOf(run))).toBe(sum);
    },
  },
  channel_sweep: {
    weight: 1,
    async run(run) {
      const { channels, random, ledger } = run;
      const amount = BigInt(random.below(1_000_000));
      const unswept = channels.unswept();
      const booked = most(0n, least(amount, unswept));
      expect(await ledger.channels.swept(NETWORK, amount, transactionOf(run))).toBe(booked);
      channels.wallet.swept += booked;
    },
  },
  chain: {
    weight: 1,
    async run(run) {
      const channel = someChannel(run);
      if (channel) stirChain(channel, run.random, Math.floor(run.clock.now() / 1000));
    },
  },
  channel_sync: {
    weight: 3,
    async run(run) {
      const channel = someChannel(run);
      if (channel === null) return;
      const row = await run.ledger.channels.sync(idOf(channel.n), sayOf(channel));
      expect(row === null).toBe(channel.move !== null);
      if (row !== null) run.channels.learn(channel, sayOf(channel));
    },
  },
};

/** Every channel, every voucher and every heap of money is as the model has it. */
export async function compareChannels({ ledger, channels }: ChannelRun): Promise<void> {
  for (const channel of channels.channels) {
    const row = await ledger.channels.get(idOf(channel.n));
    const { balance, ...rest } = channels.rowOf(channel);
    expect(row).toMatchObject(rest);
    expect((row?.deposited ?? 0n) - (row?.refunded ?? 0n)).toBe(balance);
    const last = channel.vouchers.at(-1);
    if (last === undefined) continue;
    expect(await ledger.channels.findStep(idOf(channel.n), last.signed)).toMatchObject({ amount: last.amount });
  }
  const { channels: count, ...totals } = channels.totals();
  expect(await ledger.channels.totals()).toMatchObject(count === 0 ? [] : [{ ...totals, channels: count }]);
}
