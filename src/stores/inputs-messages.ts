import type { InputsRow } from "./inputs-db.ts";

/** The first message to the thread. */
export interface InputsStart {
  readonly file: string;
  readonly keep_ms: number;
  readonly bytes_max: number;
  readonly now_ms: number;
}

/** An answer for the thread: it hashes and packs it, and asks who made it. */
export interface InputsOrder extends Omit<InputsRow, "sha256" | "code_sha256" | "asked"> {
  /** The product's file, as the catalog names it. */
  readonly product_file: string;
}

export type InputsCall = { readonly start: InputsStart } | { readonly orders: readonly InputsOrder[]; now_ms: number };

/** What the thread says. */
export type InputsNews =
  | { readonly ready: true; readonly put_aside: string | null }
  | {
      /** Orders that are done with, kept or not. */
      readonly done: number;
      readonly kept: number;
      readonly ended: number;
      readonly bytes: number;
      /** Why they were not kept. */
      readonly fault: string | null;
    };
