import { describeParams } from "../core/describe-params.ts";
import { NodeError } from "../core/errors.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { ParsedParams } from "./params.ts";

/** Kept previews that a refusal names; a product keeps few. */
const NAMED_MAX = 5;

/**
 * The kept preview that answers a request: of the very parameters that it names, or the first one where it names none.
 * Null where every kept preview would be of something else.
 */
export function keptPreviewOf(
  { params, previewRequests }: Pick<CatalogProduct, "params" | "previewRequests">,
  request: ParsedParams,
): ParsedParams | null {
  const kept = previewRequests();
  const exact = kept.find(({ key }) => key === request.key);
  if (exact) return exact;
  if (request.key === params.defaults.key) return kept[0];
  // With required parameters missing, no whole call is named: a preview that agrees with the rest is the same subject.
  if (request.missing.length === 0) return null;
  const named = Object.entries(request.params);
  return kept.find((one) => named.every(([name, value]) => Bun.deepEquals(one.params[name], value))) ?? null;
}

/** The refusal of a preview that would be of something else: what is kept, and what the question costs. */
export function toPreviewNotKept({ path, price_usd, previewRequests }: CatalogProduct): NodeError {
  const kept = previewRequests().slice(0, NAMED_MAX);
  const named = kept.map(({ params }) => describeParams(params)).join("; or ");
  const preview_path = `${path}?preview=1`;
  return new NodeError(
    "preview_not_kept",
    `Previews of ${path} are kept for ${named}, and not for what was asked. ${preview_path} without other parameters ` +
      `shows the first of them; this question costs ${price_usd} USD: ask it without preview, and pay as its 402 ` +
      "says. Nothing was charged.",
    {
      details: {
        preview_of: kept[0]?.params,
        previews_kept: kept.map(({ params }) => params),
        preview_path,
        price_usd,
      },
    },
  );
}
