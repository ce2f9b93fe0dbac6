import { renderTime } from "../../core/clock.ts";
import type { Version } from "./protocol.ts";
import type { Task, TaskMessage, TaskPart } from "./task.ts";

/** What one call wants to see of a task. */
export interface TaskView {
  readonly history_length: number | null;
  /** Data of the artifact as JSON in a text part, for clients that read text alone. */
  readonly as_text?: boolean;
}

/** How the two versions spell the same task. */
export function renderTask(
  task: Task,
  version: Version,
  { history_length, as_text = false }: TaskView,
): Record<string, unknown> {
  const { artifact } = task;
  const inMode = (part: TaskPart): TaskPart => (as_text && "data" in part ? { text: JSON.stringify(part.data) } : part);
  const place = { contextId: task.context_id, taskId: task.id };
  const messageOf = (message: TaskMessage) => renderMessage(message, version, place);
  const shown =
    history_length === null ? task.history : history_length === 0 ? [] : task.history.slice(-history_length);
  return {
    ...(version === "0.3" ? { kind: "task" } : {}),
    id: task.id,
    contextId: task.context_id,
    status: {
      state: version === "0.3" ? task.state : `TASK_STATE_${task.state.replace("-", "_").toUpperCase()}`,
      message: messageOf(task.status),
      timestamp: renderTime(task.at_ms),
    },
    history: shown.map(messageOf),
    ...(artifact
      ? {
          artifacts: [
            {
              artifactId: artifact.id,
              ...(task.wanted ? { name: task.wanted.product } : {}),
              parts: artifact.parts.map((part) => renderPart(inMode(part), version)),
              ...(artifact.metadata ? { metadata: artifact.metadata } : {}),
            },
          ],
        }
      : {}),
  };
}

function renderMessage({ id, role, parts, metadata }: TaskMessage, version: Version, place: object) {
  const old = version === "0.3";
  return {
    ...(old ? { kind: "message" } : {}),
    messageId: id,
    role: old ? role : `ROLE_${role.toUpperCase()}`,
    ...place,
    parts: parts.map((part) => renderPart(part, version)),
    ...(metadata ? { metadata } : {}),
  };
}

function renderPart(part: TaskPart, version: Version) {
  if (version === "0.3") return { kind: "text" in part ? "text" : "data", ...part };
  return { ...part, mediaType: "text" in part ? "text/plain" : "application/json" };
}
