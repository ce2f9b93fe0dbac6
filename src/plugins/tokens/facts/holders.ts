import { getOwn } from "intel-node";
import { readAmount, readFlag } from "intel-node/providers/goplus/token-security";
import { foldAddress } from "intel-node/providers/issuer-tokens";
import { ownPairs, type TokenProfile } from "./profile.ts";
import type { Subject } from "./subject.ts";

/** One holder, percent of supply. */
export interface HolderRow {
  readonly owner: string;
  /** The token account; Solana only. */
  readonly account: string | null;
  readonly pct: number;
  readonly is_insider: boolean | null;
}

export interface ExcludedRow {
  readonly address: string;
  readonly pct: number;
  readonly reason: "pool" | "burn" | "locker";
}

/** Holders as one source lists them, pools, burns and lockers apart. */
export interface HolderList {
  readonly source: string;
  readonly rows: readonly HolderRow[];
  readonly excluded: readonly ExcludedRow[];
}

const BURNS = new Set([
  "1nc1nerator11111111111111111111111111111111",
  "0x0000000000000000000000000000000000000000",
  "0x000000000000000000000000000000000000dead",
]);
const POOL_NAME = /pair|pool|uniswap|aerodrome|pancake|sushi|curve|balancer|poolmanager/i;
const POOL_TAG = /pool|pair|uniswap|raydium|pancake|aerodrome|curve|lp/i;
const LOCKER_TAG = /lock|burn|null address|unicrypt|uncx|team finance|dead/i;

interface Listed extends HolderRow {
  readonly excluded: ExcludedRow["reason"] | null;
}

function toList(source: string, rows: readonly Listed[]): HolderList {
  const sorted = [...rows].sort((a, b) => b.pct - a.pct);
  return {
    source,
    rows: sorted.filter(({ excluded }) => excluded === null).map(({ excluded: _, ...row }) => row),
    excluded: sorted.flatMap(({ owner, pct, excluded }) =>
      excluded ? [{ address: owner, pct, reason: excluded }] : [],
    ),
  };
}

/** Addresses of the pools that sources name. */
function poolsOf({ subject, pairs, rugcheck }: TokenProfile): ReadonlySet<string> {
  const listed = pairs?.ok ? ownPairs(pairs.value, subject).map(({ pair_address }) => pair_address) : [];
  const markets = rugcheck?.ok ? (rugcheck.value.markets ?? []) : [];
  const vaults = markets.flatMap(({ pubkey, liquidityA, liquidityB }) => [pubkey, liquidityA, liquidityB]);
  return new Set([...listed, ...vaults].flatMap((one) => (one ? [foldAddress(subject.chain, one)] : [])));
}

const whyExcluded = (
  subject: Subject,
  pools: ReadonlySet<string>,
  addresses: readonly string[],
): Listed["excluded"] => {
  const folded = addresses.map((one) => foldAddress(subject.chain, one));
  if (folded.some((one) => BURNS.has(one.toLowerCase()) || BURNS.has(one))) return "burn";
  return folded.some((one) => pools.has(one)) ? "pool" : null;
};

function fromRugcheck(profile: TokenProfile, pools: ReadonlySet<string>): HolderList | null {
  const { rugcheck, subject } = profile;
  if (!rugcheck?.ok || !rugcheck.value.topHolders || rugcheck.value.topHolders.length === 0) return null;
  const known = rugcheck.value.knownAccounts ?? {};
  const rows = rugcheck.value.topHolders.map(({ address, owner, pct, insider }): Listed => {
    const type = getOwn(known, owner ?? "")?.type ?? getOwn(known, address)?.type ?? "";
    const by_type = /amm/i.test(type) ? "pool" : /lock/i.test(type) ? "locker" : null;
    const excluded = whyExcluded(subject, pools, [address, owner ?? address]) ?? by_type;
    return { owner: owner ?? address, account: address, pct, is_insider: insider ?? null, excluded };
  });
  return toList("rugcheck", rows);
}

function fromBlockscout(profile: TokenProfile, pools: ReadonlySet<string>): HolderList | null {
  const { holders, powers, subject } = profile;
  const supply = powers?.ok ? powers.value.supply : null;
  if (!holders?.ok || supply === null || supply === 0n) return null;
  const rows = holders.value.map(({ address, is_contract, name, value }): Listed => {
    const by_name = is_contract && name !== null && POOL_NAME.test(name) ? "pool" : null;
    const pct = Number((value * 10_000_000_000n) / supply) / 1e8;
    return {
      owner: address,
      account: null,
      pct,
      is_insider: null,
      excluded: whyExcluded(subject, pools, [address]) ?? by_name,
    };
  });
  return toList("blockscout", rows);
}

function fromGoplus(profile: TokenProfile, pools: ReadonlySet<string>): HolderList | null {
  const { goplus, subject } = profile;
  if (!goplus?.ok || !goplus.value.holders || goplus.value.holders.length === 0) return null;
  const rows = goplus.value.holders.flatMap(
    ({ address, account, token_account, tag, percent, is_locked }): readonly Listed[] => {
      const owner = address ?? account ?? token_account;
      const share = readAmount(percent);
      if (!owner || share === null || share < 0) return [];
      const by_tag = POOL_TAG.test(tag ?? "")
        ? "pool"
        : LOCKER_TAG.test(tag ?? "") || readFlag(is_locked)
          ? "locker"
          : null;
      const excluded = whyExcluded(subject, pools, [owner, token_account ?? owner]) ?? by_tag;
      return [{ owner, account: token_account ?? null, pct: share * 100, is_insider: null, excluded }];
    },
  );
  return rows.length === 0 ? null : toList("goplus", rows);
}

/** Every source's list of holders, the deepest first: RugCheck or Blockscout, then GoPlus. */
export function listHolders(profile: TokenProfile): readonly HolderList[] {
  const pools = poolsOf(profile);
  return [fromRugcheck(profile, pools), fromBlockscout(profile, pools), fromGoplus(profile, pools)].flatMap(
    (list) => list ?? [],
  );
}

const TOP = 10;
const topPct = ({ rows }: HolderList, count: number): number =>
  rows.slice(0, count).reduce((sum, { pct }) => sum + pct, 0);
/** The ten largest together; null when a list is shorter and does not reach the end. */
export const getTop10 = (list: HolderList): number | null => (list.rows.length >= TOP ? topPct(list, TOP) : null);

/** Between what the largest holders together lie, percent of supply. */
export interface TopBounds {
  readonly min: number;
  readonly max: number;
}

/**
 * What the `count` largest holders have at least and at most, where fewer are listed: an unlisted holder has no more
 * than the smallest listed one, a pool or burn too, and all of them no more than the rest of the supply.
 * @param shares percent of supply, largest first.
 * @param excluded percent of pools, burns and lockers on the same list.
 */
export function boundTop(shares: readonly number[], excluded: readonly number[], count: number): TopBounds {
  const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const min = sumOf(shares.slice(0, count));
  const missing = Math.max(0, count - shares.length);
  const rest = Math.max(0, 100 - sumOf(shares) - sumOf(excluded));
  const smallest = Math.min(...shares, ...excluded);
  return { min, max: missing === 0 ? min : min + Math.min(missing * smallest, rest) };
}

/** Bounds of the ten largest by every list, where none of the lists names ten; empty where one does. */
export function listTop10Bounds(profile: TokenProfile): readonly (TopBounds & { readonly source: string })[] {
  const lists = listHolders(profile).filter(({ rows }) => rows.length > 0);
  if (lists.some((list) => getTop10(list) !== null)) return [];
  const pctOf = ({ pct }: { readonly pct: number }): number => pct;
  return lists.map(({ source, rows, excluded }) => ({
    source,
    ...boundTop(rows.map(pctOf), excluded.map(pctOf), TOP),
  }));
}
