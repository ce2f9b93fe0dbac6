import { createHash } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import { MAX_TIMEOUT_S } from "../pricing/quote-time.ts";
import type { Requirement } from "../types.ts";
import { renderChallengeHeader } from "./auth-params.ts";
import type { ChallengeBinding } from "./binding.ts";
import { encodeRequest, PAYMENT_AUTHORIZATION } from "./credential.ts";
import { MPP_METHODS } from "./methods/table.ts";
import type { SentChallenge } from "./types.ts";

/** The call that a challenge is given out for. */
export interface ChallengedCall {
  /** What is paid for: the call's fingerprint, or `UNFINISHED`. */
  readonly bound: string;
  /** Of the body, as `digestOf` writes it; left out without a body. */
  readonly digest?: string | undefined;
  /** Its Authorization is taken: it brings some other credential there. */
  readonly keeps_authorization?: boolean;
}

/** One way to pay by MPP, for surfaces that tell of it before a call is made. */
export interface MppWay {
  readonly method: string;
  readonly intent: string;
  readonly amount: string;
  readonly currency: string;
}

/** The challenges of one product at its price. Each call has its own: the payment is signed over its id. */
export interface MppOffers {
  /** What each asks for. */
  readonly ways: readonly MppWay[];
  readonly issue: (call: ChallengedCall) => readonly SentChallenge[];
}

/** Used for a probe that lacks parameters: what it would pay for is unknown, so it cannot be paid. */
export const UNFINISHED = "unfinished";

/** Of a body's bytes, as RFC 9530 writes it. */
export const digestOf = (body: Uint8Array): string => `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;

/** Without fractions: a header has no room to waste. */
const renderSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export interface IssuerOptions {
  readonly binding: ChallengeBinding;
  readonly clock: Pick<Clock, "now">;
  /** Host of the public address. */
  readonly realm: string;
}

export type MppIssuer = (requirements: readonly Requirement[]) => MppOffers;

export function createMppIssuer({ binding, clock, realm }: IssuerOptions): MppIssuer {
  let expires = { at_s: Number.NaN, text: "" };
  /** The same for all that are given out in one second. */
  const expiry = (): string => {
    const at_s = Math.floor(clock.now() / 1000) + MAX_TIMEOUT_S;
    if (at_s !== expires.at_s) expires = { at_s, text: renderSeconds(at_s * 1000) };
    return expires.text;
  };
  return (requirements) => {
    const offers = MPP_METHODS.flatMap(({ method, intent, request }) =>
      requirements.flatMap((requirement) => {
        const request_object = request(requirement);
        return request_object === null
          ? []
          : [{ realm, method, intent, request: encodeRequest(request_object), request_object }];
      }),
    );
    return {
      ways: offers.map(({ method, intent, request_object: { amount, currency } }) => ({
        method,
        intent,
        amount: String(amount),
        currency: String(currency),
      })),
      issue: ({ bound, digest, keeps_authorization = false }) =>
        offers.map((offer) => {
          const header = keeps_authorization ? PAYMENT_AUTHORIZATION : undefined;
          const challenge = { ...offer, expires: expiry(), digest, header };
          return { ...challenge, id: binding.createId(challenge, bound) };
        }),
    };
  };
}

/** Value of WWW-Authenticate; null where nothing can be paid so. */
export function renderAuthenticate(offers: MppOffers, call: ChallengedCall): string | null {
  const challenges = offers.issue(call);
  return challenges.length === 0 ? null : challenges.map(renderChallengeHeader).join(", ");
}

/** Bytes that the field takes in the head of an answer at its longest, name and line end included. */
export function measureAuthenticate(offers: MppOffers, { with_body }: { readonly with_body: boolean }): number {
  const digest = with_body ? digestOf(new Uint8Array()) : undefined;
  const longest = renderAuthenticate(offers, { bound: UNFINISHED, digest, keeps_authorization: true });
  return longest === null ? 0 : "WWW-Authenticate: \r\n".length + longest.length;
}

/** A challenge as JSON, for doors without headers. */
export const toChallengeJSON = ({ request: _, request_object, ...challenge }: SentChallenge) => ({
  ...challenge,
  request: request_object,
});
