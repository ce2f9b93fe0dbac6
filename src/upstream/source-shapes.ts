import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import type { Clock } from "../core/clock.ts";
import { compileSchema } from "../core/compile-schema.ts";
import { messageOf } from "../core/errors.ts";
import type { Log } from "../telemetry/log.ts";
import { createShapeWatch, type ShapeWatch, type WatchedShape } from "./shape-watch.ts";

const Count = Type.Integer({ minimum: 0 });
const Member = Type.Object({
  kinds: Count,
  judged: Count,
  seen: Count,
  gone: Count,
  odd: Count,
  odd_kinds: Count,
});
const Kept = Type.Record(
  Type.String(),
  Type.Object({
    provider: Type.String(),
    endpoint: Type.Union([Type.String(), Type.Null()]),
    seen_ms: Type.Number(),
    changed_ms: Type.Union([Type.Number(), Type.Null()]),
    known: Type.Record(Type.String(), Member),
  }),
);

const FILE = "source-shapes.json";
const SAVE_EVERY_MS = 600_000;

/** What was known at the last save; nothing where that cannot be read. */
function loadShapes(file: string): Map<string, WatchedShape> {
  try {
    const kept: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
    const check = compileSchema(Kept);
    if (!check.Check(kept)) return new Map();
    return new Map(
      Object.entries(kept).map(([key, one]) => [key, { ...one, known: new Map(Object.entries(one.known)) }]),
    );
  } catch {
    // It is learnt again within hours.
    return new Map();
  }
}

export interface SourceShapesParts {
  readonly data_dir: string;
  readonly clock: Clock;
  /** When a look disturbs nobody; at once in tests. */
  readonly later?: (look: () => void) => void;
  /** Told that what was learnt could not be kept. */
  readonly onFault: (error: unknown) => void;
}

/** The watch over what sources' answers look like, kept over restarts. It may be lost: it is learnt again. */
export function createSourceShapes({ data_dir, clock, later = setImmediate, onFault }: SourceShapesParts): ShapeWatch {
  const file = join(data_dir, FILE);
  const watched = loadShapes(file);
  let saved_ms = clock.now();
  const save = (): void => {
    const kept = [...watched].map(([key, one]) => [key, { ...one, known: Object.fromEntries(one.known) }] as const);
    writeFileSync(`${file}.tmp`, JSON.stringify(Object.fromEntries(kept)), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
  };
  return createShapeWatch({
    clock,
    watched,
    later,
    onLook(is_urgent) {
      if (!is_urgent && Math.abs(clock.now() - saved_ms) < SAVE_EVERY_MS) return;
      saved_ms = clock.now();
      try {
        save();
      } catch (error) {
        onFault(error);
      }
    },
  });
}

/** The node's watch. What a sandbox simulates tells nothing of the publishers. */
export const composeSourceShapes = (
  { data_dir, clock, log }: Pick<SourceShapesParts, "data_dir" | "clock"> & { readonly log: Pick<Log, "warn"> },
  is_simulated: boolean,
): ShapeWatch => {
  if (is_simulated) return { note: () => undefined, changes: () => [] };
  const onFault = (error: unknown) => log.warn({ event: "source_shapes_not_kept", reason: messageOf(error) });
  return createSourceShapes({ data_dir, clock, onFault });
};
