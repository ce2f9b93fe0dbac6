import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { type BuyerChannel, createBuyerChannel } from "../../src/buyer/channel-buyer.ts";
import type { Served } from "../../src/calls/access.ts";
import { NodeError } from "../../src/core/errors.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import { balanceOf } from "../../src/ledger/channel-rows.ts";
import { createChannelChain } from "../../src/payments/channels/read-chain.ts";
import { channelRequirement } from "../../src/payments/channels/terms.ts";
import { PaymentRefusal } from "../../src/payments/refusal.ts";
import { repeat } from "../helpers/effort.ts";
import { createRandom, type Random } from "../ledger/model.ts";
import { authorizers, type SimulatedNode, startSimulatedNode } from "./node.ts";
import { createWorld, type World } from "./world.ts";

/**
 * Buyers with a channel each, faults and crashes from a seed, around the real access, ledger and claimer. They keep to
 * the scheme's rules for clients and believe nothing that does not add up. At the end the sky clears, and chain, books
 * and what every buyer holds must agree to the atomic unit. `TEST_SEED=n` repeats one.
 */
const SEEDS = repeat({ quick: 6, full: 120, long: 5_000 });
const ONE = process.env.TEST_SEED === undefined ? null : Number(process.env.TEST_SEED);
const STEPS = 16;
const BUYERS = 2;
const DAY_S = 86_400;
const PRICE = 10_000n;

const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "channel-play-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Attempt {
  readonly path: string;
  readonly header: string;
  readonly secret: string;
  readonly total: bigint;
  body: string | null;
}

interface Buyer {
  readonly channel: BuyerChannel;
  readonly address: string;
  /** What it was told that it spent, and what lies in its channel. */
  charged: bigint;
  balance: bigint;
  /** The highest amount it ever signed. */
  signed: bigint;
  /** Sent, and not answered yet. */
  pending: Attempt | null;
  readonly attempts: Attempt[];
}

interface Play {
  readonly random: Random;
  readonly world: World;
  node: SimulatedNode;
  readonly buyers: readonly Buyer[];
  crashed: PromiseWithResolvers<null>;
}

async function createBuyer({ offer, clock }: World, name: string): Promise<Buyer> {
  if (!offer.channel) throw new Error("no channel is offered");
  const account = privateKeyToAccount(`0x${sha256Hex(name)}`);
  const channel = await createBuyerChannel(account, [channelRequirement(offer, offer.channel, PRICE)], clock.now);
  if (channel === null) throw new Error("no channel is offered");
  const none = { charged: 0n, balance: 0n, signed: 0n, pending: null, attempts: [] };
  return { channel, address: account.address.toLowerCase(), ...none };
}

const stateOf = (state: unknown): { readonly charged: bigint; readonly balance: bigint } => {
  const { chargedCumulativeAmount, balance } = state as Record<string, string>;
  return { charged: BigInt(chargedCumulativeAmount ?? ""), balance: BigInt(balance ?? "") };
};

/** The client's rules: a snapshot beyond what it signed, or before what it has seen, is not signed on from. */
function believe(buyer: Buyer, state: unknown): void {
  const { charged, balance } = stateOf(state);
  expect([charged <= buyer.signed, charged >= buyer.charged]).toEqual([true, true]);
  Object.assign(buyer, { charged, balance });
}

const request = ({ header, secret }: Attempt) => ({
  headers: new Headers({ "payment-signature": header, "idempotency-key": secret }),
  gone: new AbortController().signal,
});

async function sign({ random }: Play, buyer: Buyer): Promise<Attempt> {
  const total = buyer.charged + PRICE;
  const header =
    total > buyer.balance
      ? await buyer.channel.deposit(PRICE * BigInt(1 + random.below(6)), total)
      : await buyer.channel.pay(total);
  const path = random.pick(["/one", "/two"]);
  // The same voucher for the same request is the same payment, and has the same name.
  const secret = `a secret of ${buyer.address} for ${path} at ${total}`;
  const attempt = { path, header, secret, total, body: null };
  buyer.signed = total > buyer.signed ? total : buyer.signed;
  buyer.attempts.push(attempt);
  return attempt;
}

/** What one buyer does next: he sends what was not answered again, or goes on to another call with the same voucher. */
async function act(play: Play, buyer: Buyer): Promise<void> {
  const { random } = play;
  if (buyer.pending !== null && random.below(6) === 0) buyer.pending = null;
  buyer.pending ??= await sign(play, buyer);
  const attempt = buyer.pending;
  const calling = play.node.serve(play.node.channel, attempt.path, request(attempt));
  calling.catch(() => undefined);
  try {
    const served = (await Promise.race([calling, play.crashed.promise])) as Served | null;
    // The node died under it, or the answer was lost on its way.
    if (served === null || random.below(8) === 0) return;
    const told = JSON.parse(Buffer.from(served.headers["PAYMENT-RESPONSE"] ?? "", "base64").toString());
    believe(buyer, told.extra.channelState);
    expect([buyer.charged, told.extra.chargedAmount]).toEqual([attempt.total, PRICE.toString()]);
    attempt.body = served.body;
    buyer.pending = null;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    // Nobody knows yet: the same payment is sent again.
    if (error.options.charge_unknown) return;
    const corrective = error instanceof PaymentRefusal ? (error.channel as { channelState?: object } | null) : null;
    if (corrective?.channelState) believe(buyer, corrective.channelState);
    if (error instanceof PaymentRefusal && !error.diagnostic.same_payment) buyer.pending = null;
  }
}

async function crash(play: Play): Promise<void> {
  const folder = play.world.crash();
  play.crashed.resolve(null);
  play.node = await startSimulatedNode(play.world, folder);
  // Only now: whoever calls before it is up calls the dead one.
  play.crashed = Promise.withResolvers<null>();
}

async function playSeed(seed: number): Promise<void> {
  const random = createRandom(seed);
  const folder = join(root, String(seed));
  const [own] = await authorizers();
  const terms = { receiver_authorizer: own?.address ?? "", withdraw_delay_s: DAY_S, facilitators: ["one"] };
  const world = createWorld(random, folder, terms);
  // The official facilitator's code reads the system's clock.
  world.clock.set(Date.now());
  const node = await startSimulatedNode(world, world.start());
  const buyers = await Promise.all(
    Array.from({ length: BUYERS }, (_, n) => createBuyer(world, `channel buyer ${seed} ${n}`)),
  );
  const play: Play = { random, world, node, buyers, crashed: Promise.withResolvers<null>() };
  try {
    for (let step = 0; step < STEPS; step++) {
      const acting = Promise.all(buyers.map((buyer) => act(play, buyer)));
      const round = random.below(4) === 0 ? play.node.claimer.run({ all: random.below(2) === 0 }) : null;
      round?.catch(() => undefined);
      for (let turns = random.below(8); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      if (random.below(6) === 0) await crash(play);
      world.clock.advance(1 + random.below(3_000));
      const event = random.below(12);
      if (event === 0) await world.landLate();
      if (event === 1) world.clock.advance(random.pick([20_000, 70_000, 500_000, -5_000]));
      await acting;
    }
    await clearUp(play);
    await judge(play);
  } finally {
    await play.node.ledger.close();
    world.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sky clears: what is under way lands, every deposit gets its word, and what was earned comes home. */
async function clearUp({ world, node }: Play): Promise<void> {
  world.weather.trouble = 0;
  await world.landLate();
  for (let tries = 0; tries < 20; tries++) {
    await node.claimer.run({ all: true });
    const open = await node.ledger.channels.openMoves(1);
    const [totals] = await node.ledger.channels.totals();
    // A sweep whose answer was lost is known by the next one, which finds nothing.
    if (open.length === 0 && (totals?.unclaimed ?? 0n) === 0n && (totals?.unswept ?? 0n) === 0n) return;
    world.clock.advance(200_000);
  }
  throw new Error("deposits or claims stayed open");
}

async function judge(play: Play): Promise<void> {
  const { node, world, buyers } = play;
  const { ledger } = node;
  expect(ledger.halted).toBeNull();
  expect((await ledger.audit()).findings).toEqual([]);
  const contract = createChannelChain([world.rpc_url]);
  let earned = 0n;
  for (const buyer of buyers) {
    const row = await ledger.channels.get(buyer.channel.id);
    const on_chain = await contract.channel(buyer.channel.id);
    // Books and chain agree; what a buyer was told that he spent, the books know of.
    expect([row ? balanceOf(row) : 0n, row?.claimed ?? 0n]).toEqual([on_chain.balance, on_chain.total_claimed]);
    const charged = row?.charged ?? 0n;
    expect([charged, charged >= buyer.charged]).toEqual([on_chain.total_claimed, true]);
    earned += charged;
    // Every step he was charged is one answer, which he has or can fetch: the same bytes as ever.
    const paid = new Map<bigint, string>();
    for (const attempt of buyer.attempts.filter(({ total }) => total <= charged)) {
      const served = await node.serve(node.channel, attempt.path, request(attempt)).catch((error: unknown) => {
        if (error instanceof NodeError) return null;
        throw error;
      });
      if (attempt.body !== null) expect(served?.body).toBe(attempt.body);
      if (served === null) continue;
      expect([attempt.total, paid.get(attempt.total) ?? served.body]).toEqual([attempt.total, served.body]);
      paid.set(attempt.total, served.body);
    }
    expect([...paid.keys()].toSorted((a, b) => Number(a - b))).toEqual(
      Array.from({ length: Number(charged / PRICE) }, (_, n) => PRICE * BigInt(n + 1)),
    );
  }
  const [totals] = await ledger.channels.totals();
  expect([totals?.earned ?? 0n, totals?.swept ?? 0n, totals?.lost ?? 0n]).toEqual([earned, earned, 0n]);
  // A wallet that nothing ever reached has what every wallet of this chain begins with.
  if (earned > 0n) expect(world.chain.balanceOf(world.offer.pay_to)).toBe(earned);
}

describe("payment channels under seeded faults", () => {
  const seeds = ONE === null ? Array.from({ length: SEEDS }, (_, index) => index + 1) : [ONE];
  const BATCH = 50;
  for (let from = 0; from < seeds.length; from += BATCH) {
    const batch = seeds.slice(from, from + BATCH);
    test(`chain, books and buyers agree: seeds ${batch[0]} to ${batch.at(-1)}`, async () => {
      for (const seed of batch) {
        await playSeed(seed).catch((error: unknown) => {
          throw new Error(`TEST_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, {
            cause: error,
          });
        });
      }
    });
  }
});
