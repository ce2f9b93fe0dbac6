import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { FetchContext } from "../../catalog/context.ts";
import type { ProviderDefinition, UpstreamRequest } from "../../catalog/provider.ts";
import { UpstreamError } from "../../core/errors.ts";

/** What a well-shaped answer says, or the reason to refuse it. */
export type Reader<S extends TSchema, T extends object> = (value: Static<S>) => T | string;

/** Other people's clocks may be ahead of ours by this much before a date counts as wrong. */
export const CLOCK_SKEW_MAX_MS = 60_000;

/**
 * Calls a provider and reads its answer. The reader is also the request's `refuse`, so that an answer it cannot use is
 * recorded as a failed call and the client goes on to the next address.
 * @throws UpstreamError
 */
export async function fetchReading<S extends TSchema, T extends object>(
  context: Pick<FetchContext, "get">,
  provider: ProviderDefinition,
  { read, ...request }: Omit<UpstreamRequest<S>, "refuse"> & { readonly read: Reader<S, T> },
): Promise<T> {
  const refuse = (value: unknown): string | undefined => {
    if (!Value.Check(request.schema, value)) return "the answer has another shape";
    const reading = read(value);
    return typeof reading === "string" ? reading : undefined;
  };
  const reading = read(await context.get(provider, { ...request, refuse }));
  if (typeof reading === "string") throw new UpstreamError("upstream_bad_response", provider.id, reading);
  return reading;
}
