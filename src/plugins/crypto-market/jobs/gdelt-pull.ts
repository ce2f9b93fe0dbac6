import { Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { JobContext } from "../../../catalog/context.ts";
import { outcomeOf } from "../../../catalog/failover.ts";
import { defineJob } from "../../../catalog/plugin.ts";
import { gdelt } from "../../../upstream/providers/gdelt/provider.ts";
import { fetchTone } from "../../../upstream/providers/gdelt/tone.ts";
import { TONE_QUERIES, TONE_SCOPES, type ToneScope, writeTone } from "../shared/news/stored-tone.ts";

const SERIES = "crypto-market/gdelt-calls";
const MINUTE_MS = 60_000;
/** Each scope is asked once an hour. */
const EVERY_MS = 58 * MINUTE_MS;
/** A refusal means: leave it alone for a while. */
const PAUSE_MS = 10 * MINUTE_MS;

const Call = TypeCompiler.Compile(Type.Object({ scope: Type.String(), ok: Type.Boolean() }));

/** The scope that waits longest for its turn; null when all had one within the hour, or after a refusal. */
async function findDue({ history, now_ms }: JobContext): Promise<ToneScope | null> {
  const calls = await history.read(SERIES, { since_ms: now_ms - EVERY_MS, until_ms: now_ms });
  const told = calls.flatMap(({ at_ms, value }) => (Call.Check(value) ? [{ at_ms, ...value }] : []));
  if (told.some(({ ok, at_ms }) => !ok && now_ms - at_ms < PAUSE_MS)) return null;
  const due = TONE_SCOPES.filter((scope) => !told.some((call) => call.ok && call.scope === scope));
  // After a refusal another scope has its turn first.
  const refused = told.filter(({ ok }) => !ok).map(({ scope }) => scope);
  return due.find((scope) => !refused.includes(scope)) ?? due[0] ?? null;
}

/**
 * Stores the tone of the world's news, every scope once an hour. One call in two minutes at most: the source refuses
 * those who ask faster than it says. What is refused is asked again after a pause; the last good value stays.
 */
export const job = defineJob({
  id: "gdelt-pull",
  schedule: "*/2 * * * *",
  providers: [gdelt],
  at_start: true,
  deadline_ms: 60_000,
  runs_kept: 60,
  async run(context) {
    const { history, now_ms } = context;
    const scope = await findDue(context);
    if (scope === null) return;
    const outcome = await outcomeOf(fetchTone(context, TONE_QUERIES[scope]));
    await history.write(SERIES, [{ at_ms: now_ms, value: { scope, ok: outcome.ok } }]);
    await history.prune(SERIES, now_ms - EVERY_MS);
    if (!outcome.ok) throw new Error(`no tone of ${scope}`, { cause: outcome.error });
    await writeTone(history, scope, { ...outcome.value, fetched_at_ms: now_ms });
  },
});
