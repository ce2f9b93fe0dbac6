import { beforeEach, describe, expect, test } from "bun:test";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { networkById } from "../networks/table.ts";
import type { SellerRefusal } from "../types.ts";
import type { SellerWord } from "./ask-seller.ts";
import { createSellerWatch, type SellerWatch } from "./seller-watch.ts";

const SOLANA = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const ALGORAND = "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe";
const BASE = "eip155:84532";
const wallet = (id: string) => {
  const network = networkById(id);
  if (!network) throw new Error(id);
  return { network, pay_to: `us-${network.wallet}` };
};
const WALLETS = [BASE, SOLANA, ALGORAND].map(wallet);
const NOW_MS = 1_000_000_000_000;
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const YES: SellerWord = { kind: "yes" };
const NO: SellerWord = { kind: "no", why: "no account" };
const UNKNOWN: SellerWord = { kind: "unknown", why: "no endpoint" };

let clock = createStillClock(NOW_MS);
let words = new Map<string, SellerWord>();
let asked: string[] = [];
let alarms: Readonly<Record<string, unknown>>[] = [];
let logs: Readonly<Record<string, unknown>>[] = [];
let changes = 0;
/** What an answer waits for. */
let gate: Promise<void> = Promise.resolve();
let watch: SellerWatch;

beforeEach(() => {
  clock = createStillClock(NOW_MS);
  words = new Map();
  [asked, alarms, logs, changes] = [[], [], [], 0];
  gate = Promise.resolve();
  watch = createSellerWatch({
    wallets: WALLETS,
    clock,
    ask: async ({ network }) => {
      asked.push(network.id);
      await gate;
      return words.get(network.id) ?? YES;
    },
    log: (event) => logs.push(event),
    alarm: (event) => alarms.push(event),
    wait_ms: 20,
  });
  watch.onChange(() => {
    changes += 1;
  });
});

/** A pass some time later; who was asked in it. */
async function passAfter(ms: number): Promise<readonly string[]> {
  clock.advance(ms);
  asked = [];
  await watch.pass();
  return asked;
}

const refusal = (network: string, reason: string, detail?: string): SellerRefusal => {
  const found = wallet(network);
  const { asset } = found.network;
  const more = { amount: "1", asset, payTo: found.pay_to, maxTimeoutSeconds: 1, extra: {} };
  const requirement = { scheme: "exact" as const, network, ...more };
  return { reason, requirement, ...(detail === undefined ? {} : { detail }) };
};
const AMBIGUOUS = refusal(SOLANA, "transaction_simulation_failed", 'Simulation failed: "InvalidAccountData"');
const optIn = refusal(
  ALGORAND,
  "invalid_exact_avm_simulation_failed",
  "receiver error: must optin, asset 10458941 missing from us-algorand",
);

describe("the chains are asked", () => {
  test("at the first pass for every wallet, then hourly", async () => {
    expect(await passAfter(0)).toEqual([BASE, SOLANA, ALGORAND]);
    expect(await passAfter(MINUTE_MS)).toEqual([]);
    expect(await passAfter(HOUR_MS - 2 * MINUTE_MS)).toEqual([]);
    expect(await passAfter(MINUTE_MS)).toEqual([BASE, SOLANA, ALGORAND]);
  });

  test("every minute where one says no", async () => {
    words.set(SOLANA, NO);
    await passAfter(0);
    expect(await passAfter(MINUTE_MS)).toEqual([SOLANA]);
    expect(await passAfter(MINUTE_MS - 1)).toEqual([SOLANA]);
    words.set(SOLANA, YES);
    expect(await passAfter(MINUTE_MS)).toEqual([SOLANA]);
    expect(await passAfter(MINUTE_MS)).toEqual([]);
  });

  test("once for two passes at once", async () => {
    await Promise.all([watch.pass(), watch.pass()]);
    expect(asked).toEqual([BASE, SOLANA, ALGORAND]);
  });

  test("again when the clock was set back", async () => {
    await passAfter(0);
    expect(await passAfter(-1_000)).toEqual([BASE, SOLANA, ALGORAND]);
  });
});

describe("a network", () => {
  test("is out from the chain's no to its next yes, with one alarm", async () => {
    words.set(SOLANA, NO);
    await passAfter(0);
    await passAfter(MINUTE_MS);
    expect(watch.whyNot(SOLANA)).toBe("no account");
    expect(watch.whyNot(ALGORAND)).toBeNull();
    expect(alarms).toEqual([
      { event: "seller_cannot_be_paid", network: SOLANA, pay_to: "us-solana", why: "no account" },
    ]);
    words.set(SOLANA, YES);
    await passAfter(MINUTE_MS);
    expect(watch.whyNot(SOLANA)).toBeNull();
    expect(logs).toContainEqual({ event: "seller_can_be_paid", network: SOLANA, pay_to: "us-solana" });
    expect(changes).toBe(2);
  });

  test("is never out because nobody could tell", async () => {
    words.set(SOLANA, UNKNOWN);
    await passAfter(0);
    await passAfter(HOUR_MS);
    expect(watch.whyNot(SOLANA)).toBeNull();
    expect(changes).toBe(0);
    expect(alarms).toEqual([]);
    // Said once, not every hour.
    expect(logs).toEqual([{ event: "seller_not_checked", network: SOLANA, why: "no endpoint" }]);
  });

  test("stays out while nobody can tell, but not longer than an hour", async () => {
    words.set(SOLANA, NO);
    await passAfter(0);
    words.set(SOLANA, UNKNOWN);
    await passAfter(HOUR_MS - 1);
    expect(watch.whyNot(SOLANA)).toBe("no account");
    await passAfter(MINUTE_MS);
    expect(watch.whyNot(SOLANA)).toBeNull();
  });
});

describe("a refusal", () => {
  test("that names our account takes the network out at once, until the chain says yes", async () => {
    await passAfter(0);
    expect(await watch.isOurFault(optIn)).toBe(true);
    expect(watch.whyNot(ALGORAND)).toContain("a facilitator says");
    expect(alarms).toMatchObject([{ event: "seller_cannot_be_paid", network: ALGORAND }]);
    expect(await passAfter(MINUTE_MS)).toEqual([ALGORAND]);
    expect(watch.whyNot(ALGORAND)).toBeNull();
  });

  test("that names our account counts for an hour where nobody can ask", async () => {
    words.set(ALGORAND, UNKNOWN);
    await passAfter(0);
    await watch.isOurFault(optIn);
    await passAfter(HOUR_MS - 1);
    expect(watch.whyNot(ALGORAND)).not.toBeNull();
    await passAfter(MINUTE_MS);
    expect(watch.whyNot(ALGORAND)).toBeNull();
  });

  test("that may be the buyer's own fault is our fault only when the chain says so", async () => {
    expect(await watch.isOurFault(AMBIGUOUS)).toBe(false);
    expect(watch.whyNot(SOLANA)).toBeNull();
    words.set(SOLANA, NO);
    clock.advance(10_000);
    expect(await watch.isOurFault(AMBIGUOUS)).toBe(true);
    expect(watch.whyNot(SOLANA)).toBe("no account");
  });

  test("takes no network out where nobody can tell whose fault it is: any buyer could", async () => {
    words.set(SOLANA, UNKNOWN);
    expect(await watch.isOurFault(AMBIGUOUS)).toBe(false);
    expect(watch.whyNot(SOLANA)).toBeNull();
  });

  test("does not ask the chain more often than every ten seconds, however many there are", async () => {
    for (let n = 0; n < 50; n++) await watch.isOurFault(AMBIGUOUS);
    expect(asked).toEqual([SOLANA]);
    clock.advance(10_000);
    await watch.isOurFault(AMBIGUOUS);
    expect(asked).toEqual([SOLANA, SOLANA]);
  });

  test("at once with others waits for the same answer", async () => {
    words.set(SOLANA, NO);
    expect(await Promise.all([1, 2, 3].map(() => watch.isOurFault(AMBIGUOUS)))).toEqual([true, true, true]);
    expect(asked).toEqual([SOLANA]);
  });

  test("does not wait for a chain that does not answer, whose word counts when it comes", async () => {
    const late = Promise.withResolvers<void>();
    gate = late.promise;
    words.set(SOLANA, NO);
    expect(await watch.isOurFault(AMBIGUOUS)).toBe(false);
    late.resolve();
    await watch.pass();
    expect(watch.whyNot(SOLANA)).toBe("no account");
  });

  test.each([
    ["of something else", refusal(SOLANA, "insufficient_funds")],
    ["on EVM", refusal(BASE, "transaction_simulation_failed")],
  ])("%s asks nobody", async (_what, other) => {
    expect(await watch.isOurFault(other)).toBe(false);
    expect(asked).toEqual([]);
  });

  test("on a network we have no wallet on is no fault of this node", async () => {
    const main = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
    expect(await watch.isOurFault(refusal(main, "transaction_simulation_failed"))).toBe(false);
  });
});

test("a node that stops waits for no chain", async () => {
  gate = new Promise(() => undefined);
  const pass = watch.pass();
  watch.cancel();
  await pass;
  expect(watch.whyNot(SOLANA)).toBeNull();
});
