import type { CatalogProduct } from "../catalog/catalog.ts";
import type { Envelope } from "../catalog/envelope.ts";
import type { ListedAt } from "../catalog/listed.ts";
import { renderTime } from "../core/clock.ts";
import { ERRORS } from "../core/errors.ts";
import { describeMetering } from "../core/metering.ts";
import { once } from "../core/once.ts";
import { cutAtAddress } from "./called-address.ts";
import { type FittedHeader, fitHeader } from "./challenge-header.ts";
import { SCHEME } from "./channels/contract.ts";
import { encodeHeader, encodeSettlement } from "./codec.ts";
import type { ExtensionContent, Room } from "./extensions/extension.ts";
import { createExtensions } from "./extensions/registry.ts";
import { type MppIssuer, type MppOffers, measureAuthenticate } from "./mpp/issue.ts";
import { type Network, networkById } from "./networks/table.ts";
import type { PaymentRefusal } from "./refusal.ts";
import { createRefusedText } from "./refused-text.ts";
import { asAdvertised, createAccepts, createRequirements, createResource } from "./requirements.ts";
import type { Offer, Requirement } from "./types.ts";
import { UPTO } from "./upto/contract.ts";
import { listMeteredWays } from "./upto/terms.ts";

/** The 402 of one product, rendered when prices, networks or the sample change, not per request. */
export interface Challenge {
  /** The networks it offers; empty means the product cannot be paid now. */
  readonly networks: readonly string[];
  /** The offer for surfaces that show how to pay, and for doors without headers. `header` says the same, in less. */
  readonly payment_required: PaymentRequired;
  /** PAYMENT-REQUIRED: always version 2. */
  readonly header: string;
  /** The same without networks that clients of version 1 cannot read: some of them read it all and throw. */
  readonly header_v1: string;
  /** The body for a call that brought nothing, up to and after its request id. */
  readonly body: SplitText;
  /** As `body`, in version 1. */
  readonly body_v1: SplitText;
  /**
   * The same for a call with a query, as `renderQuery` writes it: the address to pay for is then the one that was
   * called. Everywhere else, and to facilitators, a product has one address.
   */
  readonly called: (query: string, protocol: 1 | 2) => CalledChallenge;
  /** The same offer for clients of MPP; each call gets its own challenges. */
  readonly mpp: MppOffers;
  /** For a payment that was sent and refused. */
  readonly refused: (refusal: PaymentRefusal, request: RefusedRequest) => RefusedBody;
}

/** The members that clients of version 1 know; `accepts` is empty where nothing can be paid by it. */
export interface OfferV1 {
  readonly x402Version: 1;
  readonly error: string;
  readonly accepts: readonly Readonly<Record<string, unknown>>[];
}

/** The offer of version 1 for doors that answer no HTTP body. */
export function readOfferV1({ body_v1: [head, tail] }: Challenge): OfferV1 {
  const { x402Version, error, accepts } = JSON.parse(head + tail) as OfferV1;
  return { x402Version, error, accepts };
}

/** The version 2 object; a refused one says why in further members. */
export interface PaymentRequired {
  readonly x402Version: 2;
  readonly error: string;
  readonly resource: ReturnType<typeof createResource>;
  readonly accepts: readonly Requirement[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

type Wallet = Network["wallet"];

export type SplitText = readonly [head: string, tail: string];
export interface CalledChallenge {
  readonly header: string;
  /** As `body` of a challenge. */
  readonly body: SplitText;
}
export interface RefusedRequest {
  readonly id: string;
  readonly protocol: 1 | 2;
  /** Signed statement that the call cost nothing. */
  readonly no_charge?: string | null;
  /** The call's query, as `renderQuery` writes it. */
  readonly query?: string;
}
export interface RefusedBody {
  readonly body: string;
  /** The same in version 2, for doors without headers. */
  readonly payment_required: PaymentRequired;
  readonly header: string;
  readonly settlement: readonly [name: string, value: string] | null;
}

export interface ChallengeOptions {
  readonly public_url: string;
  readonly service_name: string;
  readonly offers: readonly Offer[];
  /** From when it has data, ms; null or left out when it has some. */
  readonly opens_ms?: number | null;
  /** How many rows the newest answer to the plain call has; null or left out where nobody counts them. */
  readonly listed?: ListedAt | null;
  /** The newest preview, or null. */
  readonly sample: Envelope | null;
  /** Networks the operator does not offer to clients of a version. */
  readonly off?: { readonly v1: readonly Wallet[]; readonly v2: readonly Wallet[] };
  /** Where a key is bought that pays for calls; null or left out where no key is sold. */
  readonly prepay_url?: string | null;
  /** Gives challenges of MPP out; left out where none are. */
  readonly mpp?: MppIssuer | undefined;
  /** Signs `accepts`; the body carries the result, the header has no room for it. Left out: nothing is signed. */
  readonly signOffers?: ((url: string, accepts: readonly Requirement[]) => ExtensionContent) | undefined;
}

/** An offer longer than this says less of the parameters, wherever it is shown: catalogs show one per product. */
const OFFER_CHARS_MAX = 3_900;
const SAMPLE_CHARS_MAX = 1_024;
const BRIEF_CHARS_MAX = 160;
const ID_MARK = "\u0000request_id\u0000";

/**
 * A payment before a product has data gets an uncharged 503, and one for a list may get an empty list: the buyer is
 * told before he signs.
 */
function describeDemand({ opens_ms = null, listed = null }: Pick<ChallengeOptions, "opens_ms" | "listed">): string {
  const { title } = ERRORS.payment_required;
  if (opens_ms !== null) return `${title}; no data before ${renderTime(opens_ms)}, until then nothing is charged`;
  if (listed === null) return title;
  return `${title}; the plain call had ${listed.n} ${listed.of} at ${renderTime(listed.as_of_ms)}`;
}

export function renderChallenge(product: CatalogProduct, options: ChallengeOptions): Challenge {
  const accepts = createRequirements(product, options.offers);
  const resource = createResource(product, options.public_url, options.service_name);
  const extras = renderExtras(product, options);
  const error = describeDemand(options);
  // Header and body make the same offer: whichever of the two a client reads, it pays the same. The body says more of
  // how to call; proxies limit the header.
  const { v1: off_v1, v2: off_v2 } = options.off ?? { v1: [], v2: [] };
  const shown = createAccepts(product, options.offers)
    .filter(({ network }) => !isOff(network, off_v2))
    .map((requirement) => asAdvertised(requirement, options.offers));
  const readable = accepts.filter(({ network }) => networkById(network)?.v1_name && !isOff(network, off_v1));
  const signed_offers = options.signOffers?.(resource.url, shown);
  const extensionsIn = createExtensions({ product, prepay_url: options.prepay_url, signed_offers });
  const offer = (room: Room): PaymentRequired => ({
    x402Version: 2,
    error,
    resource,
    accepts: shown,
    extensions: extensionsIn(room),
  });
  const long = offer({ detail: "header" });
  const whole = encodeHeader(long).length > OFFER_CHARS_MAX ? offer({ detail: "short" }) : long;
  const forms = renderForms(long, offer);
  const in_body = offer({ detail: "body" });
  const v1 = { error, ...renderV1(product, options, readable) };
  const forms_v1 = forms.map((form): PaymentRequired => ({ ...form, accepts: readable }));

  const mpp = options.mpp?.(accepts) ?? NO_MPP;
  const beside_always = measureAuthenticate(mpp, { with_body: product.methods.includes("POST") });
  const in_form = product.definition.form?.in_402 ?? {};
  const unpaid = { code: "payment_required", request_id: ID_MARK };
  const { url } = resource;
  const renderRefused = createRefusedText({
    url,
    versions: { 1: { offer: v1, forms: forms_v1 }, 2: { offer: { ...in_body, ...extras }, forms } },
    in_form,
    beside_always,
  });
  const beside = { url, beside: beside_always };
  const texts = {
    1: createText(fitHeader(forms_v1, error, beside), { ...v1, ...unpaid, ...extras, ...in_form }, url),
    2: createText(fitHeader(forms, error, beside), { ...in_body, ...unpaid, ...extras, ...in_form }, url),
  };
  return {
    networks: accepts.map((requirement) => requirement.network),
    payment_required: whole,
    header: texts[2].plain.header,
    header_v1: texts[1].plain.header,
    body: texts[2].plain.body,
    body_v1: texts[1].plain.body,
    called: (query, protocol) => texts[protocol].at(query),
    mpp,
    refused(refusal, request) {
      const { code, diagnostic, failed_settlement, options } = refusal;
      const { channel } = refusal;
      // Clients compare the whole of it with the words of a channel's scheme.
      const text = channel === undefined ? `${ERRORS[code].title}: ${diagnostic.reason}` : diagnostic.reason;
      const { id: request_id, no_charge, query = "" } = request;
      const proof = no_charge ? { no_charge } : {};
      const told = {
        error: text,
        code,
        detail: refusal.message,
        request_id,
        charged: false,
        diagnostic,
        ...options.details,
        ...proof,
      };
      const settlement = failed_settlement
        ? encodeSettlement(request.protocol, {
            success: false,
            errorReason: diagnostic.reason,
            transaction: "",
            ...failed_settlement,
          })
        : null;
      const beside = settlement ? settlement.join(": ").length : 0;
      const corrected = channel ? correct(shown, channel) : null;
      const { body, header } = renderRefused(told, { protocol: request.protocol, beside, corrected, query });
      const accepts = corrected?.accepts ?? shown;
      return { body, payment_required: { ...whole, accepts, ...told }, header, settlement };
    },
  };
}

const NO_MPP: MppOffers = { ways: [], issue: () => [] };

/** The offer with the channel's current state; the header has no room for the other ways to pay. */
function correct(shown: readonly Requirement[], channel: object) {
  const accepts = shown.map((one) => (one.scheme === SCHEME ? { ...one, extra: { ...one.extra, ...channel } } : one));
  return { accepts, in_header: accepts.filter(({ scheme }) => scheme === SCHEME) };
}

const isOff = (network: string, off: readonly Wallet[]): boolean => {
  const wallet = networkById(network)?.wallet;
  return wallet !== undefined && off.includes(wallet);
};

/** The same offer for the header, from the form that says most to the one that says what a payment needs. */
function renderForms(long: PaymentRequired, offer: (room: Room) => PaymentRequired): readonly PaymentRequired[] {
  const briefly = (detail: Room["detail"]) => offer({ detail, is_brief: true });
  // The rest is in the body too, and payments do not need it.
  const barely = (detail: Room["detail"]) => offer({ detail, is_brief: true, is_lean: true });
  const [tight, input] = [briefly("tight"), briefly("input")];
  const { description, url, mimeType, ...named } = long.resource;
  const { serviceName } = named;
  const brief = { url, mimeType, ...named, description: firstSentence(description) };
  const lean = { url, mimeType, description: brief.description, serviceName, tags: [] };
  const spare = { url, mimeType, description: "", serviceName, tags: [] };
  const barest = [barely("bare"), barely("none")].map((form) => ({ ...form, resource: spare }));
  const without = (...schemes: readonly string[]) => input.accepts.filter(({ scheme }) => !schemes.includes(scheme));
  const fewer = [without(SCHEME), without(SCHEME, UPTO)].filter(({ length }) => length < input.accepts.length);
  return [
    long,
    briefly("header"),
    briefly("short"),
    tight,
    { ...tight, resource: brief },
    { ...briefly("typed"), resource: brief },
    { ...barely("typed"), resource: lean },
    { ...barely("typed"), resource: spare },
    { ...barely("input"), resource: lean },
    ...barest,
    // Channels, and what charges less than was signed, are shown where there is room for them.
    ...fewer.flatMap((accepts) => [{ ...input, resource: brief }, ...barest].map((form) => ({ ...form, accepts }))),
  ];
}

/** What a text begins with: its first sentence, or the words of it that are few enough. */
function firstSentence(text: string): string {
  const sentence = (/^.+?[.:](?= |$)/.exec(text)?.[0] ?? text).replace(/[.:]$/, "");
  if (sentence.length <= BRIEF_CHARS_MAX) return sentence;
  // Three dots: some clients echo the header by a function that knows Latin-1 alone.
  return `${sentence.slice(0, BRIEF_CHARS_MAX).replace(/\W*\w*$/, "")}...`;
}

const split = (value: unknown): SplitText => {
  const [head = "", tail = ""] = JSON.stringify(value).split(JSON.stringify(ID_MARK).slice(1, -1));
  return [head, tail];
};

/** Header and body of one version: as every call gets them, and as those with a query do. */
function createText(header: FittedHeader, content: object, url: string) {
  const body = split(content);
  const [head, tail] = body;
  const parts = once(() => cutAtAddress(head, url));
  return {
    plain: { header: header(""), body },
    at: (query: string): CalledChallenge => ({ header: header(query), body: [parts().join(query), tail] }),
  };
}

/** Body members beside the protocol's own; buyers and people read them, clients ignore them. */
function renderExtras(product: CatalogProduct, options: ChallengeOptions) {
  const { public_url, sample, prepay_url, opens_ms, listed = null } = options;
  const url = `${public_url}${product.path}`;
  const metered = describeMetering(product, listMeteredWays(product, options.offers));
  return {
    ...(typeof opens_ms === "number" ? { available_from: renderTime(opens_ms) } : {}),
    ...(listed === null || typeof opens_ms === "number"
      ? {}
      : { newest_plain_answer: { n: listed.n, of: listed.of, as_of: renderTime(listed.as_of_ms) } }),
    ...(metered ? { metered } : {}),
    upsell: { sample: cutSample(sample), preview_url: `${url}?preview=1` },
    alternatives: {
      preview: `${url}?preview=1`,
      mcp: `${public_url}/mcp`,
      ...(prepay_url ? { credits: prepay_url } : {}),
      openapi: `${public_url}/openapi.json`,
      x402_v1: `${url}?x402Version=1`,
      pricing: `${public_url}/get-pricing`,
      receipts: `${public_url}/receipts`,
    },
  };
}

/** The sample in at most 1 kB: whole, else without its longest members, each of them named. */
function cutSample(sample: Envelope | null): unknown {
  if (!sample) return null;
  const shown = {
    preview_of: sample.preview_of,
    product: sample.product,
    ...(sample.text === undefined ? {} : { text: sample.text, headline: sample.headline }),
    delayed: sample.delayed,
    as_of: sample.as_of,
  };
  if (typeof sample.data !== "object" || sample.data === null) return { ...shown, data: sample.data };
  const data: Record<string, unknown> = { ...sample.data };
  const cut: string[] = [];
  const bySize = Object.keys(data).sort((a, b) => JSON.stringify(data[b]).length - JSON.stringify(data[a]).length);
  for (const name of bySize) {
    if (JSON.stringify({ ...shown, data, cut }).length <= SAMPLE_CHARS_MAX) break;
    delete data[name];
    cut.push(name);
  }
  return { ...shown, data, ...(cut.length > 0 ? { cut } : {}) };
}

/**
 * Version 1 knows neither CAIP-2 names nor Algorand: one entry it cannot read breaks the whole body for its clients.
 */
function renderV1(product: CatalogProduct, options: ChallengeOptions, accepts: readonly Requirement[]) {
  const url = `${options.public_url}${product.path}`;
  return {
    x402Version: 1,
    accepts: accepts.flatMap(({ network, amount, asset, payTo, maxTimeoutSeconds, extra }) => {
      const name = networkById(network)?.v1_name;
      if (!name) return [];
      return {
        scheme: "exact",
        network: name,
        maxAmountRequired: amount,
        resource: url,
        description: product.definition.description,
        mimeType: "application/json",
        payTo,
        maxTimeoutSeconds,
        asset,
        outputSchema: { input: { type: "http", method: product.methods[0] ?? "GET", discoverable: true } },
        extra,
      };
    }),
  };
}
