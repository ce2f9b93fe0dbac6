import { isWanted, type JobContext, outcomeOf } from "intel-node";
import { getBundle, getCreatorSold } from "../facts/bundle.ts";
import type { TokenProfile } from "../facts/profile.ts";
import { fetchAssessment } from "../judge/assess.ts";
import { listDue } from "./due-launches.ts";
import { readStored, writeAssessment } from "./store.ts";
import { assessments } from "./tables.ts";

const IDLE_EVERY_MS = 9 * 60_000;
const PRODUCTS = ["launch-risk", "launch-sniper", "insider-track", "job/token-research", "tg-premium"] as const;

/** The part of the tape that only its reader knows later. */
function describeTape({ tape }: TokenProfile) {
  if (!tape?.ok) return { bundle: null, creator_sold: null };
  return { bundle: getBundle(tape.value), creator_sold: getCreatorSold(tape.value) };
}

/** Judges the launches whose turn it is: every minute while somebody wants to know, else every 10 minutes. */
export async function assessLaunches(context: JobContext): Promise<void> {
  const wanted = await Promise.all(PRODUCTS.map((id) => isWanted(context, id)));
  const last = await context.table(assessments).first({ order: ["-at_ms"] });
  if (!wanted.includes(true) && last && context.now_ms - last.at_ms < IDLE_EVERY_MS) return;
  for (const { subject, created_at_ms } of await listDue(context)) {
    if (context.signal.aborted) return;
    const before = context.sources().length;
    const made = await outcomeOf(fetchAssessment(context, subject, await readStored(context, subject)));
    if (!made.ok) continue;
    const sources = context.sources().slice(before);
    await writeAssessment(context, made.value, { created_at_ms, sources, extra: describeTape(made.value.profile) });
  }
}
