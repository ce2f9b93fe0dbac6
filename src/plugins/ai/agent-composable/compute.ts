import type { Computed } from "intel-node";
import { computeBundle } from "../bundles/compute.ts";
import type { BundleInputs } from "../bundles/parts.ts";
import type { BundleData } from "../bundles/schema.ts";

/** A product's own word, such as "bull" or "2026-11-20T12:00:00Z": what others wrote is longer or spelled otherwise. */
const WORD = /^[A-Za-z0-9_.:+/-]{1,40}$/;

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && WORD.test(value));

/** The parts one after another: their data without tables, unchanged and without comment. */
export function renderBundle({ items, combined }: Pick<BundleData, "items" | "combined">): string {
  const parts = items.map(({ path, as_of, data }) => {
    const signal = combined.signals.find((one) => one.path === path)?.signal ?? "na";
    const rows = Object.entries(data).flatMap(([name, value]) => (isPlain(value) ? [`- ${name}: ${value}`] : []));
    const direction = signal === "na" ? [] : [`- direction: ${signal}`];
    return [`## ${path}`, "", `- as of: ${as_of}`, ...direction, ...rows].join("\n");
  });
  return `${parts.join("\n\n")}\n`;
}

/** A bundle, and its text. */
export function computeAgentComposable(inputs: BundleInputs): Computed<BundleData & { readonly markdown: string }> {
  const { data, ...rest } = computeBundle(inputs);
  return { ...rest, data: { ...data, markdown: renderBundle(data) } };
}
