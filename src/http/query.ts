import { closest } from "../core/closest.ts";
import { NodeError } from "../core/errors.ts";

export const invalid = (param: string, allowed: string): NodeError =>
  new NodeError("invalid_parameter", `Parameter "${param}" must be ${allowed}.`, { param, details: { allowed } });

/** The query of a free path: known names, each once. */
export interface Query<N extends string> {
  text(name: N): string | undefined;
  /** @throws NodeError invalid_parameter when it is there and no whole number from 1 to `max`. */
  whole(name: N, max: number): number | undefined;
  /** Where reading goes on: as `whole`, and 0 is the beginning. */
  cursor(name: N): number | undefined;
}

/** @throws NodeError unknown_parameter naming the nearest known one, or invalid_parameter for a repeated one. */
export function readQuery<N extends string>(search: string, names: readonly N[]): Query<N> {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    // Reserved on every path, as on the paid ones.
    const sent = value.trim();
    if (name === "format" && ["json", ""].includes(sent.toLowerCase()) && !query.has(name)) {
      query.set(name, sent);
      continue;
    }
    if (!(names as readonly string[]).includes(name)) {
      const nearest = closest(name, names);
      const hint = nearest ? ` Did you mean "${nearest}"?` : "";
      const param = name.slice(0, 60);
      throw new NodeError("unknown_parameter", `Unknown parameter "${param}".${hint}`, { param });
    }
    if (query.has(name)) throw invalid(name, "given once");
    query.set(name, sent);
  }
  // As on the paid paths, what is empty was not sent.
  const find = (name: string): string | undefined => query.get(name) || undefined;
  return {
    text: find,
    whole(name, max) {
      const text = find(name);
      if (text === undefined) return undefined;
      if (!/^[1-9]\d{0,15}$/.test(text) || Number(text) > max) throw invalid(name, `a whole number from 1 to ${max}`);
      return Number(text);
    },
    cursor(name) {
      const text = find(name);
      if (text === undefined) return undefined;
      if (!/^(?:0|[1-9]\d{0,14})$/.test(text)) throw invalid(name, "a whole number, 0 for the beginning");
      return Number(text);
    },
  };
}
