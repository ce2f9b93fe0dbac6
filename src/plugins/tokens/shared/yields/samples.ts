import { Type } from "@sinclair/typebox";
import { defineSeries, type JobContext, outcomeOf } from "intel-node";
import { encodeWord, fetchViews } from "intel-node/providers/evm-rpc/multicall";
import { readYield, SELECTORS, YIELD_READERS, type YieldReader } from "./readers.ts";

const Nullable = Type.Union([Type.Number(), Type.Null()]);

/** What each protocol's contract said, once an hour. */
export const yieldSamples = defineSeries({
  name: "tokens/yields",
  value: Type.Object({
    rate_apy_pct: Nullable,
    share_price: Nullable,
    is_paused: Type.Union([Type.Boolean(), Type.Null()]),
    block_at_ms: Type.Integer({ minimum: 1 }),
  }),
  every: "1h",
  keep: "40d",
  storage: "kept",
  cited: true,
});

const BLOCK_AGE_MAX_MS = 120_000;

async function sampleChain(context: JobContext, chain: YieldReader["chain"]): Promise<void> {
  const readers = YIELD_READERS.filter((reader) => reader.chain === chain);
  const ask = (views: readonly { to: string; data: string }[]) =>
    fetchViews(context, { chain, views, ttl_ms: 5_000, age_max_ms: BLOCK_AGE_MAX_MS });
  const first = await ask(readers.map(({ contract, data }) => ({ to: contract, data })));
  // Compound's rate is a function of its utilisation, which has to be known first.
  const comets = readers.flatMap((reader, index) => {
    const utilization = first.results[index]?.[0];
    return reader.kind === "comet" && utilization ? [{ reader, utilization }] : [];
  });
  const rates =
    comets.length === 0
      ? null
      : await ask(
          comets.map(({ reader, utilization }) => ({
            to: reader.contract,
            data: SELECTORS.supply_rate + encodeWord(BigInt(`0x${utilization}`)),
          })),
        );
  for (const [index, reader] of readers.entries()) {
    const at = comets.findIndex((one) => one.reader === reader);
    const words = reader.kind === "comet" ? (rates?.results[at] ?? null) : (first.results[index] ?? null);
    const sample = readYield(reader.kind, words);
    if (sample) await yieldSamples.write(context, { ...sample, block_at_ms: first.block_at_ms }, { of: reader.id });
  }
}

/** Asks every protocol's contract. @throws UpstreamError when no chain answers. */
export async function sampleYields(context: JobContext): Promise<void> {
  const done = await Promise.all(
    (["ethereum", "base"] as const).map((chain) => outcomeOf(sampleChain(context, chain))),
  );
  const [failed] = done.filter((one) => !one.ok);
  if (failed && !failed.ok && done.every((one) => !one.ok)) throw failed.error;
}
