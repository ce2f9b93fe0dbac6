import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { ValueErrorType } from "@sinclair/typebox/errors";
import { whyNotInBasket } from "../catalog/basket-items.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import { findNamed } from "../catalog/named-product.ts";
import type { ParsedParams } from "../catalog/params.ts";
import { tierOf } from "../catalog/tiers.ts";
import { VIEW_VALUES } from "../catalog/view.ts";
import { closest } from "../core/closest.ts";
import { compileSchema, type SchemaCheck } from "../core/compile-schema.ts";
import { isNodeError, NodeError } from "../core/errors.ts";
import { canonicalJSON } from "../core/hash.ts";
import { newId } from "../core/ids.ts";
import { ceilingOf } from "../core/metering.ts";
import { parseUSD, renderUSD } from "../core/money.ts";
import { cleanLabel } from "../ledger/key-rows.ts";
import { type Cadence, nextMark, readCadence } from "../watches/cadence.ts";
import { checkCondition } from "../watches/check-condition.ts";
import { readCondition, renderCondition, type WatchCondition } from "../watches/condition.ts";
import { HOOK_FORMS, type WatchHook, type WatchOrder } from "../watches/types.ts";
import type { PurseOffer, PurseShop } from "./purse-shop.ts";

const Url = Type.String({ minLength: 1, maxLength: 2_000 });
/** Goes into a header. */
const Visible = Type.String({
  minLength: 1,
  maxLength: 1_000,
  pattern: "^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$",
});
const HookOrder = Type.Object(
  {
    url: Url,
    form: Type.Optional(Type.Union(HOOK_FORMS.map((form) => Type.Literal(form)))),
    token: Type.Optional(Visible),
    authorization: Type.Optional(Visible),
  },
  { additionalProperties: false },
);
const hook_check = compileSchema(Type.Union([Url, HookOrder]));

const Order = Type.Object(
  {
    product: Type.String({ minLength: 1, maxLength: 100 }),
    params: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown())),
    view: Type.Optional(Type.Union(VIEW_VALUES.map((value) => Type.Literal(value)))),
    fields: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    lang: Type.Optional(Type.String({ minLength: 1, maxLength: 10 })),
    condition: Type.Optional(Type.Unknown()),
    repeat: Type.Optional(Type.Boolean()),
    every: Type.Optional(Type.String({ maxLength: 20 })),
    cron: Type.Optional(Type.String({ maxLength: 100 })),
    time_zone: Type.Optional(Type.String({ maxLength: 60 })),
    budget_usd: Type.String({ pattern: "^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,6})?$" }),
    until: Type.Optional(Type.String({ maxLength: 40 })),
    label: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
    webhook: Type.Optional(Type.Union([Url, HookOrder])),
  },
  { additionalProperties: false },
);
const order_check = compileSchema(Order);
/** A watch that is only thought of. */
const Sketch = Type.Composite([Type.Omit(Order, ["budget_usd"]), Type.Partial(Type.Pick(Order, ["budget_usd"]))], {
  additionalProperties: false,
});
const sketch_check = compileSchema(Sketch);

const DAY_MS = 86_400_000;
const UNTIL_DEFAULT_MS = 30 * DAY_MS;
const UNTIL_MAX_MS = 366 * DAY_MS;

/** @returns the refusal of a member of what was sent. */
export const invalid = (param: string, message: string, details: Readonly<Record<string, unknown>> = {}): NodeError =>
  new NodeError("invalid_parameter", `${param}: ${message} Nothing was charged.`, {
    param,
    details: { parameter: param, ...details },
  });

export interface OrderOptions {
  readonly products: () => readonly CatalogProduct[];
  readonly now_ms: () => number;
}

/** What is asked, how often, and when it is reported. */
export interface WatchRequest {
  /** At the price of the request. */
  readonly product: CatalogProduct;
  readonly request: ParsedParams;
  readonly condition: WatchCondition | null;
  readonly repeat: boolean;
  readonly cadence: Cadence;
  readonly until_ms: number;
  /** Atomic USDC; null if not given. */
  readonly budget: bigint | null;
}

/** What was sent, held to what it is about, before anything is paid. @throws NodeError naming the place. */
export function readOrder(
  given: unknown,
  { key, ...options }: OrderOptions & { readonly key: string },
): { readonly order: WatchOrder; readonly product: CatalogProduct } {
  assertShape(given, order_check);
  const sent: Static<typeof Order> = given;
  const { product, request, condition, cadence, repeat, until_ms } = readAsked(sent, options);
  const order = {
    id: newId("wat", options.now_ms()),
    key,
    product: product.default_path,
    params: JSON.parse(canonicalJSON(request.params)) as unknown,
    view: viewOf(sent),
    condition: condition === null ? null : renderCondition(condition),
    repeat,
    cadence,
    budget: parseUSD(sent.budget_usd),
    label: cleanLabel(sent.label ?? null),
    created_ms: options.now_ms(),
    until_ms,
  };
  return { order, product };
}

/** As a watch is asked for, but that it may have no budget yet. @throws NodeError naming the place. */
export function readSketch(given: unknown, options: OrderOptions): WatchRequest {
  assertShape(given, sketch_check);
  return readAsked(given, options);
}

function assertShape<S extends TSchema>(given: unknown, check: SchemaCheck<S>): asserts given is Static<S> {
  if (check.Check(given)) return;
  const fault = check.Errors(given).First();
  const param = fault?.path.split("/")[1] || "body";
  const is_missing = fault?.type === ValueErrorType.ObjectRequiredProperty;
  const why = is_missing ? "it is needed" : (fault?.message ?? "an object");
  throw invalid(param, `${why}.`, { allowed: Object.keys(Order.properties) });
}

function readAsked(sent: Static<typeof Sketch>, { products, now_ms: readClock }: OrderOptions): WatchRequest {
  const now_ms = readClock();
  const sold = findNamed(sent.product, products());
  if (sold === undefined) {
    const wanted = `/${sent.product.replace(/^\//, "").replaceAll("_", "-")}`;
    const paths = products().map(({ path }) => path);
    const nearest = closest(wanted, paths);
    const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    throw invalid("product", `this node does not sell "${sent.product.toWellFormed()}".${hint}`);
  }
  const why = whyNotInBasket(sold);
  if (why !== null) throw invalid("product", `${sold.path} cannot be watched, because it ${why}.`);
  const request = readRequest(sold, sent);
  const condition = sent.condition === undefined || sent.condition === null ? null : readCondition(sent.condition);
  if (condition !== null) checkCondition(condition, sold.definition.data);
  const { every, cron, time_zone, budget_usd } = sent;
  const cadence = readCadence({ every, cron, time_zone }, { ttl_ms: sold.ttl_ms, now_ms });
  const product = tierOf(sold, request);
  const most = ceilingOf(product);
  const budget = budget_usd === undefined ? null : parseUSD(budget_usd);
  if (budget !== null && budget < most) {
    throw invalid("budget_usd", `is below the price of one answer, ${renderUSD(most)} USD.`);
  }
  const until_ms = readUntil(sent.until, now_ms);
  return { product, request, condition, repeat: sent.repeat ?? false, cadence, until_ms, budget };
}

const viewOf = ({ view, fields, lang }: Pick<Static<typeof Order>, "view" | "fields" | "lang">): string =>
  new URLSearchParams({
    ...(view ? { view } : {}),
    ...(fields ? { fields } : {}),
    ...(lang ? { lang } : {}),
  }).toString();

function readRequest(product: CatalogProduct, sent: Static<typeof Sketch>): ParsedParams {
  try {
    const request = product.params.fromBody(sent.params ?? {}, viewOf(sent));
    const [missing] = request.missing;
    if (missing !== undefined) throw invalid(missing, "is needed.");
    if (request.since !== undefined) throw invalid("since", "is for single calls.");
    if (request.as_of_ms !== undefined) throw invalid("as_of", "is for single calls.");
    return request;
  } catch (error) {
    if (!isNodeError(error)) throw error;
    const { param } = error.options;
    const where = param === undefined || ["view", "fields", "lang"].includes(param) ? param : `params.${param}`;
    throw new NodeError(error.code, error.message, {
      ...error.options,
      ...(where === undefined ? {} : { param: where }),
    });
  }
}

function readUntil(text: string | undefined, now_ms: number): number {
  if (text === undefined) return now_ms + UNTIL_DEFAULT_MS;
  const until_ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!(until_ms > now_ms && until_ms <= now_ms + UNTIL_MAX_MS)) {
    throw invalid("until", "is an ISO 8601 time within a year.");
  }
  return until_ms;
}

/** Where events are to be sent; its members are checked. @throws NodeError naming the member */
export function readHook(given: unknown): HookTarget {
  if (!hook_check.Check(given)) throw invalid("webhook", "is an address, or an object with one.", HOOK_HELP);
  const { url, form = "event", token, authorization } = typeof given === "string" ? { url: given } : given;
  return {
    url,
    form,
    headers: {
      ...(token === undefined ? {} : { "X-A2A-Notification-Token": token }),
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    },
  };
}

const HOOK_HELP = { allowed: '"https://…", or {"url", "form": event, a2a-0.3 or a2a-1.0, "token", "authorization"}' };
type HookTarget = Pick<WatchHook, "url" | "form" | "headers">;

/** Read before by the order's schema; null if not wanted. */
export function readWebhook(given: unknown): HookTarget | null {
  const { webhook } = given as Static<typeof Order>;
  return webhook === undefined ? null : readHook(webhook);
}

/** By period it looks at once; a pattern says when. @throws NodeError where that is never */
export function readFirstMark(
  { cadence, until_ms }: Pick<WatchRequest, "cadence" | "until_ms">,
  now_ms: number,
): number {
  const next_ms = "every_ms" in cadence ? now_ms : nextMark(cadence, now_ms);
  if (next_ms === null || next_ms > until_ms) throw invalid("until", "is before its first mark.");
  return next_ms;
}

/**
 * An order of who brings no key: the plan that is bought for it, and the order with the budget that it then has.
 * @throws NodeError naming the place, before anything is paid
 */
export function readPaidOrder(
  given: unknown,
  options: OrderOptions & { readonly shop: Pick<PurseShop, "find"> },
): { readonly purse: PurseOffer; readonly given: object } {
  const asked = readSketch(given, options);
  readFirstMark(asked, options.now_ms());
  const purse = options.shop.find(asked.budget ?? ceilingOf(asked.product));
  if (purse === null) {
    throw invalid("budget_usd", "is above what any key that is sold here grants: send a key of yours as X-API-Key.");
  }
  const order = given as Static<typeof Sketch>;
  if (order.webhook !== undefined) {
    throw invalid("webhook", "is named once you have the key: POST /watch/{id}/webhook.");
  }
  return { purse, given: { ...order, budget_usd: order.budget_usd ?? renderUSD(purse.credit) } };
}
