import { type Computed, type Draft, missing, missingIn, renderUnits } from "intel-node";
import { describeScreens, type WalletScreens } from "../screens/screens.ts";
import { countCounterparties, getValue, type WalletHolding, type WalletProfile } from "../wallets/wallet.ts";
import { ROWS, type WalletScanData } from "./schema.ts";

export interface WalletInputs {
  readonly read_at_ms: number;
  readonly profile: WalletProfile;
  readonly screens: WalletScreens;
}

const COUNTERPARTIES_MAX = 10;
const DAY_MS = 86_400_000;
const SCOPE_NOTE =
  "Balances are read from the chains' nodes: the chain's coin and the tokens this node knows, on EVM; all tokens on " +
  "Solana. NFTs, positions in protocols and other chains are not. History: Ethereum and Base by their explorer.";

const toISO = (at_ms: number | null): string | null => (at_ms === null ? null : new Date(at_ms).toISOString());

/** About a cent of ether: a sender of less wants to be seen in the history, not to pay. */
const DUST_WEI = 3_000_000_000_000n;

/**
 * Senders of nothing or of dust whose address begins and ends like a real counterparty's: the trick is to be copied
 * from the history. A real counterparty is one the wallet sent to.
 */
export function findPoisoning({ address, transactions }: WalletProfile): readonly string[] | null {
  if (transactions === null) return null;
  const sent = new Set(transactions.filter(({ from }) => from === address).flatMap(({ to }) => to ?? []));
  const likenessOf = (one: string): string => `${one.slice(2, 6)} ${one.slice(-4)}`;
  const real = new Set([...sent].map(likenessOf));
  const came = transactions.filter(({ from, value_wei }) => from !== address && value_wei < DUST_WEI);
  return [...new Set(came.map(({ from }) => from))].filter((from) => !sent.has(from) && real.has(likenessOf(from)));
}

const describeHolding = (one: WalletHolding): Draft<WalletScanData["holdings"][number]> => ({
  chain: one.chain,
  address: one.token,
  symbol: one.symbol,
  amount: renderUnits(one.amount, one.decimals),
  price_usd: one.price_usd ?? missing("no source prices it"),
  value_usd: getValue(one) ?? missing("no source prices it"),
  spam: one.is_spam,
});

export function totalOf(holdings: readonly WalletHolding[]): number | null {
  const values = holdings.flatMap((one) => getValue(one) ?? []);
  return values.length === 0 && holdings.length > 0 ? null : values.reduce((sum, one) => sum + one, 0);
}

/** A contract's own word: another contract can answer as a multisig does. */
export const describeContract = ({ multisig }: WalletProfile): string =>
  multisig
    ? `a contract that answers as a Safe multisig: ${multisig.threshold} of ${multisig.owners} owners sign`
    : "a contract, not a person's wallet";

function listFlags({ profile, screens }: WalletInputs, poisoning: readonly string[] | null): readonly string[] {
  return [
    ...describeScreens(screens)
      .filter(({ status }) => status === "hit")
      .map(({ id, detail }) => `${id}: ${detail}`),
    ...(profile.account_type === "eip7702" ? [`delegates to ${profile.delegate}`] : []),
    ...(profile.account_type === "contract" ? [describeContract(profile)] : []),
    ...(poisoning && poisoning.length > 0 ? [`address poisoning by ${poisoning.length} senders`] : []),
  ];
}

const UNTOLD = "no explorer told it";
const UNPRICED = "nothing it holds has a price";

function listWarnings({ profile, screens }: WalletInputs, unpriced: number): readonly string[] {
  return [
    ...profile.missing.map((chain) => `holdings.${chain}: its nodes could not be read whole`),
    // Which rows are shown follows from their prices, so it is said of those that are not shown, too.
    ...(unpriced > 0 ? [`holdings: no source prices ${unpriced} of them`] : []),
    ...describeScreens(screens)
      .filter(({ status }) => status === "unknown")
      .map(({ id, detail }) => `screens.${id}: ${detail}`),
  ];
}

/** A wallet's holdings (the `rows` largest; totals: of all), age, activity and adverse findings. */
export function computeWalletScan(inputs: WalletInputs, rows: number = ROWS.max): Computed<Draft<WalletScanData>> {
  const { profile, screens, read_at_ms } = inputs;
  const { holdings, first_seen_ms } = profile;
  const total = totalOf(holdings);
  const values = holdings.flatMap((one) => getValue(one) ?? []);
  const sorted = [...holdings].sort((a, b) => (getValue(b) ?? -1) - (getValue(a) ?? -1));
  const poisoning = findPoisoning(profile);
  const counterparties = profile.transactions && countCounterparties(profile);
  const unread = profile.missing.length > 0 ? missing("not every chain could be read") : null;
  const data: Draft<WalletScanData> = {
    address: profile.address,
    kind: profile.kind,
    account_type: profile.account_type,
    // An account that was read has no delegate and is not a multisig unless something says so.
    delegate: profile.delegate ?? unread,
    multisig: profile.multisig ? { ...profile.multisig } : unread,
    chains: [...profile.chains],
    holdings: sorted.slice(0, rows).map(describeHolding),
    total_usd: total ?? missing(UNPRICED),
    unpriced_count: holdings.length - values.length,
    priced_share_of_holdings: holdings.length === 0 ? 1 : values.length / holdings.length,
    concentration: total === null || total <= 0 ? missing(UNPRICED) : Math.max(...values) / total,
    ...missingIn(
      {
        first_seen: toISO(first_seen_ms),
        age_days: first_seen_ms === null ? null : Math.max(0, (read_at_ms - first_seen_ms) / DAY_MS),
      },
      UNTOLD,
    ),
    age_is_lower_bound: profile.is_first_lower_bound,
    last_active: toISO(profile.last_active_ms) ?? missing(UNTOLD),
    tx_count: profile.tx_count ?? missing("not every chain could be counted"),
    top_counterparties: counterparties?.slice(0, Math.min(rows, COUNTERPARTIES_MAX)) ?? missing(UNTOLD),
    poisoning_suspects: poisoning === null ? missing(UNTOLD) : [...poisoning],
    screens: [...describeScreens(screens)],
    risk_flags: [...listFlags(inputs, poisoning)],
    scope_note: SCOPE_NOTE,
    not_advice: true,
  };
  return { as_of_ms: profile.read_at_ms, data, warnings: listWarnings(inputs, data.unpriced_count) };
}
