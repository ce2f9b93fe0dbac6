import { isWanted, type JobContext, outcomeOf } from "intel-node";
import { getBundle, getCreatorSold } from "../facts/bundle.ts";
import type { TokenProfile } from "../facts/profile.ts";
import { fetchAssessment } from "../judge/assess.ts";
import { readStored, writeAssessment, YOUNGEST_MS } from "./store.ts";
import { assessments, launches } from "./tables.ts";

const PER_RUN = 6;
const HOUR_MS = 3_600_000;
/** Ages at which a launch is looked at again. */
const AGES_MS = [YOUNGEST_MS, 15 * 60_000, HOUR_MS] as const;
const IDLE_EVERY_MS = 9 * 60_000;
const PRODUCTS = ["launch-risk", "launch-sniper", "insider-track", "job/token-research", "tg-premium"] as const;

/** Launches whose turn it is: those of the next age first, newest first. */
async function listDue(context: JobContext) {
  const { now_ms } = context;
  const created_at_ms = { from: now_ms - 6 * HOUR_MS, to: now_ms - YOUNGEST_MS };
  const young = await context
    .table(launches)
    .find({ where: { chain: "solana", created_at_ms }, order: ["-created_at_ms"], limit: 200 });
  const done = await context
    .table(assessments)
    .find({ where: { at_ms: { from: now_ms - 8 * HOUR_MS } }, limit: 2_000, order: ["-at_ms"] });
  const newest = new Map<string, number>();
  for (const { token, at_ms } of done) newest.set(token, Math.max(newest.get(token) ?? 0, at_ms));
  return young.filter(({ token, created_at_ms: born_ms }) => {
    const mark_ms = AGES_MS.filter((age) => now_ms - born_ms >= age).at(-1) ?? 0;
    return (newest.get(token) ?? 0) < born_ms + mark_ms;
  });
}

/** What of the tape only its reader can tell later. */
function describeTape({ tape }: TokenProfile) {
  if (!tape?.ok) return { bundle: null, creator_sold: null };
  return { bundle: getBundle(tape.value), creator_sold: getCreatorSold(tape.value) };
}

/** Judges the launches whose turn it is: every minute while somebody wants to know, else every 10 minutes. */
export async function assessLaunches(context: JobContext): Promise<void> {
  const wanted = await Promise.all(PRODUCTS.map((id) => isWanted(context, id)));
  const last = await context.table(assessments).first({ order: ["-at_ms"] });
  if (!wanted.includes(true) && last && context.now_ms - last.at_ms < IDLE_EVERY_MS) return;
  const due = (await listDue(context)).slice(0, PER_RUN);
  for (const { token, chain, created_at_ms } of due) {
    if (context.signal.aborted) return;
    const subject = { chain: chain === "base" ? "base" : "solana", address: token } as const;
    const before = context.sources().length;
    const made = await outcomeOf(fetchAssessment(context, subject, await readStored(context, subject)));
    if (!made.ok) continue;
    const sources = context.sources().slice(before);
    await writeAssessment(context, made.value, { created_at_ms, sources, extra: describeTape(made.value.profile) });
  }
}
