import { type ContractReader, encodeArgument, type NamedPool, NOTHING, toNumber } from "./protocol.ts";

const WAD = 10n ** 18n;
/** totalSupply() and totalAssets() of ERC-20 and ERC-4626, and convertToAssets(uint256) without its argument. */
export const SELECTORS = { supply: "0x18160ddd", assets: "0x01e1d114", convert: "0x07a2d13a" } as const;
/** A million shares of 18 decimals: what they are worth in a token of 6 decimals has 12 digits then. */
const MANY_SHARES = 10n ** 24n;

interface Share extends Omit<NamedPool, "decimals" | "is_stable"> {
  /** Default 18. */
  readonly decimals?: number;
  /** Default false. */
  readonly is_stable?: boolean;
  /** Default "ethereum". */
  readonly chain?: ContractReader["chain"];
}

const create = (
  { decimals = 18, is_stable = false, chain = "ethereum", ...share }: Share,
  parts: Pick<ContractReader, "views" | "read">,
): ContractReader => ({ ...share, decimals, is_stable, chain, ...parts });

/** What is paid in the share price alone; unknown where something else is paid elsewhere. */
const rewardsOf = ({ pays_elsewhere }: Share) => (pays_elsewhere === undefined ? [] : null);

/** A token whose contract says in 18 decimals what a share is worth (`data`); all its shares are what is locked. */
export const createShareReader = ({ data, ...share }: Share & { readonly data: string }): ContractReader =>
  create(share, {
    views: [data, SELECTORS.supply].map((one) => ({ to: share.contract, data: one })),
    read([[price_words = null, supply_words = null] = []]) {
      const [price, supply] = [toNumber(price_words?.[0]), toNumber(supply_words?.[0])];
      if (price === null || price === 0n) return null;
      const locked = supply === null ? null : ((supply * price) / WAD).toString();
      return { ...NOTHING, share_price: Number(price) / Number(WAD), locked, rewards: rewardsOf(share) };
    },
  });

/**
 * A vault (ERC-4626). Its price is in smallest units of the underlying for the smallest unit of a share, so it is small
 * where a share has more decimals; only its growth is used.
 */
export const createVaultReader = (share: Share): ContractReader =>
  create(share, {
    views: [SELECTORS.convert + encodeArgument(`0x${MANY_SHARES.toString(16)}`), SELECTORS.assets].map((data) => ({
      to: share.contract,
      data,
    })),
    read([[worth_words = null, assets_words = null] = []]) {
      const [worth, assets] = [toNumber(worth_words?.[0]), toNumber(assets_words?.[0])];
      if (worth === null || worth === 0n) return null;
      const share_price = Number(worth) / Number(MANY_SHARES);
      return { ...NOTHING, share_price, locked: assets?.toString() ?? null, rewards: rewardsOf(share) };
    },
  });
