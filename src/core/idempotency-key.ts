import { NodeError } from "./errors.ts";
import { sha256Hex } from "./hash.ts";

const CHARS_MAX = 255;

/**
 * A sender's own name for a call, from `Idempotency-Key`, hashed; null when he gave none.
 * @throws NodeError invalid_parameter for a name that is too long.
 */
export function readIdempotencyKey(headers: Headers): string | null {
  const given = headers.get("idempotency-key");
  if (given === null || given === "") return null;
  if (given.length <= CHARS_MAX) return sha256Hex(given);
  throw new NodeError("invalid_parameter", `Idempotency-Key has at most ${CHARS_MAX} characters.`, {
    param: "Idempotency-Key",
  });
}
