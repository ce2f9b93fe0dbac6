import { encodeHeader } from "./codec.ts";

/**
 * Stock nginx reads the whole head of an answer into one page of 4,096 bytes, and answers 502 for us when it does not
 * fit. 4,000 leave room for what another proxy adds on the way.
 */
const HEAD_BYTES_MAX = 4_000;
/** Status line and all other fields of the longest 402: a page for a browser, with its rate limit. */
export const OTHER_FIELDS_BYTES = 835;

/** What the reason of a refusal may add. */
const REASON_CHARS_MAX = 160;

/**
 * PAYMENT-REQUIRED in the richest form that leaves the head short enough. Everything a payment needs stands in every
 * form; the body says the rest.
 * @param forms from the richest to the barest; the barest is sent whatever its length.
 * @param beside bytes of further fields, such as PAYMENT-RESPONSE.
 */
export function fitHeader(forms: readonly { readonly error: string }[], text: string, beside = 0): string {
  const room = HEAD_BYTES_MAX - OTHER_FIELDS_BYTES - beside;
  const error = text.length > REASON_CHARS_MAX ? `${text.slice(0, REASON_CHARS_MAX - 1)}…` : text;
  let value = "";
  for (const form of forms) {
    value = encodeHeader({ ...form, error });
    if (value.length <= room) break;
  }
  return value;
}
