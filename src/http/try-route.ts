import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import { keptPreviewOf } from "../catalog/kept-preview.ts";
import type { ParsedParams } from "../catalog/params.ts";
import type { Previews } from "../catalog/previews.ts";
import { keepFor } from "../core/keep-for.ts";
import { once } from "../core/once.ts";
import type { Records } from "../records/record-chain.ts";
import type { FreeRoute } from "./free-route.ts";
import { createJSONAnswer } from "./json-answer.ts";
import type { Responder } from "./respond.ts";

export interface TryRouteOptions {
  readonly responder: Responder;
  readonly catalog: Catalog;
  readonly previews: Previews;
  readonly now_ms: () => number;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
  /** The chain of signals: with its head, one can prove later that nothing before it was changed. */
  readonly records: Pick<Records, "head">;
}

const ITEMS = 6;
/** An item whose product has no snapshot that is old enough. */
const NOT_READY = { preview_of: undefined, delayed: true, as_of: null, age_seconds: null, warnings: [], data: null };
/** Snapshots change every few minutes: a flood of these paths must not reach the database. */
const KEPT_MS = 1_000;

/**
 * `GET /try`: real, delayed data of six products at a glance. `GET /sample`: the whole previews of the sampled ones.
 * Neither makes anything up: a product without a snapshot that is old enough has null, and is
 * named in `warnings`.
 */
export function createTryRoutes(options: TryRouteOptions): readonly FreeRoute[] {
  const { responder, catalog, previews, now_ms } = options;
  const json = createJSONAnswer(responder, "public, max-age=60");
  const findTried = once(() => pickTried(catalog.products));
  const sampled = catalog.products.filter(({ definition }) => definition.sample === true);
  const unsold = catalog.plugins
    .flatMap(({ products }) => products.map(({ product }) => product))
    .filter(({ sample, path }) => sample === true && catalog.get(path) === undefined)
    .map(({ path }) => path.slice(1).replaceAll("-", "_"));

  const renderTry = (): Record<string, unknown> => {
    const tried = findTried();
    const shown = tried.map(({ product, request }) => ({ product, found: previews.find(product, request) }));
    return {
      ...options.stamp(),
      items: shown.map(({ product: { id, path, price_usd, price_atomic, definition }, found }) => {
        const sold = { product: id, path, endpoint: path, title: definition.title, price_usd };
        const { preview_of, delayed, as_of, age_seconds, warnings, data } = found ?? NOT_READY;
        const gist = found?.text === undefined ? {} : { text: found.text, headline: found.headline };
        return {
          preview_of,
          ...sold,
          price_atomic: price_atomic.toString(),
          ...gist,
          delayed,
          as_of,
          age_seconds,
          warnings,
          data,
        };
      }),
      next_step: "GET an endpoint without ?preview=1 and pay what its 402 asks for to get it live.",
      warnings: [
        ...(tried.length === 0 ? ["this node sells no product that has a preview"] : []),
        ...shown.filter(({ found }) => found === null).map(({ product }) => notReady(product.id)),
      ],
    };
  };
  const renderSample = async (): Promise<Record<string, unknown>> => {
    const shown = sampled.map((product) => {
      return [product.id.replaceAll("-", "_"), previews.find(product, product.previewRequests()[0])] as const;
    });
    const warnings = [
      ...(sampled.length === 0 ? ["this node sells none of the sampled products"] : []),
      ...shown.filter(([, found]) => found === null).map(([name]) => notReady(name)),
      ...unsold.map((name) => `${name}: not sold by this node now`),
    ];
    return {
      ...options.stamp(),
      signals_chain: await options.records.head("signals"),
      ...Object.fromEntries([...shown, ...unsold.map((name) => [name, null] as const)]),
      warnings,
    };
  };
  return (
    [
      ["/try", keepFor(KEPT_MS, now_ms, async () => renderTry())],
      ["/sample", keepFor(KEPT_MS, now_ms, renderSample)],
    ] as const
  ).map(([path, render]) => ({
    path,
    methods: ["GET"],
    handler: async (http_call) => json(http_call, await render()),
  }));
}

export interface Tried {
  readonly product: CatalogProduct;
  readonly request: ParsedParams;
}

/**
 * Those that say so, in their order, then sampled ones, then the cheapest; plans have no data to try, and a basket none
 * of its own.
 */
export function pickTried(products: readonly CatalogProduct[]): readonly Tried[] {
  const real = products.filter(({ definition: { plan, parts } }) => plan === undefined && parts === undefined);
  const first = real
    .filter(({ definition }) => definition.tried !== undefined)
    .sort((a, b) => (a.definition.tried?.order ?? 0) - (b.definition.tried?.order ?? 0))
    .map((product): Tried => {
      const params = product.definition.tried?.params;
      const kept = params && keptPreviewOf(product, product.params.fromBody(params));
      return { product, request: kept ?? product.previewRequests()[0] };
    });
  const others = real.filter((product) => !first.some((one) => one.product === product));
  const isSampled = ({ definition }: CatalogProduct) => definition.sample === true;
  const cheap_first = others
    .filter((product) => !isSampled(product))
    .sort((a, b) => (a.price_atomic < b.price_atomic ? -1 : a.price_atomic > b.price_atomic ? 1 : 0));
  const rest = [...others.filter(isSampled), ...cheap_first];
  return [...first, ...rest.map((product) => ({ product, request: product.previewRequests()[0] }))].slice(0, ITEMS);
}

const notReady = (name: string): string => `${name}: no snapshot is old enough yet`;
