import type { Served } from "../../calls/access.ts";
import { type Challenge, type PaymentRequired, readOfferV1 } from "../../payments/challenge.ts";
import { type MppOffers, toChallengeJSON } from "../../payments/mpp/issue.ts";
import { renderRefusedProblem, renderUnpaidProblem } from "../../payments/mpp/problems.ts";
import { PAYMENT_RECEIPT } from "../../payments/mpp/receipt.ts";
import type { PaymentRefusal } from "../../payments/refusal.ts";
import { type Era, SERVER_INFO_KEY } from "./era.ts";
import type { RequestId } from "./json-rpc.ts";
import { type SummaryTextOptions, summariseJSON } from "./summary.ts";

/** The result of a request before its envelope. */
export interface Result {
  readonly type: "complete" | "payment_required";
  /** JSON members without the braces around them: long ones are rendered once and copied. */
  readonly members: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A result with the headers that the answer to the POST has as well. */
export interface AnsweredCall {
  readonly result: Result;
  readonly headers?: Readonly<Record<string, string>>;
}

const membersOf = (value: Readonly<Record<string, unknown>>): string => JSON.stringify(value).slice(1, -1);

export const complete = (value: Readonly<Record<string, unknown>>): Result => ({
  type: "complete",
  members: membersOf(value),
});

/** The whole JSON-RPC answer. Only the modern era knows result types and names the server in every result. */
export function renderResult(id: RequestId, era: Era, about: { readonly result: Result; readonly server: object }) {
  const { type, members, meta = {} } = about.result;
  const all = era.modern ? { [SERVER_INFO_KEY]: about.server, ...meta } : meta;
  const parts = [
    ...(era.modern ? [`"resultType":"${type}"`] : []),
    ...(members === "" ? [] : [members]),
    ...(Object.keys(all).length === 0 ? [] : [`"_meta":${JSON.stringify(all)}`]),
  ];
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${parts.join(",")}}}`;
}

/** A JSON object as a tool's answer: as text, because some clients show nothing else, and as it is. */
const toolMembers = (json: string, text: SummaryTextOptions = {}): string =>
  `"content":[{"type":"text","text":${JSON.stringify(summariseJSON(json, text))}}],"structuredContent":${json}`;

export const dataResult = (json: string, text: SummaryTextOptions): Result => ({
  type: "complete",
  members: toolMembers(json, text),
});

/** An error that is no demand for payment: the problem object every door answers with. */
export const problemResult = (problem: Readonly<Record<string, unknown>>): Result => ({
  type: "complete",
  members: `${toolMembers(JSON.stringify(problem))},"isError":true`,
});

const decode = (header: string): unknown => JSON.parse(Buffer.from(header, "base64").toString("utf8"));

/** Headers of a paid answer, under the names they have in `_meta`. */
const NAMES: readonly (readonly [header: string, name: string, read: (value: string) => unknown])[] = [
  ["PAYMENT-RESPONSE", "x402/payment-response", decode],
  ["X-PAYMENT-RESPONSE", "x402/payment-response", decode],
  [PAYMENT_RECEIPT, "org.paymentauth/receipt", decode],
  ["X-Receipt-Id", "intel-node/receipt_id", String],
  ["X-Credits-Remaining", "intel-node/credits_remaining", String],
  ["X-Charged", "intel-node/charged", String],
  ["X-Metering", "intel-node/metering", (value) => JSON.parse(value)],
  ["X-Idempotent-Replay", "intel-node/idempotent_replay", (value) => value === "true"],
  ["X-Duplicate-Payment-Avoided", "intel-node/duplicate_payment_avoided", (value) => value === "true"],
  ["X-Earlier-Payment-Unknown", "intel-node/earlier_payment_unknown", String],
];

export function paidResult({ body, headers }: Served, text: SummaryTextOptions): AnsweredCall {
  const meta: Record<string, unknown> = {};
  for (const [header, name, read] of NAMES) {
    const value = headers[header];
    if (value !== undefined) meta[name] = read(value);
  }
  // Clients that paid by a header of the POST look for the proof in the headers of its answer.
  return { result: { type: "complete", members: toolMembers(body, text), meta }, headers };
}

/** Name in `_meta` of what clients of MPP look for. */
const MPP_REQUIRED = "org.paymentauth/payment-required";

interface MppDemand {
  readonly offers: MppOffers;
  /** The call they are given out for. */
  readonly bound: string;
  /** Why a payment was not taken; left out where none came. */
  readonly refusal?: PaymentRefusal;
}

/**
 * The same demand as challenges of MPP, beside that of x402: an error of JSON-RPC, which its draft asks for, would
 * hide the price from clients of x402, and official clients read both forms.
 */
function mppMeta({ offers, bound, refusal }: MppDemand): Readonly<Record<string, unknown>> {
  const challenges = offers.issue({ bound }).map(toChallengeJSON);
  if (challenges.length === 0) return {};
  const problem = refusal ? renderRefusedProblem(refusal) : renderUnpaidProblem();
  return { [MPP_REQUIRED]: { httpStatus: 402, challenges, problem } };
}

interface Demand {
  readonly required: PaymentRequired;
  /** The same offer as version 1 has it, for clients that know no other; left out where a payment was sent. */
  readonly accepts_v1?: readonly unknown[];
  /** One sentence for readers of the raw result. */
  readonly sentence: string;
  readonly settlement?: readonly [name: string, value: string] | null;
}

function demand({ required, accepts_v1 = [], sentence, settlement }: Demand, era: Era): Result {
  const json = JSON.stringify(required);
  const tried = settlement ? { "x402/payment-response": decode(settlement[1]) } : {};
  if (era.payment_extension) return { type: "payment_required", members: `"paymentRequired":${json}`, meta: tried };
  const text = JSON.stringify(json);
  const content = `[{"type":"text","text":${text}},{"type":"text","text":${JSON.stringify(sentence)}}]`;
  return {
    type: "complete",
    members: `"content":${content},"structuredContent":${json},"isError":true`,
    // Where Cloudflare's clients look: `agents` before 0.4 by a network's plain name, which later ones pass over.
    meta: { "x402/error": { ...required, accepts: [...required.accepts, ...accepts_v1] }, ...tried },
  };
}

export interface Priced {
  readonly title: string;
  readonly price_usd: string;
}

const howToPay = ({ title, price_usd }: Priced): string =>
  `${title} costs $${price_usd} in USDC: pay by x402 (_meta["x402/payment"]) or MPP, or send a prepaid key in ` +
  "the header X-API-Key. With preview: true and no other arguments it is free, delayed data of the parameters in " +
  "preview_of.";

export interface Demands {
  /** For a call that brought nothing: rendered once per challenge, but for what is its own. */
  unpaid(challenge: Challenge, product: Priced & { readonly bound: string }, era: Era): Result;
  /** For a payment that was sent and is not taken. */
  refused(
    demand: Omit<Demand, "sentence"> & { readonly mpp: MppDemand; readonly why: string },
    product: Priced,
    era: Era,
  ): Result;
}

export function createDemands(): Demands {
  const kept = { plain: new WeakMap<Challenge, Result>(), extension: new WeakMap<Challenge, Result>() };
  return {
    unpaid(challenge, product, era) {
      const results = era.payment_extension ? kept.extension : kept.plain;
      let result = results.get(challenge);
      if (!result) {
        const { accepts: accepts_v1 } = readOfferV1(challenge);
        result = demand({ required: challenge.payment_required, accepts_v1, sentence: howToPay(product) }, era);
        results.set(challenge, result);
      }
      return { ...result, meta: { ...result.meta, ...mppMeta({ offers: challenge.mpp, bound: product.bound }) } };
    },
    refused({ required, settlement = null, why, mpp }, product, era) {
      const result = demand({ required, settlement, sentence: `${why} ${howToPay(product)}` }, era);
      return { ...result, meta: { ...result.meta, ...mppMeta(mpp) } };
    },
  };
}
