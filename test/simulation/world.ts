import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "../../src/catalog/runner.ts";
import { NodeError } from "../../src/core/errors.ts";
import type { FacilitatorPool } from "../../src/payments/facilitators/pool.ts";
import type { PaymentToSettle, SettleOutcome } from "../../src/payments/facilitators/types.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import type { ChannelOffer, Offer } from "../../src/payments/types.ts";
import { createEvmChain } from "../../src/sandbox/chains/evm/index.ts";
import { createJournal } from "../../src/sandbox/journal.ts";
import { createStillClock } from "../helpers/still-clock.ts";
import type { Random } from "../ledger/model.ts";

const NETWORK = networkById("eip155:84532") as NonNullable<ReturnType<typeof networkById>>;
const START_MS = Date.UTC(2026, 10, 21);
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const EXTRA = { name: "USDC", version: "2" };

/** What can go wrong outside of the node. */
export interface Weather {
  /** Share of calls that fail, 0 to 1. */
  trouble: number;
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** What a facilitator says of a channel besides. */
type Told = { readonly extra?: unknown; readonly amount?: string };

/**
 * Everything around the node, driven by one seed: time, chain, facilitator, upstream. It outlives the node. With
 * `channel` the facilitator takes payment channels on those terms.
 */
export function createWorld(random: Random, folder: string, channel?: ChannelOffer) {
  // Time moves only when the play moves it, and nothing goes through a socket: the same seed is the same play.
  const clock = createStillClock(START_MS);
  const chain = createEvmChain({ clock, journal: createJournal(null) });
  const weather: Weather = { trouble: 0.3 };
  const late: (() => Promise<unknown>)[] = [];
  let life = 0;
  const strikes = () => random.next() < weather.trouble;
  /** Some turns of the event loop, so that everything interleaves differently with every seed. */
  const wander = async () => {
    for (let turns = random.below(4); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
  };

  const offer: Offer = {
    network: NETWORK,
    pay_to: SELLER,
    extra: EXTRA,
    facilitators: ["one"],
    fee_payers: [],
    ...(channel ? { channel } : {}),
  };
  const settleOnChain = async ({ payload, requirement }: PaymentToSettle) =>
    chain.settle({ x402Version: 2, accepted: requirement, payload }, requirement);

  /** The facilitator as one life of the node sees it. What was sent before a crash goes on; answers reach nobody. */
  function createPool(born: number): FacilitatorPool {
    const gone = () => life !== born;
    const settle = async (payment: PaymentToSettle): Promise<SettleOutcome> => {
      if (gone()) return never();
      const fate = strikes() ? random.below(7) : -1;
      await wander();
      if (fate === 0) return { kind: "unseen", cause: "connection refused" };
      if (fate === 1) return { kind: "unknown", cause: "timed out, never sent on" };
      if (fate === 2) return { kind: "refused", reason: "insufficient_funds", transaction: "" };
      if (fate === 3) {
        late.push(() => settleOnChain(payment));
        return { kind: "unknown", cause: "timed out, sent on later" };
      }
      const result = await settleOnChain(payment);
      if (gone()) return never();
      if (fate === 4) return { kind: "unknown", cause: "timed out after it settled" };
      if (fate === 5) return { kind: "unknown", cause: "settlement_pending", transaction: result.transaction };
      await wander();
      if (gone()) return never();
      const { extra, amount = "" } = result as Told;
      if (result.success) return { kind: "settled", transaction: result.transaction, amount, extra };
      const { errorReason = "refused" } = result;
      if (errorReason.includes("nonce_already_used")) return { kind: "unknown", cause: errorReason };
      return { kind: "refused", reason: errorReason, transaction: "" };
    };
    return {
      offers: [offer],
      unavailable: () => [],
      listedInstead: () => "",
      onChange: () => undefined,
      async verify(_, payment) {
        if (gone()) return never();
        await wander();
        if (strikes()) return { outcome: { kind: "unavailable", cause: "down" }, facilitator: null };
        const { payload, requirement } = payment;
        const result = await chain.verify({ x402Version: 2, accepted: requirement, payload }, requirement);
        if (gone()) return never();
        return result.isValid
          ? { outcome: { kind: "valid", extra: (result as Told).extra }, facilitator: "one" }
          : { outcome: { kind: "invalid", reason: result.invalidReason ?? "refused" }, facilitator: "one" };
      },
      settle: async (_, payment) => ({ outcome: await settle(payment), facilitator: "one" }),
      claimsMax: () => 25,
      status: () => [],
      refresh: async () => undefined,
      stop: () => undefined,
    };
  }

  /** The chain's endpoint as the node reads it. */
  const answerRPC = async (init: RequestInit | undefined): Promise<Response> => {
    await wander();
    if (strikes()) return new Response("<html>busy</html>", { status: 502 });
    return Response.json(await chain.rpc(JSON.parse(String(init?.body))));
  };
  const real_fetch = globalThis.fetch;
  globalThis.fetch = Object.assign((_: unknown, init?: RequestInit) => answerRPC(init), real_fetch) as typeof fetch;

  let produced = 0;
  return {
    clock,
    chain,
    offer,
    weather,
    rpc_url: "http://chain.test",
    /** The product's own work: it fails as upstreams do. */
    async produce(): Promise<Answer> {
      const born = life;
      await wander();
      if (life !== born) return never();
      if (strikes()) throw new NodeError("upstream_unavailable", "down", { retry_after_s: 1 });
      produced += 1;
      return { body: `{"n":${produced}}`, as_of_ms: 0, expires_at_ms: 0 };
    },
    get life() {
      return life;
    },
    createPool: () => createPool(life),
    /** Cuts the node off in this very moment. Returns the ledger file as a disk would have it now. */
    crash(): string {
      const from = join(folder, String(life));
      life += 1;
      const to = join(folder, String(life));
      cpSync(from, to, { recursive: true });
      return to;
    },
    start(): string {
      const to = join(folder, String(life));
      mkdirSync(to, { recursive: true });
      return to;
    },
    /** Settlements that were still under way reach the chain now, if they still can. */
    async landLate() {
      for (const land of late.splice(0)) await land();
    },
    stop() {
      globalThis.fetch = real_fetch;
    },
  };
}
export type World = ReturnType<typeof createWorld>;
