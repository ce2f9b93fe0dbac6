import {
  type FetchContext,
  isNodeError,
  isOwnLimit,
  NodeError,
  type Outcome,
  outcomeOf,
  type ProviderDefinition,
} from "intel-node";
import { blockscout } from "intel-node/providers/blockscout/provider";
import { type ExplorerHolder, fetchTokenHolders } from "intel-node/providers/blockscout/token-holders";
import { USDC } from "intel-node/providers/dex-tokens";
import { type DexPair, fetchTokenPairs } from "intel-node/providers/dexscreener/pairs";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { simulateTrade, type TradeSimulation } from "intel-node/providers/evm-rpc/simulate-trade";
import { fetchTokenPowers, type TokenPowers } from "intel-node/providers/evm-rpc/token-powers";
import { goplus } from "intel-node/providers/goplus/provider";
import { fetchTokenSecurity, type GoplusRow } from "intel-node/providers/goplus/token-security";
import { foldAddress } from "intel-node/providers/issuer-tokens";
import { raydium } from "intel-node/providers/raydium/provider";
import { fetchRaydiumQuote } from "intel-node/providers/raydium/quote";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { fetchMintPowers, type MintReading } from "intel-node/providers/solana-rpc/token-mint";
import { honeypotIs } from "../providers/honeypot-is/provider.ts";
import { fetchHoneypot, type HoneypotReading } from "../providers/honeypot-is/simulation.ts";
import { pumpFun } from "../providers/pump-fun/provider.ts";
import { fetchPumpTrades, type PumpTape } from "../providers/pump-fun/trades.ts";
import { rugcheck } from "../providers/rugcheck/provider.ts";
import { fetchRugcheckReport, type RugcheckReport } from "../providers/rugcheck/report.ts";
import { isEVM, type Subject } from "./subject.ts";

/** What each source said of a token, in its own words; null where it was not asked. */
export interface TokenProfile {
  readonly subject: Subject;
  readonly read_at_ms: number;
  readonly mint: Outcome<MintReading> | null;
  readonly powers: Outcome<TokenPowers> | null;
  /** The same of the chain's second address; null where only one is configured. */
  readonly mint_again: Outcome<MintReading> | null;
  readonly powers_again: Outcome<TokenPowers> | null;
  readonly rugcheck: Outcome<RugcheckReport> | null;
  readonly goplus: Outcome<GoplusRow> | null;
  readonly honeypot: Outcome<HoneypotReading> | null;
  readonly holders: Outcome<readonly ExplorerHolder[]> | null;
  readonly pairs: Outcome<readonly DexPair[]> | null;
  readonly tape: Outcome<PumpTape> | null;
  readonly trade: Outcome<TradeSimulation> | null;
  /** Its creator, as this node's watch stored it; null or absent where it was not watched. */
  readonly launch?: { readonly source: string; readonly creator: string | null } | null;
  /** Part of 100 US dollars that is left after buying and selling. */
  readonly round_trip: Outcome<number> | null;
}

/** Everybody who is asked about a token. */
export const FACT_PROVIDERS: readonly ProviderDefinition[] = [
  ...[solanaRpc, evmRpc, rugcheck, goplus, honeypotIs, blockscout, dexscreener, pumpFun, raydium],
];

const PROBE_USDC = 100_000_000n;
/** Part of the pool's tokens that is bought in a simulated trade. */
const PROBE_RATIO = 0.001;
const DAY_MS = 86_400_000;
/** Bundles are of the first seconds: the tape of an older token says nothing of them. */
const TAPE_AGE_MAX_MS = 7 * DAY_MS;
const PUMP_DEXES: readonly string[] = ["pumpfun", "pumpswap"];

/** Pools in which the token is the base, deepest first. */
export const ownPairs = (pairs: readonly DexPair[], { chain, address }: Subject): readonly DexPair[] =>
  pairs
    .filter((pair) => pair.chain === chain && foldAddress(chain, pair.base.address) === foldAddress(chain, address))
    .sort((a, b) => (b.liquidity_usd ?? 0) - (a.liquidity_usd ?? 0));

/** Buys for 100 USDC and sells what that bought. No route is no proof: the quote service knows its own pools only. */
async function tryRoundTrip(context: FetchContext, { address }: Subject): Promise<number> {
  const bought = await fetchRaydiumQuote(context, {
    input_mint: USDC.solana,
    output_mint: address,
    amount: PROBE_USDC,
  });
  const sold = await fetchRaydiumQuote(context, { input_mint: address, output_mint: USDC.solana, amount: bought });
  return Number(sold) / Number(PROBE_USDC);
}

async function tryTrade(
  context: FetchContext,
  { chain, address }: Subject,
  seen: { readonly pair: DexPair | undefined; readonly decimals: number | null },
): Promise<TradeSimulation> {
  const { pair, decimals } = seen;
  const in_pool = pair?.liquidity_base ?? null;
  if (!pair || in_pool === null || decimals === null || !/^0x[0-9a-fA-F]{40}$/.test(pair.pair_address)) {
    throw new NodeError("upstream_unavailable", "no pool with an address of its own to try a trade with");
  }
  const amount = (BigInt(Math.floor(in_pool * PROBE_RATIO * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n;
  if (amount < 2n) throw new NodeError("upstream_unavailable", "the pool is too small to try a trade with");
  return simulateTrade(context, { chain, token: address, pool: pair.pair_address, amount });
}

/** Asks the chain's second address, if any: one that lies alone is found out. */
const askAgain = <T>(
  context: FetchContext,
  { provider, chain }: { readonly provider: ProviderDefinition; readonly chain: string },
  work: () => Promise<T>,
): Promise<Outcome<T> | null> =>
  context.usable(provider) && context.countAddresses(provider, chain) > 1 ? outcomeOf(work()) : Promise.resolve(null);

/** A source that is switched off counts like one that does not answer. */
function createAsk(context: FetchContext) {
  return <T>(provider: ProviderDefinition, work: () => Promise<T>): Promise<Outcome<T>> =>
    context.usable(provider)
      ? outcomeOf(work())
      : Promise.resolve({
          ok: false,
          error: new NodeError("upstream_unavailable", `${provider.id} is not configured`),
        });
}

async function fetchOnSolana(context: FetchContext, subject: Subject): Promise<TokenProfile> {
  const { address } = subject;
  const ask = createAsk(context);
  const pairs_asked = ask(dexscreener, () => fetchTokenPairs(context, { chain: "solana", tokens: [address] }));
  const tape_asked = pairs_asked.then((pairs) => {
    const known = pairs.ok ? ownPairs(pairs.value, subject) : [];
    const born_ms = Math.min(...known.flatMap(({ created_at_ms }) => created_at_ms ?? []));
    const is_pump = known.some(({ dex }) => PUMP_DEXES.includes(dex)) || address.endsWith("pump");
    const is_young = context.now_ms - born_ms < TAPE_AGE_MAX_MS;
    return is_young || is_pump ? ask(pumpFun, () => fetchPumpTrades(context, address)) : null;
  });
  const at = { provider: solanaRpc, chain: "solana" };
  const [mint, mint_again, report, opinion, pairs, round_trip, tape] = await Promise.all([
    ask(solanaRpc, () => fetchMintPowers(context, address)),
    askAgain(context, at, () => fetchMintPowers(context, address, true)),
    ask(rugcheck, () => fetchRugcheckReport(context, address)),
    ask(goplus, () => fetchTokenSecurity(context, { chain: "solana", token: address })),
    pairs_asked,
    ask(raydium, () => tryRoundTrip(context, subject)),
    tape_asked,
  ]);
  const none = { powers: null, powers_again: null, honeypot: null, holders: null, trade: null };
  return {
    subject,
    read_at_ms: context.now_ms,
    ...none,
    mint,
    mint_again,
    rugcheck: report,
    goplus: opinion,
    pairs,
    round_trip,
    tape,
  };
}

async function fetchOnEVM(
  context: FetchContext,
  subject: Subject & { chain: "ethereum" | "base" },
): Promise<TokenProfile> {
  const token = { chain: subject.chain, token: subject.address };
  const ask = createAsk(context);
  const powers_asked = ask(evmRpc, () => fetchTokenPowers(context, token));
  const pairs_asked = ask(dexscreener, () => fetchTokenPairs(context, { chain: token.chain, tokens: [token.token] }));
  const trade_asked = Promise.all([powers_asked, pairs_asked]).then(([powers, pairs]) => {
    const [pair] = pairs.ok ? ownPairs(pairs.value, subject) : [];
    const decimals = powers.ok ? powers.value.decimals : null;
    return ask(evmRpc, () => tryTrade(context, subject, { pair, decimals }));
  });
  const at = { provider: evmRpc, chain: token.chain };
  const [powers, powers_again, opinion, honeypot, holders, pairs, trade] = await Promise.all([
    powers_asked,
    askAgain(context, at, () => fetchTokenPowers(context, { ...token, second: true })),
    ask(goplus, () => fetchTokenSecurity(context, token)),
    ask(honeypotIs, () => fetchHoneypot(context, token)),
    ask(blockscout, () => fetchTokenHolders(context, token)),
    pairs_asked,
    trade_asked,
  ]);
  const none = { mint: null, mint_again: null, rugcheck: null, tape: null, round_trip: null };
  const seen = { powers, powers_again, goplus: opinion, honeypot, holders, pairs, trade };
  return { subject, read_at_ms: context.now_ms, ...none, ...seen };
}

/**
 * Asks every source about a token at once: in three rounds at most.
 * @throws NodeError subject_not_found when the chain has no such token; upstream_unavailable when only this node's own
 * rate limit stood between the buyer and an answer.
 */
export async function fetchProfile(context: FetchContext, subject: Subject): Promise<TokenProfile> {
  const { chain, address } = subject;
  const profile = isEVM(subject)
    ? await fetchOnEVM(context, { chain: chain === "base" ? "base" : "ethereum", address })
    : await fetchOnSolana(context, subject);
  const { mint, mint_again, powers, powers_again } = profile;
  const is_seen =
    (mint_again?.ok && mint_again.value.kind === "mint") || (powers_again?.ok && powers_again.value.has_code);
  // That there is nothing is believed when no address of the chain says otherwise.
  const is_none = !is_seen && ((mint?.ok && mint.value.kind !== "mint") || (powers?.ok && !powers.value.has_code));
  if (is_none) throw new NodeError("subject_not_found", `There is no token at ${address} on ${chain}.`);
  return profile;
}

/** The parts of a profile that were asked for and failed, by name. */
export function listSilent(profile: TokenProfile): readonly { readonly part: string; readonly error: unknown }[] {
  return Object.entries(profile).flatMap(([part, value]) =>
    typeof value === "object" && value !== null && "ok" in value && value.ok === false
      ? [{ part, error: value.error }]
      : [],
  );
}

/** Whether only our own rate limit is why a part is missing: then nothing thin is sold. */
export const isThin = (profile: TokenProfile): boolean =>
  listSilent(profile).some(
    ({ error }) => isOwnLimit(error) || (isNodeError(error) && error.options.own_limit === true),
  );
