import type { RunningNode } from "../node/parts.ts";
import { EXIT } from "./exit-codes.ts";

const DRAIN_MS_MAX = 25_000;

/**
 * Waits for SIGTERM or SIGINT, then stops gracefully: at most 25 s, a second signal forces. What is cut off is taken up
 * again at the next start. Returns the exit code.
 */
export async function waitForStop(node: RunningNode, drain_ms = DRAIN_MS_MAX): Promise<number> {
  const tell = (text: string) =>
    process.stderr.write(`${JSON.stringify({ level: "info", event: "stopping", text })}\n`);
  const signals = ["SIGTERM", "SIGINT"] as const;
  let onSignal: (signal: string) => void = () => undefined;
  const next = () =>
    new Promise<string>((resolve) => {
      onSignal = resolve;
    });
  const listener = (signal: string) => onSignal(signal);
  for (const signal of signals) process.on(signal, listener);
  try {
    const first = await next();
    tell(`${first}: refusing new calls, finishing those in flight`);
    const second = next();
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(() => late.resolve("late"), drain_ms);
    const stopping = node.stop((what) => tell(`waiting for ${what}`)).then(() => "stopped" as const);
    const how = await Promise.race([stopping, late.promise, second]);
    clearTimeout(timer);
    if (how === "stopped") return EXIT.ok;
    tell(how === "late" ? `not done after ${drain_ms / 1000} s, stopping now` : `${how} again: stopping now`);
    return EXIT.forced;
  } finally {
    for (const signal of signals) process.off(signal, listener);
  }
}
