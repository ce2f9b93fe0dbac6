import { holdsAPIKey } from "../core/api-key.ts";

/** A longer query is not repeated: heads of answers are limited by proxies, and half of an address is a wrong one. */
const QUERY_CHARS_MAX = 2_048;

/** What one parameter says, as far as its percent-encoding can be read. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Left as it stands: it is repeated as it was sent.
    return text;
  }
}

/**
 * What a 402 repeats of a call's query, as it was sent: clients compare the address they called with the one they are
 * asked to pay for. API keys are left out, as answers are logged and passed on.
 * @param search everything after "?", or "".
 * @returns "?" and the query, escaped for a JSON string; "" for none, and for one that is too long.
 */
export function renderQuery(search: string): string {
  if (search === "" || search.length > QUERY_CHARS_MAX) return "";
  const shown = search
    .split("&")
    .filter((parameter) => !holdsAPIKey(decode(parameter)))
    .join("&");
  if (shown === "") return "";
  const escaped = JSON.stringify(`?${shown}`).slice(1, -1);
  return escaped.length > QUERY_CHARS_MAX ? "" : escaped;
}

/** No JSON has it unescaped. */
const MARK = "\u0000";

/**
 * Cuts JSON where the query of a call belongs: after the product's address, where that is the resource that is
 * paid for (version 2: `resource.url`; version 1: `accepts[].resource`). Joined by nothing it is the same text again.
 */
export function cutAtAddress(json: string, url: string): readonly string[] {
  const address = JSON.stringify(url);
  return [`"resource":${address}`, `"resource":{"url":${address}`]
    .reduce((text, place) => text.replaceAll(place, () => `${place.slice(0, -1)}${MARK}"`), json)
    .split(MARK);
}
