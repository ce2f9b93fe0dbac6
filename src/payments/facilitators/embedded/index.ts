import { systemTimers, type Timers } from "../../../core/clock.ts";
import { messageOf } from "../../../core/errors.ts";
import { CLAIMS_MAX, SCHEME } from "../../channels/contract.ts";
import type { Network } from "../../networks/table.ts";
import { plainReason } from "../../refusal.ts";
import type { ChainVerdict } from "../../types.ts";
import { detailOf, readSettlement, readVerification } from "../read-words.ts";
import { renderPayload } from "../render-payload.ts";
import type { Facilitator, NetworkNote, PaymentToSettle, SettleOutcome, VerifyOutcome } from "../types.ts";
import type { GasBudget } from "./gas-budget.ts";
import { gasCoinOf, renderGas } from "./gas-coin.ts";
import type { ChainEngine, SchemeSettle } from "./types.ts";
import { createWatch, type GasWatch, partOfPayer } from "./watch.ts";

export interface EmbeddedOptions {
  readonly id: string;
  readonly network: Network;
  /** Loads the chain's libraries; called at the first look. */
  readonly createEngine: () => Promise<ChainEngine>;
  readonly budget: GasBudget;
  /** Warn below this, in the smallest unit of the chain's coin. */
  readonly min_gas: bigint;
  /** Reads from the chain what came of a payment. */
  readonly askChain: (payment: PaymentToSettle, hint_transaction: string | undefined) => Promise<ChainVerdict>;
  readonly warn: (event: Readonly<Record<string, unknown>>) => void;
  readonly verify_timeout_ms: number;
  /** What ends waits; the system's timers unless given. */
  readonly timers?: Timers | undefined;
  readonly settle_timeout_ms: number;
}

/** Gas runs out between two looks of a remote facilitator's interval. */
const REFRESH_MS = 60_000;
const CHECK_TIMEOUT_MS = 15_000;
/** The chain is read twice, some seconds apart, before it is believed that nothing was paid. */
const ASK_TIMEOUT_MS = 8_000;

/** Settles on one network in this process: the official scheme, the operator's endpoints and gas account. */
export function createEmbeddedFacilitator(options: EmbeddedOptions): Facilitator {
  const { id, network, budget, min_gas, warn } = options;
  const coin = gasCoinOf(network);
  const listeners: (() => void)[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  let loading: Promise<ChainEngine> | null = null;
  const load = (): Promise<ChainEngine> => {
    loading ??= options.createEngine().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  /** What one settlement costs, as of the last look. */
  let cost = 0n;
  let said = "";
  const say = (notes: readonly NetworkNote[]) => {
    const text = notes.map(({ why }) => why).join("; ");
    if (text !== said && text !== "") warn({ event: "gas_low", facilitator: id, network: network.id, why: text });
    said = text;
  };

  const settle = async (payment: PaymentToSettle, watch: GasWatch): Promise<SettleOutcome> => {
    const engine = await load();
    const call = renderPayload(payment);
    const result = await within(
      engine.open(watch).settle(call, payment.requirement),
      options.settle_timeout_ms,
      options.timers,
    );
    if (result.kind === "failed") watch.noteFault(result.error);
    const words = result.kind === "done" ? result.value : null;
    const outcome = judge({ words, watch, payment, why: result.kind === "late" ? "no answer in time" : null });
    // The channel's state shows what became of its money.
    if (outcome.kind !== "unknown" || payment.requirement.scheme === SCHEME) return outcome;
    return resolve(payment, outcome, { reverted: isReverted(words) });
  };
  const earnsItsGas = async (): Promise<boolean> => (await load()).covers_cost === true;

  /** The chain itself is at hand: what it can say now need not wait. */
  const resolve = async (
    payment: PaymentToSettle,
    outcome: Extract<SettleOutcome, { kind: "unknown" }>,
    { reverted }: { reverted: boolean },
  ): Promise<SettleOutcome> => {
    const asked = await within(options.askChain(payment, outcome.transaction), ASK_TIMEOUT_MS, options.timers);
    if (asked.kind !== "done") return outcome;
    const verdict = asked.value;
    if (verdict.paid) return { kind: "settled", transaction: verdict.transaction };
    const unused = reverted && !verdict.reason.startsWith("used");
    if (!verdict.final && !unused) return outcome;
    const reason = verdict.final ? verdict.reason : outcome.cause;
    return { kind: "refused", reason: plainReason(reason), transaction: outcome.transaction ?? "" };
  };

  return {
    id,
    kind: "embedded",
    url: "in this process",
    refresh_ms: REFRESH_MS,
    claims_max: CLAIMS_MAX.most,
    onChange: (listener) => listeners.push(listener),
    async getSupported() {
      const engine = await load();
      const checked = await within(engine.check(), CHECK_TIMEOUT_MS, options.timers);
      if (checked.kind !== "done") throw checked.kind === "failed" ? checked.error : new Error("no endpoint answers");
      cost = checked.value.cost;
      const { balance } = checked.value;
      const left = budget.left();
      const notes = describeGas({ balance, cost, left, min_gas, account: engine.account });
      const note = (why: string): NetworkNote => ({ network: network.id, why });
      const [withheld, warnings] = [notes.withheld.map(note), notes.warnings.map(note)];
      say([...withheld, ...warnings]);
      const extras = Object.entries({ exact: engine.extra, ...engine.more_kinds?.() });
      const kinds = extras.map(([scheme, extra]) => ({ scheme, network: network.id, extra }));
      const family = network.id.slice(0, network.id.indexOf(":"));
      const signers = { [`${family}:*`]: [engine.account] };
      return { kinds: withheld.length > 0 ? [] : kinds, signers, withheld, warnings };
    },
    async verify(payment): Promise<VerifyOutcome> {
      const unavailable = (cause: string): VerifyOutcome => ({ kind: "unavailable", cause });
      // Nothing is produced for a payment that could not be settled.
      if (budget.left() < cost) {
        changed();
        return unavailable("the hourly cap of the gas account is reached");
      }
      if (payment.payer !== undefined && budget.isUsedUp(partOfPayer(payment.payer))) {
        return { kind: "invalid", reason: "gas_used_up_by_payer" };
      }
      const watch = createWatch(budget);
      // Nothing leaves in here.
      watch.close();
      const work = load().then((engine) => engine.open(watch).verify(renderPayload(payment), payment.requirement));
      const result = await within(work, options.verify_timeout_ms, options.timers);
      if (result.kind === "late") return unavailable(`no answer in ${options.verify_timeout_ms} ms`);
      if (watch.fault !== null) return unavailable(watch.fault);
      // A payload that makes a scheme throw cannot be settled by it.
      if (result.kind === "failed") return { kind: "invalid", reason: "invalid_payload", ...detail(result.error) };
      return readVerification(result.value);
    },
    async settle(payment) {
      const watch = createWatch(budget, payment.payer ?? null);
      const outcome = await settle(payment, watch).catch((error: unknown): SettleOutcome => {
        const cause = messageOf(error).slice(0, 200);
        const { transaction } = watch;
        return transaction === null ? { kind: "unseen", cause } : { kind: "unknown", cause, transaction };
      });
      watch.close();
      const is_sale = payment.requirement.scheme === "exact";
      if (outcome.kind === "settled" && is_sale && (await earnsItsGas())) watch.earn();
      // The account may be empty, or its cap reached: buyers are told before they sign.
      if (outcome.kind === "unseen" || budget.left() < cost) changed();
      return outcome;
    },
  };

  function describeGas(state: { balance: bigint; cost: bigint; left: bigint; min_gas: bigint; account: string }) {
    const { balance, left, account } = state;
    const [has, needs] = [renderGas(balance, coin), renderGas(state.cost, coin)];
    if (balance < state.cost) {
      return { withheld: [`the gas account ${account} holds ${has}, a settlement takes ${needs}`], warnings: [] };
    }
    if (left < state.cost) return { withheld: ["the hourly cap of the gas account is reached"], warnings: [] };
    if (balance >= min_gas) return { withheld: [], warnings: [] };
    const warning = `the gas account ${account} holds ${has}, less than min_gas (${renderGas(min_gas, coin)})`;
    return { withheld: [], warnings: [warning] };
  }
}

const detail = (error: unknown): { detail?: string } => detailOf(messageOf(error));

/** The chain took our transaction, and it failed there. */
const isReverted = (words: SchemeSettle | null): boolean =>
  words !== null &&
  !words.success &&
  words.transaction !== "" &&
  (words.errorReason ?? "").includes("transaction_failed");

/** What schemes say when a transaction could not be made or sent, among other things. */
const FAILED_TO_SEND =
  /(evm|svm)(_deposit|_claim|_settle|_refund)?_transaction_failed|^transaction_failed$|avm_settlement_failed/;

interface SettleEvidence {
  readonly words: SchemeSettle | null;
  readonly watch: GasWatch;
  readonly payment: PaymentToSettle;
  /** Why there are no words, where that is known. */
  readonly why: string | null;
}

/** What a scheme said and what left the house, as one of our outcomes. Nothing leaves after this. */
function judge({ words, watch, payment, why }: SettleEvidence): SettleOutcome {
  watch.close();
  const { fault, gas_refused } = watch;
  const { network } = payment.requirement;
  if (words?.success) {
    const { transaction } = words;
    const outcome = readSettlement({ success: true, transaction, network: words.network }, payment);
    if (outcome.kind !== "settled" || payment.requirement.scheme === "exact") return outcome;
    return { ...outcome, ...(words.amount === undefined ? {} : { amount: words.amount }), extra: words.extra };
  }
  // Of an earlier call when the scheme only waited on for what that had sent.
  const transaction = watch.transaction ?? words?.transaction ?? "";
  if (transaction === "") {
    const unsent = gas_refused ?? fault ?? (words ? null : (why ?? "the scheme gave no answer"));
    if (unsent !== null) return { kind: "unseen", cause: unsent };
  }
  if (!words) return { kind: "unknown", cause: why ?? fault ?? "the scheme gave no answer", transaction };
  const { errorReason: reason = "refused", errorMessage: message } = words;
  // Of a facilitator far away such a word leaves open what was sent. Here we know: nothing.
  if (transaction === "" && FAILED_TO_SEND.test(reason)) {
    return { kind: "refused", reason: plainReason(reason), transaction, ...detailOf(message) };
  }
  return readSettlement({ success: false, transaction, network, errorReason: reason, errorMessage: message }, payment);
}

type Within<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "late" };

/** Waits for work at most this long. The work itself goes on; its result is then ignored. */
async function within<T>(work: Promise<T>, limit_ms: number, timers: Timers = systemTimers): Promise<Within<T>> {
  const late = Promise.withResolvers<Within<T>>();
  const cancel = timers.after(limit_ms, () => late.resolve({ kind: "late" }));
  const done = work.then(
    (value): Within<T> => ({ kind: "done", value }),
    (error: unknown): Within<T> => ({ kind: "failed", error }),
  );
  try {
    return await Promise.race([done, late.promise]);
  } finally {
    cancel();
  }
}
