import { base58 } from "@scure/base";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { decodeSolanaAddress } from "../../../core/solana-address.ts";
import { createReader } from "../../codec.ts";
import type { ChainVerdict, NetworkFamily } from "../../types.ts";
import { createJSONRPC, type JSONRPC } from "../json-rpc.ts";
import type { Network } from "../table.ts";
import { MEMO_PROGRAM } from "./programs.ts";
import { LIFETIME_MS, readSolanaPayment, type SolanaPayment } from "./read.ts";

import { findTokenAccount } from "./token-account.ts";
import { parseBase64Transaction } from "./transaction.ts";

/** A payment may have landed some minutes before it came to us. The rest is for a clock of ours that is wrong. */
const SEARCH_BEFORE_MS = 2 * 3_600_000;
/** "Not paid" is final only when the chain is this far past the last moment the payment could land. */
const FINAL_MARGIN_MS = 60_000;
const PAGE = 1_000;
const PAGES_MAX = 10;
/** Transactions opened in one look. A payment with its own memo needs one. */
const OPENED_MAX = 100;

const Signature = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{64,88}$" });
const Listed = Type.Object({
  signature: Signature,
  blockTime: Type.Optional(Type.Union([Type.Null(), Type.Integer()])),
  memo: Type.Optional(Type.Union([Type.Null(), Type.String()])),
});
type Listed = Static<typeof Listed>;
const Balance = Type.Object({
  accountIndex: Type.Integer({ minimum: 0, maximum: 255 }),
  mint: Type.String(),
  uiTokenAmount: Type.Object({ amount: Type.String({ pattern: "^[0-9]{1,20}$" }) }),
});
const Balances = Type.Optional(Type.Union([Type.Null(), Type.Array(Balance, { maxItems: 256 })]));
const Found = Type.Object({
  transaction: Type.Tuple([Type.String({ maxLength: 4_096 }), Type.Literal("base64")]),
  meta: Type.Object({ err: Type.Unknown(), preTokenBalances: Balances, postTokenBalances: Balances }),
});
type Found = Static<typeof Found>;

/** Reads an answer that must have a form. */
function needs<S extends TSchema>(schema: S): (value: unknown, method: string) => Static<S> {
  const read = createReader(schema);
  return (value, method) => {
    const found = read(value);
    if (found === null) throw new Error(`unexpected answer to ${method}`);
    return found;
  };
}
const needListed = needs(Type.Array(Listed, { maxItems: PAGE }));
const readFound = createReader(Type.Union([Type.Object({ found: Type.Null() }), Type.Object({ found: Found })]));
const needValid = needs(
  Type.Object({ context: Type.Object({ slot: Type.Integer({ minimum: 0 }) }), value: Type.Boolean() }),
);
const needTime = needs(Type.Integer({ minimum: 0 }));

const ID_FORM = new RegExp(Signature.pattern ?? "");
/** Whether a text names a transaction: what a facilitator says may be anything, and a node fails on what is no id. */
const isTransactionId = (text: string): boolean => ID_FORM.test(text) && base58.decode(text).length === 64;

interface Search {
  readonly rpc: JSONRPC;
  readonly payment: SolanaPayment;
  readonly network: Network;
  readonly amount: bigint;
  readonly pay_to: string;
  readonly since_ms: number;
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** What our token account held before and after, from a transaction's own account of it. */
function growthOf({ meta }: Found, { payment, network, pay_to }: Search): bigint {
  const account = decodeSolanaAddress(findTokenAccount(pay_to, network.asset)) ?? new Uint8Array();
  const index = payment.transaction.accounts.indexOf(Buffer.from(account).toString("hex"));
  const held = (balances: Found["meta"]["preTokenBalances"]): bigint => {
    const one = (balances ?? []).find((row) => row.accountIndex === index && row.mint === network.asset);
    return BigInt(one?.uiTokenAmount.amount ?? "0");
  };
  return held(meta.postTokenBalances) - held(meta.preTokenBalances);
}

/** Opens one transaction. Null when it is another one, or not there. */
async function open(search: Search, signature: string, commitment: string): Promise<ChainVerdict | null> {
  const options = { encoding: "base64", commitment, maxSupportedTransactionVersion: 0 };
  const answer = readFound({ found: await search.rpc("getTransaction", [signature, options]) });
  if (!answer) throw new Error("unexpected answer to getTransaction");
  const { found } = answer;
  if (!found) return null;
  const transaction = parseBase64Transaction(found.transaction[0]);
  const { payment } = search;
  const is_ours =
    transaction !== null &&
    sameBytes(transaction.message, payment.transaction.message) &&
    sameBytes(transaction.signatures[1] ?? new Uint8Array(), payment.payer_signature);
  if (!is_ours) return null;
  // What another program of the same transaction sent us besides is the buyer's gift.
  const pays = payment.amount === search.amount && growthOf(found, search) >= search.amount;
  if (found.meta.err === null && pays) {
    // Its own first signature, whatever name it was asked for by.
    return { paid: true, transaction: base58.encode(transaction.signatures[0] ?? new Uint8Array()) };
  }
  const reason = found.meta.err === null ? "landed_without_paying_us" : "transaction_failed";
  // A failed transaction is over only when the block it failed in cannot be dropped any more.
  return { paid: false, final: commitment === "finalized", reason };
}

/** The same, once more at the end of all doubt when it did not pay. */
async function openToTheEnd(search: Search, signature: string): Promise<ChainVerdict | null> {
  const verdict = await open(search, signature, "confirmed");
  return verdict && !verdict.paid ? ((await open(search, signature, "finalized")) ?? verdict) : verdict;
}

/** The payment's memos as RPC nodes list them, "[length] text", or null for none. */
function memoOf({ transaction: { accounts, instructions } }: SolanaPayment): string | null {
  const memo = Buffer.from(decodeSolanaAddress(MEMO_PROGRAM) ?? []).toString("hex");
  const texts = instructions
    .filter((one) => accounts[one.program] === memo)
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString("utf8")}`);
  return texts.length > 0 ? texts.join("; ") : null;
}

interface Look {
  readonly verdict: ChainVerdict | null;
  /** Whether everything was seen that may be the payment. */
  readonly complete: boolean;
}

/**
 * Looks for the payment among the transactions of the account it takes the tokens from, newest first. That account is
 * the payer's: unlike ours it is not touched by every sale, and nobody gains by making it long.
 */
async function look(search: Search, limits: Readonly<Record<string, unknown>>): Promise<Look> {
  const { rpc, payment } = search;
  const account = base58.encode(Buffer.from(payment.source, "hex"));
  const memo = memoOf(payment);
  const oldest_s = Math.floor((search.since_ms - SEARCH_BEFORE_MS) / 1_000);
  let before: string | undefined;
  let opened = 0;
  for (let page = 0; page < PAGES_MAX; page++) {
    const options = { limit: PAGE, ...limits, ...(before === undefined ? {} : { before }) };
    const rows: readonly Listed[] = needListed(
      await rpc("getSignaturesForAddress", [account, options]),
      "getSignaturesForAddress",
    );
    for (const row of rows) {
      if (typeof row.blockTime === "number" && row.blockTime < oldest_s) return { verdict: null, complete: true };
      // Some nodes do not list memos, so only another one tells that it is another payment.
      if (typeof row.memo === "string" && row.memo !== memo) continue;
      opened += 1;
      if (opened > OPENED_MAX) return { verdict: null, complete: false };
      const verdict = await openToTheEnd(search, row.signature);
      if (verdict) return { verdict, complete: true };
    }
    before = rows.at(-1)?.signature;
    if (rows.length < PAGE || before === undefined) return { verdict: null, complete: true };
  }
  return { verdict: null, complete: false };
}

/**
 * The slot at which the payment's block hash is over for good, or null while it may still land. A node says "not valid"
 * of hashes it does not know yet as well, and final blocks are behind: so the newest blocks must say the same, and the
 * final one must be well past the time the payment came in.
 */
async function findEnd({ rpc, payment, since_ms }: Search): Promise<number | null> {
  const hash = base58.encode(payment.transaction.blockhash);
  const ask = async (commitment: string) =>
    needValid(await rpc("isBlockhashValid", [hash, { commitment }]), "isBlockhashValid");
  if ((await ask("confirmed")).value) return null;
  const { context, value } = await ask("finalized");
  if (value) return null;
  const time_s = needTime(await rpc("getBlockTime", [context.slot]), "getBlockTime");
  return time_s * 1_000 > since_ms + LIFETIME_MS + FINAL_MARGIN_MS ? context.slot : null;
}

/**
 * Reads from the chain whether a payment landed. Paid means: this very message, signed by the payer, succeeded and our
 * token account grew by at least its amount. Not paid is final when its block hash is over and two looks, the second at
 * final blocks behind that end and at another endpoint where there is one, did not find it; or when it landed and
 * failed.
 */
export const askSolanaChain: NetworkFamily["askChain"] = async (question): Promise<ChainVerdict> => {
  const { network, payload, amount, pay_to, since_ms, hint_transaction, rpc_urls } = question;
  const payment = readSolanaPayment(payload);
  const search: Search = { rpc: createJSONRPC(rpc_urls), payment, network, amount, pay_to, since_ms };
  if (hint_transaction !== undefined && isTransactionId(hint_transaction)) {
    const verdict = await openToTheEnd(search, hint_transaction);
    if (verdict) return verdict;
  }
  const first = await look(search, { commitment: "confirmed" });
  if (first.verdict) return first.verdict;
  const end = await findEnd(search);
  if (end === null) return { paid: false, final: false, reason: "not_landed_yet" };
  const rpc = createJSONRPC([...rpc_urls.slice(1), ...rpc_urls.slice(0, 1)]);
  const second = await look({ ...search, rpc }, { commitment: "finalized", minContextSlot: end });
  if (second.verdict) return second.verdict;
  if (!first.complete || !second.complete) return { paid: false, final: false, reason: "too_many_to_search" };
  return { paid: false, final: true, reason: "expired_unused" };
};
