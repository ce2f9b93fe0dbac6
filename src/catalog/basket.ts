import type { Static } from "@sinclair/typebox";
import { NodeError } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { renderUSD } from "../core/money.ts";
import { tellBasket } from "./basket-gist.ts";
import {
  BASKET_DEADLINE_MS,
  BASKET_ITEMS_MAX,
  BASKET_PATH,
  type BasketItem,
  readBasketItems,
  renderBasketItems,
  whyNotInBasket,
} from "./basket-items.ts";
import { type BasketData, BasketParams, BasketSchema, type DeliveredItem } from "./basket-schema.ts";
import type { Catalog, CatalogProduct } from "./catalog.ts";
import type { Computed } from "./computed.ts";
import type { PartsContext } from "./context.ts";
import { type Outcome, outcomeOf } from "./failover.ts";
import type { LoadedPlugin } from "./plugin.ts";
import { type AnyProduct, defineProduct } from "./product.ts";

/** Where it is declared, from the repository. */
export const BASKET_FILE = "src/catalog/basket.ts";

export interface BasketTerms {
  /** What is taken off the sum of two or more items, in hundredths of a percent. */
  readonly discount_bps: bigint;
  /** What the operator has switched off, by path; default: nothing. */
  readonly findOff?: Catalog["findOff"];
}

/** An item with its answer: plain data, so that a basket can be made again from it. */
interface AnsweredItem {
  readonly asked: BasketItem["canonical"];
  readonly price_atomic: bigint;
  readonly as_of_ms: number;
  readonly body: string;
}

interface BasketInputs {
  readonly items: readonly AnsweredItem[];
  readonly price_atomic: bigint;
}

type Params = Static<typeof BasketParams>;

const BPS = 10_000n;
/** Of all answers together: an answer has at most a million, and the text around them is short. */
const ANSWERS_CHARS_MAX = 900_000;
const PREVIEW_DELAY_MS_MIN = 6 * 3_600_000;

const sumOf = (items: readonly { readonly price_atomic: bigint }[]): bigint =>
  items.reduce((sum, { price_atomic }) => sum + price_atomic, 0n);

/**
 * The price of a basket, atomic USDC: the sum of its items less the discount, which is rounded down to a whole unit. A
 * single item costs its own price, and so does each item that is sold alone.
 */
export function priceBasket(
  prices: readonly bigint[],
  { discount_bps, partial }: BasketTerms & { readonly partial: boolean },
): bigint {
  const sum = prices.reduce((all, one) => all + one, 0n);
  return partial || prices.length < 2 ? sum : sum - (sum * discount_bps) / BPS;
}

/**
 * The basket over the products that are sold: a product like any other, whose price and answer follow from the items it
 * is asked for. Null where nothing that is sold may be in one.
 */
export function createBasketPlugin(products: readonly CatalogProduct[], terms: BasketTerms): LoadedPlugin | null {
  const product = createBasketProduct(products, terms);
  if (product === null) return null;
  const about = { id: "basket", title: "Baskets", file: BASKET_FILE, origin: "operator" as const };
  return { ...about, jobs: [], simulators: [], products: [{ file: BASKET_FILE, product }] };
}

function createBasketProduct(
  products: readonly CatalogProduct[],
  { discount_bps, findOff = () => undefined }: BasketTerms,
): AnyProduct | null {
  const eligible = products.filter((product) => whyNotInBasket(product) === null);
  const shown = chooseExample(eligible);
  const cheapest = findCheapest(eligible);
  if (shown.length === 0 || cheapest === null) return null;
  const sold = new Map<string, CatalogProduct>(
    products.flatMap((product) => [
      [product.default_path, product],
      [product.path, product],
    ]),
  );
  // Asked for by price, parts and work alike: read once for each call.
  const read = new WeakMap<object, readonly BasketItem[]>();
  const itemsOf = (params: Params): readonly BasketItem[] => {
    const known = read.get(params);
    if (known) return known;
    const items = readBasketItems(params.items, sold, findOff);
    read.set(params, items);
    return items;
  };
  const priceOf = (params: Params): bigint => {
    const prices = itemsOf(params).map(({ product }) => product.price_atomic);
    return priceBasket(prices, { discount_bps, partial: params.partial });
  };
  const example = createExample(shown, { discount_bps });
  return defineProduct({
    path: BASKET_PATH,
    methods: ["POST"],
    title: "Basket",
    description:
      `Up to ${BASKET_ITEMS_MAX} products of this node in one call: one price, one payment, made side by side, all ` +
      "answers or nothing charged. Each answer comes whole, with the SHA-256 of its bytes, in the view you want of " +
      `it. Costs ${describePrice(discount_bps)}. With a key, partial=true makes each item its own call.`,
    category: "ai",
    tags: ["basket", "bundle", "batch", "agents"],
    search: [
      "several calls at once",
      "one payment for many products",
      "batch of calls",
      "cesta de produtos",
      "várias chamadas em um pagamento",
    ],
    price_usd: renderUSD(cheapest),
    priced: {
      by: describePrice(discount_bps),
      price: (params: Params) => ("items" in params ? priceOf(params) : null),
    },
    params: BasketParams,
    normalise(params) {
      const items = readBasketItems(params.items, sold, findOff);
      const canonical = { ...params, items: renderBasketItems(items) };
      read.set(canonical, items);
      return canonical;
    },
    parts: (params: Params) => itemsOf(params).map(({ product, request }) => ({ path: product.default_path, request })),
    data: BasketSchema,
    example,
    gist: tellBasket,
    providers: [],
    requires: [],
    uses_payer: true,
    ttl: "0s",
    deadline_ms: BASKET_DEADLINE_MS,
    preview: { every: "6h", delay: renderDelay(shown) },
    fetch: (context, params) =>
      fetchBasket(context as PartsContext, { items: itemsOf(params), price: priceOf(params) }),
    compute: computeBasket,
  });
}

async function fetchBasket(
  context: PartsContext,
  { items, price }: { readonly items: readonly BasketItem[]; readonly price: bigint },
): Promise<BasketInputs> {
  const outcomes = await Promise.all(items.map((_, index) => outcomeOf(context.part(index))));
  const failed = outcomes.flatMap((outcome, index) => (outcome.ok ? [] : [{ index, error: toItemError(outcome) }]));
  if (failed.length > 0) throw toBasketError(failed, items);
  const answered = outcomes.flatMap((outcome, index): readonly AnsweredItem[] => {
    const item = items[index];
    if (!outcome.ok || item === undefined) return [];
    return [{ asked: item.canonical, price_atomic: item.product.price_atomic, ...outcome.value }];
  });
  const chars = answered.reduce((sum, { body }) => sum + body.length, 0);
  if (chars > ANSWERS_CHARS_MAX) {
    const message =
      `The answers of these items have ${chars} characters together, more than ${ANSWERS_CHARS_MAX}: ask for some of ` +
      'them with "view": "brief" or "fields". Nothing was charged.';
    throw new NodeError("invalid_parameter", message, { param: "items", of_request: true });
  }
  return { items: answered, price_atomic: price };
}

const toItemError = ({ error }: Extract<Outcome<unknown>, { readonly ok: false }>): NodeError =>
  error instanceof NodeError ? error : new NodeError("product_failed", "It failed because of its own fault.");

/** All or nothing: the first item that failed says why, and all of them are named. */
function toBasketError(
  failed: readonly { readonly index: number; readonly error: NodeError }[],
  items: readonly BasketItem[],
): NodeError {
  const nameOf = (index: number): string => `items[${index}] ${items[index]?.product.path ?? ""}`;
  const [first, ...others] = failed;
  if (first === undefined) throw new RangeError("no item failed");
  const { code, message, options } = first.error;
  const also =
    others.length === 0 ? "" : ` It is not the only one: ${others.map(({ index }) => nameOf(index)).join(", ")}.`;
  const told = /Nothing was charged\.?$/.test(message) ? message : `${message} Nothing was charged.`;
  return new NodeError(code, `${nameOf(first.index)}: ${told}${also}`, {
    ...options,
    cause: first.error,
    details: {
      ...options.details,
      failed: failed.map(({ index, error }) => ({
        item: `items[${index}]`,
        product: items[index]?.product.path,
        code: error.code,
        detail: error.message,
      })),
    },
  });
}

/** An item as every answer of a basket shows it. The bytes of `answer` are those of its body. */
export const renderDelivered = ({ asked, price_atomic, as_of_ms, body }: AnsweredItem): DeliveredItem => ({
  ...renderAsked({ canonical: asked, price_atomic }),
  as_of: new Date(as_of_ms).toISOString(),
  sha256: sha256Hex(body),
  answer: JSON.parse(body) as DeliveredItem["answer"],
});

export const renderAsked = ({
  canonical: { product, params = {}, view, fields },
  price_atomic,
}: Pick<BasketItem, "canonical"> & { readonly price_atomic: bigint }) => ({
  product,
  params,
  ...(view === undefined ? {} : { view }),
  ...(fields === undefined ? {} : { fields }),
  price_atomic: price_atomic.toString(),
});

function computeBasket({ items, price_atomic }: BasketInputs): Computed<BasketData> {
  const sum = sumOf(items);
  return {
    as_of_ms: Math.min(...items.map(({ as_of_ms }) => as_of_ms)),
    data: {
      items: items.map(renderDelivered),
      delivered: items.length,
      sum_atomic: sum.toString(),
      discount_atomic: (sum - price_atomic).toString(),
      price_atomic: price_atomic.toString(),
    },
    warnings: [],
  };
}

/** "12.5 %", exactly. */
const renderPercent = (bps: bigint): string => {
  const places = (bps % 100n).toString().padStart(2, "0").replace(/0+$/, "");
  return `${bps / 100n}${places === "" ? "" : `.${places}`} %`;
};

const describePrice = (discount_bps: bigint): string =>
  discount_bps === 0n
    ? "the sum of its items"
    : `the sum of its items, less ${renderPercent(discount_bps)} from two on`;

const findCheapest = (products: readonly CatalogProduct[]): bigint | null =>
  products
    .flatMap(({ price_atomic, tiers }) => [price_atomic, ...[...tiers.values()].map((tier) => tier.price_atomic)])
    .reduce<bigint | null>((least, price) => (least === null || price < least ? price : least), null);

const EXAMPLE_ITEMS = 2;
/** What everybody may see, of anybody's: nothing that its own preview withholds, or that is another thing for each. */
function chooseExample(products: readonly CatalogProduct[]): readonly CatalogProduct[] {
  const plain = products.filter(
    ({ definition: { preview, uses_payer, uses_node, uses_model, findOpening } }) =>
      preview.redact === undefined && !uses_payer && !uses_node && !uses_model && !findOpening,
  );
  const rankOf = ({ definition }: CatalogProduct): number => (definition.sample ? 0 : 1);
  return plain
    .toSorted((a, b) => rankOf(a) - rankOf(b) || Number(a.price_atomic - b.price_atomic) || (a.path < b.path ? -1 : 1))
    .slice(0, EXAMPLE_ITEMS);
}

function createExample(products: readonly CatalogProduct[], { discount_bps }: BasketTerms): AnyProduct["example"] {
  const sold = new Map<string, CatalogProduct>(products.map((product) => [product.path, product]));
  const asked = products.map(({ path, definition }) => ({ product: path, params: definition.example.params }));
  const items = readBasketItems(JSON.stringify(asked), sold);
  const answered = items.map(({ canonical, product }): AnsweredItem => {
    const { as_of, data } = product.definition.example;
    const body = JSON.stringify({ product: product.id, as_of, sources: [], warnings: [], data });
    return { asked: canonical, price_atomic: product.price_atomic, as_of_ms: Date.parse(as_of), body };
  });
  const prices = answered.map(({ price_atomic }) => price_atomic);
  const { as_of_ms, data } = computeBasket({
    items: answered,
    price_atomic: priceBasket(prices, { discount_bps, partial: false }),
  });
  return { params: { items: renderBasketItems(items), partial: false }, as_of: new Date(as_of_ms).toISOString(), data };
}

/** What is shown in a basket's preview is as old as in the products' own. */
const renderDelay = (shown: readonly CatalogProduct[]): string =>
  `${Math.ceil(Math.max(PREVIEW_DELAY_MS_MIN, ...shown.map(({ preview_delay_ms }) => preview_delay_ms)) / 1000)}s`;
