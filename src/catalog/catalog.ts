import type { TObject, TSchema } from "@sinclair/typebox";
import { compileSchema, type SchemaCheck } from "../core/compile-schema.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import type { MeterTerms } from "../core/metering.ts";
import { parseUSD, renderUSD } from "../core/money.ts";
import { once } from "../core/once.ts";
import { createAskedProducts } from "./asked-products.ts";
import {
  checkProduct,
  listProductOptionFaults,
  listSchemaFaults,
  listSpellingFaults,
  listTakenFaults,
  pathsOf,
  skillIdOf,
} from "./check-product.ts";
import { findDefinition } from "./definition-site.ts";
import { type AnyFreeRoute, type CatalogRoute, createCatalogRoute, listRouteFaults, splitPath } from "./free-route.ts";
import { createMeterTerms, type MeteringSettings } from "./metering.ts";
import { type ModelUse, NO_MODELS } from "./model.ts";
import { type OfferedProduct, offerProduct } from "./offered-product.ts";
import { createOffering, type Offering, type OfferingOptions, type WithheldValue } from "./offering.ts";
import { createParamsParser, type ParamsParser, type ParsedParams } from "./params.ts";
import type { PathSettings } from "./path-setting.ts";
import type { LoadedPlugin } from "./plugin.ts";
import type { AnyProduct } from "./product.ts";
import type { ProductMethod, ProductPath } from "./product-path.ts";
import type { ProviderDefinition } from "./provider.ts";
import { createRounder, type Rounder } from "./round-data.ts";
import type { FindPath } from "./send-instead.ts";
import {
  findProductSwitch,
  listSwitchedOff,
  type OffProduct,
  type Switches,
  toSwitchReason,
  withSwitches,
} from "./switched-off.ts";
import { takesAsOf, takesSince } from "./takes-moments.ts";
import { createTiers, describeTiers } from "./tiers.ts";
import { joinReasons, type Reason, toWhyWithheld, type WhyWithheld } from "./why-withheld.ts";

/** A product with everything that does not change per request worked out. */
export interface CatalogProduct {
  /** The path without its slash: "fear-greed". Names the product in envelopes, receipts and the ledger. */
  readonly id: string;
  readonly path: ProductPath;
  /** Where it would be sold if the configuration did not say otherwise: its name for other products. */
  readonly default_path: ProductPath;
  readonly methods: readonly ProductMethod[];
  readonly plugin: string;
  readonly file: string;
  readonly definition: AnyProduct;
  /** Upstreams it may use, those of the products it asks for included. */
  readonly providers: readonly ProviderDefinition[];
  readonly price_atomic: bigint;
  readonly price_usd: string;
  /** What its answers cost keys and channels; null where that is the price. */
  readonly metering: MeterTerms | null;
  /** The same product at its other prices, by the value of the parameter they depend on: see `tierOf`. */
  readonly tiers: ReadonlyMap<string, CatalogProduct>;
  /** Of a product at another price: its name, in `[prices]` where it is set there. */
  readonly tier?: string;
  readonly ttl_ms: number;
  /** Null: no limit but those of its fetch. */
  readonly max_age_ms: number | null;
  readonly preview_delay_ms: number;
  readonly preview_every_ms: number;
  readonly params: ParamsParser;
  /** What snapshots are kept of; the first is shown to a call that names no parameters: see `keptPreviewOf`. */
  readonly previewRequests: () => readonly [ParsedParams, ...ParsedParams[]];
  readonly data_check: SchemaCheck;
  /** Rounds what the data schema says has decimals. */
  readonly round: Rounder;
  /** A JSON body as its form reads it. @throws NodeError */
  readonly readBody: (body: unknown) => unknown;
}

export interface CatalogFault {
  readonly file: string;
  /** Where it is written; left out where that is not known. */
  readonly line?: number;
  readonly message: string;
}

/** A fault as operators read it. */
export const renderFault = ({ file, line, message }: CatalogFault): string =>
  `${file}${line === undefined ? "" : `:${line}`}: ${message}`;

export interface Catalog {
  readonly plugins: readonly LoadedPlugin[];
  /** Sold by this node; the only list any surface reads. Sorted by path. */
  readonly products: readonly CatalogProduct[];
  /** Paths of plugins that cost nothing, sorted. */
  readonly routes: readonly CatalogRoute[];
  /** What would be sold if the operator had switched nothing off. */
  readonly whole: readonly CatalogProduct[];
  /** Not sold because the operator has switched something off; `withheld` has them as well. */
  readonly off: readonly OffProduct<CatalogProduct>[];
  /** Not sold, and what would turn them on. In no surface. */
  readonly withheld: readonly WithheldProduct[];
  /** Values of parameters that products on sale do not sell here, and what would turn them on. In no surface. */
  readonly withheld_values: readonly WithheldValue[];
  /** Every provider named by a product or a job, sold or not. */
  readonly providers: readonly ProviderDefinition[];
  /** Faulty products of operator plugins: left out, reported. A built-in fault throws instead. */
  readonly faults: readonly CatalogFault[];
  readonly get: (path: string) => CatalogProduct | undefined;
  /** By any path it has where it is sold: the default one, old ones. */
  readonly findOff: (path: string) => OffProduct<CatalogProduct> | undefined;
}

/** A product that is not sold. */
export interface WithheldProduct extends WhyWithheld {
  readonly path: ProductPath;
}

export interface CatalogOptions {
  readonly plugins: readonly LoadedPlugin[];
  /** `[prices]`: path -> decimal USD. */
  readonly prices: Readonly<Record<string, string>>;
  /** `[metering]`; nothing is metered unless given. */
  readonly metering?: MeteringSettings;
  readonly preview_delay_ms: number;
  /** Paths the node itself serves. */
  readonly reserved_paths: readonly string[];
  /** Why a provider may not be used, or not for a chain; null when it may. */
  readonly whyNot: OfferingOptions["whyNot"];
  /** Why no model may be used for this; null when one may. Default: there are no models. */
  readonly whyNoModel?: (use: ModelUse) => Reason | null;
  /** What the operator set of the plugins' and providers' own keys; the defaults unless given. */
  readonly config?: OfferingOptions["config"];
  /** `[node] public_url`; left out when the node has no public address. */
  readonly public_url?: string;
  /** `[node] brand`. */
  readonly brand?: string;
  /** What the operator has switched off; default: nothing. */
  readonly switches?: Switches;
  /** A further plugin over what is sold, such as the basket; nothing unless given. */
  readonly beside?: (sold: readonly CatalogProduct[], findOff: Catalog["findOff"]) => LoadedPlugin | null;
  /** `[aliases]`: further old path -> path of a product. They answer 308. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** Thrown when a built-in product is faulty: the node must not start with a broken catalog. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  constructor(readonly faults: readonly CatalogFault[]) {
    super(faults.map(renderFault).join("\n"));
  }
}

/**
 * Builds the one list of products that everything public derives from.
 * @throws CatalogError when a built-in plugin is faulty. Operator plugins never stop the node: their faulty products
 * are left out and listed in `faults`.
 */
export function createCatalog(options: CatalogOptions): Catalog {
  const { switches, ...rest } = options;
  const whole = buildCatalog(rest, null);
  if (switches === undefined || switches.products.length + switches.providers.length === 0) return whole;
  return buildCatalog({ ...rest, whyNot: withSwitches(rest.whyNot, switches) }, { switches, whole: whole.products });
}

/** What is switched off, and what would be sold without it. */
interface Switched {
  readonly switches: Switches;
  readonly whole: readonly CatalogProduct[];
}

function buildCatalog(options: Omit<CatalogOptions, "switches">, switched: Switched | null): Catalog {
  const faults: (CatalogFault & { fatal: boolean })[] = [];
  const collected = createCollector(options, switched?.switches ?? null);
  /** Reports the faults of one definition with the line on which it was found. */
  const told = (plugin: LoadedPlugin, { file, of }: { file: string; of: object }, work: () => readonly string[]) => {
    const fatal = plugin.origin === "built-in";
    const tell = (message: string) => {
      const found = findDefinition(of);
      // A built-in file is named by its path in the repository, wherever that is checked out.
      const where = found && fatal ? { file, line: found.line } : (found ?? { file });
      faults.push({ ...where, message, fatal });
    };
    try {
      work().forEach(tell);
    } catch (error) {
      tell(messageOf(error));
    }
  };

  for (const plugin of options.plugins) {
    for (const entry of plugin.products) {
      told(plugin, { file: entry.file, of: entry.product }, () => collected.addProduct(plugin, entry));
    }
    for (const route of plugin.routes ?? []) {
      told(plugin, { file: plugin.file, of: route }, () => collected.addRoute(plugin, route));
    }
  }

  const fatal = faults.filter((entry) => entry.fatal);
  if (fatal.length > 0) throw new CatalogError(fatal);
  const { products, routes, withheld_values } = collected;
  const withheld = [...collected.withheld, ...withholdAskers(products)];
  const listOff = () => (switched === null ? [] : listSwitchedOff(switched.whole, products, switched.switches));
  const beside = options.beside?.([...products].sort(byPath), createOffFinder(listOff())) ?? null;
  for (const entry of beside?.products ?? []) {
    told(beside as LoadedPlugin, { file: entry.file, of: entry.product }, () =>
      collected.addProduct(beside as LoadedPlugin, entry),
    );
  }
  products.sort(byPath);
  const by_path = new Map<string, CatalogProduct>(
    products.flatMap((product) => [
      [product.default_path, product],
      [product.path, product],
    ]),
  );
  const off = listOff();
  return {
    plugins: options.plugins,
    products,
    whole: switched?.whole ?? products,
    off,
    findOff: createOffFinder(off),
    routes: routes.sort(byPath),
    withheld: withheld.sort(byPath),
    withheld_values: withheld_values.filter(({ path }) => by_path.has(path)),
    providers: collectProviders(options.plugins),
    faults,
    get: (path) => by_path.get(path),
  };
}

function createOffFinder(off: Catalog["off"]): Catalog["findOff"] {
  const by_path = new Map<string, OffProduct<CatalogProduct>>(
    off.flatMap((one) =>
      [one.product.default_path, ...pathsOf(one.product.definition)].map((path) => [path, one] as const),
    ),
  );
  return (path) => by_path.get(path);
}

/** Takes definitions one after another; each knows which paths those before it have taken. */
function createCollector(options: Omit<CatalogOptions, "switches">, switches: Switches | null) {
  const products: CatalogProduct[] = [];
  const routes: CatalogRoute[] = [];
  const withheld: WithheldProduct[] = [];
  const withheld_values: WithheldValue[] = [];
  const node = createOffering(options);
  const settings: PathSettings = { brand: options.brand ?? DEFAULT_BRAND, config: node.config };
  const asked = createAskedProducts(options.plugins.flatMap((plugin) => plugin.products.map(({ product }) => product)));
  const owners = new Map<string, string>(options.reserved_paths.map((path) => [path, "the node itself"]));
  const findAliases = createAliasFinder(options.aliases ?? {});
  // Asked when a buyer made a mistake: the list is whole by then.
  const findPath: FindPath = (default_path, params) => {
    const product = products.find((one) => one.default_path === default_path);
    return product?.params.takes(params) === true ? product.path : null;
  };
  return {
    products,
    routes,
    withheld,
    withheld_values,
    /** @returns what is wrong with it; it is then left out. */
    addProduct(plugin: LoadedPlugin, { file, product }: LoadedPlugin["products"][number]): readonly string[] {
      const options_of = listProductOptionFaults(product);
      if (!options_of.is_usable) return options_of.all;
      const path = product.locate?.(settings) ?? product.path;
      const aliases = [...(product.aliases ?? []), ...findAliases(path, product.path)];
      const placed: AnyProduct = { ...product, path, aliases };
      const circle = asked.findCircle(product.path);
      const messages = [
        ...checkProduct(placed, owners),
        // Of ours, plans included, the tests have seen to it, so that no start waits for it.
        ...(plugin.origin === "built-in" || product.plan ? [] : listSchemaFaults(product)),
        ...asked.listAskFaults(product),
        ...(circle ? [`asks in a circle: ${circle.join(" -> ")}`] : []),
      ];
      if (messages.length > 0) return messages;
      for (const one of pathsOf(placed)) owners.set(one, file);
      owners.set(skillIdOf(path), file);
      const offered = offerProduct(placed, node);
      const off = switches === null ? undefined : findProductSwitch(switches, path, product.path);
      const why = off === undefined ? (whyWithheld(product, options) ?? offered.why) : toSwitchReason(off);
      if (why) withheld.push({ path, ...why });
      else {
        const providers = asked.listProviders(product);
        const parts = { plugin: plugin.id, file, default_path: product.path, offered, providers, node, findPath };
        products.push(createCatalogProduct(parts, options));
        withheld_values.push(...offered.withheld);
      }
      return [];
    },
    /** As above. */
    addRoute({ id, file }: LoadedPlugin, route: AnyFreeRoute): readonly string[] {
      const path = route.locate?.(settings) ?? route.path;
      const { stem, path_param } = splitPath(path);
      // Whatever the parameter is called, one route takes all that it may hold.
      const place = path_param === null ? path : `${stem}/:`;
      const of_path = [...listSpellingFaults(stem), ...listTakenFaults(path, owners.get(place))];
      const messages = [...of_path, ...listRouteFaults(route)];
      if (messages.length > 0) return messages;
      owners.set(place, file);
      routes.push(createCatalogRoute(id, route, path));
      return [];
    },
  };
}

const DEFAULT_BRAND = "intel";
const byPath = (a: { readonly path: string }, b: { readonly path: string }): number => (a.path < b.path ? -1 : 1);

/** The old paths that the configuration gives a product, which it may call by its default path too. */
const createAliasFinder =
  (aliases: Readonly<Record<string, string>>) =>
  (...paths: readonly string[]): readonly ProductPath[] =>
    Object.entries(aliases).flatMap(([alias, target]) => (paths.includes(target) ? [alias as ProductPath] : []));

/** Why a product cannot be sold beside those that are; null when it can. */
function whyNotBeside(
  { definition, price_atomic, path }: CatalogProduct,
  sold: ReadonlyMap<string, CatalogProduct>,
): WhyWithheld | null {
  const { asks = {}, is_bundle = false } = definition;
  const needed = Object.entries(asks).flatMap(([part, how]) => (how === "needed" ? [part] : []));
  const missing = needed.find((part) => !sold.has(part));
  if (missing !== undefined) {
    const why = `needs ${missing}, which is not sold`;
    return { why, for_buyers: why };
  }
  if (!is_bundle) return null;
  const together = needed.reduce((sum, part) => sum + (sold.get(part)?.price_atomic ?? 0n), 0n);
  if (together > price_atomic) return null;
  const why = `its parts cost $${renderUSD(together)} one by one, no more than the bundle`;
  return { why: `${why}: lower [prices] "${path}"`, for_buyers: why };
}

/** Removes, until all that is left can be sold, products whose needed products are not sold, and says why. */
function withholdAskers(products: CatalogProduct[]): readonly WithheldProduct[] {
  const withheld: WithheldProduct[] = [];
  for (let left = -1; left !== products.length; ) {
    left = products.length;
    const sold = new Map<string, CatalogProduct>(products.map((product) => [product.default_path, product]));
    for (const product of [...products]) {
      const why = whyNotBeside(product, sold);
      if (why === null) continue;
      products.splice(products.indexOf(product), 1);
      withheld.push({ path: product.path, ...why });
    }
  }
  return withheld;
}

/** Every provider that a product, job or dataset of these plugins names, once each, by id. */
export function collectProviders(plugins: readonly LoadedPlugin[]): readonly ProviderDefinition[] {
  const found = new Map<string, ProviderDefinition>();
  for (const plugin of plugins) {
    for (const { product } of plugin.products) for (const one of product.providers ?? []) found.set(one.id, one);
    for (const job of plugin.jobs) for (const one of job.providers) found.set(one.id, one);
    for (const dataset of plugin.datasets ?? []) for (const one of dataset.providers) found.set(one.id, one);
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

interface ProductParts {
  readonly plugin: string;
  readonly file: string;
  readonly default_path: ProductPath;
  readonly offered: OfferedProduct;
  readonly providers: readonly ProviderDefinition[];
  readonly node: Offering;
  readonly findPath: FindPath;
}

function createCatalogProduct(
  { plugin, file, default_path, offered, providers, node, findPath }: ProductParts,
  options: CatalogOptions,
): CatalogProduct {
  const { product, whyNot } = offered;
  const prices = renamePrices(options.prices, default_path, product.path);
  const price_atomic = parseUSD((product.priced ? undefined : prices[product.path]) ?? product.price_usd);
  const params = createParamsParser(product.params, product.normalise, {
    data: product.data,
    whyNot,
    has_views: product.form === undefined,
    usual_view: product.usual_view,
    takes_since: takesSince(product),
    takes_as_of: takesAsOf(product, parseDuration(product.ttl)),
    assertSold: (asked) => product.assertSold?.(asked, node),
    advice: {
      path: product.path,
      in_body: product.methods?.includes("GET") === false,
      example: product.example.params,
      elsewhere: product.elsewhere ?? [],
      findPath,
    },
  });
  const rounder = once(() => createRounder(product.data) ?? ((data: unknown) => data));
  const base: CatalogProduct = {
    id: product.path.slice(1),
    path: product.path,
    default_path,
    methods: product.methods ?? ["GET"],
    plugin,
    file,
    providers,
    definition: { ...product, params: withoutDefaulted(product.params) },
    price_atomic,
    price_usd: renderUSD(price_atomic),
    metering: createMeterTerms(
      { names: [product.path, default_path], metered: product.metered, price_atomic },
      options.metering,
    ),
    tiers: new Map(),
    ttl_ms: parseDuration(product.ttl),
    max_age_ms: product.max_age === undefined ? null : parseDuration(product.max_age),
    preview_delay_ms: product.preview.delay ? parseDuration(product.preview.delay) : options.preview_delay_ms,
    preview_every_ms: parseDuration(product.preview.every),
    params,
    previewRequests: once(() => listPreviewRequests(product, params, options.public_url)),
    data_check: compileSchema(product.data),
    round: (data) => rounder()(data),
    readBody: (body) => product.form?.readBody?.(body, node) ?? body,
  };
  if (!product.tiers) return base;
  const priced = createTiers(base, prices);
  const tiers = new Map([...priced].map(([value, tier]) => [value, withMeter(tier, options.metering)]));
  const description = base.definition.description + describeTiers<CatalogProduct>({ ...base, tiers });
  return { ...base, tiers, definition: { ...base.definition, description } };
}

/** A tier's own terms. */
const withMeter = (tier: CatalogProduct, settings: MeteringSettings | undefined): CatalogProduct => ({
  ...tier,
  metering: createMeterTerms(
    {
      names: [tier.tier ?? tier.path, tier.path, tier.default_path],
      metered: tier.definition.metered,
      price_atomic: tier.price_atomic,
    },
    settings,
  ),
});

/** Prices may name a product by its default path as well. */
function renamePrices(
  prices: CatalogOptions["prices"],
  default_path: string,
  path: string,
): Readonly<Record<string, string>> {
  if (path === default_path) return prices;
  const renamed = Object.entries(prices).flatMap(([name, usd]) =>
    name === default_path || name.startsWith(`${default_path}?`)
      ? [[path + name.slice(default_path.length), usd] as const]
      : [],
  );
  return { ...Object.fromEntries(renamed), ...prices };
}

/**
 * The call without parameters, if that means something, and the calls the product lists. A product that needs a
 * parameter and lists no calls is shown with the parameters of its example.
 */
function listPreviewRequests(
  { preview, example, uses_payer }: AnyProduct,
  { defaults, fromBody }: ParamsParser,
  public_url: string | undefined,
): ReturnType<CatalogProduct["previewRequests"]> {
  const of_node = public_url === undefined ? undefined : preview.of_node?.(public_url);
  const listed = (of_node ?? preview.params ?? []).map((params: unknown) => fromBody(params));
  // Nobody pays for a preview: a call without parameters means nothing where the payer is the default.
  const is_bare = defaults.missing.length === 0 && uses_payer !== true;
  const [first, ...others] = is_bare ? [defaults, ...listed] : listed;
  return first ? [first, ...others] : [fromBody(example.params)];
}

/** What has a default need not be sent, so no surface may call it required. */
function withoutDefaulted(params: TObject): TObject {
  const properties: Readonly<Record<string, TSchema>> = params.properties;
  const required = (params.required ?? []).filter((name) => properties[name]?.default === undefined);
  return required.length === (params.required ?? []).length ? params : { ...params, required };
}

function whyWithheld(
  product: AnyProduct,
  { whyNot, whyNoModel = NO_MODELS.whyNot }: Pick<CatalogOptions, "whyNot" | "whyNoModel">,
): WhyWithheld | null {
  const { uses_model } = product;
  const no_model = uses_model?.need === "needed" ? whyNoModel(uses_model.use) : null;
  if (no_model !== null) return toWhyWithheld(no_model);
  for (const group of product.requires as readonly (readonly ProviderDefinition[])[]) {
    const reasons = group.flatMap((provider) => whyNot(provider) ?? []);
    if (group.length > 0 && reasons.length === group.length) return joinReasons(reasons);
  }
  return null;
}
