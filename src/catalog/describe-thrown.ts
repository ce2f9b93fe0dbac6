import { isNodeError, messageOf, UpstreamError } from "../core/errors.ts";
import { findDefinition, findThrown } from "./definition-site.ts";

const STACK_LINES_MAX = 12;

/** Whether an error is the code's own, not something that was foreseen: an upstream's, a buyer's, the node's limits. */
export const isCodeFault = (error: unknown): boolean => !isNodeError(error) && !(error instanceof UpstreamError);

/**
 * An error for the operator's log. An error of the code itself comes with file, line and stack: of what threw, or else
 * of the definition of the thing that failed.
 */
export function describeThrown(error: unknown, definition?: object): Readonly<Record<string, unknown>> {
  if (!isCodeFault(error)) return { error: messageOf(error) };
  const site = findThrown(error) ?? (definition === undefined ? null : findDefinition(definition));
  const stack = error instanceof Error ? error.stack?.split("\n").slice(0, STACK_LINES_MAX) : undefined;
  return {
    error: error instanceof Error ? `${error.name}: ${messageOf(error)}` : messageOf(error),
    ...(site ?? {}),
    ...(stack === undefined ? {} : { stack: stack.map((line) => line.trim()).join(" | ") }),
  };
}

/**
 * What went wrong, for the operator: a buyer only reads that a product failed because of its own fault, the operator
 * also reads the fault.
 */
export function explainThrown(error: unknown): string {
  const cause = isNodeError(error) && error.code === "product_failed" ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)} The fault: ${messageOf(cause)}`;
}
