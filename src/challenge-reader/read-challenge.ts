import { parseJSON } from "../core/json-values.ts";
import { type PaymentTerms, readTerms } from "./payment-terms.ts";

/** A 402 as it arrived. */
export interface ChallengeAnswer {
  readonly headers: Pick<Headers, "get">;
  /** Its bytes, or the text they are in UTF-8. */
  readonly body: Uint8Array | string;
}

/** What an unpaid answer says of its price: v2 in a header, v1 or v2 in the body. */
export interface StatedTerms {
  readonly header: PaymentTerms | null;
  readonly body: PaymentTerms | null;
  /** Whether there was a header that could not be read. */
  readonly is_header_broken: boolean;
}

/** What a 402 holds, read once. */
export interface ChallengeFacts {
  readonly stated: StatedTerms;
  /** The JSON of the header PAYMENT-REQUIRED: hostile until a schema passed it. Undefined without the header. */
  readonly header_value: unknown;
  /** The JSON of the body, likewise. */
  readonly body_value: unknown;
}

/** Longer headers are not read: no server lets one pass. */
const HEADER_CHARS_MAX = 65_536;

/** The JSON in a header PAYMENT-REQUIRED: hostile until a schema passed it. Undefined without the header. */
export const decodeChallengeHeader = (sent: string | null): unknown =>
  sent === null || sent.length > HEADER_CHARS_MAX ? undefined : parseJSON(Buffer.from(sent, "base64").toString());

/** Reads a 402 of either version of x402. Never throws, whatever was sent. */
export function readChallenge({ headers, body }: ChallengeAnswer): ChallengeFacts {
  const sent = headers.get("payment-required");
  const header_value = decodeChallengeHeader(sent);
  const body_value = parseJSON(typeof body === "string" ? body : new TextDecoder().decode(body));
  const header = readTerms(header_value);
  const is_header_broken = sent !== null && header === null;
  return { stated: { header, body: readTerms(body_value), is_header_broken }, header_value, body_value };
}

/** The terms that count: the header's where there are both, as version 2 has it. */
export const termsOf = ({ header, body }: StatedTerms): PaymentTerms | null => header ?? body;
