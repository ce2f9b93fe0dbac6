import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import type { Previews } from "../catalog/previews.ts";
import type { FreeRoute } from "./app.ts";
import { createJSONAnswer } from "./json-answer.ts";
import type { Responder } from "./respond.ts";

export interface TryRouteOptions {
  readonly responder: Responder;
  readonly catalog: Catalog;
  readonly previews: Previews;
  readonly now_ms: () => number;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

const ITEMS = 6;
/** Snapshots change every few minutes: a flood of these paths must not reach the database. */
const KEPT_MS = 1_000;

/**
 * `GET /try`: real, delayed data of six products at a glance. `GET /sample`: the whole previews of the sampled ones.
 * Neither makes anything up: a product without a snapshot that is old enough is named in `warnings`.
 */
export function createTryRoutes(options: TryRouteOptions): readonly FreeRoute[] {
  const { responder, catalog, previews, now_ms } = options;
  const json = createJSONAnswer(responder, "public, max-age=60");
  const tried = pickTried(catalog.products);
  const sampled = catalog.products.filter(({ definition }) => definition.sample === true);

  const renderTry = (): Record<string, unknown> => {
    const shown = tried.map((product) => ({ product, found: previews.find(product, product.params.defaults) }));
    return {
      ...options.stamp(),
      items: shown.flatMap(({ product: { id, path, price_usd, definition }, found }) => {
        if (!found) return [];
        const { delayed, as_of, age_seconds, warnings, data } = found;
        return [{ product: id, path, title: definition.title, price_usd, delayed, as_of, age_seconds, warnings, data }];
      }),
      warnings: [
        ...(tried.length === 0 ? ["this node sells no product that has a preview"] : []),
        ...shown.filter(({ found }) => found === null).map(({ product }) => notReady(product.id)),
      ],
    };
  };
  const renderSample = (): Record<string, unknown> => {
    const shown = sampled.map((product) => {
      return [product.id.replaceAll("-", "_"), previews.find(product, product.params.defaults)] as const;
    });
    const warnings = [
      ...(sampled.length === 0 ? ["this node sells none of the sampled products"] : []),
      ...shown.filter(([, found]) => found === null).map(([name]) => notReady(name)),
    ];
    return { ...options.stamp(), ...Object.fromEntries(shown), warnings };
  };
  return (
    [
      ["/try", keepFor(now_ms, renderTry)],
      ["/sample", keepFor(now_ms, renderSample)],
    ] as const
  ).map(([path, render]) => ({ path, methods: ["GET"], handler: (exchange) => json(exchange, render()) }));
}

/** Sampled products first, then by path; plans have no data to try. */
function pickTried(products: readonly CatalogProduct[]): readonly CatalogProduct[] {
  const real = products.filter(({ definition }) => definition.plan === undefined);
  const isSampled = ({ definition }: CatalogProduct) => definition.sample === true;
  return [...real.filter(isSampled), ...real.filter((product) => !isSampled(product))].slice(0, ITEMS);
}

const notReady = (name: string): string => `${name}: no snapshot is old enough yet`;

function keepFor<T>(now_ms: () => number, render: () => T): () => T {
  let kept: { readonly value: T; readonly at_ms: number } | null = null;
  return () => {
    const now = now_ms();
    if (kept === null || now < kept.at_ms || now - kept.at_ms >= KEPT_MS) kept = { value: render(), at_ms: now };
    return kept.value;
  };
}
