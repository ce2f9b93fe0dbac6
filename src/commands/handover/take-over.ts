import { MIGRATIONS } from "../../ledger/sqlite/migrate.ts";
import type { ListenOptions, RunningNode } from "../../node/parts.ts";
import { VERSION } from "../../releases/version.ts";
import { isSuccessor, type PredecessorWord, type SuccessorWord } from "./messages.ts";

const say = (word: SuccessorWord): void => void process.send?.(word);

/**
 * Decides how this process listens. A process that is to take over reports that it is prepared, and waits until the
 * data folder is free; any other process listens at once.
 */
export async function waitForTurn(): Promise<ListenOptions> {
  if (!isSuccessor()) return {};
  const go = Promise.withResolvers<ListenOptions>();
  const hear = (word: unknown) => {
    const { kind, port, socket } = word as PredecessorWord;
    if (kind === "go") go.resolve({ port, handover_socket: socket });
  };
  // The parent is gone, so nobody can report that the folder is free; a new start takes it.
  const leave = () => go.reject(new Error("the process whose place this one was to take has ended"));
  process.on("message", hear);
  process.on("disconnect", leave);
  say({ kind: "prepared", version: VERSION, schema: MIGRATIONS.length });
  try {
    return await go.promise;
  } finally {
    process.off("message", hear);
    process.off("disconnect", leave);
  }
}

/** Begins to listen once every call can be answered, and reports that to the previous process. */
export async function takeOver({ ready, listener }: RunningNode): Promise<void> {
  if (!isSuccessor()) return;
  await ready;
  listener.open();
  say({ kind: "serving" });
}
