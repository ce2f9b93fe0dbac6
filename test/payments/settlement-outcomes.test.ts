import { afterEach, describe, expect, test } from "bun:test";
import { readPayment } from "../../src/payments/gate/read-payment.ts";
import { EFFORT } from "../helpers/effort.ts";
import { type MoneyNode, type Reply, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, type Payer, payFor, protocolsOf } from "../helpers/payers.ts";

const json = (value: unknown, status = 200): Response => Response.json(value, { status });
const html = () => new Response("<html>502</html>", { headers: { "content-type": "text/html" } });
const hang = (signal: AbortSignal): Promise<Response> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(html()), { once: true }));
/** A body that breaks off. */
const cutOff = () => new Response('{"success":true,"transaction":"0x');
const after =
  (reply: (signal: AbortSignal) => Response | Promise<Response>): Reply =>
  async (forward, signal) => {
    await forward();
    return reply(signal);
  };
const failed = (errorReason: string) => json({ success: false, errorReason, transaction: "" });
const broken = () => json({ error: "Internal Server Error" }, 500);

interface Row {
  readonly settle: Reply;
  /** What the buyer hears. */
  readonly first: "paid" | "refused" | "unknown";
  /** Whether money moved all the same. */
  readonly moved: boolean;
}

const ROWS: Readonly<Record<string, Row>> = {
  ok: { settle: (forward) => forward(), first: "paid", moved: true },
  refused: { settle: () => failed("invalid_transaction_state"), first: "refused", moved: false },
  "a refusal with status 400": {
    settle: () => json({ success: false, errorReason: "transaction_failed", transaction: "" }, 400),
    first: "refused",
    moved: false,
  },
  "a refusal with blank members": {
    settle: () => json({ success: false, errorReason: "insufficient_funds", transaction: "", network: "", payer: "" }),
    first: "refused",
    moved: false,
  },
  "timeout before settling": { settle: (_, signal) => hang(signal), first: "unknown", moved: false },
  "timeout after settling": { settle: after(hang), first: "unknown", moved: true },
  "5xx before settling": { settle: broken, first: "unknown", moved: false },
  "5xx after settling": { settle: after(broken), first: "unknown", moved: true },
  "garbage before settling": { settle: () => new Response("{{{"), first: "unknown", moved: false },
  "garbage after settling": { settle: after(() => new Response("{{{")), first: "unknown", moved: true },
  "HTML before settling": { settle: html, first: "unknown", moved: false },
  "HTML after settling": { settle: after(html), first: "unknown", moved: true },
  "an answer that breaks off": { settle: after(cutOff), first: "unknown", moved: true },
  "nothing at all": { settle: after(() => new Response(null, { status: 204 })), first: "unknown", moved: true },
  "a refusal it cannot know": { settle: after(() => failed("unexpected_settle_error")), first: "unknown", moved: true },
  "a nonce already used": {
    settle: after(() => failed("invalid_exact_evm_nonce_already_used")),
    first: "unknown",
    moved: true,
  },
  "pending, then a nonce already used": {
    settle: async (forward, signal) => {
      // The first call broadcasts; the same payment cannot be settled again, so that every later one is refused.
      const answer = await (await forward()).json();
      if (signal.aborted) return html();
      const { success } = answer as { success: boolean };
      return failed(success ? "settlement_pending" : "invalid_exact_evm_nonce_already_used");
    },
    first: "unknown",
    moved: true,
  },
};

let money: MoneyNode | null = null;
afterEach(async () => {
  await money?.stop();
  money = null;
});

/** The state the recovery door tells, which the ledger keeps. */
async function stateOf({ url, clock }: MoneyNode, headers: Record<string, string>): Promise<string> {
  clock.advance(3_000);
  const { signed } = readPayment(new Headers(headers), clock.now());
  const answer = await fetch(`${url}/payments/${encodeURIComponent(signed.replay_key)}`, { headers });
  return ((await answer.json()) as { state: string }).state;
}

async function expectFirst(answer: Response, row: Row, protocol: 1 | 2): Promise<void> {
  const settled = answer.headers.get(protocol === 2 ? "PAYMENT-RESPONSE" : "X-PAYMENT-RESPONSE");
  const body = (await answer.json()) as Record<string, unknown>;
  if (row.first === "paid") {
    expect(answer.status).toBe(200);
    expect(JSON.parse(atob(settled ?? ""))).toMatchObject({ success: true });
    return;
  }
  expect(body.data).toBeUndefined();
  if (row.first === "refused") {
    expect(answer.status).toBe(402);
    expect(body).toMatchObject({ code: "settlement_failed", charged: false });
    expect(JSON.parse(atob(settled ?? ""))).toMatchObject({ success: false });
    expect(answer.headers.get("PAYMENT-REQUIRED")).not.toBeNull();
    return;
  }
  expect(answer.status).toBe(503);
  expect(body).toMatchObject({ code: "settlement_unknown", charged: "unknown", diagnostic: { same_payment: true } });
  expect(answer.headers.get("PAYMENT-REQUIRED")).toBeNull();
  expect(answer.headers.get("Retry-After")).not.toBeNull();
}

/** A facilitator that is well again: what it settled before, it refuses to settle again. */
const heal = ({ facilitator }: MoneyNode) => {
  facilitator.script.settle = (forward) => forward();
};

async function play(row: Row, payer: Payer, protocol: 1 | 2): Promise<void> {
  const node = money;
  if (!node) throw new Error("no node");
  const url = `${node.url}/one`;
  node.facilitator.script.settle = row.settle;
  const headers = await payFor(url, payer, protocol);
  await expectFirst(await fetch(url, { headers }), row, protocol);
  expect(node.settlements()).toBe(row.moved ? 1 : 0);
  const asked = node.facilitator.calls.settle;

  if (row.first === "unknown") {
    // A newly signed payment is never settled while the first is open; where the chain knows, it gets the answer.
    const second = await fetch(url, { headers: await payFor(url, payer, protocol) });
    expect(second.status).toBe(row.moved ? 200 : 503);
    expect(second.headers.get("X-Duplicate-Payment-Avoided")).toBe(row.moved ? "true" : null);
    expect(second.headers.get("PAYMENT-REQUIRED")).toBeNull();
    expect(node.facilitator.calls.settle).toBe(asked);
  }
  const state = { paid: "settled", refused: "never_charged", unknown: row.moved ? "settled" : "unknown" }[row.first];
  expect(await stateOf(node, headers)).toBe(state);

  // The same payment, with a facilitator that is well again: everybody ends up with data, and pays once.
  heal(node);
  node.clock.advance(15_000);
  const again = await fetch(url, { headers });
  expect(again.status).toBe(200);
  expect(again.headers.get("X-Idempotent-Replay")).toBe(row.first === "refused" ? null : "true");
  expect(await stateOf(node, headers)).toBe("settled");
  expect(node.settlements()).toBe(1);
  expect(node.facilitator.calls.settle).toBe(row.moved ? asked : asked + 1);
  const books = await node.node.audit();
  expect(books).toMatchObject({ ok: true, findings: [], receipts: 1 });
  expect(books.payments).toMatchObject({ settled: 1 });
}

/**
 * What a facilitator answers is judged by the same code on every network and in both versions, which differ in headers
 * alone: with quick counts the first network plays every row, and the others, like version 1, one of each kind of
 * answer, another one each.
 */
const rowsOf = (nth: number, protocol: 1 | 2) => {
  const rows = Object.entries(ROWS);
  if (EFFORT !== "quick" || (nth === 0 && protocol === 2)) return rows;
  const kinds = Map.groupBy(rows, ([, { first, moved }]) => `${first} ${moved}`);
  return [...kinds.values()].flatMap((kind) => kind.slice((2 * nth + protocol) % kind.length).slice(0, 1));
};

for (const [nth, { network, newPayer }] of PAYERS.entries()) {
  for (const protocol of protocolsOf(network)) {
    describe(`settling on ${network} in version ${protocol}`, () => {
      test.each(rowsOf(nth, protocol))("%s", async (_what, row) => {
        money = await startMoneyNode();
        await play(row, await newPayer(money.url), protocol);
      });
    });
  }
}

test("a facilitator that cannot be reached at all has settled nothing, and another payment may follow", async () => {
  money = await startMoneyNode();
  const [payers] = PAYERS;
  if (!payers) throw new Error("no payer");
  const url = `${money.url}/one`;
  const headers = await payFor(url, await payers.newPayer(money.url), 2);
  money.work.produce = async () => {
    await money?.facilitator.stop();
  };
  const answer = await fetch(url, { headers });
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: "facilitator_unavailable", charged: false });
  expect(money.settlements()).toBe(0);
  expect(await stateOf(money, headers)).toBe("never_charged");
});
