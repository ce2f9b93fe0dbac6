import { addPointInTime, type PointInTime } from "../catalog/as-of.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import { type Answerer, computeProduced, renderAnswer, renderView } from "../catalog/make-answer.ts";
import type { WrittenBy } from "../catalog/model-turns.ts";
import type { MadeAnswer } from "../catalog/runner.ts";
import { renderChanges, type SinceBase } from "../catalog/since.ts";
import type { Source } from "../catalog/source.ts";
import type { View } from "../catalog/view.ts";
import { decodeInputs, encodeInputs } from "./inputs-text.ts";

/**
 * Everything that determines the bytes of one answer, besides the code and the inputs, so that they can be computed
 * again anywhere and at any time.
 */
export interface Recipe extends Answerer {
  /** Default path of the product. */
  readonly path: string;
  /** The product's name in the answer: its path at the sale, without the slash. */
  readonly product: string;
  /** Encoded as text, see `encodeInputs`. */
  readonly params: string;
  readonly now_ms: number;
  readonly sources: readonly Source[];
  readonly row_warnings: readonly string[];
  readonly view: View | null;
  readonly inputs_sha256: string;
  /** Version of the program that made it. */
  readonly made_by: string;
  /** Requests to models and their answers. They do not determine the bytes: the used parts are in the inputs. */
  readonly written?: WrittenBy | undefined;
  /** For an answer with only the changes: the earlier answer. */
  readonly changes?: SinceBase | undefined;
  /** For an answer as of an earlier time: that time. */
  readonly point_in_time?: PointInTime | undefined;
}

export interface Maker extends Answerer {
  readonly version: string;
}

export function describeMade(
  { product, origin, view, changes, point_in_time }: MadeAnswer,
  { node_id, sandbox, version }: Maker,
): Recipe {
  const { params, now_ms, sources, row_warnings, inputs_sha256, written } = origin;
  return {
    path: product.default_path,
    product: product.id,
    params: encodeInputs(params),
    now_ms,
    sources,
    view,
    row_warnings,
    node_id,
    sandbox,
    inputs_sha256,
    made_by: version,
    ...(written === undefined ? {} : { written }),
    ...(changes === undefined ? {} : { changes }),
    ...(point_in_time === undefined ? {} : { point_in_time }),
  };
}

/**
 * Recomputes the bytes of an answer, as text. Pure: it uses no network, clock or configuration.
 * @param inputs as text.
 * @throws any error of the product for such inputs.
 */
export function makeAgain(known: CatalogProduct, recipe: Recipe, inputs: string): string {
  const { now_ms, sources, row_warnings, view, changes, point_in_time } = recipe;
  const product = { ...known, id: recipe.product };
  const parts = { params: decodeInputs(recipe.params), inputs: decodeInputs(inputs), now_ms };
  const said = { sources, row_warnings };
  const made = renderAnswer(product, computeProduced({ product, ...parts, ...said }), recipe);
  const body = point_in_time === undefined ? made : addPointInTime(made, point_in_time);
  const whole = view === null ? body : renderView(body, view, product);
  return changes === undefined ? whole : renderChanges(whole, changes);
}
