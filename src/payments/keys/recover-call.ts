import { sha256Hex } from "../../core/hash.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { findKey } from "./key-access.ts";

/** A call that a key paid for, with its answer while that is kept. */
export interface RecoveredCall {
  readonly call_id: string;
  readonly product: string;
  readonly amount: bigint;
  readonly answer: string | null;
}

const CALL_ID = /^call_([1-9][0-9]{0,16})$/;

/**
 * Finds a call of the key in X-API-Key by its id, or by the name its holder gave it (Idempotency-Key).
 * @returns null when the key is unknown, or never made such a call.
 */
export async function recoverCall(ledger: Ledger, id: string, headers: Headers): Promise<RecoveredCall | null> {
  const header = headers.get("x-api-key");
  if (header === null) return null;
  const key_id = await findKeyId(ledger, header);
  if (key_id === null) return null;
  const number = CALL_ID.exec(id)?.[1];
  if (number !== undefined) {
    const call = await ledger.statements.call(key_id, Number(number));
    return call ? { call_id: id, ...call } : null;
  }
  const named = await ledger.charges.findNamed(key_id, sha256Hex(id));
  if (!named) return null;
  return { call_id: `call_${named.call_id}`, product: named.product, amount: named.amount, answer: named.body };
}

async function findKeyId(ledger: Ledger, header: string): Promise<number | null> {
  try {
    return (await findKey(ledger, header)).key.id;
  } catch {
    // No key: there is nothing of it to be found.
    return null;
  }
}
