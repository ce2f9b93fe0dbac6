import type { FetchContext } from "../../../catalog/context.ts";
import { fetchAccounts } from "./accounts.ts";

/** The SPL Token program. */
export const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

/** `Mint` of the SPL Token program: authority (36 bytes), supply (8), decimals (1), whether initialised (1), freeze. */
export const MINT_BYTES = 82;
export const MINT_DECIMALS_AT = 44;
export const MINT_INITIALISED_AT = 45;

/**
 * Decimals of each mint as its account states them, null where there is no such mint, and the slot they were read at.
 * @throws UpstreamError
 */
export async function fetchMints(
  context: Pick<FetchContext, "get">,
  mints: readonly string[],
): Promise<{ readonly slot: number; readonly decimals: readonly (number | null)[] }> {
  const { slot, accounts } = await fetchAccounts(context, mints);
  const decimals = accounts.map((account) => {
    if (account?.owner !== TOKEN_PROGRAM || account.data.length !== MINT_BYTES) return null;
    return account.data[MINT_INITIALISED_AT] === 1 ? (account.data[MINT_DECIMALS_AT] ?? null) : null;
  });
  return { slot, decimals };
}
