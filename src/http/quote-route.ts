import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import { findNamed } from "../catalog/named-product.ts";
import type { ParsedParams } from "../catalog/params.ts";
import { type PlannedCalls, type PlanOffer, type PriceQuote, priceCalls } from "../catalog/quote.ts";
import { tierOf } from "../catalog/tiers.ts";
import { closest } from "../core/closest.ts";
import { compileSchema, type SchemaCheck } from "../core/compile-schema.ts";
import { DURATION_PATTERN, parseDuration } from "../core/duration.ts";
import { isNodeError, NodeError } from "../core/errors.ts";
import { renderUSD } from "../core/money.ts";
import { type QuoteFacts, renderQuotePage } from "../pages/quote.ts";
import { productSearchOf } from "../surfaces/product-search.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { wantsPage } from "./accept.ts";
import { readJSONBody } from "./body.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { chooseWords } from "./language.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import { invalid, readQuery } from "./query.ts";
import { QUOTE_LINES, readQuoteForm, toQuoteBody } from "./quote-form.ts";
import type { Responder } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

export interface QuoteRouteOptions {
  readonly responder: Responder;
  readonly catalog: Catalog;
  readonly body_bytes_max: number;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
  /** What the page lists products from. */
  readonly model: () => SurfaceModel;
}

const CALLS_MAX = 200;
const COUNT_MAX = 1_000_000_000;
const PERIOD_DAYS_MAX = 3_660;
const DAY_MS = 86_400_000;

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Line = Type.Object(
  {
    product: Type.Optional(Name),
    path: Type.Optional(Name),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: COUNT_MAX })),
  },
  { additionalProperties: false },
);
const Body = Type.Object(
  {
    calls: Type.Array(Type.Unknown(), { minItems: 1, maxItems: CALLS_MAX }),
    period: Type.Optional(Type.String({ pattern: DURATION_PATTERN })),
  },
  { additionalProperties: false },
);
const body_check = compileSchema(Body);
const line_check = compileSchema(Line);
const ALLOWED =
  `{"calls": [{"product": "fear-greed", "params": {}, "count": 100}], "period": "7d"}: 1 to ${CALLS_MAX} calls, each ` +
  `with "product" or "path", "count" from 1 to ${COUNT_MAX}`;

/**
 * `POST /quote`: what planned calls cost one by one, by every balance and by every pass. Free, binds nobody. `GET` asks
 * the same for so many calls a day, and is a calculator in a browser.
 */
export function createQuoteRoute(options: QuoteRouteOptions): FreeRoute {
  const { responder, catalog, model } = options;
  const json = createJSONAnswer(responder, "no-store");
  const plans = catalog.products.filter(({ definition }) => definition.plan !== undefined);
  const shop: Shop = { catalog, findPath: (words) => productSearchOf(model()).find(words, 1)[0]?.path };
  const price = (given: unknown): Record<string, unknown> => {
    const body = read(body_check, given, "body");
    const period_ms = body.period === undefined ? null : readPeriod(body.period);
    const lines = body.calls.map((line, index) => readLine(shop, line, `calls[${index}]`));
    return render(lines, priceCalls(lines, plans, period_ms), body.period ?? null);
  };
  const showPage = ({ request, request_id, search }: HTTPCall): Response => {
    const asked = readQuoteForm(search);
    // Rendered from the answer that software gets.
    const quote = asked.lines.length === 0 ? null : (price(toQuoteBody(asked)) as unknown as QuoteFacts);
    const empty = Array.from({ length: QUOTE_LINES - asked.lines.length }, () => ({ product: "", calls: null }));
    const lines = [...asked.lines, ...empty];
    const words = chooseWords(search, request.headers.get("accept-language"));
    const body = renderQuotePage({ model: model(), words, asked: { lines, days: asked.days }, quote });
    const page = keep({ content_type: "text/html; charset=utf-8", body, headers: PAGE_RESPONSE_HEADERS }, responder);
    return send(page, request, request_id);
  };
  return {
    path: "/quote",
    methods: ["GET", "POST"],
    handler: async (http_call) => {
      const { request, search } = http_call;
      if (request.method !== "POST") {
        if (wantsPage(request.headers.get("accept"))) return showPage(http_call);
        return json(http_call, { ...options.stamp(), ...price(toQuoteBody(readQuoteForm(search))) });
      }
      readQuery(search, []);
      const given = await readJSONBody(request, options.body_bytes_max);
      return json(http_call, { ...options.stamp(), ...price(given) });
    },
  };
}

/** @throws NodeError invalid_parameter naming the first member that is wrong. */
function read<T extends TSchema>(check: SchemaCheck<T>, value: unknown, where: string): Static<T> {
  if (check.Check(value)) return value;
  const path = (check.Errors(value).First()?.path ?? "").slice(1).replaceAll("/", ".").slice(0, 80);
  const name = [...(where === "body" ? [] : [where]), ...(path === "" ? [] : [path])].join(".");
  throw invalid(name === "" ? "body" : name, ALLOWED);
}

function readPeriod(text: string): number {
  const period_ms = parseDuration(text);
  if (period_ms > 0 && period_ms <= PERIOD_DAYS_MAX * DAY_MS) return period_ms;
  throw invalid("period", `a time such as "24h", "7d" or "30d", at most "${PERIOD_DAYS_MAX}d"`);
}

/** Where products are looked up. */
interface Shop {
  readonly catalog: Catalog;
  /** Path of the product that words describe best, for what is no slip of a path's own letters. */
  readonly findPath: (words: string) => string | undefined;
}

/** @throws NodeError invalid_parameter or unknown_parameter, naming the call. */
function readLine(shop: Shop, given: unknown, where: string): PlannedCalls & { readonly params: unknown } {
  const { product: id, path, params, count = 1 } = read(line_check, given, where);
  if ((id === undefined) === (path === undefined)) throw invalid(where, 'a call with either "product" or "path"');
  const [name, wanted] = id === undefined ? ["path", path ?? ""] : ["product", `/${id}`];
  const product = findNamed(wanted, shop.catalog.products);
  if (!product)
    throw (
      shop.catalog.findOff(wanted)?.refuse() ??
      unknownProduct(shop, { name: `${where}.${name}`, given: id ?? path ?? "", wanted })
    );
  const planned = params === undefined ? {} : readParams(product, params, where);
  return { product: tierOf(product, { params: planned }), count: BigInt(count), params: planned };
}

/** What was planned must be a call this product takes, or the quote would be for nothing. */
function readParams(product: CatalogProduct, params: unknown, where: string): ParsedParams["params"] {
  try {
    const { missing, params: parsed } = product.params.fromBody(params);
    if (missing[0] === undefined) return parsed;
    throw new NodeError("invalid_parameter", `Parameter "${missing[0]}" is needed.`, { param: missing[0] });
  } catch (error) {
    if (!isNodeError(error)) throw error;
    const { param, details } = error.options;
    throw new NodeError(error.code, `${where}: ${product.path}: ${error.message}`, {
      param: `${where}.params${param === undefined ? "" : `.${param}`}`,
      ...(details ? { details } : {}),
    });
  }
}

function unknownProduct(
  { catalog, findPath }: Shop,
  about: { name: string; given: string; wanted: string },
): NodeError {
  const given = about.given.toWellFormed();
  const paths = catalog.products.map(({ path }) => path);
  const near = closest(`/${about.wanted.replace(/^\/+/, "").replaceAll("_", "-")}`, paths) ?? findPath(given);
  const nearest = about.name.endsWith(".product") ? near?.slice(1) : near;
  const hint = nearest ? ` Did you mean "${nearest}"?` : " /get-pricing lists what it sells.";
  return new NodeError("invalid_parameter", `This node does not sell "${given}".${hint}`, {
    param: about.name,
    details: { got: given, ...(nearest ? { nearest } : {}) },
  });
}

const amount = <N extends string>(name: N, atomic: bigint) => ({
  [`${name}_usd`]: renderUSD(atomic),
  [`${name}_atomic`]: atomic.toString(),
});

const renderOffer = ({ product, plan, purchases, total, left }: PlanOffer) => ({
  plan: plan.name,
  path: product.path,
  purchases: Number(purchases),
  ...amount("price", product.price_atomic),
  lasts_s: plan.duration === null ? null : parseDuration(plan.duration) / 1000,
  ...amount("total", total),
  ...(left === null ? {} : amount("left", left)),
});

function render(
  lines: readonly (PlannedCalls & { readonly params: unknown })[],
  { single, without_key, offers, cheapest }: PriceQuote,
  period: string | null,
): Record<string, unknown> {
  const of = (kind: PlanOffer["kind"]) => offers.filter((offer) => offer.kind === kind).map(renderOffer);
  const plan = cheapest.kind === "single" ? {} : { plan: cheapest.plan.name, path: cheapest.product.path };
  const bought = cheapest.kind === "single" ? {} : { purchases: Number(cheapest.purchases) };
  return {
    currency: "USD",
    period,
    calls: lines.map(({ product, params, count }) => ({
      product: product.id,
      path: product.path,
      params,
      count: Number(count),
      ...amount("price", product.price_atomic),
      ...amount("total", product.price_atomic * count),
    })),
    single: { payments: Number(lines.reduce((all, { count }) => all + count, 0n)), ...amount("total", single) },
    credits: of("credits"),
    passes: of("pass"),
    cheapest: { kind: cheapest.kind, ...plan, ...bought, ...amount("total", cheapest.total) },
    warnings: [
      ...(period === null && offers.some(({ plan: { duration } }) => duration !== null)
        ? ['Plans are counted as if every call were made before they end: say "period" for longer plans of yours.']
        : []),
      ...(without_key > 0n ? ["Plans cannot be bought with a key: they are paid by themselves in every total."] : []),
    ],
    authoritative: "the 402 answer",
  };
}
