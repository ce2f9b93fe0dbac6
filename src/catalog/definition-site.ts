import { join } from "node:path";
import { closest } from "../core/closest.ts";

/** A line of a source file. */
export interface SourceLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Stacks are kept as caught and parsed only when a fault is reported: parsing one costs a source map. */
const stacks = new WeakMap<object, { readonly stack?: string }>();

/** Remembers where a definition was written, and freezes it. */
export function declare<T extends object>(definition: T): T {
  const declared = Object.freeze(definition);
  stacks.set(declared, new Error("declared here"));
  return declared;
}

/** Where a definition was written; null for one that no `define…` made, and inside the compiled binary. */
export const findDefinition = (definition: object): SourceLine | null => readStack(stacks.get(definition)?.stack);

/** The line an error comes from: where a file could not be parsed, or the newest call in a plugin's own file. */
export function findThrown(error: unknown): SourceLine | null {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const position: unknown = typeof first === "object" && first !== null && "position" in first ? first.position : null;
  if (isPosition(position)) return { file: position.file, line: position.line };
  return error instanceof Error ? readStack(error.stack) : null;
}

const isPosition = (value: unknown): value is SourceLine =>
  typeof value === "object" &&
  value !== null &&
  "file" in value &&
  typeof value.file === "string" &&
  "line" in value &&
  typeof value.line === "number";

/** Files of the binary itself, which no operator can open. */
const INSIDE = /\$bunfs|~BUN|^native|^bun:|^node:/;
/** The `define…` functions: not where anything is defined. */
const OWN: ReadonlySet<string> = new Set(
  ["dataset", "definition-site", "free-route", "plugin", "product", "provider", "simulator", "table"].map((name) =>
    join(import.meta.dir, `${name}.ts`),
  ),
);
const FRAME = /(?:\(|at )((?:\/|[A-Za-z]:\\)[^()]+?):(\d+):\d+\)?\s*$/;

function readStack(stack: string | undefined): SourceLine | null {
  for (const row of stack?.split("\n") ?? []) {
    const [, file, line] = FRAME.exec(row) ?? [];
    if (file !== undefined && !INSIDE.test(file) && !OWN.has(file)) return { file, line: Number(line) };
  }
  return null;
}

/**
 * Unknown members, in words: a slip such as `prefiew` must not be ignored silently.
 * @param known every member that means something.
 * @param where the member that contains them, such as "preview.", or "".
 */
export function listUnknown(given: unknown, known: Readonly<Record<string, unknown>>, where = ""): readonly string[] {
  if (typeof given !== "object" || given === null) return [];
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => {
      const nearest = closest(name, Object.keys(known));
      return `option "${where}${name}" is not known${nearest ? `: did you mean "${where}${nearest}"?` : ""}`;
    });
}
