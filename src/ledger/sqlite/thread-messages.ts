import { type ErrorCode, isNodeError, messageOf, NodeError, type NodeErrorOptions } from "../../core/errors.ts";
import type { CopyOrder, CopyState } from "../copy/copy-state.ts";
import { LedgerOpenError } from "./migrate.ts";

/** The first message to the thread of the books. */
export interface StartOrder {
  readonly file: string;
  readonly synchronous: "FULL" | "NORMAL";
  /** Where the books are copied to while they are written. */
  readonly copy?: CopyOrder | undefined;
}

/** One command: its number, its group, its name, what goes in. */
export type ThreadCall = readonly [id: number, group: string, name: string, args: readonly unknown[]];

/** What was asked in one turn of the serving thread, or the part of it that goes together. */
export interface ThreadOrder {
  /** The caller's clock: it may be a set one. */
  readonly now_ms: number;
  readonly start?: StartOrder;
  readonly calls: readonly ThreadCall[];
  /** Instead of calls: debits, packed. */
  readonly debits?: string;
}

export type ThreadResult =
  | readonly [id: number, ok: true, value: unknown]
  | readonly [id: number, ok: false, error: PackedError];

/** Everything that was done in one turn of the thread. */
export interface ThreadAnswer {
  readonly ready?: true;
  readonly not_opened?: PackedError;
  readonly halted?: string;
  /** The disk's state now; absent while it has not changed. */
  readonly trouble?: { readonly reason: string | null };
  /** How far the copy is now; absent while nothing has changed. */
  readonly copied?: CopyState;
  readonly results?: readonly ThreadResult[];
  /** What became of debits, packed. */
  readonly debited?: string;
}

/** An error as plain data: of another thread's error only the text arrives otherwise. */
export interface PackedError {
  readonly name: string;
  readonly message: string;
  readonly code?: ErrorCode;
  readonly options?: Pick<NodeErrorOptions, "retry_after_s" | "charge_unknown" | "param" | "details">;
  readonly cause?: string;
}

export function packError(error: unknown): PackedError {
  const message = messageOf(error);
  if (!isNodeError(error)) return { name: error instanceof Error ? error.name : "Error", message };
  const { retry_after_s, charge_unknown, param, details, cause } = error.options;
  const options = {
    ...(retry_after_s === undefined ? {} : { retry_after_s }),
    ...(charge_unknown === undefined ? {} : { charge_unknown }),
    ...(param === undefined ? {} : { param }),
    ...(details === undefined ? {} : { details }),
  };
  const why = cause === undefined ? {} : { cause: messageOf(cause) };
  return { name: error.name, message, code: error.code, options, ...why };
}

export function unpackError({ name, message, code, options, cause }: PackedError): Error {
  if (code !== undefined) return new NodeError(code, message, { ...options, cause });
  if (name === "LedgerOpenError") return new LedgerOpenError(message);
  return name === "TypeError" ? new TypeError(message) : new Error(message);
}
