import { Type } from "@sinclair/typebox";
import { defineJob, defineSeries, type JobContext, outcomeOf } from "intel-node";
import { gdelt } from "intel-node/providers/gdelt/provider";
import { fetchTone } from "intel-node/providers/gdelt/tone";
import { TONE_QUERIES, TONE_SCOPES, type ToneScope, writeTone } from "../news/stored-tone.ts";

const MINUTE_MS = 60_000;
/** Each scope is asked once an hour. */
const EVERY = "58m";
/** A refusal means: leave it alone for a while. */
const PAUSE_MS = 10 * MINUTE_MS;

const asked = defineSeries({
  name: "crypto-market/gdelt-calls",
  value: Type.Object({ scope: Type.String(), ok: Type.Boolean() }),
  keep: EVERY,
  storage: "disposable",
});

/** The scope that waits longest for its turn; null when all had one within the hour, or after a refusal. */
async function findDue(context: JobContext): Promise<ToneScope | null> {
  const { now_ms } = context;
  const told = (await asked.read(context, { last: EVERY })).map(({ at_ms, value }) => ({ at_ms, ...value }));
  if (told.some(({ ok, at_ms }) => !ok && now_ms - at_ms < PAUSE_MS)) return null;
  const due = TONE_SCOPES.filter((scope) => !told.some((call) => call.ok && call.scope === scope));
  // After a refusal another scope has its turn first.
  const refused = told.filter(({ ok }) => !ok).map(({ scope }) => scope);
  return due.find((scope) => !refused.includes(scope)) ?? due[0] ?? null;
}

/**
 * Stores the tone of the world's news, every scope once an hour. One call in two minutes at most: the source refuses
 * callers above its stated rate. A refused query is repeated after a pause; the last good value stays.
 */
export const job = defineJob({
  id: "gdelt-pull",
  schedule: "*/2 * * * *",
  providers: [gdelt],
  at_start: true,
  deadline_ms: 60_000,
  runs_kept: 60,
  async run(context) {
    const { now_ms } = context;
    const scope = await findDue(context);
    if (scope === null) return;
    const outcome = await outcomeOf(fetchTone(context, TONE_QUERIES[scope]));
    await asked.write(context, { scope, ok: outcome.ok });
    if (!outcome.ok) throw new Error(`no tone of ${scope}`, { cause: outcome.error });
    await writeTone(context, scope, { ...outcome.value, fetched_at_ms: now_ms });
  },
});
