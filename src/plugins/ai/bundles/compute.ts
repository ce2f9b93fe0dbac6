import type { Computed } from "intel-node";
import type { BundleInputs } from "./parts.ts";
import type { BundleData, BundleDirection } from "./schema.ts";
import { SIGNALS } from "./signals.ts";

/** The parts side by side, what they save, and how far their directions agree. */
export function computeBundle({ parts, price_atomic }: BundleInputs): Computed<BundleData> {
  const sum = parts.reduce((total, part) => total + part.price_atomic, 0n);
  const signals = parts.map(({ path, signal, answer }) => ({ path, signal: SIGNALS[signal](answer.data) }));
  const said = signals.filter(({ signal }) => signal !== "na");
  const counts = new Map<BundleDirection, number>();
  for (const { signal } of said) counts.set(signal, (counts.get(signal) ?? 0) + 1);
  return {
    data: {
      items: parts.map(({ path, params, price_atomic: price, answer }) => ({
        path,
        params: { ...params },
        price_atomic: price.toString(),
        as_of: new Date(answer.as_of_ms).toISOString(),
        warnings: [...answer.warnings],
        data: answer.data,
      })),
      parts_price_atomic: sum.toString(),
      price_atomic: price_atomic.toString(),
      // Prices are far below 2^53: as floating point they are exact.
      saving_pct: (100 * Number(sum - price_atomic)) / Number(sum),
      combined: {
        signals,
        agreement: said.length < 2 ? null : Math.max(...counts.values()) / said.length,
        directional: said.length,
      },
    },
    as_of_ms: Math.min(...parts.map(({ answer }) => answer.as_of_ms)),
    warnings: [],
  };
}
