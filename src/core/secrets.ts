import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Characters that may surround a secret in a file, a header or a variable without belonging to it: blanks, line ends,
 * byte order marks, NUL, bytes that were not UTF-8, and every other invisible character.
 */
const NOT_SEEN = /^(?:[\p{C}\p{Z}\p{Variation_Selector}]|[\u115f\u1160\u2800\u3164\uffa0\ufffd]|\u034f)$/u;
/** The characters of a bearer token (RFC 6750), and how many; the node's own have 43 letters and digits. */
const TOKEN_FORM = /^(?=.{32,200}$)[A-Za-z0-9._~+/-]{32,}={0,2}$/;
/** The fewest bytes a key of an HMAC may have. */
const KEY_BYTES_MIN = 16;

/** Whether there is nothing in a text that could be a secret. */
export const isBlank = (text: string): boolean => [...text].every((char) => NOT_SEEN.test(char));

/**
 * The one way to read a secret from where it is stored, without what surrounds it. Null when it is missing: a
 * variable that is set to "", a file of blanks.
 */
export function readSecret(text: string | null | undefined): string | null {
  const chars = [...(text ?? "")];
  const first = chars.findIndex((char) => !NOT_SEEN.test(char));
  if (first < 0) return null;
  const last = chars.findLastIndex((char) => !NOT_SEEN.test(char));
  return chars.slice(first, last + 1).join("");
}

/** The secret an environment variable holds; null when it is not set, or set to nothing. */
export const readSecretVariable = (
  name: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | null => (name === undefined ? null : readSecret(env[name]));

/** Whether a text is long enough to be the operator's token, and can be sent as a bearer token. */
export const isTokenForm = (text: string): boolean => TOKEN_FORM.test(text);

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * The one way to compare what was given with a secret: by digest, so that neither length nor place of a difference
 * shows in the time. An empty secret is equal to nothing.
 */
export const isSameSecret = (given: string | null | undefined, wanted: string | null | undefined): boolean =>
  timingSafeEqual(digest(given ?? ""), digest(wanted ?? "")) && !isBlank(wanted ?? "");

/** @throws RangeError when bytes are too few to be a key: an HMAC with an empty one can be made by anybody. */
export function assertKeyBytes(bytes: Uint8Array, what: string): void {
  if (bytes.length < KEY_BYTES_MIN) throw new RangeError(`the key of ${what} has ${bytes.length} bytes`);
}
