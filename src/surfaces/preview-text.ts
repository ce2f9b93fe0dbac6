import { describeParams } from "../core/describe-params.ts";
import type { SurfaceProduct } from "./types.ts";

const CHARS_MAX = 60;
/** Lists of tools are read whole, by readers that stop at a size. */
const NAMED_MAX = 1;

/**
 * What the free previews of a product are of, such as "pair=EURUSD"; null where it has no parameters, so that there is
 * nothing else to ask for. Any other question is refused: `preview_not_kept`.
 */
export function describePreviewsOf({ params, previews_of }: Pick<SurfaceProduct, "params" | "previews_of">) {
  if (Object.keys(params.properties).length === 0) return null;
  const named = previews_of.slice(0, NAMED_MAX).map((one) => describeParams(one, CHARS_MAX));
  const more = previews_of.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join("; ");
}
