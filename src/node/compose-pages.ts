import type { NodeStates } from "../admin/operated-node.ts";
import { tellIn } from "../catalog/make-answer.ts";
import type { Clock } from "../core/clock.ts";
import { keepFor } from "../core/keep-for.ts";
import { once } from "../core/once.ts";
import type { FreeRoute } from "../http/free-route.ts";
import { createPageRoutes, type ReadProduct } from "../http/page-routes.ts";
import { toReceiptFacts } from "../http/receipt-routes.ts";
import type { Responder } from "../http/respond.ts";
import { pickTried } from "../http/try-route.ts";
import { findHeadline } from "../pages/headline.ts";
import type { HomeFacts } from "../pages/home.ts";
import type { CardFigure } from "../pages/product/card.ts";
import type { RowFacts } from "../pages/row-facts.ts";
import type { HealthFacts } from "../pages/status.ts";
import { nameSubject } from "../pages/subject.ts";
import { ENGLISH, type Words } from "../pages/words.ts";
import { networkById } from "../payments/networks/table.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import type { Core, Money } from "./parts.ts";

export interface PageParts {
  readonly money: Money;
  readonly states: NodeStates;
  readonly responder: Responder;
  readonly clock: Clock;
  /** What the documents were last rendered from: another object whenever they were rendered again. */
  readonly model: () => SurfaceModel;
  readonly readProduct: ReadProduct;
}

const RECEIPTS_SHOWN = 6;
/** Id of the product whose figure is at the top of the first page. */
const HEADLINE = "regime";

/** The pages, with the facts that /live and /receipts tell as well. */
export const composePages = (core: Core, parts: PageParts): readonly FreeRoute[] =>
  createPageRoutes({ ...parts, facts: createFactsReader(core, parts), off: () => core.catalog.off });

/** Samples are some kilobytes each: all of them are read once in so long. */
const ROWS_KEPT_MS = 30_000;

function createFactsReader(core: Core, parts: PageParts): (words: Words) => Promise<HomeFacts> {
  const readers = new Map<Words, () => Promise<ReadonlyMap<string, RowFacts>>>();
  const featured = once(() => pickTried(core.catalog.products).map(({ product }) => product.id));
  return async (words) => {
    const read = readers.get(words) ?? keepFor(ROWS_KEPT_MS, parts.clock.now, () => readRows(core, words));
    readers.set(words, read);
    const [facts, rows] = await Promise.all([gatherFacts(core, parts), read()]);
    return { ...facts, rows, featured: featured(), headline: HEADLINE };
  };
}

/** The newest free figure of every product, with the line of its first chart. */
async function readRows({ catalog, previews }: Core, words: Words): Promise<ReadonlyMap<string, RowFacts>> {
  const rows = new Map<string, RowFacts>();
  for (const product of catalog.products) {
    if (product.definition.plan !== undefined) continue;
    // Between two samples others are answered.
    await new Promise((resume) => setImmediate(resume));
    const kept = previews.find(product, product.previewRequests()[0]);
    if (!kept) continue;
    const found = words.language === "en" ? kept : tellIn("pt", kept, product);
    const chart = previews.findCharts(product)?.charts.find(({ kind }) => kind === "time");
    const first = chart?.kind === "time" ? chart.lines[0] : undefined;
    rows.set(product.id, {
      subject: nameSubject(found.preview_of ?? {}, product.definition.params),
      has_params: Object.keys(found.preview_of ?? {}).length > 0,
      figure: findHeadline(found, words),
      age_s: found.age_seconds ?? 0,
      line: (first?.points ?? []).flatMap(([, value]) => (value === null ? [] : [value])),
      line_title: first?.name ?? "",
    });
  }
  return rows;
}

/** The figures of the first page's picture: of the products it shows first, of which there is one. */
export async function readCardFigures(core: Core): Promise<readonly CardFigure[]> {
  const rows = await readRows(core, ENGLISH);
  const first = [HEADLINE, ...pickTried(core.catalog.products).map(({ product }) => product.id)];
  return [...new Set(first)].flatMap((id): readonly CardFigure[] => {
    const [figure, product] = [rows.get(id)?.figure, core.catalog.products.find((one) => one.id === id)];
    return figure && product ? [{ title: product.definition.title, value: figure.value }] : [];
  });
}

/** How the node is doing, as pages show it. */
export async function gatherFacts(
  { ledger, stats, upstream, started_at_ms }: Core,
  { money, states }: Pick<PageParts, "money" | "states">,
): Promise<HealthFacts & Pick<HomeFacts, "receipts">> {
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
    receipts: (await ledger.receipts.list({ limit: RECEIPTS_SHOWN })).map(toReceiptFacts),
  };
}
