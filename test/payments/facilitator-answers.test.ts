import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isNodeError } from "../../src/core/errors.ts";
import { createFacilitatorPool } from "../../src/payments/facilitators/pool.ts";
import { createRemoteFacilitator } from "../../src/payments/facilitators/remote.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import { createReconciler } from "../../src/payments/reconcile.ts";
import { settleStored } from "../../src/payments/settle-stored.ts";
import {
  ANSWERED_NETWORK,
  ANSWERS,
  type AnswerRow,
  CALLS,
  type Call,
  CONSEQUENCES,
  renderAnswers,
  STATUSES,
  type Status,
  verdictOf,
} from "../helpers/facilitator-answers.ts";
import { createGateBench, signPayment, v1Header, v2Header } from "../helpers/gate-bench.ts";
import { createStillClock } from "../helpers/still-clock.ts";
import { createTurnTimers } from "../helpers/turn-timers.ts";

const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
/** Beyond every payment's end, and beyond all doubt. */
const LATER_MS = 1_000_000;

type Payment = Awaited<ReturnType<typeof signPayment>>;
type Reply = (body: string) => Response;

let transactions = 0;
const newTransaction = (): string => {
  transactions += 1;
  return `0x${transactions.toString(16).padStart(64, "a")}`;
};

const nonceOf = (body: string): string => JSON.parse(body).paymentPayload.payload.authorization.nonce;
const endOf = (body: string): number =>
  Number(JSON.parse(body).paymentPayload.payload.authorization.validBefore) * 1000;

/** A facilitator behind HTTP: honest, but for the call that a test answers. */
function startFacilitator(now_ms: () => number) {
  const honest: Readonly<Record<Call, Reply>> = {
    supported: () => Response.json({ kinds: [{ x402Version: 2, scheme: "exact", network: ANSWERED_NETWORK }] }),
    verify: () => Response.json({ isValid: true }),
    settle: (body) =>
      endOf(body) < now_ms()
        ? Response.json({ success: false, errorReason: "invalid_exact_evm_payload_authorization_valid_before" })
        : Response.json({ success: true, transaction: newTransaction(), network: ANSWERED_NETWORK }),
  };
  const script = { ...honest };
  const calls = { supported: 0, verify: 0, settle: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const call = new URL(request.url).pathname.slice(1) as Call;
      calls[call] += 1;
      return script[call](await request.text());
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    script,
    calls,
    heal: () => void Object.assign(script, honest),
    stop: () => server.stop(true),
  };
}

const clock = createStillClock(Date.now());
const [first, second] = [startFacilitator(clock.now), startFacilitator(clock.now)];
const timers = createTurnTimers();

function createPool(urls: readonly string[]) {
  const network = networkById(ANSWERED_NETWORK);
  if (!network) throw new Error("the network is in the table");
  return createFacilitatorPool({
    facilitators: urls.map((url, n) => ({
      facilitator: createRemoteFacilitator({
        id: `remote:${n}`,
        kind: "remote",
        url,
        headers: {},
        timers,
        verify_timeout_ms: 5_000,
        settle_timeout_ms: 5_000,
      }),
      networks: null,
    })),
    wallets: [{ network, pay_to: SELLER }],
    clock,
    log: () => undefined,
  });
}

const pool = createPool([first.url, second.url]);
/** The real gate, books and reconciler before two facilitators, without any chain to ask. */
const bench = createGateBench({
  pool,
  clock,
  reconciler: (ledger) =>
    createReconciler({
      ledger,
      clock,
      rpc_urls: () => [],
      labelOf: () => "organic",
      settleAgain: (row) => settleStored(pool, row),
      log: () => undefined,
    }),
});
beforeAll(() => pool.refresh());
afterAll(async () => {
  pool.stop();
  await Promise.all([first.stop(), second.stop()]);
});

interface Bought {
  /** "paid", or the error's code. */
  readonly end: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly error: { readonly charge_unknown?: boolean; readonly details?: unknown } | null;
}

const buy = async (payment: Payment, protocol: 1 | 2 = 2): Promise<Bought> => {
  const header = protocol === 1 ? v1Header(payment) : v2Header(payment);
  try {
    const { headers } = await bench.buy(header);
    return { end: "paid", headers, error: null };
  } catch (error) {
    if (!isNodeError(error)) throw error;
    return { end: error.code, headers: {}, error: error.options };
  }
};
type Account = ReturnType<typeof bench.newPayer>;
const signed = (account: Account) => signPayment({ account }, clock.now());

const replyOf =
  (row: AnswerRow, status: Status): Reply =>
  (asked) => {
    const body = row.body.replaceAll("$TX", newTransaction()).replaceAll("$NONCE", asked === "" ? "" : nonceOf(asked));
    const headers = { "content-type": "application/json", ...(status === 307 ? { location: second.url } : {}) };
    return new Response(body, { status, headers });
  };

const counts = () => ({ verify: second.calls.verify, settle: second.calls.settle });
const PAYERS_FAULT = /^(invalid_payment|insufficient_funds|payment_expired|amount_mismatch)$/;

/** What a wallet that was refused or served does next is settled as ever. */
async function expectFree(account: Account): Promise<void> {
  const { end, headers } = await buy(await signed(account));
  expect({ end, headers }).toMatchObject({ end: "paid" });
  expect(headers["X-Duplicate-Payment-Avoided"]).toBeUndefined();
}

const PLAYS: Readonly<Record<Exclude<Call, "supported">, Readonly<Record<string, (play: Play) => Promise<void>>>>> = {
  verify: {
    valid: async ({ end, state }) => {
      expect({ end, state }).toEqual({ end: "paid", state: "settled" });
    },
    refused: async ({ end, state, account }) => {
      expect(end).toMatch(PAYERS_FAULT);
      expect(state).toBe("rejected");
      first.heal();
      await expectFree(account);
    },
    "no word": async ({ end, state }) => {
      expect({ end, state }).toEqual({ end: "paid", state: "settled" });
    },
  },
  settle: {
    settled: async ({ end, state }) => {
      expect({ end, state }).toEqual({ end: "paid", state: "settled" });
    },
    refused: async ({ end, state, account, error }) => {
      expect({ end, state }).toEqual({ end: "settlement_failed", state: "settle_failed" });
      expect(error?.charge_unknown).toBeUndefined();
      first.heal();
      await expectFree(account);
    },
    unknown: async ({ end, state, account, error, payment, id }) => {
      expect({ end, state }).toEqual({ end: "settlement_unknown", state: "unknown" });
      expect(error?.charge_unknown).toBe(true);
      first.heal();
      const before = { ...first.calls };
      expect((await buy(await signed(account))).end).toBe("settlement_unknown");
      expect(first.calls.settle).toBe(before.settle);
      // Its time is over, and the facilitator asked once more knows nothing of it: it holds up nobody any more.
      clock.advance(LATER_MS);
      const next = await buy(await signed(account));
      expect(next).toMatchObject({ end: "paid", headers: { "X-Earlier-Payment-Unknown": id } });
      expect(first.calls.settle).toBe(before.settle + 2);
      const again = await buy(payment);
      expect(again).toMatchObject({
        end: "settlement_unknown",
        error: { charge_unknown: true, details: { diagnostic: { same_payment: false } } },
      });
      // The sale that passed it over is an earlier one like any other.
      const third = await buy(await signed(account));
      expect(third).toMatchObject({ end: "paid", headers: { "X-Duplicate-Payment-Avoided": "true" } });
    },
  },
};

interface Play extends Bought {
  readonly account: Account;
  readonly payment: Payment;
  readonly id: string;
  readonly state: string | undefined;
}

/** Either version of the protocol in turn: what the buyer speaks never reaches a facilitator. */
let played = 0;
async function play(row: AnswerRow, call: Exclude<Call, "supported">, status: Status): Promise<void> {
  played += 1;
  const account = bench.newPayer();
  // Who gave a word just now is the first one asked.
  first.heal();
  if (call === "verify") await expectFree(bench.newPayer());
  const payment = await signed(account);
  const before = counts();
  first.script[call] = replyOf(row, status);
  const bought = await buy(payment, played % 2 === 0 ? 1 : 2);
  const verdict = verdictOf(row, status);
  const asked = second.calls[call] - before[call] > 0 ? "yes" : "no";
  expect({ verdict, asked }).toEqual({ verdict, asked: CONSEQUENCES[call][verdict]?.next_asked ?? "no" });
  const stored = await bench.rowOf(payment);
  await PLAYS[call][verdict]?.({ ...bought, account, payment, id: stored?.id ?? "", state: stored?.state });
  first.heal();
}

describe.each(CALLS)("a facilitator's answer to /%s is read as the table says:", (call) => {
  test.each(ANSWERS.filter((row) => row.call === call).map((row) => [row.what, row] as const))("%s", async (_, row) => {
    for (const status of STATUSES) {
      if (call !== "supported") await play(row, call, status);
      else {
        first.script.supported = replyOf(row, status);
        const alone = createPool([first.url]);
        await alone.refresh();
        const verdict = alone.offers.length > 0 ? "listed" : "not listed";
        alone.stop();
        expect({ status, verdict }).toEqual({ status, verdict: verdictOf(row, status) as typeof verdict });
      }
    }
    expect((await bench.ledger.audit()).findings).toEqual([]);
  });
});

test("every verdict of the table says what follows from it", () => {
  for (const row of ANSWERS) {
    for (const status of STATUSES) expect(CONSEQUENCES[row.call][verdictOf(row, status)]).toBeDefined();
  }
});

test("the documentation shows the table", () => {
  const page = readFileSync(join(import.meta.dir, "../../docs/facilitator-answers.md"), "utf8");
  expect(page).toContain(renderAnswers().trim());
});
