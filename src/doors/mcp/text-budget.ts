import type { TObject } from "@sinclair/typebox";
import { NodeError } from "../../core/errors.ts";
import { TEXT_BYTES_DEFAULT, TEXT_BYTES_MAX, TEXT_BYTES_MIN, TEXT_BYTES_PARAM } from "../../surfaces/mcp-tools.ts";

/** Arguments of a call without what is meant for the door itself. */
export interface TextBudget {
  /** How long the answer's text may be. */
  readonly text_bytes: number;
  readonly others: Readonly<Record<string, unknown>>;
}

const isWhole = (value: unknown): value is number | string =>
  typeof value === "number" || (typeof value === "string" && /^\d{1,7}$/.test(value));

/**
 * Takes `text_bytes` out of a call's arguments. A tool that has a parameter of this name keeps it for itself.
 * @throws NodeError invalid_parameter
 */
export function readTextBudget(given: Readonly<Record<string, unknown>>, schema?: TObject): TextBudget {
  if (schema && Object.hasOwn(schema.properties, TEXT_BYTES_PARAM)) {
    return { text_bytes: TEXT_BYTES_DEFAULT, others: given };
  }
  const { [TEXT_BYTES_PARAM]: asked, ...others } = given;
  if (asked === undefined || asked === null) return { text_bytes: TEXT_BYTES_DEFAULT, others };
  const text_bytes = isWhole(asked) ? Number(asked) : Number.NaN;
  if (Number.isInteger(text_bytes) && text_bytes >= TEXT_BYTES_MIN && text_bytes <= TEXT_BYTES_MAX) {
    return { text_bytes, others };
  }
  const message = `Parameter "${TEXT_BYTES_PARAM}" must be a whole number from ${TEXT_BYTES_MIN} to ${TEXT_BYTES_MAX}.`;
  throw new NodeError("invalid_parameter", message, {
    param: TEXT_BYTES_PARAM,
    details: {
      parameter: TEXT_BYTES_PARAM,
      allowed: { type: "integer", minimum: TEXT_BYTES_MIN, maximum: TEXT_BYTES_MAX },
    },
  });
}
