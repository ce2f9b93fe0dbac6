import { maskUrl } from "../config/explain.ts";
import type { Config } from "../config/schema.ts";

/** Shorter texts occur everywhere by chance. */
const SECRET_CHARS_MIN = 6;
const MASK = "***";

/** The parts of an address that may grant access: user info, query values, parts of the path. */
function listTokens(text: string): readonly string[] {
  if (!URL.canParse(text)) return [];
  const { username, password, searchParams, pathname, hash } = new URL(text);
  return [username, password, ...searchParams.values(), ...pathname.split("/"), hash.slice(1)];
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* textsOf(inner);
}

/** Possible secrets in all addresses of a configuration. Parts below 12 characters count as ordinary words. */
const TOKEN_CHARS_MIN = 12;
export const listURLSecrets = (config: Config): readonly string[] =>
  [...textsOf(config)]
    .filter((text) => /^[a-z]+:\/\//.test(text))
    .flatMap(listTokens)
    .filter((token) => token.length >= TOKEN_CHARS_MIN);

/** The forms of a secret in an address, in base64 and in JSON. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  JSON.stringify(secret).slice(1, -1),
];

/** Replaces every secret, in all its forms, by "***". */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const hidden = [...new Set(secrets.filter(({ length }) => length >= SECRET_CHARS_MIN).flatMap(formsOf))]
    // The longest first, because one secret may contain another.
    .sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
}

const ADDRESS = /(?:https?|wss?|smtps?):\/\/[^\s"'<>\\]+/g;

/** Cuts every address in a text to scheme, host and port. */
export const cutAddresses = (text: string): string =>
  text.replaceAll(ADDRESS, (found) => (URL.canParse(found) ? new URL(maskUrl(found)).origin : MASK));
