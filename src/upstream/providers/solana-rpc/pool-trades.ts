import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import type { Outcome } from "../../../catalog/failover.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { fetchRPC } from "../json-rpc.ts";
import { fetchRPCBatch } from "../json-rpc-batch.ts";
import { solanaRpc } from "./provider.ts";

const SIGNATURES_MAX = 1_000;
const Signature = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{64,88}$" });
const Signatures = Whole(
  "series",
  Type.Object({
    signature: Signature,
    slot: Type.Integer({ minimum: 0 }),
    /** Null for a transaction that went through. */
    err: Type.Unknown(),
    blockTime: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
  }),
  { maxItems: SIGNATURES_MAX },
);

/** Finalized slots are never rolled back: what was read of them has left no fork to be on. */
const COMMITMENT = "finalized";

/** A transaction that touched an address, as far as the list of signatures tells. */
export interface ListedSignature {
  readonly signature: string;
  readonly slot: number;
  readonly failed: boolean;
  /** Null where the node does not know it. */
  readonly at_ms: number | null;
}

/**
 * The newest finalized transactions of an address after a signature, newest first, at most 1,000.
 * @throws UpstreamError also where the newest one lies in the future.
 */
export async function fetchSignatures(
  context: Pick<FetchContext, "get" | "now_ms">,
  { address, until }: { readonly address: string; readonly until?: string },
): Promise<readonly ListedSignature[]> {
  const options = { commitment: COMMITMENT, limit: SIGNATURES_MAX, ...(until === undefined ? {} : { until }) };
  const { listed } = await fetchRPC(context, solanaRpc, {
    chain: "solana",
    method: "getSignaturesForAddress",
    params: [address, options],
    result: Signatures,
    ttl_ms: 0,
    timeout_ms: 5_000,
    read(rows: Static<typeof Signatures>) {
      const read = rows.map(({ signature, slot, err, blockTime }) => ({
        signature,
        slot,
        failed: err !== null,
        at_ms: blockTime ? blockTime * 1000 : null,
      }));
      const is_future = read.some(({ at_ms }) => at_ms !== null && at_ms > context.now_ms + 60_000);
      return is_future ? unusable("a signature lies in the future") : { listed: read };
    },
  });
  return listed;
}

const Balance = Type.Object({
  mint: Type.String({ minLength: 32, maxLength: 44 }),
  owner: Type.Optional(Type.String({ minLength: 32, maxLength: 44 })),
  uiTokenAmount: Type.Object({ amount: Type.String({ pattern: "^[0-9]{1,20}$" }) }),
});
const Balances = Type.Optional(Type.Union([Whole("sum", Balance, { maxItems: 512 }), Type.Null()]));
const Transaction = Type.Object({
  slot: Type.Integer({ minimum: 0 }),
  meta: Type.Object({ preTokenBalances: Balances, postTokenBalances: Balances }),
  transaction: Type.Object({
    message: Type.Object({
      accountKeys: Whole("columns", Type.String({ minLength: 32, maxLength: 44 }), { minItems: 1, maxItems: 256 }),
    }),
  }),
});

/** What one transaction did to a pool's own token accounts. */
export interface PoolChange {
  /** Who pays for the transaction: its first signer. */
  readonly signer: string;
  readonly slot: number;
  /** By mint, in the smallest unit; positive into the pool. Empty where the pool owns none of the accounts. */
  readonly changes: ReadonlyMap<string, bigint>;
}

function sumByMint(balances: readonly Static<typeof Balance>[] | null | undefined, owner: string): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const row of balances ?? []) {
    if (row.owner === owner) sums.set(row.mint, (sums.get(row.mint) ?? 0n) + BigInt(row.uiTokenAmount.amount));
  }
  return sums;
}

function readChange({ slot, meta, transaction }: Static<typeof Transaction>, pool: string): PoolChange {
  const [before, after] = [sumByMint(meta.preTokenBalances, pool), sumByMint(meta.postTokenBalances, pool)];
  const mints = new Set([...before.keys(), ...after.keys()]);
  const changes = [...mints].map((mint) => [mint, (after.get(mint) ?? 0n) - (before.get(mint) ?? 0n)] as const);
  const [signer = ""] = transaction.message.accountKeys;
  return { signer, slot, changes: new Map(changes.filter(([, change]) => change !== 0n)) };
}

/** What some transactions did to a pool, in one request for up to 25 of them; each may fail by itself. */
export const fetchPoolChanges = (
  context: Pick<FetchContext, "get">,
  { pool, signatures }: { readonly pool: string; readonly signatures: readonly string[] },
): Promise<readonly Outcome<PoolChange>[]> =>
  fetchRPCBatch(context, solanaRpc, {
    chain: "solana",
    method: "getTransaction",
    result: Transaction,
    ttl_ms: 0,
    timeout_ms: 8_000,
    calls: signatures.map((signature) => [
      signature,
      { encoding: "json", commitment: COMMITMENT, maxSupportedTransactionVersion: 0 },
    ]),
    read: (transaction) => readChange(transaction, pool),
  });
