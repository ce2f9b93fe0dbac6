import { Type } from "@sinclair/typebox";
import { compileSchema } from "../../core/compile-schema.ts";
import { parseJSON } from "../../core/json-values.ts";
import { isSignedBy, readJWS } from "../../trust/jws.ts";

const Shown = Type.Object(
  { signed: Type.Object({ node: Type.Object({ signature: Type.String({ maxLength: 8_192 }) }) }) },
  { additionalProperties: true },
);
const checkShown = compileSchema(Shown);

export interface SoldFacts {
  readonly node_id: string;
  readonly receipt_id: string;
  readonly product: string;
  readonly amount_atomic: string;
  readonly payer: string;
  readonly response_sha256: string;
}

/**
 * The signed receipt of what was bought, from /receipts/<id> of the peer. @returns a compact JWS, or why it is invalid
 * over just this: the peer's own key must have signed for these bytes at this price.
 */
export async function readSoldReceipt(
  text: string,
  facts: SoldFacts,
  node_key: string,
): Promise<{ readonly jws: string } | { readonly fault: string }> {
  const shown = parseJSON(text);
  if (!checkShown.Check(shown)) return { fault: "its receipt shows no signature" };
  const jws = shown.signed.node.signature;
  const payload = readJWS(jws)?.payload;
  if (payload === undefined || !(await isSignedBy(jws, node_key)))
    return { fault: "its receipt is not signed by its key" };
  const wrong = Object.entries(facts).filter(([name, value]) => !isSame(payload[name], value));
  if (wrong.length === 0) return { jws };
  return { fault: `its receipt is of something else: ${wrong.map(([name]) => name).join(", ")}` };
}

const isSame = (said: unknown, value: string): boolean =>
  typeof said === "string" &&
  (said === value || (value.startsWith("0x") && said.toLowerCase() === value.toLowerCase()));

/** The statement that a call cost nothing, where a peer's refusal holds one that its key signed. */
export async function readNoCharge(text: string, node_key: string): Promise<string | null> {
  const body = parseJSON(text);
  const said = typeof body === "object" && body !== null && "no_charge" in body ? body.no_charge : null;
  if (typeof said !== "string" || !(await isSignedBy(said, node_key))) return null;
  return readJWS(said)?.payload.charged === false ? said : null;
}
