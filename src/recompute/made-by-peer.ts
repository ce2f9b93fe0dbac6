import { sha256Hex } from "../core/hash.ts";
import { parseJSON } from "../core/json-values.ts";

/** An answer made by a peer. Nothing of this node is in its data, so it cannot be recomputed here. */
export interface MadeByPeer {
  readonly node_id: string;
  readonly url: string;
  readonly seal_url: string;
  /** Whether the peer's bytes in the answer have the hash stated beside them. */
  readonly is_whole: boolean;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Null for any other answer. */
export function readMadeByPeer(text: string): MadeByPeer | null {
  const answer = parseJSON(text);
  if (!isRecord(answer) || !isRecord(answer.via) || !("data" in answer)) return null;
  const { node_id, url, seal_url, response_sha256, answer: others } = answer.via;
  if (typeof node_id !== "string" || typeof url !== "string" || typeof seal_url !== "string") return null;
  const bytes = isRecord(others) ? JSON.stringify({ ...others, data: answer.data }) : "";
  return { node_id, url, seal_url, is_whole: sha256Hex(bytes) === response_sha256 };
}
