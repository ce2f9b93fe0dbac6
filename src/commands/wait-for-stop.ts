import type { RunningNode } from "../node/parts.ts";
import { EXIT } from "./exit-codes.ts";

const DRAIN_MS_MAX = 25_000;
const LOST = "the other nodes went on without this one";
const DONE = "done";

/** What a process does when it is told to give its place to a new one. */
export interface PlaceGiver {
  /** Gives the place away; whether another process serves now. */
  handOver(): Promise<boolean>;
  /**
   * Waits for what is left to do once another process serves. Returns the exit code.
   * @param missed signals that came while the place was given away: they are for the process that serves.
   */
  retire(missed: readonly string[]): Promise<number>;
}

export interface StopOptions {
  readonly drain_ms?: number;
  /** Null where the process gives its place to none. */
  readonly giver?: PlaceGiver | null;
  /** Resolves when the node has done what it was started for: it stops as if it were told to. */
  readonly done?: Promise<void>;
}

/**
 * Waits for SIGTERM or SIGINT, then stops gracefully: at most 25 s, a second signal forces. What is cut off is taken up
 * again at the next start. A node whose cluster went on without it stops by itself, as one that failed: its service
 * manager starts it anew. Returns the exit code.
 */
export async function waitForStop(node: RunningNode, options: StopOptions = {}): Promise<number> {
  const { drain_ms = DRAIN_MS_MAX, giver = null, done = new Promise<void>(() => undefined) } = options;
  const tell = (text: string) =>
    process.stderr.write(`${JSON.stringify({ level: "info", event: "stopping", text })}\n`);
  const signals = giver ? (["SIGTERM", "SIGINT", "SIGUSR2"] as const) : (["SIGTERM", "SIGINT"] as const);
  let onSignal: (signal: string) => void = () => undefined;
  const next = () =>
    new Promise<string>((resolve) => {
      onSignal = resolve;
    });
  const listener = (signal: string) => onSignal(signal);
  for (const signal of signals) process.on(signal, listener);
  try {
    const lost = node.lost.then(() => LOST);
    let first = await Promise.race([next(), lost, done.then(() => DONE)]);
    while (first === "SIGUSR2" && giver) {
      const missed: string[] = [];
      onSignal = (signal) => void missed.push(signal);
      if (await giver.handOver()) {
        onSignal = () => undefined;
        return await giver.retire(missed);
      }
      // Still here: what was said meanwhile counts, but for another "give your place away".
      first = missed.find((signal) => signal !== "SIGUSR2") ?? (await next());
    }
    tell(`${first}: refusing new calls, finishing those in flight`);
    const second = next();
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(() => late.resolve("late"), drain_ms);
    const stopping = node.stop((what) => tell(`waiting for ${what}`)).then(() => "stopped" as const);
    const how = await Promise.race([stopping, late.promise, second]);
    clearTimeout(timer);
    if (how === "stopped") return first === LOST ? EXIT.failed : EXIT.ok;
    tell(how === "late" ? `not done after ${drain_ms / 1000} s, stopping now` : `${how} again: stopping now`);
    return EXIT.forced;
  } finally {
    for (const signal of signals) process.off(signal, listener);
  }
}
