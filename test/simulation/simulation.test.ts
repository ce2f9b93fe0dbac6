import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { Served } from "../../src/calls/access.ts";
import { NodeError } from "../../src/core/errors.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import { repeat } from "../helpers/effort.ts";
import { signPayment, v2Header } from "../helpers/gate-bench.ts";
import { createRandom, type Random } from "../ledger/model.ts";
import { type SimulatedNode, startSimulatedNode } from "./node.ts";
import { createWorld, type World } from "./world.ts";

/**
 * Buyers, faults and crashes from a seed around the real gate, ledger, keys and reconciler. At the end of each seed the
 * sky clears, time passes, and then chain, books and what every buyer was told must agree. `TEST_SEED=n` repeats one.
 */
const SEEDS = repeat({ quick: 100, full: 500, long: 100_000 });
const ONE = process.env.TEST_SEED === undefined ? null : Number(process.env.TEST_SEED);
const STEPS = 14;

const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "simulation-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Signing is slow, so that every seed uses the same few wallets, each on a chain of its own. */
const WALLETS = [1, 2, 3].map((n) => privateKeyToAccount(`0x${sha256Hex(`wallet ${n}`)}`));

type Word = "served" | "not_charged" | "unknown" | "lost";
interface Attempt {
  readonly payer: PrivateKeyAccount;
  readonly path: string;
  readonly payload: Awaited<ReturnType<typeof signPayment>>;
  readonly secret: string;
  word: Word;
  body: string | null;
  /** Whether this very payment brought the answer, not an earlier one. */
  own: boolean;
}
interface KeyCall {
  readonly api_key: string;
  readonly name: string;
  word: Word;
}

interface Play {
  readonly random: Random;
  readonly world: World;
  node: SimulatedNode;
  readonly attempts: Attempt[];
  readonly keys: string[];
  readonly key_calls: KeyCall[];
  readonly running: Set<Promise<void>>;
  crashed: PromiseWithResolvers<null>;
}

const readWord = (error: unknown): Word => {
  if (!(error instanceof NodeError)) throw error;
  return error.options.charge_unknown ? "unknown" : "not_charged";
};

/** A call whose answer arrives, or whose node dies under it. */
async function ask(play: Play, calling: Promise<Served>): Promise<Served | "lost"> {
  const outcome = await Promise.race([calling, play.crashed.promise]);
  return outcome ?? "lost";
}

async function send(play: Play, attempt: Attempt): Promise<void> {
  const headers = v2Header(attempt.payload);
  headers.set("idempotency-key", attempt.secret);
  const hangs_up = play.random.below(5) === 0;
  const gone = new AbortController();
  const calling = play.node.serve(play.node.payment, attempt.path, { headers, gone: gone.signal });
  if (hangs_up) setImmediate(() => gone.abort());
  try {
    const served = await ask(play, calling);
    if (served === "lost" || hangs_up) {
      attempt.word = "lost";
      return;
    }
    attempt.word = "served";
    attempt.own = served.headers["X-Duplicate-Payment-Avoided"] === undefined;
    if (attempt.own) {
      if (attempt.body !== null) expect(served.body).toBe(attempt.body);
      attempt.body = served.body;
    }
    const key = /"api_key":"(ink_[^"]+)"/.exec(served.body)?.[1];
    if (attempt.path === "/plan") expect(key).toBeDefined();
    if (key && !play.keys.includes(key)) play.keys.push(key);
  } catch (error) {
    attempt.word = readWord(error);
  } finally {
    calling.catch(() => undefined);
  }
}

async function useKey(play: Play, call: KeyCall): Promise<void> {
  const headers = new Headers({ "x-api-key": call.api_key, "idempotency-key": call.name });
  const calling = play.node.serve(play.node.key, "/one", { headers, gone: new AbortController().signal });
  try {
    call.word = (await ask(play, calling)) === "lost" ? "lost" : "served";
  } catch (error) {
    call.word = readWord(error);
  } finally {
    calling.catch(() => undefined);
  }
}

/** What one buyer does next: most sign anew as stock clients do, some send again, some use a key. */
async function act(play: Play): Promise<void> {
  const { random, world, attempts, keys, key_calls } = play;
  const choice = random.below(10);
  if (choice < 5 || attempts.length === 0) {
    const payer = random.pick(WALLETS);
    const payload = await signPayment({ account: payer }, world.clock.now());
    const path = random.pick(["/one", "/two", "/plan"]);
    const secret = `a secret of attempt ${attempts.length}`;
    const attempt: Attempt = { payer, path, payload, secret, word: "lost", body: null, own: true };
    attempts.push(attempt);
    return send(play, attempt);
  }
  if (choice < 8) return send(play, random.pick(attempts));
  if (keys.length === 0) return undefined;
  const fresh = random.below(3) > 0 || key_calls.length === 0;
  const call = fresh
    ? { api_key: random.pick(keys), name: `call ${key_calls.length}`, word: "lost" as Word }
    : random.pick(key_calls);
  if (fresh) key_calls.push(call);
  return useKey(play, call);
}

async function crash(play: Play): Promise<void> {
  const folder = play.world.crash();
  play.crashed.resolve(null);
  await Promise.all(play.running);
  play.crashed = Promise.withResolvers<null>();
  play.node = await startSimulatedNode(play.world, folder);
}

async function playSeed(seed: number): Promise<void> {
  const random = createRandom(seed);
  const folder = join(root, String(seed));
  const world = createWorld(random, folder);
  const node = await startSimulatedNode(world, world.start());
  const crashed = Promise.withResolvers<null>();
  const play: Play = { random, world, node, attempts: [], keys: [], key_calls: [], running: new Set(), crashed };
  try {
    for (let step = 0; step < STEPS; step++) {
      for (let count = 1 + random.below(4); count > 0; count--) {
        const acting: Promise<void> = act(play).finally(() => play.running.delete(acting));
        play.running.add(acting);
      }
      for (let turns = random.below(6); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      world.clock.advance(1 + random.below(50));
      const event = random.below(20);
      if (event === 0) await crash(play);
      if (event === 1) await world.landLate();
      if (event === 2) world.clock.advance(random.pick([1_000, 20_000, 70_000, 400_000, -5_000]));
      if (event === 3) await play.node.reconciler.resolveAll();
      if (random.below(3) > 0) await Promise.all(play.running);
    }
    await Promise.all(play.running);
    await clearUp(play);
    await judge(play);
  } finally {
    await play.node.ledger.close();
    world.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sky clears: what is still under way lands, and time passes until every payment has its word. */
async function clearUp({ world, node }: Play): Promise<void> {
  world.weather.trouble = 0;
  await world.landLate();
  for (let tries = 0; tries < 60; tries++) {
    if ((await node.reconciler.resolveAll()) === 0) return;
    world.clock.advance(20_000);
  }
  throw new Error("settlements stayed unknown");
}

const replayKeyOf = ({ payload }: Attempt) => {
  const { from, nonce } = payload.authorization;
  return `evm:84532:0x036CbD53842c5426634e7929541eC2318f3dCF7e:${from}:${nonce}`.toLowerCase();
};

async function judge(play: Play): Promise<void> {
  const { node, world, attempts, key_calls } = play;
  const { ledger } = node;
  expect(ledger.halted).toBeNull();
  expect((await ledger.audit()).findings).toEqual([]);
  const settled = new Map(world.chain.settlements().map((one) => [one.replay_key, one]));
  expect((await ledger.audit()).receipts).toBe(settled.size);

  for (const attempt of attempts) {
    const on_chain = settled.get(replayKeyOf(attempt));
    const row = await ledger.payments.find(replayKeyOf(attempt));
    // Books and chain agree, payment by payment.
    expect([row?.state === "settled", row?.chain_transaction ?? null]).toEqual([
      on_chain !== undefined,
      on_chain?.transaction ?? null,
    ]);
    // Who was told that nothing was charged was not charged, and who was served by his own payment paid.
    if (attempt.word === "not_charged") expect(on_chain).toBeUndefined();
    if (attempt.word === "served" && attempt.own) expect(on_chain).toBeDefined();
    // Whoever paid can have what he paid for, the same bytes as ever.
    if (on_chain) {
      await send({ ...play, random: { ...play.random, below: () => 1 } }, attempt);
      expect([attempt.path, attempt.word]).toEqual([attempt.path, "served"]);
    }
  }
  // Nobody paid twice for one thing within the guard's minute.
  for (const payer of WALLETS) {
    for (const path of ["/one", "/two", "/plan"]) {
      const mine = attempts.filter((one) => one.payer === payer && one.path === path);
      const times = mine.flatMap((one) => settled.get(replayKeyOf(one))?.at ?? []).map((at) => Date.parse(at));
      times.sort((a, b) => a - b);
      for (const [index, at] of times.entries()) {
        const before = times[index - 1];
        if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(55_000);
      }
    }
  }
  // A key call that was answered was charged once, and one that failed was not.
  for (const call of key_calls) {
    if (call.word === "lost") await useKey(play, call);
  }
  const answered = key_calls.filter((call) => call.word === "served").length;
  let spent = 0n;
  for (const api_key of play.keys) {
    const row = await ledger.keys.find(sha256Hex(api_key));
    spent += row ? (await ledger.keys.usage(row.id)).spent : 0n;
  }
  expect(spent).toBe(10_000n * BigInt(answered));
}

describe("a whole node under seeded faults", () => {
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
