import type { Clock } from "../core/clock.ts";
import type { FreeRoute } from "../http/free-route.ts";

import { createPageRoutes } from "../http/page-routes.ts";
import type { Responder } from "../http/respond.ts";
import type { ReceiptRow } from "../ledger/receipts.ts";
import type { HomeFacts } from "../pages/home.ts";
import type { ReceiptFacts } from "../pages/status.ts";
import { networkById } from "../payments/networks/table.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import type { Core, Money, NodeStates } from "./parts.ts";

export interface PageParts {
  readonly money: Money;
  readonly states: NodeStates;
  readonly responder: Responder;
  readonly clock: Clock;
  /** What the documents were last rendered from: another object whenever they were rendered again. */
  readonly model: () => SurfaceModel;
}

const RECEIPTS_SHOWN = 8;

/** The pages, with the facts that /live and /receipts tell as well. */
export const composePages = (core: Core, parts: PageParts): readonly FreeRoute[] =>
  createPageRoutes({ ...parts, facts: () => gatherFacts(core, parts) });

async function gatherFacts(
  { ledger, stats, upstream, started_at_ms }: Core,
  { money, states }: PageParts,
): Promise<HomeFacts> {
  const state = states.read();
  const status = money.pool.status();
  const titleOf = (network: string): string => networkById(network)?.title ?? network;
  const networks = [...new Set(status.flatMap((facilitator) => facilitator.networks))];
  return {
    ok: state.status !== "failing",
    reasons: state.reasons,
    started_at_ms,
    paid_24h: stats.last24h().paid,
    latency_ms: { key: stats.paidLatency("key")?.p50 ?? null, x402: stats.paidLatency("payment")?.p50 ?? null },
    networks: networks.map((network) => ({
      title: titleOf(network),
      ok: status.some((facilitator) => facilitator.ok && facilitator.networks.includes(network)),
    })),
    upstreams: upstream.status().map(({ provider, ok }) => ({ provider, ok })),
    receipts: (await ledger.receipts.list({ limit: RECEIPTS_SHOWN })).map(toFacts),
  };
}

const toFacts = (row: ReceiptRow): ReceiptFacts => ({
  id: row.id,
  product: row.product,
  amount_atomic: row.amount,
  network_title: networkById(row.network)?.title ?? row.network,
  settled_at_ms: row.settled_at_ms,
  transaction: row.chain_transaction,
  explorer_url: networkById(row.network)?.explorerUrl(row.chain_transaction) ?? null,
  label: row.label,
  on_chain: row.on_chain,
});
