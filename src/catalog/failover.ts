import { toNodeError } from "../core/errors.ts";
import type { FetchContext } from "./context.ts";
import type { ProviderDefinition } from "./provider.ts";

export interface Attempt<T> {
  readonly provider: ProviderDefinition;
  readonly run: () => Promise<T>;
}

/**
 * Runs the attempts in order, skipping providers the configuration does not allow, and returns the first result.
 * @throws NodeError upstream_unavailable or upstream_bad_response when none succeeded.
 */
export async function firstAvailable<T>(
  context: Pick<FetchContext, "usable" | "signal">,
  what: string,
  attempts: readonly Attempt<T>[],
): Promise<T> {
  const errors: unknown[] = [];
  for (const attempt of attempts) {
    if (!context.usable(attempt.provider)) continue;
    if (context.signal.aborted) break;
    try {
      return await attempt.run();
    } catch (error) {
      errors.push(error);
    }
  }
  throw toNodeError(errors, what);
}

/** The outcome of one of several calls made at once. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** Awaits a call without throwing, for sources that may fail one by one. */
export async function outcomeOf<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    return { ok: false, error };
  }
}
