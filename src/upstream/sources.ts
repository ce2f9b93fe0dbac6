import type { Source } from "../catalog/context.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";
import { renderTime } from "../core/clock.ts";
import type { UpstreamErrorKind } from "../core/errors.ts";

/** One address's part in a call: what its last attempt came to. */
export interface CallRecord {
  /** Redacted. */
  readonly url: string;
  readonly fetched_at_ms: number;
  readonly error?: UpstreamErrorKind;
}

/** Collects the `sources[]` of one run. */
export interface SourceList {
  /** @param attribution of what was called for, instead of the provider's. */
  add(
    provider: ProviderDefinition,
    calls: readonly CallRecord[],
    attribution?: ProviderDefinition["terms"]["attribution"],
  ): void;
  cite(source: Source): void;
  list(): Source[];
}

export function createSourceList(simulated: boolean): SourceList {
  // Equal outcomes of the same address say nothing new: eight JSON-RPC calls are one source, as of the newest of them.
  // A constant that was read a day ago, such as a token's decimals, must not make the price beside it look a day old.
  const sources = new Map<string, Source>();
  const put = (source: Source) => {
    const key = `${source.provider} ${source.url} ${source.error ?? ""}`;
    const known = sources.get(key);
    if (!known || known.fetched_at < source.fetched_at) sources.set(key, source);
  };
  return {
    add(provider, calls, attribution = provider.terms.attribution) {
      for (const { url, fetched_at_ms, error } of calls) {
        put({
          provider: provider.id,
          url,
          fetched_at: renderTime(fetched_at_ms),
          ok: error === undefined,
          ...(simulated ? { simulated: true as const } : {}),
          ...(error === undefined ? {} : { error }),
          ...(attribution && error === undefined ? { attribution: { ...attribution } } : {}),
        });
      }
    },
    // What the sandbox stored came from the sandbox, whoever it names.
    cite: (source) => put(simulated ? { ...source, simulated: true } : source),
    list: () => [...sources.values()],
  };
}
