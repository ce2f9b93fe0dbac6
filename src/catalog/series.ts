import type { Static, TSchema } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { parseDuration } from "../core/duration.ts";
import type { History, JobContext, Source, WritableHistory } from "./context.ts";

/** Series whose name starts so are in kept.db, all others in market.db. */
export const KEPT_SERIES = "kept/";

/** What is observed again and again: at most one value a mark, read back by time. */
export interface SeriesDefinition<S extends TSchema = TSchema> {
  /** `<plugin>/<name>`. */
  readonly name: string;
  readonly value: S;
  /**
   * Cadence, such as "1h": an observation is dated to the last whole hour, and a second one of that hour replaces it.
   * Left out, it keeps its own time.
   */
  readonly every?: string;
  /** How long observations are kept, such as "40d"; "newest" forgets all but the last. */
  readonly keep: string;
  /**
   * Kept ones cannot be had again: they are backed up with the ledger and survive every upgrade. Disposable ones are
   * lost when market.db is.
   */
  readonly storage: "kept" | "disposable";
  /** Whether each observation keeps what its run called, failed calls too, so that answers can name it. Default: no. */
  readonly cited?: boolean;
}

/** One stored value of a series. */
export interface SeriesSample<V> {
  readonly at_ms: number;
  readonly value: V;
  /** Empty unless the series is `cited`. */
  readonly sources: readonly Source[];
}

/** Which of several series of one definition, such as one a coin. */
interface Member {
  readonly of?: string;
}
type Reads = { readonly history: History; readonly now_ms: number };
type Writes = Pick<JobContext, "now_ms" | "sources"> & { readonly history: WritableHistory };

export interface Series<V> {
  /** Stores what was observed now, or at `at_ms`, and forgets what is older than is kept. */
  write(context: Writes, value: V, options?: Member & { readonly at_ms?: number }): Promise<void>;
  /** Observations up to now, oldest first; `last` is how far back, such as "30d". What does not fit is left out. */
  read(context: Reads, options: Member & { readonly last: string }): Promise<readonly SeriesSample<V>[]>;
  /** The newest one, unless it is older than `max_age`; null when nothing qualifies. */
  newest(context: Reads, options?: Member & { readonly max_age?: string }): Promise<SeriesSample<V> | null>;
  /** The one closest to a time, at most `within` from it; null when nothing qualifies. */
  nearest(
    context: Reads,
    options: Member & { readonly at_ms: number; readonly within: string },
  ): Promise<SeriesSample<V> | null>;
}

/** How an observation is stored. */
interface Stored {
  readonly value: unknown;
  readonly sources?: readonly Source[];
}
const isStored = (stored: unknown): stored is Stored =>
  typeof stored === "object" && stored !== null && "value" in stored;

/** Declares a series: sample it in a job, read it in products. */
export function defineSeries<S extends TSchema>(definition: SeriesDefinition<S>): Series<Static<S>> {
  type V = Static<S>;
  const { name, value: schema, every, keep, storage, cited = false } = definition;
  const every_ms = every === undefined ? 1 : parseDuration(every);
  const keep_ms = keep === "newest" ? 0 : parseDuration(keep);
  const base = storage === "kept" ? `${KEPT_SERIES}${name}` : name;
  const nameOf = ({ of }: Member): string => (of === undefined ? base : `${base}/${of}`);
  const check = compileSchema(schema);
  const readWindow = async (
    { history }: Reads,
    member: Member,
    window: { readonly since_ms: number; readonly until_ms: number; readonly limit?: number },
  ): Promise<readonly SeriesSample<V>[]> =>
    (await history.read(nameOf(member), window)).flatMap(({ at_ms, value: stored }) => {
      if (!isStored(stored) || !check.Check(stored.value)) return [];
      return [{ at_ms, value: stored.value, sources: stored.sources ?? [] }];
    });

  return Object.freeze<Series<V>>({
    async write(context, value, { at_ms = context.now_ms, ...member } = {}) {
      if (!check.Check(value)) {
        const fault = check.Errors(value).First();
        throw new TypeError(`an observation of ${name} does not match at "${fault?.path}": ${fault?.message}`);
      }
      const mark_ms = Math.floor(at_ms / every_ms) * every_ms;
      const stored: Stored = cited ? { value, sources: context.sources() } : { value };
      await context.history.write(nameOf(member), [{ at_ms: mark_ms, value: stored }]);
      await context.history.prune(nameOf(member), mark_ms - keep_ms);
    },
    read: (context, { last, ...member }) =>
      readWindow(context, member, { since_ms: context.now_ms - parseDuration(last), until_ms: context.now_ms }),
    async newest(context, { max_age, ...member } = {}) {
      const since_ms = max_age === undefined ? 0 : context.now_ms - parseDuration(max_age);
      const [sample] = await readWindow(context, member, { since_ms, until_ms: context.now_ms, limit: 1 });
      return sample ?? null;
    },
    async nearest(context, { at_ms, within, ...member }) {
      const reach_ms = parseDuration(within);
      const near = await readWindow(context, member, { since_ms: at_ms - reach_ms, until_ms: at_ms + reach_ms });
      const [closest] = near.toSorted((a, b) => Math.abs(a.at_ms - at_ms) - Math.abs(b.at_ms - at_ms));
      return closest ?? null;
    },
  });
}

/** Names what a stored observation came from, with what had failed then. */
export function citeSample(context: { cite(source: Source): void }, { sources }: SeriesSample<unknown>): void {
  for (const source of sources) context.cite(source);
}
