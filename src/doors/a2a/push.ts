import { renderTime } from "../../core/clock.ts";
import type { Version } from "./protocol.ts";
import type { TaskState } from "./task.ts";

/** One event of a watch, as it was told. */
export interface ToldEvent {
  readonly watch: string;
  readonly seq: number;
  readonly at_ms: number;
  /** JSON. */
  readonly body: string;
}

/** How a watch that ended looks as a task. */
const ENDS: Readonly<Record<string, TaskState>> = {
  cancelled: "canceled",
  key_ended: "failed",
  product_gone: "failed",
};

/** State of the task that a watch is; null is one that goes on. */
export const stateOf = (ended: string | null): TaskState =>
  ended === null ? "working" : ((Object.hasOwn(ENDS, ended) ? ENDS[ended] : undefined) ?? "completed");

export const contextOf = (watch: string): string => `ctx_${watch}`;

export const spellState = (state: TaskState, version: Version): string =>
  version === "0.3" ? state : `TASK_STATE_${state.replace("-", "_").toUpperCase()}`;

export function renderArtifact({ watch, seq, body }: ToldEvent, version: Version): object {
  const data = { seq, ...(JSON.parse(body) as object) };
  const part = version === "0.3" ? { kind: "data", data } : { data, mediaType: "application/json" };
  return { artifactId: `${watch}.${seq}`, name: "event", parts: [part] };
}

/**
 * A push notification: in A2A 0.3 the task, with the one event that it is about; in 1.0 what a stream of the task would
 * say.
 */
export function renderPush(event: ToldEvent, version: Version): string {
  const { watch, at_ms } = event;
  const { kind, why } = JSON.parse(event.body) as { readonly kind: string; readonly why?: string };
  const place = { taskId: watch, contextId: contextOf(watch) };
  const state = spellState(stateOf(kind === "ended" ? (why ?? "") : null), version);
  const status = { state, timestamp: renderTime(at_ms) };
  const artifact = renderArtifact(event, version);
  if (version === "0.3") {
    return JSON.stringify({ kind: "task", id: watch, contextId: place.contextId, status, artifacts: [artifact] });
  }
  if (kind === "told") {
    return JSON.stringify({ artifactUpdate: { ...place, artifact, append: false, lastChunk: true } });
  }
  const parts = [{ text: why ?? kind, mediaType: "text/plain" }];
  const message = { messageId: `${watch}.${event.seq}`, role: "ROLE_AGENT", ...place, parts };
  return JSON.stringify({ statusUpdate: { ...place, status: { ...status, message } } });
}
