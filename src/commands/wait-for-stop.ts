import type { RunningNode } from "../node/parts.ts";
import { EXIT } from "./exit-codes.ts";

const DRAIN_MS_MAX = 25_000;
const LOST = "the other nodes went on without this one";
const DONE = "done";

/** The hand-over of a process to a new one. */
export interface PlaceGiver {
  /** Hands over; returns whether another process serves now. */
  handOver(): Promise<boolean>;
  /**
   * Waits for the remaining work once another process serves. Returns the exit code.
   * @param missed signals that came during the hand-over, which are for the serving process.
   */
  retire(missed: readonly string[]): Promise<number>;
}

export interface StopOptions {
  readonly drain_ms?: number;
  /** Null if the process cannot hand over. */
  readonly giver?: PlaceGiver | null;
  /** Resolves when the node has finished its task: it then stops as on a signal. */
  readonly done?: Promise<void>;
}

/**
 * Waits for SIGTERM or SIGINT, then stops gracefully within 25 s; a second signal forces the stop. The next start
 * recovers interrupted calls. A node whose cluster continued without it stops by itself with a failure, so that its
 * service manager restarts it. Returns the exit code.
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
      // This process still serves, so signals that came meanwhile count, except for another hand-over.
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
