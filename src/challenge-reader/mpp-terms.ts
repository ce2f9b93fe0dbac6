import { parseAuthChallenges } from "../core/auth-challenges.ts";
import { parseJSON, valueAt } from "../core/json-values.ts";
import { cleanText, type PaymentTerm, readTerms } from "./payment-terms.ts";

/** The way to pay that is read: the Payment scheme of HTTP authentication, method evm, intent charge. */
const SCHEME = "mpp:evm/charge";
const CHALLENGE_CHARS_MAX = 8_192;

/** What a request of that method asks for, in the form of any other way to pay; null when it says no chain. */
export function readMPPRequest(encoded: unknown): PaymentTerm | null {
  if (typeof encoded !== "string") return null;
  const request = parseJSON(Buffer.from(encoded, "base64url").toString());
  const chain_id = valueAt(request, "methodDetails", "chainId");
  if (typeof chain_id !== "number" || !Number.isSafeInteger(chain_id)) return null;
  const [amount, asset, payTo] = ["amount", "currency", "recipient"].map((name) => valueAt(request, name));
  const term = { scheme: SCHEME, network: `eip155:${chain_id}`, amount, asset, payTo };
  return readTerms({ accepts: [term] })?.accepts[0] ?? null;
}

/** The parameters of each challenge of that method in a WWW-Authenticate header; their request is still encoded. */
export const listMPPChallenges = (headers: Pick<Headers, "get">): readonly Readonly<Record<string, string>>[] =>
  parseAuthChallenges(headers.get("www-authenticate") ?? "")
    .filter(({ scheme, params: { method, intent } }) => {
      return scheme.toLowerCase() === "payment" && method === "evm" && intent === "charge";
    })
    .map(({ params }) => params);

/** What a 402 asks for by challenges of that method. */
export const readMPPTerms = (headers: Pick<Headers, "get">): readonly PaymentTerm[] =>
  listMPPChallenges(headers).flatMap(({ request }) => readMPPRequest(request) ?? []);

/** The challenges as the seller sent them: an answer needs every letter. Null without challenges. */
export function findMPPChallenge(headers: Pick<Headers, "get">): string | null {
  const text = headers.get("www-authenticate");
  if (text === null || text.length > CHALLENGE_CHARS_MAX || readMPPTerms(headers).length === 0) return null;
  return cleanText(text, CHALLENGE_CHARS_MAX);
}
