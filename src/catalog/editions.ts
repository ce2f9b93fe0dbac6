import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { addDays } from "../calendars/dates.ts";
import { type TimeOfDay, toInstant, toLocal } from "../calendars/zone-time.ts";
import { compileSchema } from "../core/compile-schema.ts";
import { parseDuration } from "../core/duration.ts";
import type { Draft } from "../core/missing.ts";
import { type Computed, settleComputed } from "./computed.ts";
import type { FetchContext, JobContext } from "./context.ts";
import type { PreviewPolicy, ProductDefinition } from "./product.ts";
import { citeSample, defineSeries, type SeriesSample } from "./series.ts";

/** When editions come out, every day. */
export interface EditionHours {
  /** IANA; its summer time moves them in UTC. */
  readonly zone: string;
  readonly times: readonly TimeOfDay[];
}

/** When editions are made and how long each answers calls. */
export interface EditionsOptions {
  /** `<plugin>/<name>` of the series they are kept in. */
  readonly name: string;
  readonly hours: EditionHours;
  /** How long after its making an edition answers calls, such as "6h"; later ones are made on demand. */
  readonly sold_for: string;
  /** How long editions are kept, such as "90d". */
  readonly keep: string;
}

const Edition = Type.Object({
  made_at_ms: Type.Integer(),
  as_of_ms: Type.Number(),
  warnings: Type.Array(Type.String()),
  data: Type.Unknown(),
});
type StoredEdition = Static<typeof Edition>;

/** An answer of a product with editions: a stored edition, or else inputs for a new one. */
type Issued<I> = { readonly edition: StoredEdition } | { readonly inputs: I };

/** A product whose previews draw on its data alone. Editions are of the call without parameters. */
type WholeProduct<P extends TObject, D extends TSchema, I> = Omit<ProductDefinition<P, D, I>, "preview"> & {
  readonly preview: Omit<PreviewPolicy<Static<P>, Static<D>, unknown>, "rewind">;
};

/** A product whose answers are made at fixed hours, with the job that makes them. */
export interface Editions<P extends TObject, D extends TSchema, I> {
  /** The product that sells them: the newest edition while it is young, else what it makes of its parts then. */
  readonly definition: ProductDefinition<P, D, Issued<I>>;
  /**
   * Makes the edition that is due and not there, for a job that asks what the product asks. One that is there is never
   * touched; one whose hour is three hours past is missed for good.
   * @returns whether one was made. Throws what the product throws: the next run tries again.
   */
  makeDue(context: JobContext): Promise<boolean>;
  /** Editions of the last days, such as "30d", oldest first, at the hour they are of. */
  list(context: FetchContext, last: string): Promise<readonly SeriesSample<StoredEdition>[]>;
}

const CATCH_UP_MS = 3 * 3_600_000;

/** The newest hour of an edition up to a moment, ms UTC: of today, or of the day before. */
export function findEditionHour({ zone, times }: EditionHours, now_ms: number): number {
  const { date } = toLocal(zone, now_ms);
  const hours = [addDays(date, -1), date].flatMap((day) => times.map((time) => toInstant(zone, day, time)));
  return Math.max(...hours.filter((hour) => hour <= now_ms));
}

/** Makes a written product one of editions: made at fixed hours, kept as they were, sold from the store. */
export function createEditions<P extends TObject, D extends TSchema, I>(
  { name, hours, sold_for, keep }: EditionsOptions,
  product: WholeProduct<P, D, I>,
): Editions<P, D, I> {
  const series = defineSeries({ name, value: Edition, keep, storage: "kept", cited: true });
  const sold_for_ms = parseDuration(sold_for);
  const check = compileSchema(product.data);
  const find = (context: FetchContext, hour: number) => series.nearest(context, { at_ms: hour, within: "1s" });

  /** Of the newest hour, young enough, and in the form this version sells. */
  async function findSold(context: FetchContext): Promise<StoredEdition | null> {
    const sample = await find(context, findEditionHour(hours, context.now_ms));
    if (!sample || context.now_ms - sample.value.made_at_ms > sold_for_ms || !check.Check(sample.value.data))
      return null;
    citeSample(context, sample);
    return sample.value;
  }

  /** Whether this is the call that editions are made of: the form of an answer does not matter. */
  const isOfEdition = (params: Readonly<Record<string, unknown>>): boolean =>
    Object.entries(params).every(([name, value]) => name === "format" || value === undefined);

  return {
    definition: {
      ...product,
      async fetch(context, params) {
        const edition = isOfEdition(params) ? await findSold(context) : null;
        return edition ? { edition } : { inputs: await product.fetch(context, params) };
      },
      compute(issued, at): Computed<Draft<Static<D>>> {
        if ("inputs" in issued) return product.compute(issued.inputs, at);
        const { as_of_ms, warnings, data } = issued.edition;
        return { as_of_ms, warnings, data: data as Draft<Static<D>> };
      },
    },
    async makeDue(context) {
      const hour = findEditionHour(hours, context.now_ms);
      if (context.now_ms - hour > CATCH_UP_MS || (await find(context, hour))) return false;
      const params = product.example.params;
      const inputs = await product.fetch(context, params);
      const computed = product.compute(inputs, { params, now_ms: context.now_ms });
      const { as_of_ms, warnings, data } = settleComputed(computed);
      const fault = check.Errors(data).First();
      if (fault) throw new TypeError(`${name}: "${fault.path}" does not match: ${fault.message}`);
      const edition = { made_at_ms: context.now_ms, as_of_ms, warnings: [...warnings], data };
      await series.write(context, edition, { at_ms: hour });
      return true;
    },
    list: (context, last) => series.read(context, { last }),
  };
}
