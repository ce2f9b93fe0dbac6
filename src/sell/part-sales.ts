import { renderAsked, renderDelivered } from "../catalog/basket.ts";
import type { BasketData, DeliveredItem, FailedItem } from "../catalog/basket-schema.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import type { Source } from "../catalog/context.ts";
import { createEnvelope, type Envelope } from "../catalog/envelope.ts";
import { tellGist } from "../catalog/gist.ts";
import { type Answerer, viewEnvelope } from "../catalog/make-answer.ts";
import type { SoldPart } from "../catalog/product.ts";
import { tierOf } from "../catalog/tiers.ts";
import { renderTime } from "../core/clock.ts";
import { isNodeError, NodeError } from "../core/errors.ts";
import { PaymentRefusal } from "../payments/refusal.ts";
import type { SaleOutcome, SaleRequest } from "./sale.ts";

/** Calls of one basket that are sold side by side: the others of its key shall have room, too. */
const AT_ONCE = 4;
/** A name of a part is the basket's, and its number. */
const NAME_CHARS_MAX = 240;

export interface PartSaleOptions {
  readonly find: (path: string) => CatalogProduct | undefined;
  readonly answerer: Answerer;
  readonly now_ms: () => number;
}

interface Selling extends PartSaleOptions {
  readonly sell: (request: SaleRequest) => Promise<SaleOutcome> | SaleOutcome;
  /** The whole call as it is refused for what it was to be paid with. */
  readonly refuse: (request: SaleRequest, refusal: PaymentRefusal) => SaleOutcome;
}

/** What came of one part. */
type Sold =
  | {
      readonly is_sold: true;
      readonly item: DeliveredItem;
      readonly sources: readonly Source[];
      readonly left?: string;
    }
  | { readonly is_sold: false; readonly item: FailedItem; readonly error: unknown };

/** Whether the parts of a call are sold separately. */
export const isSoldApart = ({ product, params, preview }: SaleRequest): boolean =>
  !preview && product.definition.parts !== undefined && params.params.partial === true;

/**
 * Sells the parts of a call one by one to the key it came with, each as if its buyer had called it: with its own debit,
 * call id and name. What failed is said beside what was delivered, and is not charged.
 * @throws NodeError when nothing was delivered, or when it came without a key.
 */
export function createPartSales({ sell, refuse, find, answerer, now_ms }: Selling) {
  return async (asked: SaleRequest): Promise<SaleOutcome> => {
    const started = performance.now();
    const { product, params, headers } = asked;
    const name = headers.get("idempotency-key") ?? "";
    assertByKey(headers, name);
    const parts = product.definition.parts?.(params.params) ?? [];
    assertOnePriced(parts, find);
    const sold = await runAtMost(AT_ONCE, parts, async (part, index) => {
      const partHeaders = new Headers(headers);
      if (name !== "") partHeaders.set("Idempotency-Key", `${name}#${index}`);
      return sellPart(part, { asked: { ...asked, headers: partHeaders }, sell, find });
    });
    const delivered = sold.flatMap((one) => (one.is_sold ? [one] : []));
    if (delivered.length === 0) {
      const error = findWorst(sold, parts);
      if (error instanceof PaymentRefusal) return refuse(asked, error);
      throw error;
    }
    const envelope = renderApart(product, { sold, answerer, now_ms: now_ms() });
    const { view } = params;
    const body = JSON.stringify(view ? viewEnvelope(envelope, view, product) : envelope);
    const left = delivered.flatMap((one) => one.left ?? []);
    return {
      kind: "answer",
      duration_ms: performance.now() - started,
      served: { body, headers: left.length > 0 ? { "X-Credits-Remaining": leastOf(left) } : {} },
    };
  };
}

/** Only a key is charged for each part separately: everything else is one payment over one amount. */
function assertByKey(headers: Headers, name: string): void {
  if (!headers.has("x-api-key")) {
    const message =
      '"partial": true is for prepaid keys (X-API-Key), which pay for each item by itself. One payment is over one ' +
      "amount: all answers or nothing. Leave it out, or send a key. Nothing was charged.";
    throw new NodeError("invalid_parameter", message, {
      param: "partial",
      details: { parameter: "partial", got: true, allowed: "false without X-API-Key" },
    });
  }
  if (name.length <= NAME_CHARS_MAX) return;
  const message = `With "partial" an Idempotency-Key has at most ${NAME_CHARS_MAX} characters. Nothing was charged.`;
  throw new NodeError("invalid_parameter", message, { param: "Idempotency-Key" });
}

/** The charge of a metered answer is given beside its bytes: a basket's answer has no place for it. */
function assertOnePriced(parts: readonly SoldPart[], find: Selling["find"]): void {
  const index = parts.findIndex(({ path }) => find(path)?.metering);
  if (index < 0) return;
  const message =
    `items[${index}] ${parts[index]?.path} is charged by what its answer took: with "partial" ask for it alone, or ` +
    "leave partial out for its flat price. Nothing was charged.";
  throw new NodeError("invalid_parameter", message, { param: "partial", details: { parameter: "partial" } });
}

async function sellPart(
  { path, request: params }: SoldPart,
  { asked, sell, find }: { readonly asked: SaleRequest } & Pick<Selling, "sell" | "find">,
): Promise<Sold> {
  const product = find(path);
  const { view, params: given } = params;
  const canonical = {
    product: product?.path ?? path,
    params: given,
    ...(view && view.key !== "" ? { view: view.is_brief ? ("brief" as const) : ("full" as const) } : {}),
    ...(view && view.fields.length > 0 ? { fields: view.fields.join(",") } : {}),
  };
  const price_atomic = product ? tierOf(product, params).price_atomic : 0n;
  const fail = (error: unknown): Sold => ({
    is_sold: false,
    error,
    item: { ...renderAsked({ canonical, price_atomic }), ...renderFailure(error) },
  });
  if (product === undefined) return fail(new NodeError("upstream_unavailable", `${path} is not sold any more.`));
  try {
    const method = product.methods[0] ?? "GET";
    const outcome = await sell({ ...asked, product, params, method, digest: undefined, watch: undefined });
    if (outcome.kind === "refused") return fail(outcome.refusal);
    if (outcome.kind !== "answer") return fail(new NodeError("payment_required", "It has to be paid for."));
    const { body, headers } = outcome.served;
    const { as_of, sources }: Envelope = JSON.parse(body);
    const { "X-Receipt-Id": receipt_id, "X-Credits-Remaining": left } = headers;
    const answered = renderDelivered({ asked: canonical, price_atomic, as_of_ms: Date.parse(as_of), body });
    const item = receipt_id === undefined ? answered : { ...answered, receipt_id };
    return { is_sold: true, item, sources, ...(left === undefined ? {} : { left }) };
  } catch (error) {
    return fail(error);
  }
}

function renderFailure(error: unknown): Pick<FailedItem, "charged" | "error"> {
  // Nobody knows what such a fault came after: it is not said to have cost nothing.
  if (!isNodeError(error)) {
    return { charged: "unknown", error: { code: "internal_error", detail: "It failed by a fault of the node's own." } };
  }
  const { code, message: detail, options } = error;
  const { retry_after_s, charge_unknown } = options;
  const retry = retry_after_s === undefined ? {} : { retry_after: Math.ceil(retry_after_s) };
  return { charged: charge_unknown === true ? "unknown" : false, error: { code, detail, ...retry } };
}

/** Nothing was sold: the whole call fails as its first part did, or as the one whose charge is not known. */
function findWorst(sold: readonly Sold[], parts: readonly SoldPart[]): unknown {
  const failed = sold.flatMap((one) => (one.is_sold ? [] : [one]));
  const index = Math.max(
    failed.findIndex(({ item }) => item.charged === "unknown"),
    0,
  );
  const { error } = failed[index] ?? { error: new RangeError("a basket without parts") };
  if (!isNodeError(error) || error instanceof PaymentRefusal) return error;
  return new NodeError(error.code, `items[${index}] ${parts[index]?.path}: ${error.message}`, {
    ...error.options,
    details: { ...error.options.details, failed: failed.map(({ item }) => item) },
  });
}

function renderApart(
  { id, definition }: CatalogProduct,
  { sold, answerer, now_ms }: { readonly sold: readonly Sold[]; readonly answerer: Answerer; readonly now_ms: number },
): Envelope {
  const delivered = sold.flatMap((one) => (one.is_sold ? [one] : []));
  const sum = delivered.reduce((all, { item }) => all + BigInt(item.price_atomic), 0n).toString();
  const data: BasketData = {
    items: sold.map(({ item }) => item),
    delivered: delivered.length,
    sum_atomic: sum,
    discount_atomic: "0",
    price_atomic: sum,
  };
  const seen = new Map(delivered.flatMap(({ sources }) => sources.map((one) => [JSON.stringify(one), one] as const)));
  const as_of_ms = Math.min(...delivered.map(({ item }) => Date.parse(item.as_of)));
  return createEnvelope({
    product: id,
    ...answerer,
    generated_at_ms: now_ms,
    sources: [...seen.values()],
    data,
    as_of_ms,
    gist: tellGist(definition, { data, as_of: renderTime(as_of_ms) }),
    warnings: sold.flatMap(({ is_sold, item }, index) => (is_sold ? [] : [`items[${index}] ${item.product}: failed`])),
  });
}

/** What the key holds when all is sold; a pass says that it is unlimited. */
const leastOf = (left: readonly string[]): string =>
  left.reduce((least, one) => (Number(one) < Number(least) ? one : least));

/** Everything, in order, so many at a time. */
async function runAtMost<T, R>(
  count: number,
  list: readonly T[],
  work: (one: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const done: R[] = [];
  const queue = list.entries();
  const take = async (): Promise<void> => {
    for (const [index, one] of queue) done[index] = await work(one, index);
  };
  await Promise.all(Array.from({ length: Math.min(count, list.length) }, take));
  return done;
}
