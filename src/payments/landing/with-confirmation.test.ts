import { describe, expect, test } from "bun:test";
import { HANG_MS } from "../../../test/helpers/hang-limit.ts";
import type { FacilitatorPool } from "../facilitators/pool.ts";
import type { PaymentToSettle, SettleOutcome } from "../facilitators/types.ts";
import type { ChainVerdict } from "../types.ts";
import type { ChainQuestion } from "./chain-reader.ts";
import { NOT_CONFIRMED, withConfirmation } from "./with-confirmation.ts";

const NAMED = `0x${"a".repeat(64)}`;
const LANDED = `0x${"b".repeat(64)}`;
const PAYMENT: PaymentToSettle = {
  payload: { signed: true },
  fee_payer: null,
  requirement: {
    scheme: "exact",
    network: "eip155:8453",
    amount: "10000",
    asset: "usdc",
    payTo: "seller",
    maxTimeoutSeconds: 300,
    extra: {},
  },
};
type Reply = ChainVerdict | Error;
const NOT_YET: Reply = { paid: false, final: false, reason: "not_used_yet" };

/** A pool and a chain with scripted outcomes: the last one repeats for ever. */
function confirm(
  outcome: SettleOutcome,
  replies: Reply[],
  { must = true, readable = true, timeout_ms = HANG_MS } = {},
) {
  const questions: ChainQuestion[] = [];
  const judged: string[][] = [];
  const never = () => {
    throw new Error("not in this test");
  };
  const inner: FacilitatorPool = {
    offers: [],
    unavailable: () => [],
    listedInstead: () => "",
    onChange: never,
    verify: never,
    settle: async () => ({ outcome, facilitator: "settler" }),
    claimsMax: () => 1,
    status: () => [],
    refresh: never,
    stop: never,
  };
  const pool = withConfirmation(inner, {
    chain: {
      canRead: () => readable,
      ask: async (question) => {
        questions.push(question);
        const reply = replies.length > 1 ? replies.shift() : replies[0];
        if (reply === undefined || reply instanceof Error) throw reply ?? new Error("nothing to say");
        return reply;
      },
    },
    mustConfirm: async (facilitator, network) => {
      judged.push([facilitator, network]);
      return must;
    },
    now_ms: () => 1_000,
    settle_timeout_ms: timeout_ms,
    log: () => undefined,
  });
  return { settle: () => pool.settle("first", PAYMENT), questions, judged };
}
const settled: SettleOutcome = { kind: "settled", transaction: NAMED };
const unknown = { kind: "unknown", cause: NOT_CONFIRMED, transaction: NAMED } as const;

describe("a report of a facilitator that is not believed", () => {
  test("stands when the chain shows it, by the transaction the chain shows", async () => {
    const { settle, questions, judged } = confirm(settled, [{ paid: true, transaction: LANDED }]);
    expect(await settle()).toEqual({ facilitator: "settler", outcome: { kind: "settled", transaction: LANDED } });
    expect(judged).toEqual([["settler", "eip155:8453"]]);
    expect(questions).toMatchObject([
      { payload: PAYMENT.payload, amount: 10_000n, pay_to: "seller", since_ms: 1_000, hint_transaction: NAMED },
    ]);
  });

  test("is looked for until it is there", async () => {
    const replies: Reply[] = [new Error("down"), { paid: true, transaction: LANDED }];
    const { settle, questions } = confirm(settled, replies);
    expect((await settle()).outcome.kind).toBe("settled");
    expect(questions).toHaveLength(2);
  });

  test.each<[what: string, replies: Reply[]]>([
    ["is not there in time", [NOT_YET]],
    ["was never taken", [{ paid: false, final: true, reason: "expired_unused" }]],
    ["cannot be looked up", [new Error("down")]],
  ])("leaves open what became of it when it %s", async (_what, replies) => {
    const { settle } = confirm(settled, replies, { timeout_ms: 60 });
    expect(await settle()).toEqual({ facilitator: "settler", outcome: unknown });
  });

  test("leaves it open where there is no chain to ask", async () => {
    const { settle, questions } = confirm(settled, [], { readable: false });
    expect((await settle()).outcome).toEqual(unknown);
    expect(questions).toEqual([]);
  });
});

test("a facilitator that is believed costs no look at the chain", async () => {
  const { settle, questions } = confirm(settled, [], { must: false });
  expect((await settle()).outcome).toEqual(settled);
  expect(questions).toEqual([]);
});

test.each<SettleOutcome>([
  { kind: "refused", reason: "insufficient_funds", transaction: "" },
  { kind: "unseen", cause: "connection refused" },
  { kind: "unknown", cause: "settlement_pending", transaction: NAMED },
])("what is not reported as settled is passed on as it is: $kind", async (outcome) => {
  const { settle, questions } = confirm(outcome, []);
  expect((await settle()).outcome).toEqual(outcome);
  expect(questions).toEqual([]);
});
