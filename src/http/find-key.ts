import { hashApiKey, isApiKeyForm } from "../core/api-key.ts";
import { NodeError } from "../core/errors.ts";
import type { KeyRow } from "../ledger/key-rows.ts";
import type { Ledger } from "../ledger/ledger.ts";

/** No key has more; what is longer is cut before it is hashed. */
const KEY_CHARS_MAX = 200;

/**
 * The key whose secret was sent. Whatever was sent is hashed and looked up, so that an unknown key takes as long as a
 * known one.
 * @throws NodeError invalid_parameter without a key, not_found for an unknown key.
 */
export async function findSentKey(ledger: Pick<Ledger, "keys">, text: string | null): Promise<KeyRow> {
  const given = text ?? "";
  // A caller without a key is told what the path wants: a 404 would say that there is no such path.
  if (given === "") throw new NodeError("invalid_parameter", "Send your key as X-API-Key.", { param: "X-API-Key" });
  const key = await ledger.keys.find(hashApiKey(given.slice(0, KEY_CHARS_MAX)));
  if (!key || !isApiKeyForm(given)) throw new NodeError("not_found", "No such API key.");
  return key;
}
