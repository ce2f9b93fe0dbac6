import { parseAuthChallenges } from "intel-node";
import { cleanText, memberOf, type PaymentTerm, parseJSON, readTerms } from "./payment-terms.ts";

/** The way to pay that is read: the Payment scheme of HTTP authentication, method evm, intent charge. */
const SCHEME = "mpp:evm/charge";
const CHALLENGE_CHARS_MAX = 8_192;

/** What a request of that method asks for, in the form of any other way to pay; null when it says no chain. */
export function readMPPRequest(encoded: unknown): PaymentTerm | null {
  if (typeof encoded !== "string") return null;
  const request = parseJSON(Buffer.from(encoded, "base64url").toString());
  const chain_id = memberOf(request, "methodDetails", "chainId");
  if (typeof chain_id !== "number" || !Number.isSafeInteger(chain_id)) return null;
  const [amount, asset, payTo] = ["amount", "currency", "recipient"].map((name) => memberOf(request, name));
  const term = { scheme: SCHEME, network: `eip155:${chain_id}`, amount, asset, payTo };
  return readTerms({ accepts: [term] })?.accepts[0] ?? null;
}

const isOfMethod = (params: Readonly<Record<string, string>>): boolean =>
  params.method === "evm" && params.intent === "charge";

/** What a 402 asks for by challenges of that method. */
export function readMPPTerms(headers: Headers): readonly PaymentTerm[] {
  return parseAuthChallenges(headers.get("www-authenticate") ?? "").flatMap(({ scheme, params }) => {
    if (scheme.toLowerCase() !== "payment" || !isOfMethod(params)) return [];
    return readMPPRequest(params.request) ?? [];
  });
}

/** The challenges as the seller sent them: who answers one needs every letter. Null where there are none. */
export function findMPPChallenge(headers: Headers): string | null {
  const text = headers.get("www-authenticate");
  if (text === null || text.length > CHALLENGE_CHARS_MAX || readMPPTerms(headers).length === 0) return null;
  return cleanText(text, CHALLENGE_CHARS_MAX);
}
