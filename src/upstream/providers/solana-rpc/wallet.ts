import { type TSchema, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { isUnusable, unusable } from "../../../catalog/unusable.ts";
import { matches } from "../../read-answer.ts";
import { createBatch, RpcBatchAnswer, sortBatch } from "../json-rpc-batch.ts";
import { TOKEN_PROGRAM } from "./mint.ts";
import { solanaRpc } from "./provider.ts";

const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const SIGNATURES_MAX = 1_000;
const TOKENS_MAX = 2_000;
const TTL_MS = 15_000;

/** A Solana wallet as it stands. */
export interface SolanaWallet {
  readonly lamports: bigint;
  /** By mint, tokens with an amount only. */
  readonly tokens: readonly { readonly mint: string; readonly amount: bigint; readonly decimals: number }[];
  /** Of the newest 1,000 signatures, newest first; those that failed too. */
  readonly signature_times_ms: readonly number[];
  /** Whether there are more signatures than were read: the oldest one is then not the first. */
  readonly has_more: boolean;
}

const Balance = Type.Object({ value: Type.Integer({ minimum: 0 }) });
const TokenAccounts = Type.Object({
  value: Whole(
    "sum",
    Type.Object({
      account: Type.Object({
        data: Type.Object({
          parsed: Type.Object({
            info: Type.Object({
              mint: Type.String({ minLength: 32, maxLength: 44 }),
              tokenAmount: Type.Object({
                amount: Type.String({ pattern: "^[0-9]{1,30}$" }),
                decimals: Type.Integer({ minimum: 0, maximum: 30 }),
              }),
            }),
          }),
        }),
      }),
    }),
    { maxItems: TOKENS_MAX },
  ),
});
const Signatures = Whole(
  "series",
  Type.Object({ signature: Type.String(), blockTime: Type.Optional(Type.Union([Type.Integer(), Type.Null()])) }),
  { maxItems: SIGNATURES_MAX },
);

/**
 * Balance, token accounts of both token programs and the newest signatures, in one request.
 * @throws UpstreamError
 */
export function fetchSolanaWallet(
  context: Pick<FetchContext, "get" | "now_ms">,
  { address, timeout_ms = 4_000 }: { readonly address: string; readonly timeout_ms?: number },
): Promise<SolanaWallet> {
  const options = { encoding: "jsonParsed", commitment: "confirmed" };
  const calls = [
    { method: "getBalance", params: [address, { commitment: "confirmed" }] },
    { method: "getTokenAccountsByOwner", params: [address, { programId: TOKEN_PROGRAM }, options] },
    { method: "getTokenAccountsByOwner", params: [address, { programId: TOKEN_2022 }, options] },
    { method: "getSignaturesForAddress", params: [address, { limit: SIGNATURES_MAX }] },
  ];
  return context.get(solanaRpc, {
    path: "",
    chain: "solana",
    body: createBatch(calls),
    cost: calls.length,
    schema: RpcBatchAnswer,
    ttl_ms: TTL_MS,
    timeout_ms,
    read(answers) {
      const sorted = sortBatch(answers, calls.length);
      if (isUnusable(sorted)) return sorted;
      const [balance, classic, newer, signatures] = sorted.map(({ result }) => result);
      const is = <S extends TSchema>(schema: S, value: unknown) => matches(schema, value);
      if (!is(Balance, balance) || !is(TokenAccounts, classic) || !is(TokenAccounts, newer)) {
        return unusable("balance or token accounts could not be read");
      }
      if (!is(Signatures, signatures)) return unusable("signatures could not be read");
      const held = [...classic.value, ...newer.value].map(({ account }) => account.data.parsed.info);
      const times = signatures.flatMap(({ blockTime }) => (blockTime ? [blockTime * 1000] : []));
      if (times.some((at_ms) => at_ms > context.now_ms + 60_000)) return unusable("a signature lies in the future");
      return {
        lamports: BigInt(balance.value),
        tokens: held
          .map(({ mint, tokenAmount }) => ({
            mint,
            amount: BigInt(tokenAmount.amount),
            decimals: tokenAmount.decimals,
          }))
          .filter(({ amount }) => amount > 0n),
        signature_times_ms: times.sort((a, b) => b - a),
        has_more: signatures.length === SIGNATURES_MAX,
      };
    },
  });
}
