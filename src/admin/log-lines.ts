import type { Log } from "../telemetry/log.ts";

type LogLine = Readonly<Record<string, unknown>>;

/** The newest lines of the log, oldest first, without those that are no JSON. */
export const readLogLines = (log: Pick<Log, "tail">): readonly LogLine[] =>
  log.tail().flatMap((line): LogLine[] => {
    try {
      return [JSON.parse(line) as LogLine];
    } catch {
      return [];
    }
  });
