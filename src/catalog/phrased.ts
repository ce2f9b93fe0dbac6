import type { Static, TObject } from "@sinclair/typebox";
import { type Writing, type WritingPlan, writeBlocks, writeByTemplates } from "../grounding/write-blocks.ts";
import type { Computed } from "./computed.ts";
import type { FetchContext } from "./context.ts";

/** How a computation has its text written: what it is handed for each plan. */
export type Write = (plan: WritingPlan) => Writing;

interface At<P> {
  readonly params: P;
  readonly now_ms: number;
}

export interface PhrasedOptions<P, I, D> {
  readonly fetch: (context: FetchContext, params: P) => Promise<I>;
  /** Writes at most one text, by `write`; without it by templates. */
  readonly compute: (inputs: I, at: At<P> & { readonly write?: Write }) => Computed<D>;
}

/** Inputs, and what a model wrote about them; null without a model. */
export interface Phrased<I> {
  readonly inputs: I;
  readonly writing: Writing | null;
}

/**
 * `uses_model`, `fetch` and `compute` of a product whose text templates write and a model may phrase: where one is
 * configured it is asked once the inputs are there, the guard judges each block, and what it refuses or what comes too
 * late is the template's. The figures beside the text are computed as ever.
 */
export function phrased<P extends TObject, I, D>({ fetch, compute }: PhrasedOptions<Static<P>, I, D>) {
  return {
    uses_model: { use: "compose", need: "optional" } as const,
    async fetch(context: FetchContext, params: Static<P>): Promise<Phrased<I>> {
      const inputs = await fetch(context, params);
      const { model, now_ms } = context;
      if (model === null) return { inputs, writing: null };
      let plan: WritingPlan | null = null;
      compute(inputs, {
        params,
        now_ms,
        write: (wanted) => {
          plan = wanted;
          return writeByTemplates(wanted);
        },
      });
      return { inputs, writing: plan === null ? null : await writeBlocks(plan, model) };
    },
    compute: ({ inputs, writing }: Phrased<I>, at: At<Static<P>>): Computed<D> =>
      compute(inputs, { ...at, write: (plan) => writing ?? writeByTemplates(plan) }),
  };
}

/** A `rewind` of plain inputs, for phrased ones: what a model wrote of later ones is not said of earlier ones. */
export const rewindPhrased =
  <I>(rewind: (inputs: I, now_ms: number) => I | null) =>
  ({ inputs }: Phrased<I>, now_ms: number): Phrased<I> | null => {
    const earlier = rewind(inputs, now_ms);
    return earlier && { inputs: earlier, writing: null };
  };
