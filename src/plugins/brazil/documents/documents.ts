import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { defineSeries, type FetchContext, type JobContext, type Source } from "intel-node";

const Sources = Type.Unsafe<readonly Source[]>(
  Type.Array(
    Type.Object({ provider: Type.String(), url: Type.String(), fetched_at: Type.String(), ok: Type.Boolean() }),
  ),
);

/** The newest version of something a job fetches whole, with where it came from. */
export interface Document<V> {
  readonly stored_at_ms: number;
  readonly value: V;
}

interface Stored<V> {
  readonly value: V;
  readonly sources: readonly Source[];
}
type Member = { readonly of?: string };

/**
 * Declares what jobs fetch whole and products read: only the newest one is kept. Its own calls become sources of every
 * answer that reads it.
 */
export function defineDocument<S extends TSchema>(name: string, schema: S) {
  const series = defineSeries({
    name: `brazil/${name}`,
    value: Type.Unsafe<Stored<Static<S>>>(Type.Object({ value: schema, sources: Sources })),
    keep: "newest",
    storage: "kept",
  });
  return {
    /** Fetches and stores it; the calls of `fetch` are its sources. */
    async refresh(context: JobContext, fetch: () => Promise<Static<S>>, member: Member = {}): Promise<Static<S>> {
      const before = context.sources().length;
      const value = await fetch();
      const sources = context.sources().slice(before);
      await series.write(context, { value, sources }, member);
      return value;
    },
    /** The newest one, unless it is older than `max_age`; null without one. It is cited. */
    async read(
      context: FetchContext,
      member: Member & { readonly max_age?: string } = {},
    ): Promise<Document<Static<S>> | null> {
      const sample = await series.newest(context, member);
      if (!sample) return null;
      for (const source of sample.value.sources) context.cite(source);
      return { stored_at_ms: sample.at_ms, value: sample.value.value };
    },
  };
}

/** Rows of a day and a figure. */
export const Rows = Type.Array(Type.Tuple([Type.String(), Type.Number()]));
