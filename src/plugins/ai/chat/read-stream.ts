import { isRecord } from "./is-record.ts";
import type { Neutrals } from "./neutral.ts";
import { readMembers } from "./read-members.ts";
import { refuse } from "./refuse.ts";
import type { StreamParams } from "./to-events.ts";

/** Bytes that only hide how long a chunk is. */
const NEUTRAL_IN_OPTIONS: Neutrals = {
  include_obfuscation: { isOne: (value) => typeof value === "boolean", only: "true or false" },
};

/**
 * What a request says of streaming; nothing where it wants no stream.
 * @throws NodeError for another type, and for options that are not known
 */
export function readStream({ stream, stream_options }: Readonly<Record<string, unknown>>): StreamParams {
  if (stream !== undefined && typeof stream !== "boolean") {
    throw refuse("invalid_type", "stream", '"stream" must be true or false.');
  }
  if (stream_options !== undefined && !isRecord(stream_options)) {
    throw refuse("invalid_type", "stream_options", '"stream_options" must be an object.');
  }
  if (stream !== true) return {};
  const rules = { known: ["include_usage"], neutral: NEUTRAL_IN_OPTIONS, within: "stream_options." };
  const { include_usage = false } = readMembers(stream_options ?? {}, rules);
  if (typeof include_usage !== "boolean") {
    const param = "stream_options.include_usage";
    throw refuse("invalid_type", param, `"${param}" must be true or false.`);
  }
  return { stream, ...(include_usage ? { stream_options: { include_usage } } : {}) };
}
