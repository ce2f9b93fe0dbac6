import { type Network, networkById, networkByV1Name } from "../networks/table.ts";
import { plainReason } from "../refusal.ts";
import type { PaymentToSettle, SettleOutcome, VerifyOutcome } from "./types.ts";

/** What a facilitator says of a payment, ours in process included. Only `isValid` was looked at. */
export interface VerifyWords {
  readonly isValid: boolean;
  readonly invalidReason?: unknown;
  readonly invalidMessage?: unknown;
  readonly extra?: unknown;
}

/** What a facilitator says of a settlement, ours in process included. Only `success` was looked at. */
export interface SettlementWords {
  readonly success: boolean;
  readonly transaction?: unknown;
  readonly network?: unknown;
  readonly errorReason?: unknown;
  readonly errorMessage?: unknown;
  /** The answer as it came: whatever it calls a transaction, a transaction found in it is named. */
  readonly text?: string;
}

/** It broke down over the payment, which says nothing of the payment. */
const BROKE_DOWN = /^(unexpected_(verify_|settle_)?error|internal_(server_)?error)$/;
/** It does not settle what it lists in /supported: network, scheme and terms are ours, and never the buyer's. */
const NOT_ITS_KIND = /^(invalid|unsupported)_(network|scheme|payment_requirements|x402_version)$/;
/** It broadcast, and waits. */
const PENDING = "settlement_pending";
/**
 * "Already used" may mean that our own first settle worked, and these others come after a broadcast, so the chain has
 * the word. The Algorand scheme says "settlement_failed" also when the group is in the ledger already, the Solana
 * and the EVM scheme "transaction_failed" also when the answer to a broadcast got lost. Of Permit2 nobody says "already
 * used": trying the payment out fails, and that for no other reason than those that have words of their own.
 */
const MAYBE_OURS = new RegExp(
  "nonce_already_used|duplicate_settlement|already_in_ledger|confirmation_(timed_out|failed)|not_confirmed" +
    "|block_height_exceeded|transfer_event_mismatch|avm_(settlement|simulation)_failed" +
    "|(svm|evm)_transaction_failed|permit2_(invalid_nonce|simulation_failed)" +
    "|batch_settlement_evm_\\w*(transaction_failed|wait_for_receipt_failed)",
);
/**
 * What a refusal may say although the same payment was settled before: the first settle took the money, so the wallet
 * is empty or trying the payment out fails; and of a payment whose time is over only that is looked at.
 */
const MAYBE_SETTLED_BEFORE =
  /insufficient|balance|allowance|simulation_failed|expired|valid_before|too_late|blockhash|round/;
const DETAIL_CHARS_MAX = 300;

/** A text that says something: blanks do not, nor does what is no text. */
const textOf = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value : null);

const reasonOf = (value: unknown): string =>
  plainReason((typeof value === "number" ? String(value) : textOf(value)) ?? "refused");

/** For the log only: one line, no control characters. */
export const detailOf = (text: unknown): { detail?: string } =>
  typeof text !== "string" || text === "" ? {} : { detail: text.replace(/[^ -~]+/g, " ").slice(0, DETAIL_CHARS_MAX) };

/** A verification's answer as an outcome. A clear no counts, whatever else the answer says. */
export function readVerification(said: VerifyWords): VerifyOutcome {
  if (said.isValid) return said.extra === undefined ? { kind: "valid" } : { kind: "valid", extra: said.extra };
  const reason = reasonOf(said.invalidReason);
  if (BROKE_DOWN.test(reason) || NOT_ITS_KIND.test(reason)) {
    return { kind: "unavailable", cause: reason, answered: true };
  }
  return { kind: "invalid", reason, ...detailOf(said.invalidMessage) };
}

/** Whether a facilitator means the network a payment is on: by its id in any spelling, or its version 1 name. */
const isSameNetwork = (said: string, id: string): boolean =>
  (networkById(said) ?? networkByV1Name(said))?.id === networkById(id)?.id;

/** Whether a refusal is about another network. One that names no network is about the requested one. */
function isOtherNetwork(said: unknown, id: string): boolean {
  const name = (typeof said === "number" ? String(said) : textOf(said))?.trim();
  // Some name a chain by its number alone.
  return name !== undefined && !isSameNetwork(name, id) && name !== id.slice(id.indexOf(":") + 1);
}

/** How programs write that there is no transaction: blanks, zeros, the zero of their type. */
const NO_TRANSACTION = /^\s*(|(0x)?0*|1{32,}|A{52}|\{\}|\[\]|false|null|undefined|none|n\/a)\s*$/i;

/** The value in the transaction's place, as text; null when it is absent. */
function namedAs(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return NO_TRANSACTION.test(text) ? null : text;
}

/** A transaction found anywhere in an answer. Values of the payment itself, such as its nonce, do not count. */
function findMentioned(text: string, { transaction_pattern }: Network, payload: unknown): string | null {
  const whole = transaction_pattern.source.replace(/^\^|\$$/g, "");
  // In JSON a line break is a backslash and a letter.
  const pattern = new RegExp(`(?<=^|[^0-9A-Za-z]|\\\\[bfnrt])(?:${whole})(?![0-9A-Za-z])`, "g");
  const sent = JSON.stringify(payload).toLowerCase();
  for (const [found] of text.matchAll(pattern)) {
    const is_echo = sent.includes(found.replace(/^0x/, "").toLowerCase());
    if (!is_echo && !NO_TRANSACTION.test(found)) return found;
  }
  return null;
}

/**
 * A settlement's words as an outcome: the one reader of every facilitator's answer to /settle. Booked as settled is
 * only what names a transaction that can be one, on the payment's own network. A refusal is one when it names no
 * transaction and no other network, whatever else it holds. Anything else is for the chain to tell.
 */
export function readSettlement(said: SettlementWords, { requirement, payload }: PaymentToSettle): SettleOutcome {
  const network = networkById(requirement.network);
  const name = namedAs(said.transaction);
  const is_named = name !== null && (network?.transaction_pattern.test(name) ?? false);
  const known = { ...detailOf(said.errorMessage), ...(is_named ? { transaction: name } : {}) };
  const is_elsewhere = said.success
    ? !(typeof said.network === "string" && isSameNetwork(said.network, requirement.network))
    : isOtherNetwork(said.network, requirement.network);
  if (is_elsewhere) {
    return { kind: "unknown", cause: "the answer is about another network", ...detailOf(said.errorMessage) };
  }
  if (name !== null && !is_named) return { kind: "unknown", cause: "what it names is no transaction", ...known };
  if (said.success) {
    return is_named
      ? { kind: "settled", transaction: name }
      : { kind: "unknown", cause: "success without a transaction" };
  }
  const reason = reasonOf(said.errorReason);
  // A refusal that names a transaction was broadcast first: whether it failed, the chain says.
  const is_open = is_named || reason === PENDING || BROKE_DOWN.test(reason) || MAYBE_OURS.test(reason);
  if (is_open) return { kind: "unknown", cause: reason, ...known };
  const mentioned = network && said.text !== undefined ? findMentioned(said.text, network, payload) : null;
  if (mentioned !== null) return { kind: "unknown", cause: reason, ...known, transaction: mentioned };
  return { kind: "refused", reason, transaction: "", ...detailOf(said.errorMessage) };
}

/** Whether an open outcome was reported in words that speak for a settlement that worked. */
export const speaksForSettled = (cause: string): boolean => MAYBE_OURS.test(cause) || cause === PENDING;

/** Whether a refusal of a payment that was sent before shows that the first settle took nothing either. */
export const isRefusalForGood = (reason: string): boolean => !MAYBE_SETTLED_BEFORE.test(reason);
