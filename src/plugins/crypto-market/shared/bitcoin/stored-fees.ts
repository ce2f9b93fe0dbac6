import { Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { FetchContext, WritableHistory } from "../../../../catalog/context.ts";

const SERIES = "crypto-market/mempool-fastest";
const HOUR_MS = 3_600_000;
const DAYS = 30;
const KEPT_MS = 40 * 24 * HOUR_MS;

const Sample = TypeCompiler.Compile(
  Type.Object({ provider: Type.String(), sat_vb: Type.Number({ exclusiveMinimum: 0 }) }),
);

/** Stores one sample per hour; a second one in the same hour replaces the first. */
export async function writeFeeSample(
  history: WritableHistory,
  { provider, fastest }: { provider: string; fastest: number },
  now_ms: number,
): Promise<void> {
  const at_ms = Math.floor(now_ms / HOUR_MS) * HOUR_MS;
  await history.write(SERIES, [{ at_ms, value: { provider, sat_vb: fastest } }]);
  await history.prune(SERIES, at_ms - KEPT_MS);
}

/**
 * The fastest fee rate, sat/vB, of each sampled hour of the last 30 days. Only one provider's samples: providers
 * estimate differently.
 */
export async function readFeeSamples(
  context: Pick<FetchContext, "history" | "now_ms">,
  provider: string,
): Promise<number[]> {
  const since_ms = context.now_ms - DAYS * 24 * HOUR_MS;
  return (await context.history.read(SERIES, { since_ms, until_ms: context.now_ms })).flatMap(({ value }) =>
    Sample.Check(value) && value.provider === provider ? [value.sat_vb] : [],
  );
}
