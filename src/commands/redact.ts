import { maskUrl } from "../config/explain.ts";
import type { Config } from "../config/schema.ts";

/** Shorter texts stand everywhere by chance. */
const SECRET_CHARS_MIN = 6;
const MASK = "***";

/** The parts of an address that may let its holder in: user info, query values, parts of the path. */
function listTokens(text: string): readonly string[] {
  if (!URL.canParse(text)) return [];
  const { username, password, searchParams, pathname, hash } = new URL(text);
  return [username, password, ...searchParams.values(), ...pathname.split("/"), hash.slice(1)];
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* textsOf(inner);
}

/** What may be secret in the addresses of a configuration, wherever they stand. Parts below 12 characters are words. */
const TOKEN_CHARS_MIN = 12;
export const listURLSecrets = (config: Config): readonly string[] =>
  [...textsOf(config)]
    .filter((text) => /^[a-z]+:\/\//.test(text))
    .flatMap(listTokens)
    .filter((token) => token.length >= TOKEN_CHARS_MIN);

/** The same secret as it may stand in an address, in base64 and in JSON. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  JSON.stringify(secret).slice(1, -1),
];

/** Replaces every one of the secrets, in all its forms, by "***". */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const hidden = [...new Set(secrets.filter(({ length }) => length >= SECRET_CHARS_MIN).flatMap(formsOf))]
    // The longest first: one may hold another.
    .sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
}

const ADDRESS = /(?:https?|wss?|smtps?):\/\/[^\s"'<>\\]+/g;

/** Every address in a text cut to what it takes to know whose it is: scheme, host and port. */
export const cutAddresses = (text: string): string =>
  text.replaceAll(ADDRESS, (found) => (URL.canParse(found) ? new URL(maskUrl(found)).origin : MASK));
