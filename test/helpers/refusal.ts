import { NodeError } from "../../src/core/errors.ts";

/** The error a call was refused with, at once or later; throws when there was none, or another kind. */
export async function refusalOf(call: Promise<unknown> | (() => unknown)): Promise<NodeError> {
  try {
    await (typeof call === "function" ? call() : call);
  } catch (error) {
    if (error instanceof NodeError) return error;
    throw error;
  }
  throw new Error("was not refused");
}
