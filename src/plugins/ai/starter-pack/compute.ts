import type { Computed, SoldProduct } from "intel-node";
import { computeBundle } from "../bundles/compute.ts";
import type { BundleInputs } from "../bundles/parts.ts";
import type { StarterPackData } from "./schema.ts";

export interface StarterPackInputs extends BundleInputs {
  readonly sold: readonly SoldProduct[];
  /** Null before the node listens. */
  readonly public_url: string | null;
}

/** What a newcomer tries after the pack: of each of these categories the cheapest product. */
const NEXT_CATEGORIES: readonly string[] = ["trust", "crypto-market", "macro", "equities", "brazil"];
const NEXT_MAX = 3;
const GUIDES = ["/guide.md", "/llms.txt", "/get-pricing"] as const;

/** Products that are not in the pack, one of a category, cheapest first. */
function findNext({ sold, parts, public_url }: StarterPackInputs): StarterPackData["next_steps"] {
  const held = new Set(parts.map(({ path }) => path as string));
  const found = NEXT_CATEGORIES.flatMap((category) =>
    sold
      .filter((one) => one.category === category && !one.is_plan && one.methods.includes("GET") && !held.has(one.path))
      .toSorted((a, b) => Number(a.price_atomic - b.price_atomic) || (a.path < b.path ? -1 : 1))
      .slice(0, 1),
  );
  return found
    .toSorted((a, b) => Number(a.price_atomic - b.price_atomic) || (a.path < b.path ? -1 : 1))
    .slice(0, NEXT_MAX)
    .map(({ path, title, price_usd }) => ({ path, title, price_usd, call: `GET ${public_url ?? ""}${path}` }));
}

/** A bundle, and where to go from there. */
export function computeStarterPack(inputs: StarterPackInputs): Computed<StarterPackData> {
  const { data, ...rest } = computeBundle(inputs);
  const how_to_pay = GUIDES.map((path) => `${inputs.public_url ?? ""}${path}`);
  return { ...rest, data: { ...data, next_steps: findNext(inputs), how_to_pay } };
}
