import { NodeError } from "../core/errors.ts";

const FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/;
/** As a pattern of JSON Schema. */
const AS_OF_FORM = FORM.source;

/** @throws NodeError invalid_parameter */
export function readAsOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const at_ms = typeof value === "string" && FORM.test(value) ? Date.parse(value) : Number.NaN;
  // "2026-02-30" is read as a day of March: it was no day.
  const is_day = Number.isFinite(at_ms) && new Date(at_ms).toISOString().slice(0, 10) === String(value).slice(0, 10);
  if (is_day) return at_ms;
  throw refuseAsOf('Parameter "as_of" must be a time of UTC, such as 2026-11-22T14:30:00Z.');
}

export const refuseAsOf = (message: string, details: Readonly<Record<string, unknown>> = {}): NodeError =>
  new NodeError("invalid_parameter", message, {
    param: "as_of",
    details: { parameter: "as_of", allowed: AS_OF_FORM, ...details },
  });
