import type { Source } from "../catalog/context.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";
import { renderTime } from "../core/clock.ts";
import type { UpstreamErrorKind } from "../core/errors.ts";

/** One address's part in a call, with the result of its last attempt. */
export interface CallRecord {
  /** Redacted. */
  readonly url: string;
  readonly fetched_at_ms: number;
  readonly error?: UpstreamErrorKind;
}

/** Collects the `sources[]` of one run. */
export interface SourceList {
  /** @param attribution of this call, instead of the provider's. */
  add(
    provider: ProviderDefinition,
    calls: readonly CallRecord[],
    attribution?: ProviderDefinition["terms"]["attribution"],
  ): void;
  cite(source: Source): void;
  list(): Source[];
}

export function createSourceList(simulated: boolean): SourceList {
  // Equal outcomes of one address are one source, with the newest time, such as eight JSON-RPC calls. A constant read a
  // day ago, such as a token's decimals, must not make the price beside it look a day old.
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
    // Data stored by the sandbox came from the sandbox, whatever provider it names.
    cite: (source) => put(simulated ? { ...source, simulated: true } : source),
    list: () => [...sources.values()],
  };
}
