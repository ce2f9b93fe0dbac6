import { once } from "../core/once.ts";
import { cutAtAddress } from "./called-address.ts";
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

/** Base64 of so many bytes. */
const encodedLength = (bytes: number): number => 4 * Math.ceil(bytes / 3);

export interface HeaderOptions {
  /** The product's address. */
  readonly url: string;
  /** Bytes of further fields, such as PAYMENT-RESPONSE. */
  readonly beside?: number;
}

/**
 * PAYMENT-REQUIRED for a call with a query, as `renderQuery` writes it. A query that leaves no room for what a payment
 * needs is not repeated in it.
 */
export type FittedHeader = (query: string) => string;

/**
 * PAYMENT-REQUIRED in the richest form that leaves the head short enough. Everything a payment needs is in every
 * form; the body says the rest.
 * @param forms from the richest to the barest; the barest is sent whatever its length.
 */
export function fitHeader(
  forms: readonly { readonly error: string }[],
  text: string,
  { url, beside = 0 }: HeaderOptions,
): FittedHeader {
  const room = HEAD_BYTES_MAX - OTHER_FIELDS_BYTES - beside;
  const error = text.length > REASON_CHARS_MAX ? `${text.slice(0, REASON_CHARS_MAX - 1)}…` : text;
  let plain = "";
  for (const form of forms) {
    plain = encodeHeader({ ...form, error });
    if (plain.length <= room) break;
  }
  // Most products are never asked with a query, and strangers ask often: a form that fits one is cut once, and kept.
  const render = (form: object): string => JSON.stringify({ ...form, error });
  const sizes = once(() => forms.map((form) => Buffer.byteLength(render(form))));
  const cut = new Map<number, readonly string[]>();
  return (query) => {
    if (query === "") return plain;
    const more = Buffer.byteLength(query);
    const index = sizes().findIndex((bytes) => encodedLength(bytes + more) <= room);
    const form = forms[index];
    if (form === undefined) return plain;
    const parts = cut.get(index) ?? cutAtAddress(render(form), url);
    cut.set(index, parts);
    return Buffer.from(parts.join(query), "utf8").toString("base64");
  };
}
