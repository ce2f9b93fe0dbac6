import { type FetchContext, type Outcome, outcomeOf, toNodeError, UpstreamError } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { fetchPythContractPrice, type PYTH_CONTRACTS } from "intel-node/providers/evm-rpc/pyth-contract";
import { fetchHermesPrice } from "intel-node/providers/pyth-hermes/latest-price";
import { pythHermes } from "intel-node/providers/pyth-hermes/provider";
import { getNewest, type PythPrice } from "intel-node/providers/pyth-price";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { PYTH_FEEDS } from "intel-node/providers/solana-rpc/pyth-feeds";
import { fetchSolanaPrices } from "../oracle/solana-prices.ts";
import { fetchVenues, type VenueReading } from "../oracle/venues.ts";
import { AGE_MAX_MS, STALE_AFTER_MS } from "./limits.ts";

export interface PythPriceInputs {
  readonly read_at_ms: number;
  readonly oracle: PythPrice;
  readonly venues: readonly VenueReading[];
}

const FEED = PYTH_FEEDS.SOL;
const VENUES: readonly string[] = ["kraken", "bitstamp", "gemini", "cryptocom"];
const HERMES_TIMEOUT_MS = 1_500;

/** One path to the price, which may lead to nothing. */
type Path = (context: FetchContext) => Promise<readonly Outcome<PythPrice>[]>;

/** Refuses a price that is too old to be sold. */
function checkAge(context: FetchContext, provider: string, outcome: Outcome<PythPrice>): Outcome<PythPrice> {
  if (!outcome.ok) return outcome;
  const age_ms = context.now_ms - outcome.value.publish_time_ms;
  if (age_ms <= AGE_MAX_MS) return outcome;
  const message = `published ${Math.floor(age_ms / 1000)} s ago`;
  return { ok: false, error: new UpstreamError("upstream_bad_response", provider, message) };
}

const readAccounts: Path = async (context) => {
  if (!context.usable(solanaRpc)) return [];
  const isUseful = (prices: { pyth: readonly Outcome<PythPrice>[] }) =>
    prices.pyth.some((outcome) => checkAge(context, solanaRpc.id, outcome).ok);
  const read = await outcomeOf(fetchSolanaPrices(context, { feeds: [FEED], isUseful }));
  const outcomes = read.ok ? read.value.pyth : [read];
  return outcomes.map((outcome) => checkAge(context, solanaRpc.id, outcome));
};

const askHermes: Path = async (context) => {
  if (!context.usable(pythHermes)) return [];
  const outcome = await outcomeOf(fetchHermesPrice(context, FEED.feed_id, HERMES_TIMEOUT_MS));
  return [checkAge(context, pythHermes.id, outcome)];
};

const callContracts: Path = async (context) => {
  if (!context.usable(evmRpc)) return [];
  const chains = ["base", "ethereum"] as const satisfies readonly (keyof typeof PYTH_CONTRACTS)[];
  return Promise.all(
    chains.map(async (chain) => {
      const outcome = await outcomeOf(fetchPythContractPrice(context, { chain, feed_id: FEED.feed_id }));
      return checkAge(context, evmRpc.id, outcome);
    }),
  );
};

/**
 * The price published last of those the paths give. Hermes is asked when Solana gives none or an old one, the contracts
 * only when neither gives any: SOL/USD is seldom updated there.
 * @throws NodeError upstream_unavailable or upstream_bad_response when no path gives one below the age limit.
 */
async function fetchOracle(context: FetchContext): Promise<PythPrice> {
  const outcomes: Outcome<PythPrice>[] = [...(await readAccounts(context))];
  const getBest = () => getNewest(outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : [])));
  const onchain = getBest();
  if (!onchain || context.now_ms - onchain.publish_time_ms > STALE_AFTER_MS) {
    outcomes.push(...(await askHermes(context)));
  }
  if (!getBest()) outcomes.push(...(await callContracts(context)));
  const best = getBest();
  if (best) return best;
  throw toNodeError(
    outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error])),
    "pyth-price",
  );
}

/** Reads the oracle and, at the same time, the venues it is compared with. */
export async function fetchPythPrice(context: FetchContext): Promise<PythPriceInputs> {
  const [oracle, venues] = await Promise.all([
    fetchOracle(context),
    fetchVenues(context, "SOL", ({ provider }) => VENUES.includes(provider.id)),
  ]);
  return { read_at_ms: context.now_ms, oracle, venues };
}
