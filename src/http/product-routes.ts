import type { CatalogProduct } from "../catalog/catalog.ts";
import type { ParsedParams } from "../catalog/params.ts";
import { asksForPreview, readSwitch } from "../catalog/sent-values.ts";
import { tierOf } from "../catalog/tiers.ts";
import { once } from "../core/once.ts";
import type { Words } from "../pages/words.ts";
import { renderQuery } from "../payments/called-address.ts";
import type { Challenge } from "../payments/challenge.ts";
import { findCredential } from "../payments/mpp/credential.ts";
import { digestOf, renderAuthenticate } from "../payments/mpp/issue.ts";
import { renderRefusedProblem } from "../payments/mpp/problems.ts";
import type { PaymentRefusal } from "../payments/refusal.ts";
import type { SaleOutcome } from "../sell/sale.ts";
import type { Sell } from "../sell/sales.ts";
import { wantsPage } from "./accept.ts";
import { readSentJSON } from "./body.ts";
import type { Handler, HTTPCall } from "./http-call.ts";
import { chooseWords } from "./language.ts";
import { isPaying } from "./no-charge.ts";
import { createProblemInForm } from "./problem-in-form.ts";
import { createReadyChallenge, type ReadyChallenge } from "./ready-challenge.ts";
import { type Responder, respondAs } from "./respond.ts";
import { assertNoKeyIn } from "./shown-key.ts";
import { takesGzip } from "./surface-routes.ts";

export interface ProductRouteOptions {
  readonly responder: Responder;
  readonly sell: Sell;
  readonly default_protocol: 1 | 2;
  readonly body_bytes_max: number;
  /** The 402 as people read it, for browsers; null without such a page. Status and headers stay the same. */
  readonly page: PaymentPage | null;
}

export interface PaymentPage {
  readonly render: (
    product: CatalogProduct,
    about: { readonly request_id: string; readonly refusal: PaymentRefusal | null; readonly words: Words },
  ) => Promise<string | null>;
  /** Take the place of those of a JSON answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Only a page has to be waited for. */
type RouteResult = Response | Promise<Response>;

type Answered = Extract<SaleOutcome, { readonly kind: "answer" }>;
type Challenged = Extract<SaleOutcome, { readonly kind: "challenge" }>;
type Refused = Extract<SaleOutcome, { readonly kind: "refused" }>;

/** The body of a call as it was sent. */
interface SentDigest {
  readonly digest: string | undefined;
}
const NOTHING_SENT: SentDigest = { digest: undefined };
/** Hashed when it is asked for: who pays by a key never asks. */
const createSent = (bytes: Uint8Array): SentDigest => {
  const digest = once(() => digestOf(bytes));
  return {
    get digest() {
      return digest();
    },
  };
};

/** What a body said besides its parameters. */
interface SentBody {
  readonly sent: SentDigest | undefined;
  readonly preview: boolean;
}

/** A body without its `preview`, which is no parameter of any product's own. @throws NodeError invalid_parameter */
function takePreview(
  { definition }: CatalogProduct,
  body: unknown,
): { readonly body: unknown; readonly preview: boolean } {
  const is_record = typeof body === "object" && body !== null && !Array.isArray(body);
  if (!is_record || !Object.hasOwn(body, "preview") || definition.form !== undefined) return { body, preview: false };
  const { preview, ...rest } = body as Readonly<Record<string, unknown>>;
  return { body: rest, preview: readSwitch("preview", preview) };
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");

interface ProductCall {
  readonly params: ParsedParams;
  readonly sent: SentDigest;
}

const paysByMPP = (headers: Headers): boolean =>
  !headers.has("payment-signature") && !headers.has("x-payment") && findCredential(headers) !== null;

/** Whether its Authorization holds something else than a payment: a challenge then asks to be answered beside it. */
const keepsAuthorization = (headers: Headers): boolean =>
  headers.has("authorization") && findCredential(headers)?.field !== "authorization";

/** A JSON object with members put before its own, in place of those of the same name. */
const withMembers = (members: object, body: string): string =>
  JSON.stringify({ ...members, ...(JSON.parse(body) as object), ...members });

const NO_HEADERS = new Headers();

/**
 * Headers of paid answers. Set on each response, those that are its own would make objects of all its headers; so
 * answers with headers of the same names share some, and each sets every one of these before they are copied. The id
 * of the request comes first, where it always stood.
 */
function createAnswerHeaders(responder: Responder, common: Readonly<Record<string, string>>) {
  const kinds: { readonly names: readonly string[]; readonly headers: Headers }[] = [];
  return (own: Readonly<Record<string, string>>, timing: string): Headers => {
    const names = Object.keys(own);
    let kind = kinds.find(
      (one) => one.names.length === names.length && one.names.every((name, at) => name === names[at]),
    );
    if (kind === undefined) {
      kind = { names, headers: responder.headers({ ...common, "X-Request-Id": "" }) };
      kinds.push(kind);
    }
    const { headers } = kind;
    for (const name of names) headers.set(name, own[name] ?? "");
    headers.set("Server-Timing", timing);
    return headers;
  };
}

/** In tenths of a millisecond. */
function renderTiming(ms: number): string {
  const tenths = Math.round(ms * 10);
  const part = tenths % 10;
  return `total;dur=${(tenths - part) / 10}.${part}`;
}

/** The handler of a free path that shows a product's preview, whatever is brought to pay with. */
export function createPreviewHandler(product: CatalogProduct, options: ProductRouteOptions): Handler {
  const handler = createProductHandler(product, options);
  return (http_call) => {
    const asked = new URLSearchParams(http_call.search);
    asked.set("preview", "1");
    return handler({ ...http_call, search: asked.toString() });
  };
}

/**
 * The handler of a GET of a path that takes POST alone: crawlers ask so what it costs. What is brought to pay with is
 * not touched; a HEAD never pays, on any path.
 */
export function createProbeHandler(handler: Handler, refuse: Handler): Handler {
  const probe: Handler = (http_call) =>
    http_call.request.method === "GET" && isPaying(http_call.request.headers) && !asksForPreview(http_call.search)
      ? refuse(http_call)
      : handler(http_call);
  return Object.assign(probe, { ...(handler.problem ? { problem: handler.problem } : {}) });
}

/**
 * The handler of one paid path. Product, price and gate are bound here, once; the URL is never asked for them again.
 */
export function createProductHandler(product: CatalogProduct, options: ProductRouteOptions): Handler {
  const { responder, sell } = options;
  const of_challenge = responder.headers({ "Cache-Control": "no-store" });
  const of_preview = responder.headers({ "Cache-Control": "public, max-age=60" });
  const of_answer = createAnswerHeaders(responder, { "Cache-Control": "private" });

  /** Header and body are some kilobytes: they are made once per rendered challenge, not per request. */
  const kept = { 1: new WeakMap<Challenge, ReadyChallenge>(), 2: new WeakMap<Challenge, ReadyChallenge>() };
  const readyOf = (current: Challenge, protocol: 1 | 2): ReadyChallenge => {
    let ready = kept[protocol].get(current);
    if (!ready) {
      ready = createReadyChallenge(current, protocol, of_challenge);
      kept[protocol].set(current, ready);
    }
    return ready;
  };

  const respond = ({ request, request_id }: HTTPCall, body: string, init: { status: number; headers: Headers }) =>
    respondAs(request_id, request.method === "HEAD" ? null : body, init);

  const wanted = ({ search }: HTTPCall): 1 | 2 => {
    if (search !== "" && search.includes("x402Version=1")) return 1;
    return search.includes("x402Version=2") ? 2 : options.default_protocol;
  };

  /** The same answer with a page as its body, when a browser asks. */
  const orPage = (http_call: HTTPCall, response: Response, refusal: PaymentRefusal | null): RouteResult => {
    const { page } = options;
    if (page === null || !wantsPage(http_call.request.headers.get("accept"))) return response;
    return showPage(page, http_call, { response, refusal });
  };

  const showPage = async (
    page: PaymentPage,
    { request, request_id, search }: HTTPCall,
    { response, refusal }: { readonly response: Response; readonly refusal: PaymentRefusal | null },
  ): Promise<Response> => {
    const words = chooseWords(search, request.headers.get("accept-language"));
    const text = await page.render(product, { request_id, refusal, words });
    if (text === null) return response;
    const packed = takesGzip(request.headers.get("accept-encoding"));
    const shown = new Response(request.method === "HEAD" ? null : packed ? Bun.gzipSync(text) : text, response);
    for (const [name, value] of Object.entries(page.headers)) shown.headers.set(name, value);
    // The head of a page is long already: what it exposes is said in short.
    shown.headers.set("Access-Control-Expose-Headers", "*");
    if (packed) shown.headers.set("Content-Encoding", "gzip");
    return shown;
  };

  const challenge = (http_call: HTTPCall, { challenge: current, bound }: Challenged, sent: SentDigest): RouteResult => {
    const { request, request_id } = http_call;
    const ready = readyOf(current, wanted(http_call));
    const query = renderQuery(http_call.search);
    const call = { bound, digest: sent.digest, keeps_authorization: keepsAuthorization(request.headers), query };
    return orPage(http_call, ready(request_id, request.method === "HEAD", call), null);
  };

  const refused = async (
    http_call: HTTPCall,
    { challenge: current, refusal, bound }: Refused,
    sent: SentDigest,
  ): Promise<Response> => {
    const { headers } = http_call.request;
    const protocol = headers.has("x-payment") && !headers.has("payment-signature") ? 1 : wanted(http_call);
    const query = renderQuery(http_call.search);
    const about = { id: http_call.request_id, protocol, no_charge: await http_call.noCharge(refusal), query };
    const { body, header, settlement } = current.refused(refusal, about);
    const by_mpp = paysByMPP(headers);
    const told = by_mpp ? withMembers(renderRefusedProblem(refusal), body) : body;
    const response = respond(http_call, told, { status: 402, headers: of_challenge });
    if (by_mpp) response.headers.set("Content-Type", "application/problem+json");
    response.headers.set("PAYMENT-REQUIRED", header);
    const call = { bound, digest: sent.digest, keeps_authorization: keepsAuthorization(headers) };
    const authenticate = renderAuthenticate(current.mpp, call);
    if (authenticate !== null) response.headers.set("WWW-Authenticate", authenticate);
    if (settlement) response.headers.set(...settlement);
    return orPage(http_call, response, refusal);
  };

  const { form } = product.definition;
  const body_bytes_max = Math.min(options.body_bytes_max, form?.body_bytes_max ?? Number.POSITIVE_INFINITY);
  const of_events = createAnswerHeaders(responder, {
    "Cache-Control": "private",
    "Content-Type": "text/event-stream",
  });
  const renderServed = (http_call: HTTPCall, { served, duration_ms }: Answered, params: ParsedParams): Response => {
    const { body } = served;
    const events = form?.toEvents?.(params.params, JSON.parse(body)) ?? null;
    const timing = renderTiming(duration_ms);
    if (events === null) return respond(http_call, body, { status: 200, headers: of_answer(served.headers, timing) });
    const stream = events.map((event) => `data: ${event}\n\n`).join("");
    return respond(http_call, stream, { status: 200, headers: of_events(served.headers, timing) });
  };

  const render = (http_call: HTTPCall, outcome: SaleOutcome, { params, sent }: ProductCall): RouteResult => {
    switch (outcome.kind) {
      case "challenge":
        return challenge(http_call, outcome, sent);
      case "preview":
        return respond(http_call, outcome.body, { status: 200, headers: of_preview });
      case "refused":
        return refused(http_call, outcome, sent);
      case "answer":
        return renderServed(http_call, outcome, params);
      default:
        return outcome satisfies never;
    }
  };

  const decide = (http_call: HTTPCall, params: ParsedParams, body: Partial<SentBody> = {}): RouteResult => {
    const { request, search, client, request_id, is_unpaid } = http_call;
    const { method } = request;
    const { sent = NOTHING_SENT } = body;
    const preview = body.preview === true || asksForPreview(search);
    // HEAD has no body to hand over, so it is never charged: it shows what a GET would be asked for.
    const headers = method === "HEAD" ? NO_HEADERS : request.headers;
    const outcome = sell({
      product,
      method,
      params,
      preview,
      headers,
      is_unpaid,
      door: "http",
      client,
      request_id,
      get digest() {
        return sent.digest;
      },
      // Made when it is asked for: most calls bring nothing to pay with, and end in this turn.
      get gone() {
        return request.signal;
      },
    });
    return outcome instanceof Promise
      ? outcome.then((done) => render(http_call, done, { params, sent }))
      : render(http_call, outcome, { params, sent });
  };

  const handler: Handler = (http_call) => {
    const { search, request } = http_call;
    if (request.method !== "POST") return decide(http_call, product.params.fromQuery(search));
    // A wrong query is refused before the body is read.
    product.params.fromBody({}, search);
    return readSentJSON(request, body_bytes_max).then((sent) => {
      if (sent !== undefined) assertNoKeyIn(textOf(sent.bytes), request.headers);
      const { body, preview } = takePreview(product, sent === undefined ? {} : product.readBody(sent.value));
      const params = product.params.fromBody(body, search);
      return decide(http_call, params, { sent: sent && createSent(sent.bytes), preview });
    });
  };
  const problem = form === undefined ? {} : { problem: createProblemInForm(form.renderError, responder) };
  /** The product at the price of a call without parameters. */
  const usual = once(() => tierOf(product, product.params.fromQuery("")));
  const usualBound = once(() => sell.boundOf({ product, method: "GET", params: product.params.fromQuery("") }));
  const atOnce: NonNullable<Handler["atOnce"]> = ({ headers }, request_id) => {
    if (options.page !== null && wantsPage(headers.get("accept"))) return null;
    const call = { bound: usualBound(), keeps_authorization: headers.has("authorization") };
    return readyOf(sell.demand(usual()), options.default_protocol)(request_id, false, call);
  };
  return Object.assign(handler, { payable: true as const, atOnce, ...problem });
}
