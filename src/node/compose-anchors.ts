import { parseDuration } from "../core/duration.ts";
import type { GuardedFetch } from "../guarded-fetch/types.ts";
import type { ScheduledJob } from "../jobs/scheduler.ts";
import { START_RANKS } from "../jobs/start-queue.ts";
import type { NodeSigner, WritableRecords } from "../records/record-chain.ts";
import { createAnchors, type NodeAnchors } from "../trust/anchors.ts";
import { type AskCalendar, CALENDAR_BYTES_MAX } from "../trust/ots/calendars.ts";
import type { Core, StartOptions } from "./parts.ts";

const TIMEOUT_MS = 10_000;
/** When the hour's heads are signed and its seals are made. */
const ANCHORS_AT = "45 * * * *";
const HEADERS = { accept: "application/vnd.opentimestamps.v1" } as const;

/** A proof names the calendars that are asked later: they are strangers, and asked like them. */
const askAsStranger =
  (ask: GuardedFetch): AskCalendar =>
  async (url, body) => {
    if (!url.startsWith("https://")) return { failed: "its address is not https" };
    const posted = body === null ? {} : { method: "POST" as const, body };
    const limits = { redirects_max: 0, bytes_max: CALENDAR_BYTES_MAX, timeout_ms: TIMEOUT_MS };
    const answer = await ask({ url, headers: HEADERS, ...posted, ...limits });
    return answer.ok ? { status: answer.status, body: answer.body } : { failed: answer.reason };
  };

interface AnchorParts {
  readonly records: WritableRecords;
  readonly signer: NodeSigner;
  readonly askStranger: GuardedFetch;
}

/** Public timestamps of what the node signed; none where the operator names no calendar. */
export function composeAnchors(
  { config, clock }: Pick<StartOptions, "config" | "clock">,
  { records, signer, askStranger }: AnchorParts,
): NodeAnchors {
  const { calendars, every } = config.proof.anchor;
  const timed = { now_ms: clock.now, every_ms: parseDuration(every) };
  return createAnchors({ records, signer, calendars, ...timed, ask: askAsStranger(askStranger) });
}

/** Every hour: what is due is handed in, and what was handed in is asked after. */
export const createAnchorJob = ({ anchors }: Pick<Core, "anchors">): ScheduledJob => ({
  id: "anchors",
  schedule: { cron: ANCHORS_AT },
  at_start: true,
  // A silent calendar must not keep what is sold from beginning.
  start_rank: START_RANKS.series,
  retries: true,
  skipping: { runs_kept: 2 },
  one_runner: true,
  run: () => anchors.run(),
});
