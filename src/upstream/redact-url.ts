const MASK = "***";
/** RPC keys sit in the path as long tokens; words of ordinary paths are shorter. */
const LONG_TOKEN = /[A-Za-z0-9_-]{21,}/g;
const SECRET_NAME = /^(api[-_]?key|app[-_]?(key|id)|key|access[-_]?token|auth|secret|password|signature)$/i;
/** Shorter texts are not keys; replacing them would only garble messages. */
const SECRET_CHARS_MIN = 6;
const MESSAGE_CHARS_MAX = 200;

/** Texts of a base address that may be keys: its password, its query values and the long tokens of its path. */
export function secretsOf(base: URL): string[] {
  return [base.username, base.password, ...base.searchParams.values(), ...(base.pathname.match(LONG_TOKEN) ?? [])]
    .flatMap((text) => [text, decodeOrKeep(text)])
    .filter((text) => text.length >= SECRET_CHARS_MIN);
}

/** Percent-decodes a text, or returns it unchanged if it is not well encoded. */
export function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Replaces every given secret in a text, both plain and percent-encoded. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  let hidden = text;
  for (const secret of secrets) {
    if (secret.length < SECRET_CHARS_MIN) continue;
    hidden = hidden.replaceAll(secret, MASK).replaceAll(encodeURIComponent(secret), MASK);
  }
  return hidden;
}

/** A text for an error message: one line, no secrets, at most 200 characters. */
export function renderReason(text: string, secrets: readonly string[]): string {
  // Secrets first: cutting first could leave half a key behind.
  return hideSecrets(text, secrets).replace(/\s+/g, " ").slice(0, MESSAGE_CHARS_MAX);
}

/**
 * The address of a call in a form for buyers and logs: without userinfo, without the base address's query, with long
 * tokens of the base path and values of secret-looking parameters masked.
 */
export function redactURL(base: URL, url: URL, secrets: readonly string[]): string {
  const root = base.pathname.replace(/\/+$/, "");
  const below = url.pathname.slice(root.length);
  const base_names = new Set(base.searchParams.keys());
  const shown: string[] = [];
  for (const pair of url.search.slice(1).split("&")) {
    const name = pair.split("=", 1)[0] ?? "";
    if (pair === "" || base_names.has(decodeOrKeep(name))) continue;
    shown.push(SECRET_NAME.test(decodeOrKeep(name)) ? `${name}=${MASK}` : pair);
  }
  const query = shown.length > 0 ? `?${shown.join("&")}` : "";
  return hideSecrets(`${url.origin}${root.replace(LONG_TOKEN, MASK)}${below}${query}`, secrets);
}

/** As `redactURL`, for chain providers: only origin and path, long tokens masked anywhere. */
export const redactRpcURL = (url: URL): string => `${url.origin}${url.pathname.replace(LONG_TOKEN, MASK)}`;
