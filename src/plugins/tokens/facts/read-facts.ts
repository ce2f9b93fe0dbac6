import { isOwned, isUpgradable } from "intel-node/providers/evm-rpc/token-powers";
import { type GoplusRow, readAmount, readFlag } from "intel-node/providers/goplus/token-security";
import { isIssuerToken } from "intel-node/providers/issuer-tokens";
import { isDeceptive, looksIssued } from "../text/clean-text.ts";
import { getBundle } from "./bundle.ts";
import type { FactId, FactReading } from "./fact.ts";
import { getTop10, listHolders, listTop10Bounds } from "./holders.ts";
import { ownPairs, type TokenProfile } from "./profile.ts";
import { isEVM, isIssuer } from "./subject.ts";

type Told = Partial<Readonly<Record<FactId, number | boolean | null | undefined>>>;

const tell = (source: string, told: Told): readonly FactReading[] =>
  Object.entries(told).flatMap(([fact, value]) =>
    value === null || value === undefined || Number.isNaN(Number(value))
      ? []
      : [{ fact: fact as FactId, source, value: Number(value) }],
  );

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A lock that ends within this does not count. */
const LOCK_MIN_MS = 30 * DAY_MS;
const BPS = 10_000;

function readMint(mint: TokenProfile["mint"], source: string): readonly FactReading[] {
  if (!mint?.ok || mint.value.kind !== "mint") return [];
  const { powers } = mint.value;
  return tell(source, {
    mint_active: powers.mint_authority !== null,
    freeze_active: powers.freeze_authority !== null,
    permanent_delegate: powers.permanent_delegate !== null,
    transfers_blocked: powers.is_frozen_by_default || powers.is_non_transferable || powers.is_paused,
    hook_live: powers.hook_program !== null,
    fee_bps: powers.fee_bps,
  });
}

function readPowers(powers: TokenProfile["powers"], source: string): readonly FactReading[] {
  if (!powers?.ok) return [];
  return tell(source, { owner_active: isOwned(powers.value), upgradable: isUpgradable(powers.value) });
}

const POWERS = ["mint_active", "freeze_active"] as const;

/**
 * Powers that others ascribe to an owner, where every address of the chain says that there is no owner and that the
 * code cannot be exchanged: no one holds them. A hidden owner, or one that can come back, is not refuted by that.
 */
function refutePowers(
  { powers, powers_again, goplus }: TokenProfile,
  said: readonly FactReading[],
): readonly FactReading[] {
  const chain = [powers, powers_again].flatMap((one) => (one?.ok ? [one.value] : []));
  const is_renounced = chain.length > 0 && chain.every((one) => isOwned(one) === false && !isUpgradable(one));
  const row = goplus?.ok ? goplus.value : null;
  const may_return = row && (readFlag(row.hidden_owner) === true || readFlag(row.can_take_back_ownership) === true);
  if (!is_renounced || may_return) return [];
  const claimed = POWERS.filter((fact) => said.some((one) => one.fact === fact && one.value === 1));
  if (claimed.length === 0) return [];
  return tell("evm_rpc", { ...Object.fromEntries(claimed.map((fact) => [fact, false])), powers_disputed: true });
}

/** The observed cost of a transfer; if a token's purchase failed, its sale is not known to fail. */
function readTrade({ trade }: TokenProfile): readonly FactReading[] {
  if (!trade?.ok) return [];
  const { can_sell, buy_tax, sell_tax } = trade.value;
  const taxes = [buy_tax, sell_tax].filter((tax) => tax !== null);
  const fee_bps = taxes.length === 0 ? null : Math.round(Math.max(...taxes) * BPS);
  return tell("evm_rpc", { sell_blocked: can_sell === null ? null : !can_sell, fee_bps });
}

/** Share of the pool's tokens that cannot be withdrawn within a month, weighted by what each pool holds. */
function readRugcheckLocks({ rugcheck }: TokenProfile): number | null {
  const markets = rugcheck?.ok ? (rugcheck.value.markets ?? []) : [];
  const weighed = markets.flatMap(({ lp }) => {
    const weight = (lp?.baseUSD ?? 0) + (lp?.quoteUSD ?? 0);
    return lp?.lpLockedPct == null || !(weight > 0) ? [] : [{ weight, locked: lp.lpLockedPct * weight }];
  });
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  return total > 0 ? weighed.reduce((sum, { locked }) => sum + locked, 0) / total : null;
}

function readRugcheck(profile: TokenProfile): readonly FactReading[] {
  const { rugcheck } = profile;
  if (!rugcheck?.ok) return [];
  const { token, tokenMeta, creatorBalance, insiderNetworks, topHolders, creatorTokens, risks } = rugcheck.value;
  const { score_normalised, rugged, totalMarketLiquidity } = rugcheck.value;
  const supply = token?.supply ?? 0;
  const networks = insiderNetworks?.filter(({ size }) => (size ?? 0) >= 2);
  const network_pct =
    networks && supply > 0
      ? (networks.reduce((sum, { tokenAmount }) => sum + (tokenAmount ?? 0), 0) / supply) * 100
      : null;
  const marked = topHolders?.filter(({ insider }) => insider === true).reduce((sum, { pct }) => sum + pct, 0) ?? null;
  const insiders = [network_pct, marked].filter((one) => one !== null);
  return tell("rugcheck", {
    // An authority that is not an address ("Unverified") still counts; absent does not mean "none".
    mint_active: token?.mintAuthority === undefined ? null : token.mintAuthority !== null,
    freeze_active: token?.freezeAuthority === undefined ? null : token.freezeAuthority !== null,
    metadata_mutable: tokenMeta?.mutable,
    creator_pct: creatorBalance != null && supply > 0 ? (creatorBalance / supply) * 100 : null,
    insider_pct: insiders.length === 0 || network_pct === null ? null : Math.max(...insiders),
    lp_locked_pct: readRugcheckLocks(profile),
    // Exactly 0 is a token it has not looked at.
    liquidity_usd: totalMarketLiquidity != null && totalMarketLiquidity > 0 ? totalMarketLiquidity : null,
    prior_launches: creatorTokens?.length,
    prior_rug: risks?.some(({ name }) => /creator/i.test(name) && /rugged/i.test(name)),
    rugged,
    alarm: score_normalised,
  });
}

const anyOf = (...flags: readonly (boolean | null)[]): boolean | null =>
  flags.some((one) => one === true) ? true : flags.some((one) => one === null) ? null : false;

function readGoplusLocks(row: GoplusRow, now_ms: number): number | null {
  if (!row.lp_holders || row.lp_holders.length === 0) return null;
  const locked = row.lp_holders.filter(({ is_locked, tag, locked_detail }) => {
    if (!readFlag(is_locked) && !/burn|null address|dead/i.test(tag ?? "")) return false;
    const ends = (locked_detail ?? []).map(({ end_time }) => Date.parse(end_time ?? ""));
    return ends.every((end_ms) => Number.isFinite(end_ms) && end_ms - now_ms > LOCK_MIN_MS);
  });
  return locked.reduce((sum, { percent }) => sum + (readAmount(percent) ?? 0), 0) * 100;
}

function readGoplusSolana(row: GoplusRow): Told {
  const fee = row.transfer_fee?.current_fee_rate;
  const rate = typeof fee === "object" && fee !== null ? readAmount(fee.fee_rate) : readAmount(fee);
  const state = row.default_account_state == null ? null : String(row.default_account_state) === "2";
  return {
    mint_active: readFlag(row.mintable?.status),
    freeze_active: readFlag(row.freezable?.status),
    permanent_delegate: readFlag(row.balance_mutable_authority?.status),
    transfers_blocked: anyOf(readFlag(row.non_transferable), state),
    hook_live: row.transfer_hook ? row.transfer_hook.length > 0 : null,
    fee_bps: rate === null ? (row.transfer_fee ? 0 : null) : Math.round(rate * BPS),
    metadata_mutable: readFlag(row.metadata_mutable?.status),
    verified: readFlag(row.trusted_token),
    creator_flagged: row.creators ? row.creators.some(({ malicious_address }) => readFlag(malicious_address)) : null,
  };
}

function readGoplusEVM(row: GoplusRow): Told {
  const flag = (name: string): boolean | null => readFlag(row[name]);
  const owner =
    typeof row.owner_address === "string" && row.owner_address !== "" ? !/^0x0+$/.test(row.owner_address) : null;
  const is_owned = anyOf(flag("hidden_owner"), flag("can_take_back_ownership") === true, owner);
  const power = (held: boolean | null): boolean | null => (held === true ? is_owned !== false : held);
  const taxes = [readAmount(row.buy_tax), readAmount(row.sell_tax)].filter((tax) => tax !== null);
  // A count, not a flag: traps the creator made. He launched at least as many; of none GoPlus says nothing of launches.
  const traps = readAmount(row.honeypot_with_same_creator);
  return {
    mint_active: power(flag("is_mintable")),
    freeze_active: power(anyOf(flag("transfer_pausable"), flag("is_blacklisted"))),
    owner_active: owner,
    owner_changes_balance: flag("owner_change_balance"),
    hidden_owner: flag("hidden_owner"),
    selfdestruct: flag("selfdestruct"),
    sell_blocked: anyOf(flag("is_honeypot"), flag("cannot_sell_all") === true),
    fee_bps: taxes.length === 2 ? Math.round(Math.max(...taxes) * BPS) : null,
    source_open: flag("is_open_source"),
    metadata_mutable: anyOf(
      flag("slippage_modifiable"),
      flag("personal_slippage_modifiable") === true,
      flag("trading_cooldown") === true,
    ),
    verified: row.trust_list === undefined ? null : flag("trust_list") === true,
    counterfeit: anyOf(readFlag(row.fake_token?.value) === true, flag("is_airdrop_scam") === true),
    creator_pct: readAmount(row.creator_percent) === null ? null : (readAmount(row.creator_percent) ?? 0) * 100,
    prior_rug: traps === null ? null : traps > 0,
    prior_launches: traps === null || traps === 0 ? null : traps,
  };
}

function readGoplus({ goplus, subject, read_at_ms }: TokenProfile): readonly FactReading[] {
  if (!goplus?.ok) return [];
  const told = isEVM(subject) ? readGoplusEVM(goplus.value) : readGoplusSolana(goplus.value);
  return tell("goplus", { ...told, lp_locked_pct: readGoplusLocks(goplus.value, read_at_ms) });
}

function readHoneypot({ honeypot }: TokenProfile): readonly FactReading[] {
  if (!honeypot?.ok) return [];
  const { is_honeypot, buy_tax, sell_tax, risk_level, open_source } = honeypot.value;
  const fee_bps = buy_tax === null || sell_tax === null ? null : Math.round(Math.max(buy_tax, sell_tax) * BPS);
  return tell("honeypot_is", { sell_blocked: is_honeypot, fee_bps, alarm: risk_level, source_open: open_source });
}

const sumOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

function readPairs({ pairs, subject, read_at_ms }: TokenProfile): readonly FactReading[] {
  if (!pairs?.ok) return [];
  const own = ownPairs(pairs.value, subject);
  if (own.length === 0) return [];
  const born_ms = own.flatMap(({ created_at_ms }) => created_at_ms ?? []);
  const is_curve = own.every(({ dex, liquidity_usd }) => dex === "pumpfun" && liquidity_usd === null);
  const { chain, address } = subject;
  // DAI on Base is not a counterfeit, though its powers and pools are judged like any other's.
  const copies = looksIssued(own[0]?.base.symbol ?? "") && !isIssuerToken(chain, address);
  return tell("dexscreener", {
    liquidity_usd: sumOf(own.map(({ liquidity_usd }) => liquidity_usd)),
    age_min: born_ms.length === 0 ? null : Math.max(0, (read_at_ms - Math.min(...born_ms)) / MINUTE_MS),
    buys_h1: sumOf(own.map(({ buys_h1 }) => buys_h1)),
    sells_h1: sumOf(own.map(({ sells_h1 }) => sells_h1)),
    volume_h1_usd: sumOf(own.map(({ volume_h1_usd }) => volume_h1_usd)),
    volume_h24_usd: sumOf(own.map(({ volume_h24_usd }) => volume_h24_usd)),
    trades_h24: sumOf(own.flatMap(({ buys_h24, sells_h24 }) => [buys_h24, sells_h24])),
    has_link: own.some(({ has_link }) => has_link),
    on_curve: is_curve,
    counterfeit: !isIssuer(subject) && (copies || own.some(({ base }) => isDeceptive(base.symbol + base.name))),
  });
}

/** Every fact of each source, as one list. */
export function readFacts(profile: TokenProfile): readonly FactReading[] {
  const { round_trip, tape, subject } = profile;
  const holders = listHolders(profile).flatMap((list) =>
    tell(list.source, { top1_pct: list.rows[0]?.pct ?? null, top10_pct: getTop10(list) }),
  );
  const bounds = listTop10Bounds(profile).flatMap(({ source, max }) => tell(source, { top10_max_pct: max }));
  const bundle = tape?.ok ? getBundle(tape.value) : null;
  const opinions = [...readRugcheck(profile), ...readGoplus(profile), ...readHoneypot(profile)];
  return [
    ...readMint(profile.mint, "solana_rpc"),
    ...readMint(profile.mint_again, "solana_rpc_second"),
    ...readPowers(profile.powers, "evm_rpc"),
    ...readPowers(profile.powers_again, "evm_rpc_second"),
    ...readTrade(profile),
    ...refutePowers(profile, opinions),
    ...opinions,
    ...readPairs(profile),
    ...holders,
    ...bounds,
    ...tell("raydium", { round_trip_ratio: round_trip?.ok ? round_trip.value : null }),
    ...(isEVM(subject) ? [] : tell("pump_fun", { bundle_pct: bundle?.pct ?? null })),
  ];
}
