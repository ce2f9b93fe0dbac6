import { type PaymentTerms, readTerms } from "../../challenge-reader/payment-terms.ts";
import { listAt, valueAt } from "../../core/json-values.ts";
import type { SellerDocument } from "./facts.ts";
import { addressOfHost } from "./hosts.ts";

/** What a manifest says of one resource. */
export interface ManifestEntry {
  /** The terms it states, if any. */
  readonly terms: PaymentTerms | null;
  /** Its words about the resource. */
  readonly texts: string;
}

const TEXT_CHARS_MAX = 2_000;
const NOT_LISTED: ManifestEntry = { terms: null, texts: "" };

/** The entry of a resource in its seller's manifest; an empty one where it is not listed. */
export function findInManifest(manifest: SellerDocument | null, url: string): ManifestEntry {
  const wanted = addressOfHost(url, url);
  for (const one of listAt(manifest?.value, "resources")) {
    const named = typeof one === "string" ? one : (valueAt(one, "url") ?? valueAt(one, "resource"));
    if (typeof named !== "string" || addressOfHost(named, url) !== wanted) continue;
    const texts = ["name", "description"].map((name) => valueAt(one, name)).filter((text) => typeof text === "string");
    return { terms: readTerms(one), texts: texts.join(" ").slice(0, TEXT_CHARS_MAX) };
  }
  return NOT_LISTED;
}
