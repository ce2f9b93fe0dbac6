import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { fetchRPC } from "../json-rpc.ts";
import { solanaRpc } from "./provider.ts";

/** One account as it stands in the ledger. */
export interface SolanaAccount {
  readonly address: string;
  /** The program that alone can write it. */
  readonly owner: string;
  readonly data: Uint8Array;
}

export interface AccountsAtSlot {
  readonly slot: number;
  /** In the order asked for; null where there is no such account. */
  readonly accounts: readonly (SolanaAccount | null)[];
}

/** 10 KiB. Price accounts have below 200 bytes; mints of Token-2022 hold whatever text their issuer put there. */
const BASE64_CHARS_MAX = 13_656;
const BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";

const Account = Type.Object({
  data: Type.Tuple([Type.String({ pattern: BASE64, maxLength: BASE64_CHARS_MAX }), Type.Literal("base64")]),
  owner: Type.String({ minLength: 32, maxLength: 44 }),
});

const Result = Type.Object({
  context: Type.Object({ slot: Type.Integer({ minimum: 1 }) }),
  value: Whole("columns", Type.Union([Account, Type.Null()]), { maxItems: 100 }),
});

export interface AccountsOptions {
  readonly refuse?: (read: AccountsAtSlot) => string | undefined;
  readonly timeout_ms?: number;
  /** Asks the chain's second address alone. */
  readonly second?: boolean;
}

const ACCOUNTS_TTL_MS = 2_000;

/**
 * Reads up to 100 accounts in one call, all at the same slot, as confirmed by a supermajority of the stake. `refuse`
 * may look into them and give the reason to ask the next node.
 * @throws UpstreamError
 */
export function fetchAccounts(
  context: Pick<FetchContext, "get">,
  addresses: readonly string[],
  { refuse, timeout_ms = 1_500, second = false }: AccountsOptions = {},
): Promise<AccountsAtSlot> {
  return fetchRPC(context, solanaRpc, {
    chain: "solana",
    method: "getMultipleAccounts",
    params: [addresses, { encoding: "base64", commitment: "confirmed" }],
    result: Result,
    ttl_ms: ACCOUNTS_TTL_MS,
    timeout_ms,
    second,
    read({ context: { slot }, value }) {
      if (value.length !== addresses.length) return `${value.length} accounts instead of ${addresses.length}`;
      const accounts = addresses.map((address, index) => {
        const account = value[index];
        return account ? { address, owner: account.owner, data: Buffer.from(account.data[0], "base64") } : null;
      });
      return refuse?.({ slot, accounts }) ?? { slot, accounts };
    },
  });
}
