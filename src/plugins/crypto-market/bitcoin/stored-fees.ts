import { Type } from "@sinclair/typebox";
import { defineSeries, type FetchContext, type JobContext } from "intel-node";

const samples = defineSeries({
  name: "crypto-market/mempool-fastest",
  value: Type.Object({ provider: Type.String(), sat_vb: Type.Number({ exclusiveMinimum: 0 }) }),
  every: "1h",
  keep: "40d",
  storage: "kept",
});

/** The fastest fee rate of one hour. */
export interface FeeSample {
  readonly at_ms: number;
  readonly sat_vb: number;
}

/** Stores one sample per hour; a second one in the same hour replaces the first. */
export const writeFeeSample = (
  context: JobContext,
  { provider, fastest }: { provider: string; fastest: number },
): Promise<void> => samples.write(context, { provider, sat_vb: fastest });

/**
 * The fastest fee rate, sat/vB, of each sampled hour of the last 30 days. Only one provider's samples: providers
 * estimate differently.
 */
export async function readFeeSamples(
  context: Pick<FetchContext, "history" | "now_ms">,
  provider: string,
): Promise<FeeSample[]> {
  const found = await samples.read(context, { last: "30d" });
  return found.flatMap(({ at_ms, value }) => (value.provider === provider ? [{ at_ms, sat_vb: value.sat_vb }] : []));
}
