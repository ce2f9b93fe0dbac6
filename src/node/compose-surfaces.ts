import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { whyNotInBasket } from "../catalog/basket-items.ts";
import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import { skillIdOf } from "../catalog/check-product.ts";
import { tellGist } from "../catalog/gist.ts";
import type { Openings } from "../catalog/openings.ts";
import type { AnyProduct } from "../catalog/product.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";
import { takesAsOf, takesSince } from "../catalog/takes-moments.ts";
import { formatsOf } from "../catalog/view.ts";
import { renderTime } from "../core/clock.ts";
import { describeMetering } from "../core/metering.ts";
import { renderUSD } from "../core/money.ts";
import type { PaymentRequired } from "../payments/challenge.ts";
import type { Challenges } from "../payments/challenges.ts";
import type { Offer } from "../payments/types.ts";
import { listMeteredWays } from "../payments/upto/terms.ts";
import { FREE_ENDPOINTS } from "../surfaces/free-endpoints.ts";
import { surfaces } from "../surfaces/surfaces.gen.ts";
import type { FreeEndpoint, SurfaceModel, SurfaceProduct, WatchTerms } from "../surfaces/types.ts";
import { priceIdle } from "../watches/engine.ts";
import { viewWallet } from "./compose-ownership.ts";
import type { Core, Listener, Money, StartOptions } from "./parts.ts";

export interface SurfaceParts {
  readonly money: Money;
  readonly listener: Listener;
  readonly challenges: Challenges;
}

/** Gathers what every public document is rendered from, as it is at this moment. */
export function createSurfaceModel(options: StartOptions, core: Core, parts: SurfaceParts): SurfaceModel {
  const { config, clock, version } = options;
  const { money, listener, challenges } = parts;
  const { identity, catalog } = core;
  const { public_url } = listener;
  const now_ms = clock.now();
  const settled = isSettled(money);
  const model: SurfaceModel = {
    node: {
      name: config.node.name,
      brand: config.node.brand,
      version,
      public_url,
      node_id: identity.node_id,
      public_key: identity.public_key,
      key_name: identity.key_name,
      retired_keys: identity.retired,
      contact_email: config.node.contact_email ?? null,
      security_contact: config.node.security_contact ?? null,
      sign: identity.sign,
    },
    sandbox: options.sandbox !== null,
    settled,
    now_ms,
    products: catalog.products.map((product) =>
      toSurfaceProduct(product, public_url, {
        challenges,
        offers: money.pool.offers,
        openings: core.openings,
        usable: core.upstream.usable,
        idle_share: config.watch.enabled ? config.watch.idle_share : null,
      }),
    ),
    off_skill_ids: catalog.off.map(({ product }) => skillIdOf(product.path)),
    networks: money.pool.offers.map(({ network, advertised_id, pay_to }) => ({
      network: advertised_id ?? network.id,
      title: network.title,
      wallet: network.wallet,
      asset: network.asset,
      pay_to,
    })),
    facilitator_url: money.pool.status().find(({ ok }) => ok)?.url ?? null,
    free: [],
    wallets: core.wallets.map((wallet) => viewWallet(wallet, now_ms)),
    origin_signatures: core.wallets.flatMap(({ origin_signature }) => origin_signature ?? []),
    mcp_registry_auth: config.mcp.registry_auth,
    rate_limits: { enabled: listener.limits.enabled, free_per_minute: config.limits.free_per_minute },
    changedAt: (digest) => changedAt(core, { digest, now_ms, settled }),
  };
  const doors = FREE_ENDPOINTS.filter(({ path }) => config.watch.enabled || !isOfWatches(path));
  return { ...model, free: [...listFree(model, catalog), ...doors].sort(byPath) };
}

const isOfWatches = (path: string): boolean => path === "/watch" || path.startsWith("/watch/");
const byPath = (a: FreeEndpoint, b: FreeEndpoint): number => (a.path < b.path ? -1 : 1);

/** Every facilitator was asked, and one of them answered: with all of them dead there is no network to list yet. */
function isSettled({ pool }: Pick<Money, "pool">): boolean {
  const asked = pool.status();
  return asked.every(({ last_check_ms }) => last_check_ms !== null) && (asked.length === 0 || pool.offers.length > 0);
}

/**
 * While facilitators have yet to be asked for the first time, the networks come one by one: what is shown until then is
 * no change of the manifest.
 */
function changedAt(
  { ledger }: Core,
  { digest, now_ms, settled }: { readonly digest: string; readonly now_ms: number; readonly settled: boolean },
): number {
  return settled ? ledger.manifest.note(digest, now_ms) : (ledger.manifest.find(digest) ?? Math.floor(now_ms / 1000));
}

/** Rendered documents list themselves; the free paths of plugins are listed beside them. */
function listFree(model: SurfaceModel, { products, routes }: Catalog): readonly FreeEndpoint[] {
  const rendered = surfaces
    .filter((surface) => surface.isServed?.(model) !== false)
    .map(({ path, summary, content_type, query }): FreeEndpoint => {
      return { path, methods: ["GET"], summary, content_type, ...(query ? { query } : {}) };
    });
  const get = (path: string, summary: string, query: FreeEndpoint["query"]): FreeEndpoint => {
    return { path, methods: ["GET"], summary, content_type: "application/json", ...(query ? { query } : {}) };
  };
  const of_plugins = routes.map(({ path, path_param, definition: { summary, params = NO_PARAMS } }): FreeEndpoint => {
    const endpoint = get(path, summary, describeQuery(params, path_param));
    // Nobody can tell what it holds: it answers no call that is made of its name alone.
    return path_param === null ? endpoint : { ...endpoint, asks: true };
  });
  const previews = products.flatMap(({ path, definition: { preview, params } }) =>
    preview.path === undefined
      ? []
      : get(preview.path, `Free, delayed data of ${path}, of its preview_of`, describeQuery(params)),
  );
  return [...rendered, ...of_plugins, ...previews];
}

const NO_PARAMS = Type.Object({});

/** Query parameters by name, with what they mean, but for the one of the path; undefined without them. */
function describeQuery(
  { properties }: TObject,
  path_param: string | null = null,
): Readonly<Record<string, string>> | undefined {
  const all = Object.entries(properties as Readonly<Record<string, TSchema>>);
  const named = all.filter(([name]) => name !== path_param);
  if (named.length === 0) return undefined;
  return Object.fromEntries(named.map(([name, { description = "" }]) => [name, description]));
}

interface ProductParts {
  readonly challenges: Challenges;
  readonly offers: readonly Offer[];
  readonly openings: Openings;
  readonly usable: (provider: ProviderDefinition) => boolean;
  /** Null where nothing is watched. */
  readonly idle_share: number | null;
}

/** Answers that a watch may buy of its budget, unless its buyer says otherwise. */
const ANSWERS_BUDGETED = 100n;
const EVERY_LEAST_S = 3_600;

function toWatchTerms(product: CatalogProduct, idle_share: number | null): WatchTerms | null {
  if (idle_share === null || whyNotInBasket(product) !== null) return null;
  const every_s = Math.max(EVERY_LEAST_S, Math.ceil(product.ttl_ms / 1000));
  return {
    idle_usd: renderUSD(priceIdle(product.price_atomic, idle_share)),
    every: every_s % EVERY_LEAST_S === 0 ? `${every_s / EVERY_LEAST_S}h` : `${every_s}s`,
    budget_usd: renderUSD(product.price_atomic * ANSWERS_BUDGETED),
  };
}

/** The data schema as it holds for a call without `view`: it does not promise what a brief answer leaves out. */
function promised({ data, usual_view, long = [] }: AnyProduct): TSchema {
  if (usual_view !== "brief") return data;
  const required = (data.required as readonly string[] | undefined) ?? [];
  return { ...data, required: required.filter((name) => !long.includes(name)) };
}

function toSurfaceProduct(
  product: CatalogProduct,
  public_url: string,
  { challenges, offers, openings, usable, idle_share }: ProductParts,
): SurfaceProduct {
  const opens_ms = openings.get(product.path);
  const { definition, methods, path } = product;
  let challenge: PaymentRequired | undefined;
  return {
    id: product.id,
    skill_id: product.id.replaceAll(/[/-]/g, "_"),
    path,
    url: `${public_url}${path}`,
    methods,
    method: methods[0] ?? "GET",
    title: definition.title,
    description: definition.description,
    category: definition.category,
    tags: definition.tags,
    aliases: definition.aliases ?? [],
    search: definition.search ?? [],
    price_usd: product.price_usd,
    price_atomic: product.price_atomic.toString(),
    metering: describeMetering(product, listMeteredWays(product, offers)),
    tiers: [...product.tiers].map(([value, { price_usd, price_atomic }]) => ({
      param: definition.tiers?.param ?? "",
      value,
      price_usd,
      price_atomic: price_atomic.toString(),
    })),
    priced_by: definition.priced?.by,
    params: definition.params,
    data: promised(definition),
    long: definition.long,
    usual_view: definition.usual_view,
    watch: toWatchTerms(product, idle_share),
    is_bare: definition.form !== undefined,
    has_markdown: formatsOf(definition.data).includes("md"),
    takes_since: takesSince(definition),
    takes_as_of: takesAsOf(definition, product.ttl_ms),
    example: definition.example,
    get gist() {
      return tellGist(definition, definition.example);
    },
    preview_delay_s: product.preview_delay_ms / 1000,
    get previews_of() {
      const [first, ...others] = product.previewRequests();
      return [first.params, ...others.map(({ params }) => params)] as const;
    },
    ttl_s: product.ttl_ms / 1000,
    max_age_s: product.max_age_ms === null ? null : product.max_age_ms / 1000,
    available_from: opens_ms === null ? null : renderTime(opens_ms),
    plan: definition.plan ?? null,
    providers: product.providers.filter(usable),
    // Most of what is asked of a model needs no offers, and rendering those of all products takes longest.
    get challenge() {
      challenge ??= challenges.get(product).payment_required;
      return challenge;
    },
    get mpp() {
      return challenges.get(product).mpp.ways;
    },
  };
}
