import type { Catalog } from "../catalog/catalog.ts";
import type { Clock } from "../core/clock.ts";
import { renderTime } from "../core/clock.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { FacilitatorPool, FacilitatorStatus } from "../payments/facilitators/pool.ts";
import { type LandingShare, toShare } from "../payments/landing/landing-trust.ts";
import { networkById } from "../payments/networks/table.ts";
import type { Records } from "../records/record-chain.ts";
import type { SelfCheck } from "../stores/self-check.ts";
import type { Stats } from "../telemetry/stats.ts";
import type { Upstream } from "../upstream/client.ts";
import type { NodeState, OperatedLanding } from "./operated-node.ts";

export interface LiveParts {
  readonly version: string;
  readonly state: () => NodeState;
  readonly started_at_ms: number;
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly records: Records;
  readonly pool: FacilitatorPool;
  readonly landing: OperatedLanding;
  readonly stats: Stats;
  readonly upstream: Upstream;
  readonly self_check: SelfCheck;
  /** When each product last gave a live answer, ms. */
  readonly last_success: ReadonlyMap<string, { at_ms: number; as_of_ms: number }>;
  /** Whether each product's last run gave data; missing before the first. */
  readonly last_run: ReadonlyMap<string, boolean>;
}

const HOUR_MS = 3_600_000;
/** Counted by the hour: this hour and the 23 before it. */
const DAY_MS = 24 * HOUR_MS;
const NOTHING = { pending: 0, confirmed: 0, missing: 0, disbelieved: 0 };

/** One facilitator's reports on one network: how many there were, and what the chain said of them. */
const renderShare = ({ settled, confirmed, pending, missing, disbelieved, never_landed }: LandingShare) => ({
  settled,
  confirmed,
  pending,
  missing,
  disbelieved,
  never_landed,
});

/** What became of reported settlements, by facilitator and network. */
async function createLandingRenderer({ landing }: LiveParts) {
  const [all, day] = await Promise.all([landing.trust.all(), landing.trust.last24h()]);
  return async (facilitator: string, network: string): Promise<Record<string, unknown>> => {
    const own = (shares: readonly LandingShare[]) =>
      renderShare(
        shares.find((one) => one.facilitator === facilitator && one.network === network) ??
          toShare({ facilitator, network, ...NOTHING }),
      );
    const known = networkById(network);
    return {
      landing: known && landing.chain.canRead(known) ? "checked" : "no rpc",
      waits_for_chain: await landing.trust.mustConfirm(facilitator, network),
      doubted: await landing.trust.doubted(facilitator, network),
      ...own(all),
      last_24h: own(day),
    };
  };
}

/** What the operator should see to on one network; left out when there is nothing. */
function renderWarnings({ warnings }: FacilitatorStatus, network: string): { warnings?: readonly string[] } {
  const own = warnings.filter((note) => note.network === network).map(({ why }) => why);
  return own.length > 0 ? { warnings: own } : {};
}

/** What /live tells the world: is it up, what can be paid where, what was sold, which upstreams answer. */
export async function renderLive(parts: LiveParts): Promise<Record<string, unknown>> {
  const { clock, ledger, pool, stats } = parts;
  const now_ms = clock.now();
  const { status, reasons, unavailable } = parts.state();
  const shut = new Map(unavailable.map(({ path, why }) => [path, why]));
  const settled = await ledger.receipts.totals(now_ms - DAY_MS + HOUR_MS);
  const totals = await ledger.receipts.totals();
  const last_settlement = await ledger.receipts.lastByProduct();
  const renderLanding = await createLandingRenderer(parts);
  const time = (ms: number | undefined): string | null => (ms === undefined ? null : renderTime(ms));
  return {
    status,
    reasons,
    version: parts.version,
    started_at: renderTime(parts.started_at_ms),
    uptime_s: Math.floor((now_ms - parts.started_at_ms) / 1000),
    networks: await Promise.all(
      pool.status().flatMap((facilitator) =>
        facilitator.networks.map(async (network) => ({
          network,
          facilitator: facilitator.id,
          ok: facilitator.ok,
          last_check: time(facilitator.last_check_ms ?? undefined),
          ...renderWarnings(facilitator, network),
          ...(await renderLanding(facilitator.id, network)),
        })),
      ),
    ),
    networks_left_out: pool.unavailable(),
    requests_24h: stats.last24h(),
    latency_ms: { key: stats.paidLatency("key"), x402: stats.paidLatency("payment") },
    settlements_24h: {
      organic: settled.organic.count,
      operator_test: settled["operator-test"].count,
      unknown: await ledger.landings.countUnknown(),
    },
    ...(await renderChannels(ledger)),
    signals_chain: await parts.records.head("signals"),
    recompute: parts.self_check.last(),
    receipts_total: { organic: totals.organic.count, operator_test: totals["operator-test"].count },
    products: parts.catalog.products.map((product) => {
      const last = parts.last_success.get(product.id);
      const { plan } = product.definition;
      return {
        path: product.path,
        // A plan needs nothing but the books; anything else is unknown until it ran.
        ok: plan === undefined ? (parts.last_run.get(product.id) ?? null) : ledger.trouble === null,
        ...(shut.has(product.path) ? { unavailable: shut.get(product.path) } : {}),
        last_success_at: time(last?.at_ms),
        last_settlement_at: time(last_settlement.get(product.id)),
        data_age_s: last ? Math.max(0, Math.floor((now_ms - last.as_of_ms) / 1000)) : null,
      };
    }),
    upstreams: parts.upstream.status().map(({ provider, ok, last_error }) => ({
      provider,
      ok,
      ...(last_error ? { last_error } : {}),
    })),
  };
}

/** The balances of payment channels, by network, atomic USDC; left out without channels. */
async function renderChannels({ channels }: Ledger): Promise<Record<string, unknown>> {
  const totals = await channels.totals();
  if (totals.length === 0) return {};
  return {
    channels: totals.map(({ network, channels: open, withdrawing, ...sums }) => ({
      network,
      channels: open,
      withdrawing,
      ...Object.fromEntries(Object.entries(sums).map(([name, sum]) => [`${name}_atomic`, sum.toString()])),
    })),
  };
}

const MISSING_SHOWN = 20;

/** For the operator: every facilitator there ever was, and the newest settlements that are not on the chain. */
export async function renderAdminLandings(ledger: Ledger, { trust }: OperatedLanding) {
  const day = await trust.last24h();
  const missing = await ledger.landings.listMissing(MISSING_SHOWN);
  const sameAs = (one: LandingShare) => (other: LandingShare) =>
    one.facilitator === other.facilitator && one.network === other.network;
  return {
    landings: await Promise.all(
      (await trust.all()).map(async (share) => {
        const { facilitator, network } = share;
        const own = day.find(sameAs(share)) ?? toShare({ facilitator, network, ...NOTHING });
        const waits_for_chain = await trust.mustConfirm(facilitator, network);
        const doubted = await trust.doubted(facilitator, network);
        return { facilitator, network, waits_for_chain, doubted, ...renderShare(share), last_24h: renderShare(own) };
      }),
    ),
    never_landed: missing.map(({ amount, checked_at_ms, ...rest }) => ({
      ...rest,
      amount_atomic: amount.toString(),
      checked_at: checked_at_ms === null ? null : renderTime(checked_at_ms),
    })),
  };
}
