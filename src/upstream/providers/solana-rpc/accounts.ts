import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { fetchRPC } from "../json-rpc.ts";
import { solanaRpc } from "./provider.ts";

/** One account of the ledger. */
export interface SolanaAccount {
  readonly address: string;
  /** The program that alone can write it. */
  readonly owner: string;
  /** The first `ACCOUNT_BYTES_MAX` bytes at most. */
  readonly data: Uint8Array;
  /** How many bytes the whole account has. */
  readonly bytes: number;
}

export interface AccountsAtSlot {
  readonly slot: number;
  /** In the order asked for; null where there is no such account. */
  readonly accounts: readonly (SolanaAccount | null)[];
}

/**
 * 10 KiB: what is asked for of an account. Price accounts have below 200 bytes; mints of Token-2022 hold whatever text
 * their issuer put there. Programs and the like have megabytes, of which the owner and the size say enough.
 */
export const ACCOUNT_BYTES_MAX = 10_240;
const BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";

const Account = Type.Object({
  data: Type.Tuple([Type.String({ pattern: BASE64 }), Type.Literal("base64")]),
  owner: Type.String({ minLength: 32, maxLength: 44 }),
  /** Bytes of the whole account, whatever part of it was asked for. */
  space: Type.Optional(Type.Integer({ minimum: 0 })),
});

/** A node that sends the whole account all the same is not believed less: the rest is left. */
function toAccount(address: string, { data, owner, space = 0 }: Static<typeof Account>): SolanaAccount {
  const bytes = Buffer.from(data[0], "base64");
  return { address, owner, data: bytes.subarray(0, ACCOUNT_BYTES_MAX), bytes: Math.max(space, bytes.length) };
}

const Result = Type.Object({
  context: Type.Object({ slot: Type.Integer({ minimum: 1 }) }),
  value: Whole("columns", Type.Union([Account, Type.Null()]), { maxItems: 100 }),
});

export interface AccountsOptions {
  readonly refuse?: (read: AccountsAtSlot) => Unusable | undefined;
  readonly timeout_ms?: number;
  /** Asks the chain's second address alone. */
  readonly second?: boolean;
}

const ACCOUNTS_TTL_MS = 2_000;

/**
 * Reads up to 100 accounts in one call, all at the same slot, as confirmed by a supermajority of the stake. `refuse`
 * may look into them and have the next node asked.
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
    params: [
      addresses,
      { encoding: "base64", commitment: "confirmed", dataSlice: { offset: 0, length: ACCOUNT_BYTES_MAX } },
    ],
    result: Result,
    ttl_ms: ACCOUNTS_TTL_MS,
    timeout_ms,
    second,
    read({ context: { slot }, value }) {
      if (value.length !== addresses.length) return unusable(`${value.length} accounts instead of ${addresses.length}`);
      const accounts = addresses.map((address, index) => {
        const account = value[index];
        return account ? toAccount(address, account) : null;
      });
      return refuse?.({ slot, accounts }) ?? { slot, accounts };
    },
  });
}
