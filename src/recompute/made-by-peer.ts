import { sha256Hex } from "../core/hash.ts";
import { parseJSON } from "../core/json-values.ts";

/** An answer that a peer made: nothing of this node went into its data, so there is nothing to make it of again. */
export interface MadeByPeer {
  readonly node_id: string;
  readonly url: string;
  readonly seal_url: string;
  /** Whether the peer's bytes, as its answer carries them, have the hash that stands beside them. */
  readonly is_whole: boolean;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Null for whatever is no such answer. */
export function readMadeByPeer(text: string): MadeByPeer | null {
  const answer = parseJSON(text);
  if (!isRecord(answer) || !isRecord(answer.via) || !("data" in answer)) return null;
  const { node_id, url, seal_url, response_sha256, answer: others } = answer.via;
  if (typeof node_id !== "string" || typeof url !== "string" || typeof seal_url !== "string") return null;
  const bytes = isRecord(others) ? JSON.stringify({ ...others, data: answer.data }) : "";
  return { node_id, url, seal_url, is_whole: sha256Hex(bytes) === response_sha256 };
}
