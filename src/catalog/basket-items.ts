import { type Static, Type } from "@sinclair/typebox";
import { closest } from "../core/closest.ts";
import { compileSchema } from "../core/compile-schema.ts";
import { isNodeError, NodeError } from "../core/errors.ts";
import { canonicalJSON } from "../core/hash.ts";
import { parseBoundedJSON } from "../core/json-cost.ts";
import type { Catalog, CatalogProduct } from "./catalog.ts";
import { findNamed } from "./named-product.ts";
import type { ParsedParams } from "./params.ts";
import { tierOf } from "./tiers.ts";
import { VIEW_VALUES, viewFor } from "./view.ts";

export const BASKET_PATH = "/basket";
export const BASKET_ITEMS_MAX = 20;
/** Of all items together, as text. */
export const BASKET_CHARS_MAX = 50_000;
/** The time of one basket, which is the time of its slowest item. */
export const BASKET_DEADLINE_MS = 12_000;

const Item = Type.Object(
  {
    product: Type.String({ minLength: 1, maxLength: 100 }),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    view: Type.Optional(Type.Union(VIEW_VALUES.map((value) => Type.Literal(value)))),
    fields: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  },
  { additionalProperties: false },
);
type GivenItem = Static<typeof Item>;
const item_check = compileSchema(Item);
const ALLOWED =
  `1 to ${BASKET_ITEMS_MAX} items: [{"product": "/fear-greed", "params": {}, "view": "brief"}], of which only ` +
  '"product" is needed';

/** One product that a basket asks for. */
export interface BasketItem {
  /** At the price of these parameters. */
  readonly product: CatalogProduct;
  /** With the view its answer has. */
  readonly request: ParsedParams;
  /** As it is written in the canonical basket. */
  readonly canonical: GivenItem;
}

/** Why a product is in no basket, in words that go on after its path; null when it may be in one. */
export function whyNotInBasket({ definition }: CatalogProduct): string | null {
  const { plan, parts, form, passed_on, stranger_of, deadline_ms } = definition;
  if (plan) return "sells a key: it is bought alone, on chain";
  if (parts) return "is a basket itself";
  if (form) return "answers in its own form";
  // Money that has left for somebody else comes back with no basket that fails.
  if (passed_on) return "passes your own money on to somebody else";
  // Work that ends unpaid is counted against the one host it was done for.
  if (stranger_of) return "asks a host of your choice";
  if (deadline_ms > BASKET_DEADLINE_MS)
    return `may take ${deadline_ms / 1000} s, a basket ${BASKET_DEADLINE_MS / 1000}`;
  return null;
}

/**
 * Reads the items of a basket, each as its own product reads its parameters.
 * @param text JSON, as it came.
 * @param sold what this node sells, by path, whether or not it may be in a basket.
 * @param findOff what the operator has switched off, by path; nothing unless given.
 * @throws NodeError invalid_parameter or unknown_parameter, naming the item: "items[2].params.symbol"; product_off or
 * product_paused of an item that is switched off.
 */
export function readBasketItems(
  text: string,
  sold: ReadonlyMap<string, CatalogProduct>,
  findOff: Catalog["findOff"] = () => undefined,
): readonly BasketItem[] {
  const given = parse(text);
  if (!Array.isArray(given) || given.length === 0 || given.length > BASKET_ITEMS_MAX) {
    const count = Array.isArray(given) ? `${given.length} items` : "no list";
    throw invalid("items", `A basket has 1 to ${BASKET_ITEMS_MAX} items: this is ${count}.`, { allowed: ALLOWED });
  }
  const items = given.map((one: unknown, index) => readItem(one, `items[${index}]`, { sold, findOff }));
  const seen = new Map<string, number>();
  for (const [index, { canonical }] of items.entries()) {
    const key = canonicalJSON(canonical);
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      throw invalid(`items[${index}]`, `items[${index}] asks for the same as items[${earlier}]: take one of them out.`);
    }
    seen.set(key, index);
  }
  return items;
}

/** The items as one text: the same for baskets that mean the same. */
export const renderBasketItems = (items: readonly Pick<BasketItem, "canonical">[]): string =>
  canonicalJSON(items.map(({ canonical }) => canonical));

function parse(text: string): unknown {
  try {
    return parseBoundedJSON(new TextEncoder().encode(text));
  } catch (error) {
    throw invalid("items", 'Parameter "items" is not a JSON list.', { allowed: ALLOWED, cause: error });
  }
}

interface Shelf {
  readonly sold: ReadonlyMap<string, CatalogProduct>;
  readonly findOff: Catalog["findOff"];
}

function readItem(given: unknown, where: string, { sold, findOff }: Shelf): BasketItem {
  if (!item_check.Check(given)) {
    const fault = (item_check.Errors(given).First()?.path ?? "").replaceAll("/", ".").slice(0, 80);
    throw invalid(`${where}${fault}`, `${where} cannot be an item of a basket.`, { allowed: ALLOWED });
  }
  const product = findNamed(given.product, sold.values());
  const wanted = product?.path ?? `/${given.product.replace(/^\//, "")}`;
  const why = wanted === BASKET_PATH ? "is a basket itself" : product && whyNotInBasket(product);
  if (why) throw invalid(`${where}.product`, `${where}: ${wanted} is in no basket, because it ${why}.`);
  if (product === undefined) {
    throw findOff(wanted)?.refuse() ?? unknownProduct(given.product, wanted, { where, sold });
  }
  const request = readRequest(product, given, where);
  const { view } = request;
  const { usual_view } = product.definition;
  const fields = view?.fields.join(",") ?? "";
  const canonical: GivenItem = {
    product: product.path,
    params: request.params,
    ...(view === undefined ? {} : { view: view.is_brief ? "brief" : "full" }),
    ...(fields === "" ? {} : { fields }),
  };
  const shown = viewFor(view, usual_view);
  return { product: tierOf(product, request), request: shown ? { ...request, view: shown } : request, canonical };
}

function readRequest(product: CatalogProduct, { params = {}, view, fields }: GivenItem, where: string): ParsedParams {
  const search = new URLSearchParams({ ...(view ? { view } : {}), ...(fields ? { fields } : {}) });
  try {
    const request = product.params.fromBody(params, search.toString());
    const [missing] = request.missing;
    // An answer as of another moment is given, and charged, for that call alone.
    const moment = request.since === undefined ? (request.as_of_ms === undefined ? null : "as_of") : "since";
    if (moment !== null) {
      const message = `Parameter "${moment}" is for calls of the product alone, not for items of a basket.`;
      throw new NodeError("invalid_parameter", message, { param: moment });
    }
    if (missing === undefined) return request;
    throw new NodeError("invalid_parameter", `Parameter "${missing}" is needed.`, { param: missing });
  } catch (error) {
    if (!isNodeError(error)) throw error;
    const { param, details = {} } = error.options;
    const at = `${where}.params${param === undefined ? "" : `.${param}`}`;
    throw new NodeError(error.code, `${where} ${product.path}: ${error.message}`, {
      ...error.options,
      param: at,
      details: { ...details, parameter: at },
    });
  }
}

function unknownProduct(
  given: string,
  wanted: string,
  { where, sold }: { readonly where: string; readonly sold: ReadonlyMap<string, CatalogProduct> },
): NodeError {
  const got = given.toWellFormed();
  const nearest = closest(wanted.replaceAll("_", "-"), sold.keys());
  const hint = nearest ? ` Did you mean "${nearest}"?` : " /get-pricing lists what it sells.";
  return invalid(`${where}.product`, `${where}: this node does not sell "${got}".${hint}`, {
    got,
    ...(nearest ? { nearest } : {}),
  });
}

function invalid(
  param: string,
  message: string,
  { cause, ...details }: { readonly cause?: unknown; readonly [name: string]: unknown } = {},
): NodeError {
  return new NodeError("invalid_parameter", message, { param, details: { parameter: param, ...details }, cause });
}
