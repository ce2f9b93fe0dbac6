import type { TObject, TSchema } from "@sinclair/typebox";
import { compileSchema, type SchemaCheck } from "../core/compile-schema.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import { parseUSD, renderUSD } from "../core/money.ts";
import { once } from "../core/once.ts";
import { createAskedProducts } from "./asked-products.ts";
import { findDefinition, listUnknown } from "./definition-site.ts";
import { listOfferFaults, type OfferedProduct, offerProduct } from "./offered-product.ts";
import { createOffering, type Offering, type OfferingOptions, type WithheldValue } from "./offering.ts";
import { createParamsParser, type ParamsParser, type ParsedParams, RESERVED_PARAMS } from "./params.ts";
import type { LoadedPlugin } from "./plugin.ts";
import {
  type AnyProduct,
  EXAMPLE_OPTIONS,
  PREVIEW_OPTIONS,
  PRODUCT_OPTIONS,
  type ProductMethod,
  type ProductPath,
} from "./product.ts";
import type { ProviderDefinition } from "./provider.ts";
import { createRounder, type Rounder } from "./round-data.ts";
import { createTiers, describeTiers, listTierFaults } from "./tiers.ts";

/** A product with everything that does not change per request worked out. */
export interface CatalogProduct {
  /** The path without its slash: "fear-greed". Names the product in envelopes, receipts and the ledger. */
  readonly id: string;
  readonly path: ProductPath;
  readonly methods: readonly ProductMethod[];
  readonly plugin: string;
  readonly file: string;
  readonly definition: AnyProduct;
  /** Upstreams it may use, those of the products it asks for included. */
  readonly providers: readonly ProviderDefinition[];
  readonly price_atomic: bigint;
  readonly price_usd: string;
  /** The same product at its other prices, by the value of the parameter they depend on: see `tierOf`. */
  readonly tiers: ReadonlyMap<string, CatalogProduct>;
  /** Of a product at another price: its name in `[prices]`. */
  readonly tier?: string;
  readonly ttl_ms: number;
  /** Null: no limit but those of its fetch. */
  readonly max_age_ms: number | null;
  readonly preview_delay_ms: number;
  readonly preview_every_ms: number;
  readonly params: ParamsParser;
  /** What snapshots are kept of; the first is shown where no parameters, or others, are asked for. */
  readonly previewRequests: () => readonly [ParsedParams, ...ParsedParams[]];
  readonly data_check: SchemaCheck;
  /** Rounds what the data schema says has decimals. */
  readonly round: Rounder;
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
  /** Not sold, and what would turn them on. In no surface. */
  readonly withheld: readonly { readonly path: ProductPath; readonly why: string }[];
  /** Values of parameters that products on sale do not sell here, and what would turn them on. In no surface. */
  readonly withheld_values: readonly WithheldValue[];
  /** Every provider named by a product or a job, sold or not. */
  readonly providers: readonly ProviderDefinition[];
  /** Faulty products of operator plugins: left out, reported. A built-in fault throws instead. */
  readonly faults: readonly CatalogFault[];
  readonly get: (path: string) => CatalogProduct | undefined;
}

export interface CatalogOptions {
  readonly plugins: readonly LoadedPlugin[];
  /** `[prices]`: path -> decimal USD. */
  readonly prices: Readonly<Record<string, string>>;
  readonly preview_delay_ms: number;
  /** Paths the node itself serves. */
  readonly reserved_paths: readonly string[];
  /** Why a provider may not be used, or not for a chain; null when it may. */
  readonly whyNot: Offering["whyNot"];
  /** What the operator set of the plugins' and providers' own keys; the defaults unless given. */
  readonly config?: OfferingOptions["config"];
}

/** Thrown when a built-in product is faulty: the node must not start with a broken catalog. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  constructor(readonly faults: readonly CatalogFault[]) {
    super(faults.map(renderFault).join("\n"));
  }
}

/** What tools, skills and operations are called by: "/fear-greed" is fear_greed. Never equal to a path. */
const skillIdOf = (path: string): string => path.slice(1).replaceAll(/[/-]/g, "_");

const PATH = /^\/[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*){0,3}$/;
const ASCII_LABEL = /^[\x20-\x7e]{1,32}$/;
/** Longer resource descriptions make facilitators refuse payments without a reason. */
const DESCRIPTION_CHARS_MAX = 450;

/**
 * Builds the one list of products that everything public derives from.
 * @throws CatalogError when a built-in plugin is faulty. Operator plugins never stop the node: their faulty products
 * are left out and listed in `faults`.
 */
export function createCatalog(options: CatalogOptions): Catalog {
  const products: CatalogProduct[] = [];
  const withheld: { path: ProductPath; why: string }[] = [];
  const withheld_values: WithheldValue[] = [];
  const node = createOffering(options);
  const faults: (CatalogFault & { fatal: boolean })[] = [];
  const asked = createAskedProducts(options.plugins.flatMap((plugin) => plugin.products.map(({ product }) => product)));
  const owners = new Map<string, string>(options.reserved_paths.map((path) => [path, "the node itself"]));

  for (const plugin of options.plugins) {
    for (const { file, product } of plugin.products) {
      const fault = (message: string) => {
        const fatal = plugin.origin === "built-in";
        const found = findDefinition(product);
        // A built-in file is named as it stands in the repository, wherever that is checked out.
        const where = found && fatal ? { file, line: found.line } : (found ?? { file });
        faults.push({ ...where, message, fatal });
      };
      try {
        const circle = asked.findCircle(product.path);
        const messages = [
          ...checkProduct(product, owners),
          // Of ours, plans included, the tests have seen to it, so that no start waits for it.
          ...(plugin.origin === "built-in" || product.plan ? [] : listSchemaFaults(product)),
          ...asked.listPayerFaults(product),
          ...(circle ? [`asks in a circle: ${circle.join(" -> ")}`] : []),
        ];
        if (messages.length > 0) {
          for (const message of messages) fault(message);
          continue;
        }
        for (const path of [product.path, ...(product.aliases ?? [])]) owners.set(path, file);
        owners.set(skillIdOf(product.path), file);
        const offered = offerProduct(product, node);
        const why = whyWithheld(product, options.whyNot) ?? offered.why;
        if (why) withheld.push({ path: product.path, why });
        else {
          const providers = asked.listProviders(product);
          products.push(createCatalogProduct({ plugin: plugin.id, file, offered, providers, node }, options));
          withheld_values.push(...offered.withheld);
        }
      } catch (error) {
        fault(messageOf(error));
      }
    }
  }

  const fatal = faults.filter((entry) => entry.fatal);
  if (fatal.length > 0) throw new CatalogError(fatal);
  withheld.push(...withholdAskers(products));
  products.sort((a, b) => (a.path < b.path ? -1 : 1));
  const by_path = new Map<string, CatalogProduct>(products.map((product) => [product.path, product]));
  return {
    plugins: options.plugins,
    products,
    withheld: withheld.sort((a, b) => (a.path < b.path ? -1 : 1)),
    withheld_values: withheld_values.filter(({ path }) => by_path.has(path)),
    providers: collectProviders(options.plugins),
    faults,
    get: (path) => by_path.get(path),
  };
}

/** Takes out, until none is left, what needs a product that is not sold, and says which. */
function withholdAskers(products: CatalogProduct[]): readonly { readonly path: ProductPath; readonly why: string }[] {
  const withheld: { path: ProductPath; why: string }[] = [];
  for (let left = -1; left !== products.length; ) {
    left = products.length;
    const sold = new Set<string>(products.map(({ path }) => path));
    for (const product of [...products]) {
      const needed = Object.entries(product.definition.asks ?? {}).filter(([, how]) => how === "needed");
      const missing = needed.map(([path]) => path).find((path) => !sold.has(path));
      if (missing === undefined) continue;
      products.splice(products.indexOf(product), 1);
      withheld.push({ path: product.path, why: `needs ${missing}, which is not sold` });
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
  readonly offered: OfferedProduct;
  readonly providers: readonly ProviderDefinition[];
  readonly node: Offering;
}

function createCatalogProduct(
  { plugin, file, offered, providers, node }: ProductParts,
  options: CatalogOptions,
): CatalogProduct {
  const { product, whyNot } = offered;
  const price_atomic = parseUSD(options.prices[product.path] ?? product.price_usd);
  const params = createParamsParser(product.params, product.normalise, {
    ...{ data: product.data, whyNot },
    assertSold: (asked) => product.assertSold?.(asked, node),
  });
  const rounder = once(() => createRounder(product.data) ?? ((data: unknown) => data));
  const base: CatalogProduct = {
    id: product.path.slice(1),
    path: product.path,
    methods: product.methods ?? ["GET"],
    plugin,
    file,
    providers,
    definition: { ...product, params: withoutDefaulted(product.params) },
    price_atomic,
    price_usd: renderUSD(price_atomic),
    tiers: new Map(),
    ttl_ms: parseDuration(product.ttl),
    max_age_ms: product.max_age === undefined ? null : parseDuration(product.max_age),
    preview_delay_ms: product.preview.delay ? parseDuration(product.preview.delay) : options.preview_delay_ms,
    preview_every_ms: parseDuration(product.preview.every),
    params,
    previewRequests: once(() => listPreviewRequests(product, params)),
    data_check: compileSchema(product.data),
    round: (data) => rounder()(data),
  };
  if (!product.tiers) return base;
  const tiers = createTiers(base, options.prices);
  const description = base.definition.description + describeTiers({ ...base, tiers });
  return { ...base, tiers, definition: { ...base.definition, description } };
}

/**
 * The call without parameters, where that means something, and those the product lists. A product that needs a
 * parameter and lists none is shown with those of its example.
 */
function listPreviewRequests(
  { preview, example, uses_payer }: AnyProduct,
  { defaults, fromBody }: ParamsParser,
): ReturnType<CatalogProduct["previewRequests"]> {
  const listed = (preview.params ?? []).map((params: unknown) => fromBody(params));
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

/**
 * All faults of one definition, in words. An operator's plugin may be plain JavaScript, so nothing is taken on trust.
 */
function checkProduct(product: AnyProduct, owners: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [
    ...listUnknown(product, PRODUCT_OPTIONS),
    ...listTierFaults(product),
    ...listOfferFaults(product),
    ...listUnknown(product.preview, PREVIEW_OPTIONS, "preview."),
    ...listUnknown(product.example, EXAMPLE_OPTIONS, "example."),
  ];
  const must = (condition: boolean, message: string) => {
    if (!condition) faults.push(message);
  };
  for (const path of [product.path, ...(product.aliases ?? [])]) {
    must(PATH.test(path), `path "${path}" must be lower-case words such as "/fear-greed"`);
    const owner = owners.get(path);
    must(!owner, `path "${path}" is already taken by ${owner}`);
  }
  const skill_id = skillIdOf(product.path);
  // Two tools of one name would be listed at one price and sold at another.
  const namesake = owners.has(product.path) ? undefined : owners.get(skill_id);
  must(!namesake, `path "${product.path}" would be called "${skill_id}", as the product of ${namesake} is`);
  try {
    must(parseUSD(product.price_usd) > 0n, `price_usd "${product.price_usd}" must be above 0`);
  } catch (error) {
    faults.push(`price_usd: ${messageOf(error)}`);
  }
  must((product.title ?? "") !== "", "title is missing");
  const description_chars = product.description?.length ?? 0;
  must(
    description_chars > 0 && description_chars <= DESCRIPTION_CHARS_MAX,
    `description must have 1-${DESCRIPTION_CHARS_MAX} characters, it has ${description_chars}`,
  );
  const tags: readonly string[] = product.tags ?? [];
  must(tags.length <= 5 && tags.every((tag) => ASCII_LABEL.test(tag)), "tags: at most 5, printable ASCII, at most 32");
  must(product.deadline_ms > 0 && product.deadline_ms <= 120_000, "deadline_ms must be between 1 and 120000");
  for (const [name, text] of [
    ["ttl", product.ttl],
    ["max_age", product.max_age ?? "1s"],
    ["preview.every", product.preview?.every],
  ] as const) {
    try {
      parseDuration(text);
    } catch (error) {
      faults.push(`${name}: ${messageOf(error)}`);
    }
  }
  const names = Object.keys(product.params?.properties ?? {});
  // Every path takes `format=json`; a product may list it among its own as well.
  const taken = names.filter((name) => name !== "format" && (RESERVED_PARAMS as readonly string[]).includes(name));
  must(taken.length === 0, `parameter "${taken[0]}" is reserved`);
  must(typeof product.fetch === "function" && typeof product.compute === "function", "fetch and compute are needed");
  must(!isEmpty(product.example?.data), "example.data is empty: a product without an example cannot be indexed");
  return faults;
}

const isEmpty = (data: unknown): boolean =>
  data === undefined || data === null || (typeof data === "object" && Object.keys(data).length === 0);

/** What takes compiling its schemas to find out: whether its example, its previews and its decimals fit them. */
export function listSchemaFaults(product: AnyProduct): readonly string[] {
  const faults: string[] = [];
  const must = (condition: boolean, message: string) => {
    if (!condition) faults.push(message);
  };
  const example: AnyProduct["example"] | undefined = product.example;
  const data = example?.data;
  if (isEmpty(data)) return faults;
  createRounder(product.data);
  const check = compileSchema(product.data);
  const fault = check.Errors(data).First();
  must(!fault, `example.data does not match the data schema at "${fault?.path}": ${fault?.message}`);
  const parser = createParamsParser(product.params, product.normalise);
  const mustBeCall = (what: string, params: unknown) => {
    try {
      const { missing } = parser.fromBody(params);
      must(missing.length === 0, `${what} lacks "${missing[0]}"`);
    } catch (error) {
      must(false, `${what}: ${messageOf(error)}`);
    }
  };
  mustBeCall("example.params", example?.params ?? {});
  const listed: readonly unknown[] = product.preview?.params ?? [];
  for (const [index, params] of listed.entries()) mustBeCall(`preview.params[${index}]`, params);
  return faults;
}

function whyWithheld(product: AnyProduct, whyNot: CatalogOptions["whyNot"]): string | null {
  for (const group of product.requires as readonly (readonly ProviderDefinition[])[]) {
    const reasons = group.map((provider) => whyNot(provider));
    if (group.length > 0 && reasons.every((reason) => reason !== null)) return reasons.join("; or ");
  }
  return null;
}
