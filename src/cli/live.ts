import type { Catalog } from "../catalog/catalog.ts";
import type { Clock } from "../core/clock.ts";
import { renderTime } from "../core/clock.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { FacilitatorPool } from "../payments/facilitators/pool.ts";
import type { Stats } from "../telemetry/stats.ts";
import type { Upstream } from "../upstream/client.ts";

export interface LiveParts {
  readonly version: string;
  readonly started_at_ms: number;
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly pool: FacilitatorPool;
  readonly stats: Stats;
  readonly upstream: Upstream;
  /** When each product last gave a live answer, ms. */
  readonly last_success: ReadonlyMap<string, { at_ms: number; as_of_ms: number }>;
}

const DAY_MS = 86_400_000;
const UNKNOWN_LISTED_MAX = 10_000;

/** What /live tells the world: is it up, what can be paid where, what was sold, which upstreams answer. */
export function renderLive(parts: LiveParts): Record<string, unknown> {
  const { clock, ledger, pool, stats } = parts;
  const now_ms = clock.now();
  const paid = stats.paidLatency();
  const settled = ledger.receipts.totals(now_ms - DAY_MS);
  const totals = ledger.receipts.totals();
  const last_settlement = ledger.receipts.lastByProduct();
  const time = (ms: number | undefined): string | null => (ms === undefined ? null : renderTime(ms));
  return {
    status: ledger.halted ? "failing" : "ok",
    version: parts.version,
    started_at: renderTime(parts.started_at_ms),
    uptime_s: Math.floor((now_ms - parts.started_at_ms) / 1000),
    networks: pool.status().flatMap((facilitator) =>
      facilitator.networks.map((network) => ({
        network,
        facilitator: facilitator.id,
        ok: facilitator.ok,
        last_check: time(facilitator.last_check_ms ?? undefined),
      })),
    ),
    networks_left_out: pool.unavailable(),
    requests_24h: stats.last24h(),
    latency_ms: { key: null, x402: paid },
    settlements_24h: {
      organic: settled.organic.count,
      operator_test: settled["operator-test"].count,
      unknown: ledger.payments.listUnknown(UNKNOWN_LISTED_MAX).length,
    },
    receipts_total: { organic: totals.organic.count, operator_test: totals["operator-test"].count },
    products: parts.catalog.products.map((product) => {
      const last = parts.last_success.get(product.id);
      return {
        path: product.path,
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
