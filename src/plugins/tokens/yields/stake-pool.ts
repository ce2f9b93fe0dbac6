import { type AccountReader, NOTHING } from "./protocol.ts";

/** The SPL stake pool program. */
export const STAKE_POOL_PROGRAM = "SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy";
const STAKE_POOL_KIND = 1;
/** Of the account (spl-stake-pool state.rs): lamports the pool holds, and its tokens. */
const [LAMPORTS_AT, TOKENS_AT, BYTES_MIN] = [258, 266, 274] as const;

/** Rewards come once an epoch, about every two days: a single day says nothing. */
export const STAKED_SOL = { chain: "solana", underlying: "SOL", decimals: 9, is_stable: false, days_min: 7 } as const;

/** The value of a stake pool's token in lamports; null for an account that is not such a pool. */
export function readStakePool({ owner, data }: { readonly owner: string; readonly data: Uint8Array }) {
  if (owner !== STAKE_POOL_PROGRAM || data.length < BYTES_MIN || data[0] !== STAKE_POOL_KIND) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [lamports, tokens] = [view.getBigUint64(LAMPORTS_AT, true), view.getBigUint64(TOKENS_AT, true)];
  if (lamports === 0n || tokens === 0n) return null;
  return { ...NOTHING, share_price: Number(lamports) / Number(tokens), locked: lamports.toString() };
}

/** A stake pool's token. */
export const createStakePoolReader = (
  named: Pick<AccountReader, "project" | "symbol" | "contract" | "pays_elsewhere">,
): AccountReader => ({
  ...STAKED_SOL,
  ...named,
  read(account) {
    const reading = readStakePool(account);
    return reading && { ...reading, rewards: named.pays_elsewhere === undefined ? [] : null };
  },
});
