import {
  type Computed,
  type Draft,
  missing,
  NodeError,
  type OtherAnswer,
  type Outcome,
  renderMarkdown,
  renderTime,
  toNodeError,
  type Write,
  writeByTemplates,
} from "intel-node";
import type { MorningInputs } from "./fetch.ts";
import { listEvents, planMorning } from "./plan.ts";
import { BLOCK_IDS, type MorningData } from "./schema.ts";

/** Blocks the brief cannot do with fewer of. */
const BLOCKS_MIN = 4;
const US_OPEN_MIN = 11 * 60 + 30;
const ASIA_OPEN_MIN = 5 * 60 + 30;

type BlockId = (typeof BLOCK_IDS)[number];

const partsOf = (inputs: MorningInputs): Readonly<Record<BlockId, readonly Outcome<OtherAnswer<unknown>>[]>> => ({
  crypto: [inputs.crypto],
  fx: Object.values(inputs.fx),
  commodities: Object.values(inputs.commodities),
  calendar: [inputs.calendar],
  geo: [inputs.geo],
  brazil: [inputs.brazil, inputs.brazil_curve],
  ai_tech: [inputs.ai_tech],
});

/** The newest of a block's available parts, ms; null without parts. */
function newestOf(parts: readonly Outcome<OtherAnswer<unknown>>[]): number | null {
  const times = parts.flatMap((part) => (part.ok ? [part.value.as_of_ms] : []));
  return times.length === 0 ? null : Math.max(...times);
}

function editionOf(now_ms: number): MorningData["edition"] {
  const minutes = Math.floor((now_ms % 86_400_000) / 60_000);
  return minutes >= ASIA_OPEN_MIN && minutes < US_OPEN_MIN ? "asia_open" : "us_open";
}

/**
 * The brief of what is there.
 * @throws NodeError when the crypto block, or all exchange rates, or more than three blocks are missing.
 */
export function computeMorning(
  inputs: MorningInputs,
  { now_ms, write = writeByTemplates }: { readonly now_ms: number; readonly write?: Write },
): Computed<Draft<MorningData>> {
  const parts = partsOf(inputs);
  const times = new Map(BLOCK_IDS.map((id) => [id, newestOf(parts[id])]));
  const known = BLOCK_IDS.filter((id) => times.get(id) !== null);
  if (!known.includes("crypto") || !known.includes("fx") || known.length < BLOCKS_MIN) {
    const errors = [inputs.crypto, ...parts.fx].flatMap((part) => (part.ok ? [] : [part.error]));
    if (errors.length > 0) throw toNodeError(errors, "global-morning-brief");
    throw new NodeError("upstream_unavailable", "Too few of its parts could be had. Nothing was charged.");
  }
  const { written, warnings } = write(planMorning(inputs, now_ms));
  const events = listEvents(inputs, now_ms);
  return {
    as_of_ms: Math.max(...[...times.values()].flatMap((one) => one ?? [])),
    warnings: [...warnings],
    data: {
      edition: editionOf(now_ms),
      status: BLOCK_IDS.map((id) => {
        const time = times.get(id) ?? null;
        return time === null
          ? { id, status: "missing" as const, as_of: missing("none of its products could be had") }
          : { id, status: "ok" as const, as_of: renderTime(time) };
      }),
      events: events ?? missing("the calendar is missing"),
      markdown: renderMarkdown(
        `Morning brief, ${renderTime(now_ms).slice(0, 10)}`,
        written.blocks.map(({ id, text }) => ({ heading: id.replaceAll("_", " "), text })),
      ),
      ...written,
    },
  };
}
