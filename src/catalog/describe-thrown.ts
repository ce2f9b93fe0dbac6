import { isNodeError, messageOf, UpstreamError } from "../core/errors.ts";
import { findDefinition, findThrown } from "./definition-site.ts";

const STACK_LINES_MAX = 12;

/** Whether an error is the code's own, not something that was foreseen: an upstream's, a buyer's, the node's limits. */
export const isCodeFault = (error: unknown): boolean => !isNodeError(error) && !(error instanceof UpstreamError);

/**
 * An error for the operator's log. One of the code's own is told with file, line and stack: what threw, or else where
 * the thing that failed was defined.
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
 * What went wrong, for whoever runs the node: where a buyer only hears that a product failed by a fault of its own, the
 * fault as well.
 */
export function explainThrown(error: unknown): string {
  const cause = isNodeError(error) && error.code === "product_failed" ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)} The fault: ${messageOf(cause)}`;
}
