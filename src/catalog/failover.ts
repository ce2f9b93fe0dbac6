import { isNodeError, isOwnLimit, NodeError, toNodeError, UpstreamError } from "../core/errors.ts";
import type { ProviderDefinition } from "./provider.ts";

/** One way to a value. */
export interface ProviderAttempt<T> {
  readonly provider: ProviderDefinition;
  readonly run: () => Promise<T>;
}

interface PartOptions {
  /** The field of the data that is null without it, for the warning; default: the part's name. */
  readonly field?: string;
  /** The warning's reason; default: what kind of failure it was. */
  readonly because?: string | ((error: unknown) => string);
  /** Without it there is nothing to sell: its failure is the run's failure. */
  readonly essential?: boolean;
}

/** One of several things a run asks for at once: a call, or attempts in failover order. */
export type RunPart<T> =
  | (() => Promise<T>)
  | (PartOptions & { readonly run: () => Promise<T> })
  | (PartOptions & { readonly attempts: readonly ProviderAttempt<T>[] });

type ValueOf<P> = P extends () => Promise<infer T>
  ? T
  : P extends { readonly run: () => Promise<infer T> }
    ? T
    : P extends { readonly attempts: readonly { readonly run: () => Promise<infer T> }[] }
      ? T
      : never;

/** What came of the parts. */
export interface Parts<P> {
  /** Null where a part failed; those of essential parts are there. */
  readonly values: { readonly [K in keyof P]: P[K] extends { essential: true } ? ValueOf<P[K]> : ValueOf<P[K]> | null };
  /** "<field>: <reason>" of every part that failed, in the order of the parts. */
  readonly warnings: readonly string[];
  /** The errors, by part, for callers that need more than the warnings. */
  readonly errors: { readonly [K in keyof P]?: unknown };
}

/** How a run asks several providers for one thing, or for several things at once. */
export interface FailoverAsking {
  /**
   * The first value found: attempts in order, without providers the configuration leaves out. A slow provider is not
   * waited for long while another may have the value; a busy one is waited for when no other has it.
   * @throws NodeError upstream_unavailable, upstream_bad_response or subject_not_found when every provider fails.
   */
  first<T>(what: string, attempts: readonly ProviderAttempt<T>[]): Promise<T>;
  /**
   * Everything at once. A part that fails is null and has its warning. If one is missing only because this node's own
   * rate limit left no time for it, the thinner answer is not sold: the whole run fails, uncharged.
   * @throws NodeError when an essential part failed.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each part has its own type, which ValueOf finds again.
  each<const P extends Readonly<Record<string, RunPart<any>>>>(parts: P): Promise<Parts<P>>;
}

export interface AskingOptions {
  readonly usable: (provider: ProviderDefinition) => boolean;
  readonly signal: AbortSignal;
  /** Runs an attempt whose calls are refused instead of waiting long for their turn. */
  readonly inHurry?: <T>(run: () => Promise<T>) => Promise<T>;
  /** Told about failures that were made good by another provider. */
  readonly onMadeGood?: (errors: readonly unknown[]) => void;
  /** Whether a result may be missing parts that a longer wait would have brought: what a job stores may. */
  readonly may_be_thin?: boolean;
}

/** A failure in a few words, for a warning. */
function describeFailure(error: unknown): string {
  if (error instanceof UpstreamError) return `no usable answer (${error.kind})`;
  return isNodeError(error) ? `no usable answer (${error.code})` : "no usable answer";
}

/** Makes `first` and `each` of a run. */
export function createAsking(options: AskingOptions): FailoverAsking {
  const { usable, signal, inHurry = (run) => run(), onMadeGood } = options;

  async function first<T>(what: string, attempts: readonly ProviderAttempt<T>[]): Promise<T> {
    const open = attempts.filter(({ provider }) => usable(provider));
    const errors: unknown[] = [];
    const busy: ProviderAttempt<T>[] = [];
    const run = async (work: () => Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> => {
      try {
        const value = await work();
        onMadeGood?.(errors);
        return { value };
      } catch (error) {
        errors.push(error);
        return { error };
      }
    };
    for (const [index, attempt] of open.entries()) {
      if (signal.aborted) break;
      const is_last = index === open.length - 1;
      const outcome = await run(is_last ? attempt.run : () => inHurry(attempt.run));
      if ("value" in outcome) return outcome.value;
      if (!is_last && isOwnLimit(outcome.error)) busy.push(attempt);
    }
    for (const attempt of busy) {
      if (signal.aborted) break;
      const outcome = await run(attempt.run);
      if ("value" in outcome) return outcome.value;
    }
    throw toNodeError(errors, what);
  }

  async function runPart(name: string, part: RunPart<unknown>) {
    const { field = name, because = describeFailure, essential = false } = typeof part === "function" ? {} : part;
    try {
      if (typeof part === "function") return { name, value: await part() };
      return { name, value: await ("attempts" in part ? first(field, part.attempts) : part.run()) };
    } catch (error) {
      if (essential) throw error instanceof UpstreamError ? toNodeError([error], field) : error;
      if (isOwnLimit(error) && !options.may_be_thin) throw toTooBusy(error);
      const why = typeof because === "string" ? because : because(error);
      return { name, value: null, error, warning: `${field}: ${why}` };
    }
  }

  return {
    first,
    async each<P extends Readonly<Record<string, RunPart<unknown>>>>(parts: P): Promise<Parts<P>> {
      const done = await Promise.all(Object.entries(parts).map(([name, part]) => runPart(name, part)));
      const values = Object.fromEntries(done.map(({ name, value }) => [name, value]));
      const failed = done.filter((one) => "warning" in one);
      return {
        values: values as Parts<P>["values"],
        warnings: failed.flatMap(({ warning = [] }) => warning),
        errors: Object.fromEntries(failed.map(({ name, error }) => [name, error])) as Parts<P>["errors"],
      };
    },
  };
}

/** What a buyer is told when only this node's own rate limit prevented the whole answer. */
export function toTooBusy(cause: unknown): NodeError {
  const retry_after_s = cause instanceof UpstreamError ? (cause.retry_after_s ?? 10) : 10;
  const message = "An upstream could not be asked in time within this node's own rate limit. Nothing was charged.";
  return new NodeError("upstream_unavailable", message, { cause, retry_after_s, own_limit: true });
}

/** The outcome of one of several calls made at once. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** Awaits a call without throwing, for what `each` is too little for. */
export async function outcomeOf<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    return { ok: false, error };
  }
}
