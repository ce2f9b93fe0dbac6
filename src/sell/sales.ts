import type { AccessCall, AccessMethod, Sale } from "../calls/access.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import { getRunKind } from "../catalog/failed-run.ts";
import { renderInForm } from "../catalog/form.ts";
import { viewEnvelope } from "../catalog/make-answer.ts";
import type { ParsedParams } from "../catalog/params.ts";
import type { Previews } from "../catalog/previews.ts";
import { tierOf } from "../catalog/tiers.ts";
import { viewFor } from "../catalog/view.ts";
import { isNodeError, NodeError } from "../core/errors.ts";
import type { SalesFirst } from "../core/sales-first.ts";
import type { Challenge } from "../payments/challenge.ts";
import { createFingerprint } from "../payments/fingerprint.ts";
import { UNFINISHED } from "../payments/mpp/issue.ts";
import { PaymentRefusal } from "../payments/refusal.ts";
import type { Stats } from "../telemetry/stats.ts";
import { createPartSales, isSoldApart, type PartSaleOptions } from "./part-sales.ts";
import type { SaleOutcome, SaleRequest } from "./sale.ts";

export interface SaleOptions {
  readonly previews: Previews;
  /** In the order they are asked: key, coupon, payment. */
  readonly access: readonly AccessMethod[];
  /** The challenge as it is now. */
  readonly challengeOf: (product: CatalogProduct) => Challenge;
  readonly stats: Stats;
  /** While a new sandbox still lives its past: resolves when its previews are there. Null otherwise. */
  readonly past?: (product: CatalogProduct) => Promise<void> | null;
  /** Told of every sale while it is being made. */
  readonly first?: Pick<SalesFirst, "begin" | "end">;
  /** Why a product is not offered for money now; null while it is. */
  readonly whyUnavailable: (product: CatalogProduct) => NodeError | null;
  /** Throws NodeError where a product's answer as of an earlier time is not to be had. */
  readonly assertKept: (product: CatalogProduct, params: ParsedParams) => void;
  /** For calls whose parts are sold separately. */
  readonly parts: PartSaleOptions;
  /** The parameters with the nodes a call came through, where one node makes it for another's buyer. */
  readonly readCameThrough?: (headers: Headers, asked: SaleSubject) => ParsedParams;
  /** Told of every payment that was settled, with the call it was for. */
  readonly onSale: (sale: Sale & SoldCall) => void;
}

export interface SoldCall {
  readonly product: string;
  readonly amount_usd: string;
  readonly request_id: string;
}

/** Sells one call: the only way from any door to the payment gate. */
export interface Sell {
  (request: SaleRequest): Promise<SaleOutcome> | SaleOutcome;
  /**
   * The answer to a call that brings nothing to pay with.
   * @param product at the price of the call's parameters.
   * @throws NodeError while nobody is asked to pay for it.
   */
  readonly demand: (product: CatalogProduct) => Challenge;
  /** What the challenges of an unpaid call are given out for: a text that only says which call it is. */
  readonly boundOf: (call: Pick<SaleRequest, "product" | "method" | "params">) => string;
}

export function createSales(options: SaleOptions): Sell {
  const { previews, access, stats } = options;

  const challenge = (product: CatalogProduct): Challenge => {
    const current = options.challengeOf(product);
    if (current.networks.length === 0) throw noNetwork(product);
    return current;
  };

  /** A run that never began is no run: what was turned away says nothing of the product, so it spoils no record. */
  const countUncharged = ({ id }: CatalogProduct, error: unknown): void => {
    const known = isNodeError(error) ? error : null;
    const has_failed = known === null || getRunKind(known) === "failed";
    const count = has_failed ? stats.countFailed : stats.countRefused;
    count(id, known?.code ?? "internal_error");
  };

  async function serve(request: SaleRequest, asked: SaleSubject, method: AccessMethod): Promise<SaleOutcome> {
    const started = performance.now();
    const { headers } = request;
    const params = options.readCameThrough?.(headers, asked) ?? asked.params;
    const product = method.quoted?.(asked.product, headers) ?? asked.product;
    const missing = params.missing[0];
    options.first?.begin();
    try {
      if (missing !== undefined) {
        // Probes send headers of any kind and no parameters: they get the price, not a list of missing parameters.
        method.assertReadable?.(headers);
        const message = `Parameter "${missing}" is needed. Nothing was charged.`;
        throw new NodeError("invalid_parameter", message, {
          param: missing,
          details: { parameter: missing, missing: true },
        });
      }
      const served = await method.serve(toAccessCall(request, { product, params }));
      const duration_ms = performance.now() - started;
      stats.countPaid(product.id, method.id, duration_ms);
      if (served.sale) {
        const { id, price_usd, price_atomic } = product;
        stats.countSold(id, price_atomic);
        options.onSale({ ...served.sale, product: id, amount_usd: price_usd, request_id: request.request_id });
      }
      return { kind: "answer", served, duration_ms };
    } catch (error) {
      countUncharged(product, error);
      if (!(error instanceof PaymentRefusal)) throw product.params.explain(error, params.params);
      return refuse(request, error);
    } finally {
      options.first?.end();
    }
  }

  const demand: Sell["demand"] = (product) => {
    // Nobody is asked to pay for what is known to fail. Who pays nonetheless is served if it can be, uncharged if not.
    const unavailable = options.whyUnavailable(product);
    if (unavailable) throw unavailable;
    const current = challenge(product);
    stats.countChallenge(product.id);
    return current;
  };

  const sellOne = (asked: SaleRequest): Promise<SaleOutcome> | SaleOutcome => {
    const { preview, headers } = asked;
    const { product, params, view } = toAsked(asked);
    // Before anybody is asked for money. Who leaves out what is needed only looks at the price.
    if (params.as_of_ms !== undefined && params.missing.length === 0) options.assertKept(product, params);
    if (preview) {
      const show = (): SaleOutcome => {
        const whole = previews.get(product, params);
        const { form } = product.definition;
        const body = JSON.stringify(view ? viewEnvelope(whole, view, product) : renderInForm(form, whole));
        stats.countPreview(product.id);
        return { kind: "preview", body };
      };
      return options.past?.(product)?.then(show) ?? show();
    }
    const method = asked.is_unpaid === true ? undefined : access.find((one) => one.isPresent(headers, product));
    if (method) return serve(asked, { product, params }, method);
    return { kind: "challenge", challenge: demand(product), bound: boundOf(asked, { product, params }) };
  };
  const refuse = (asked: SaleRequest, refusal: PaymentRefusal): SaleOutcome => {
    const whole = toAsked(asked);
    return { kind: "refused", challenge: challenge(whole.product), refusal, bound: boundOf(asked, whole) };
  };
  const sellApart = createPartSales({ ...options.parts, sell: sellOne, refuse });
  const sell = (asked: SaleRequest) => (isSoldApart(asked) ? sellApart(asked) : sellOne(asked));
  return Object.assign(sell, { demand, boundOf: (call: CallParts) => boundOf(call, toAsked(call)) });
}

/** What a call asks for: the product at the price of its parameters, and these with the view that is meant. */
type SaleSubject = Pick<SaleRequest, "product" | "params">;
type CallParts = Pick<SaleRequest, "product" | "method" | "params">;

/** Only buyers see views: products and jobs ask for whole answers. */
function toAsked({
  product: asked,
  params: given,
}: SaleSubject): SaleSubject & { readonly view: ParsedParams["view"] | undefined } {
  const product = tierOf(asked, given);
  const view = viewFor(given.view, product.definition.usual_view);
  return { product, params: view === undefined ? given : { ...given, view }, view };
}

/**
 * The call as a way to pay sees it. A key that nobody names a call for needs neither the hash of what is paid for nor
 * to know whether the buyer hung up: both are made when they are asked for.
 */
function toAccessCall(request: SaleRequest, { product, params }: SaleSubject): AccessCall {
  const { headers, client, watch, door } = request;
  let fingerprint: string | null = null;
  return {
    product,
    request: params,
    get fingerprint() {
      fingerprint ??= createFingerprint(request.method, product, params);
      return fingerprint;
    },
    get digest() {
      return request.digest;
    },
    headers,
    door,
    client,
    get gone() {
      return request.gone;
    },
    watch,
  };
}

/** What a challenge is given out for: a HEAD shows what the GET costs. */
const boundOf = ({ method }: Pick<SaleRequest, "method">, { product, params }: SaleSubject): string =>
  params.missing.length > 0 ? UNFINISHED : createFingerprint(method === "HEAD" ? "GET" : method, product, params);

const noNetwork = (product: CatalogProduct): NodeError =>
  new NodeError(
    "facilitator_unavailable",
    `${product.path} cannot be paid right now: no payment network has a live facilitator. Nothing was charged.`,
    { retry_after_s: 10 },
  );
