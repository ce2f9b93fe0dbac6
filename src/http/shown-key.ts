import { isApiKeyForm } from "../core/api-key.ts";
import { NodeError } from "../core/errors.ts";

/**
 * API keys where their holders put them. Every door reads X-API-Key alone: a key in another header is put there
 * before a door sees the call. A key in a place that is not taken refuses the call, so that nothing else pays for it.
 */

const PREFIX = /ink_/i;
/** Begins where a word begins: base64url, which payments and tokens of gateways are made of, holds "ink_" by chance. */
const WORD = /(?:^|[\s"'=,;:])(ink_[^\s"'=,;:&]*)/gi;
/** Whatever such a name holds is meant as a key, also when it is mistyped; elsewhere a word has to be a whole key. */
const NAMES_A_KEY = /key|auth/i;
const NAMES_A_CALL = /idempotency/i;

const namesKey = (name: string): boolean => NAMES_A_KEY.test(name) && !NAMES_A_CALL.test(name);

/** The words that are meant as keys in a header, a parameter or a member. */
function readKeys(name: string, value: string): readonly string[] {
  const words = [...value.matchAll(WORD)].map(([, word = ""]) => word);
  return namesKey(name) ? words : words.filter(isApiKeyForm);
}

const BASIC = /^basic +([A-Za-z0-9+/_-]+=*)\s*$/i;

/** What Basic authentication hides: a user and a password, of which either may be the key. */
function unpackBasic(value: string): string {
  const encoded = BASIC.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("latin1");
}

const refuseKey = (message: string, param: string): NodeError =>
  new NodeError("invalid_parameter", `${message} Nothing was charged.`, { param });

/** Which of two keys is meant is not for us to say. */
export const refuseTwoKeys = (): NodeError =>
  refuseKey("The call shows two different API keys: send the one that is to pay.", "X-API-Key");

const refusePlace = (place: string, param: string): NodeError =>
  refuseKey(`An API key is not taken from ${place}: send it as X-API-Key or Authorization: Bearer.`, param);

/**
 * Puts the key that a call shows in any header into X-API-Key.
 * @returns why the call is refused, or null.
 */
export function placeKey(headers: Headers): NodeError | null {
  let found: Set<string> | null = null;
  let in_cookie = false;
  headers.forEach((value, name) => {
    const text = /authorization$/i.test(name) ? unpackBasic(value) : value;
    if (!PREFIX.test(text)) return;
    for (const key of readKeys(name, text)) {
      found ??= new Set();
      found.add(key);
      if (name === "cookie") in_cookie = true;
    }
  });
  if (found === null) return null;
  // A browser sends cookies unasked, also where another site makes it call.
  if (in_cookie) return refusePlace("cookies, which browsers send unasked", "Cookie");
  const [key = "", second] = [...(found as Set<string>)];
  if (second !== undefined) return refuseTwoKeys();
  if (headers.get("x-api-key") !== key) headers.set("X-API-Key", key);
  return null;
}

/**
 * Why a call with a key in its URL is refused, or null.
 * @param taken the one parameter of the path that is for a key, or null.
 */
export function refuseKeyInURL(search: string, taken: string | null): NodeError | null {
  if (!PREFIX.test(search) && !search.includes("%")) return null;
  for (const [name, value] of new URLSearchParams(search)) {
    if (name === taken) continue;
    if (readKeys(name, value).length === 0 && !isApiKeyForm(name)) continue;
    return refusePlace("the URL, which logs along the way keep", isApiKeyForm(name) ? "query" : name.slice(0, 60));
  }
  return null;
}

/** `"name": "value` of a JSON text, and texts without a name. */
const MEMBER = /(?:"((?:[^"\\]|\\.){1,60})"\s*:\s*)?"((?:[^"\\]|\\.)*)"/g;

/**
 * @param text JSON of a call's body.
 * @throws NodeError invalid_parameter where it holds a key that does not pay for the call anyway.
 */
export function assertNoKeyIn(text: string, headers: Headers): void {
  if (!PREFIX.test(text)) return;
  const paying = headers.get("x-api-key");
  for (const [, name = "", value = ""] of text.matchAll(MEMBER)) {
    if (!PREFIX.test(value)) continue;
    const keys = readKeys(name, value);
    if (keys.length === 0 || keys.every((key) => key === paying)) continue;
    if (paying !== null) throw refuseTwoKeys();
    throw refusePlace("the body", name === "" ? "body" : name);
  }
}

const KEY_ANYWHERE = /ink_[0-9A-Za-z]{43}/g;

/** A path as logs and statements may hold it. */
export const withoutKey = (path: string): string =>
  path.includes("ink_") ? path.replace(KEY_ANYWHERE, "ink_***") : path;
