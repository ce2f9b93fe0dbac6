import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { networkById } from "../../networks/table.ts";
import type { ChainVerdict } from "../../types.ts";
import type { PaymentToSettle } from "../types.ts";
import { openGasBudget } from "./gas-budget.ts";
import { createEmbeddedFacilitator } from "./index.ts";
import type { ChainEngine, SchemeSettle, SendWatch } from "./types.ts";

const NETWORK = networkById("eip155:8453") as NonNullable<ReturnType<typeof networkById>>;
const HEX = `0x${"a".repeat(64)}`;
const COST = 10n;
const clock = { now: () => 1_800_000_000_000 };
const folder = mkdtempSync(join(tmpdir(), "embedded-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAYMENT: PaymentToSettle = {
  payload: { signature: "0x01" },
  requirement: {
    scheme: "exact",
    network: NETWORK.id,
    amount: "1000",
    asset: NETWORK.asset,
    payTo: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
    maxTimeoutSeconds: 300,
    extra: {},
  },
  fee_payer: null,
};
const SETTLED: SchemeSettle = { success: true, transaction: HEX, network: NETWORK.id };
const failed = (errorReason: string, transaction = ""): SchemeSettle => ({
  success: false,
  errorReason,
  transaction,
  network: NETWORK.id,
});

/** Time limit where something hangs: long enough for everything that comes before it. */
const HANGING_MS = 500;

let files = 0;
/** A facilitator on an engine of which a test writes every answer. */
function create(cap = 1_000n, limit_ms = 30_000) {
  const script = {
    engine_fault: null as Error | null,
    balance: 1_000n,
    verify: async (_watch: SendWatch): Promise<{ isValid: boolean; invalidReason?: string }> => ({ isValid: true }),
    settle: async (watch: SendWatch): Promise<SchemeSettle> => {
      await watch.beforeSend({ cost_max: COST, transaction: HEX });
      return SETTLED;
    },
    verdict: { paid: false, final: false, reason: "not_used_yet" } as ChainVerdict | Error,
  };
  const seen = { made: 0, warned: [] as unknown[], asked: [] as (string | undefined)[], changes: 0 };
  let covered = false;
  const covers = (now: boolean) => {
    covered = now;
  };
  const engine: ChainEngine = {
    account: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    extra: {},
    get covers_cost() {
      return covered;
    },
    check: async () => ({ balance: script.balance, cost: COST }),
    open: (watch) => ({ verify: () => script.verify(watch), settle: () => script.settle(watch) }),
  };
  files += 1;
  const budget = openGasBudget({ file: join(folder, `${files}.json`), cap, clock });
  const facilitator = createEmbeddedFacilitator({
    id: "embedded:test",
    network: NETWORK,
    async createEngine() {
      seen.made += 1;
      if (script.engine_fault) throw script.engine_fault;
      return engine;
    },
    budget,
    min_gas: 100n,
    async askChain(_payment, hint) {
      seen.asked.push(hint);
      if (script.verdict instanceof Error) throw script.verdict;
      return script.verdict;
    },
    warn: (event) => seen.warned.push(event),
    verify_timeout_ms: limit_ms,
    settle_timeout_ms: limit_ms,
  });
  facilitator.onChange?.(() => {
    seen.changes += 1;
  });
  return { facilitator, script, seen, budget, covers };
}
let made: ReturnType<typeof create>;
beforeEach(() => {
  made = create();
});
const settle = () => made.facilitator.settle(PAYMENT);
const send = (watch: SendWatch) => watch.beforeSend({ cost_max: COST, transaction: HEX });

describe("what certainly did not leave is unseen: another facilitator may settle", () => {
  test("an engine that cannot be made, such as with a wrong key; it is tried again", async () => {
    made.script.engine_fault = new Error("the gas key is no key");
    expect(await settle()).toEqual({ kind: "unseen", cause: "the gas key is no key" });
    made.script.engine_fault = null;
    expect(await settle()).toEqual({ kind: "settled", transaction: HEX });
    expect(made.seen.made).toBe(2);
  });

  test("an endpoint that fails before the send", async () => {
    made.script.settle = async (watch) => {
      watch.noteFault(new Error("bad gateway"));
      return failed("invalid_exact_evm_signature");
    };
    expect(await settle()).toEqual({ kind: "unseen", cause: "bad gateway" });
    expect(made.seen.asked).toEqual([]);
  });

  test("a cap that is reached", async () => {
    made = create(COST - 1n);
    made.script.settle = async (watch) => {
      await send(watch).catch(() => undefined);
      return failed("invalid_exact_evm_transaction_failed");
    };
    expect(await settle()).toMatchObject({ kind: "unseen", cause: "the hourly cap of the gas account is reached" });
    expect(made.seen.changes).toBe(1);
  });

  test("a scheme that takes too long: what it would still send is held back", async () => {
    const sending = Promise.withResolvers<string>();
    const given_up = Promise.withResolvers<void>();
    made = create(1_000n, 50);
    made.script.settle = async (watch) => {
      await given_up.promise;
      const word = await send(watch).then(
        () => "sent",
        () => "held back",
      );
      sending.resolve(word);
      return SETTLED;
    };
    expect(await settle()).toMatchObject({ kind: "unseen" });
    given_up.resolve();
    expect(await sending.promise).toBe("held back");
    expect(made.budget.left()).toBe(1_000n);
  });

  test("a transaction that every endpoint refused", async () => {
    made.script.settle = async (watch) => {
      await send(watch);
      watch.takeBack();
      watch.noteFault(new Error("insufficient funds for gas"));
      return failed("invalid_exact_evm_transaction_failed");
    };
    expect(await settle()).toEqual({ kind: "unseen", cause: "insufficient funds for gas" });
  });
});

describe("what left, or may have, is for the chain to tell", () => {
  const afterSending = (then: () => SchemeSettle | Promise<SchemeSettle>) => async (watch: SendWatch) => {
    await send(watch);
    return then();
  };
  const throws = () => {
    throw new Error("the endpoint hung up");
  };
  const hangs = () => new Promise<SchemeSettle>(() => undefined);
  test.each<[what: string, then: () => SchemeSettle | Promise<SchemeSettle>]>([
    ["a scheme that throws", throws],
    ["a scheme that hangs", hangs],
    ["a failure without a transaction", () => failed("invalid_exact_evm_transaction_failed")],
    ["a settlement that is pending", () => failed("settlement_pending", HEX)],
  ])("%s", async (_what, then) => {
    if (then === hangs) made = create(1_000n, HANGING_MS);
    made.script.settle = afterSending(then);
    expect(await settle()).toMatchObject({ kind: "unknown", transaction: HEX });
    expect(made.seen.asked).toEqual([HEX]);
    made.script.verdict = { paid: true, transaction: HEX };
    expect(await settle()).toEqual({ kind: "settled", transaction: HEX });
    made.script.verdict = { paid: false, final: true, reason: "canceled_by_payer" };
    expect(await settle()).toMatchObject({ kind: "refused", reason: "canceled_by_payer" });
    made.script.verdict = new Error("no endpoint");
    expect(await settle()).toMatchObject({ kind: "unknown" });
  });

  test("a transaction that failed on the chain, whose authorization is still unused: refused", async () => {
    made.script.settle = afterSending(() => failed("invalid_exact_evm_transaction_failed", HEX));
    expect(await settle()).toMatchObject({ kind: "refused", reason: "invalid_exact_evm_transaction_failed" });
    made.script.verdict = { paid: false, final: false, reason: "used_but_not_found" };
    expect(await settle()).toMatchObject({ kind: "unknown" });
  });

  test("an authorization that was used already: by an earlier attempt of ours, or not", async () => {
    made.script.settle = async () => failed("invalid_exact_evm_nonce_already_used");
    expect(await settle()).toMatchObject({ kind: "unknown" });
    made.script.verdict = { paid: true, transaction: HEX };
    expect(await settle()).toEqual({ kind: "settled", transaction: HEX });
  });

  test("a word that the scheme's earlier transaction is still pending keeps that transaction", async () => {
    made.script.settle = async () => failed("settlement_pending", HEX);
    expect(await settle()).toMatchObject({ kind: "unknown", transaction: HEX });
  });
});

describe("a refusal before anything was sent", () => {
  test.each(["invalid_exact_evm_insufficient_balance", "invalid_exact_evm_transaction_failed"])(
    "(%s) is one: the chain need not be asked",
    async (reason) => {
      made.script.settle = async () => failed(reason);
      expect(await settle()).toEqual({ kind: "refused", reason, transaction: "" });
      expect(made.seen.asked).toEqual([]);
    },
  );
});

describe("verify", () => {
  const verify = () => made.facilitator.verify(PAYMENT);

  test("sends nothing, whatever a scheme tries", async () => {
    let word = "";
    made.script.verify = async (watch) => {
      word = await send(watch).then(
        () => "sent",
        () => "held back",
      );
      return { isValid: true };
    };
    expect(await verify()).toEqual({ kind: "valid" });
    expect(word).toBe("held back");
    expect(made.budget.left()).toBe(1_000n);
  });

  test("refuses in the scheme's word, made plain", async () => {
    made.script.verify = async () => ({ isValid: false, invalidReason: "not\r\ngood" });
    expect(await verify()).toEqual({ kind: "invalid", reason: "not_good" });
    made.script.verify = async () => {
      throw new Error("Cannot read x");
    };
    expect(await verify()).toMatchObject({ kind: "invalid", reason: "invalid_payload" });
  });

  test("is no refusal when the endpoint failed, or was too slow", async () => {
    made.script.verify = async (watch) => {
      watch.noteFault(new Error("bad gateway"));
      return { isValid: false, invalidReason: "invalid_exact_evm_signature" };
    };
    expect(await verify()).toEqual({ kind: "unavailable", cause: "bad gateway" });
    made = create(1_000n, HANGING_MS);
    made.script.verify = () => new Promise(() => undefined);
    expect(await verify()).toMatchObject({ kind: "unavailable" });
  });

  test("takes no payment that could not be settled within the cap", async () => {
    made = create(COST * 2n - 1n);
    await made.facilitator.getSupported();
    expect(await verify()).toEqual({ kind: "valid" });
    expect(await settle()).toMatchObject({ kind: "settled" });
    expect(await verify()).toMatchObject({ kind: "unavailable" });
  });
});

describe("a payer that burns gas", () => {
  const of = (payer: string): PaymentToSettle => ({ ...PAYMENT, payer });
  const burn = async (watch: SendWatch) => {
    await send(watch);
    return failed("invalid_exact_evm_transaction_failed", HEX);
  };

  test("is refused once he has used up his part; nobody else is, and the network stays", async () => {
    made = create(COST * 20n);
    await made.facilitator.getSupported();
    made.script.settle = burn;
    for (let n = 0; n < 2; n++) expect((await made.facilitator.settle(of("one"))).kind).toBe("refused");
    expect(await made.facilitator.verify(of("one"))).toEqual({ kind: "invalid", reason: "gas_used_up_by_payer" });
    expect(await made.facilitator.settle(of("one"))).toMatchObject({ kind: "unseen" });
    expect(await made.facilitator.verify(of("two"))).toEqual({ kind: "valid" });
    expect(await made.facilitator.getSupported()).toMatchObject({ kinds: [{ network: NETWORK.id }], withheld: [] });
  });

  test("has no part in what his payments earned back", async () => {
    made = create(COST * 5n);
    made.covers(true);
    for (let n = 0; n < 50; n++) expect((await made.facilitator.settle(of("one"))).kind).toBe("settled");
    expect(made.budget.left()).toBe(COST * 5n);
    expect(await made.facilitator.verify(of("one"))).toEqual({ kind: "valid" });
  });

  test("by having wallets created may use a quarter of the cap, all together", async () => {
    made = create(COST * 8n);
    made.script.settle = async (watch) => {
      await watch.beforeSend({ cost_max: COST });
      return failed("invalid_exact_evm_transaction_failed");
    };
    for (let n = 0; n < 5; n++) await made.facilitator.settle(of(`payer ${n}`));
    expect(made.budget.left()).toBe(COST * 6n);
  });
});

describe("what it supports", () => {
  test("is its network while there is gas, with a warning once when it gets low", async () => {
    const { facilitator, script, seen } = made;
    expect(await facilitator.getSupported()).toMatchObject({ kinds: [{ network: NETWORK.id }], warnings: [] });
    script.balance = 99n;
    expect(await facilitator.getSupported()).toMatchObject({ kinds: [{ network: NETWORK.id }], withheld: [] });
    expect((await facilitator.getSupported()).warnings).toHaveLength(1);
    expect(seen.warned).toHaveLength(1);
    script.balance = COST - 1n;
    expect(await facilitator.getSupported()).toMatchObject({ kinds: [], withheld: [{ network: NETWORK.id }] });
    expect(seen.warned).toHaveLength(2);
    script.balance = 1_000n;
    expect(await facilitator.getSupported()).toMatchObject({ withheld: [], warnings: [] });
  });
});
