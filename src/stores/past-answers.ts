import { isPublicQuestion, type PointInTime, renderSpan, wasSold } from "../catalog/as-of.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import { renderView } from "../catalog/make-answer.ts";
import type { ParsedParams } from "../catalog/params.ts";
import { refuseAsOf } from "../catalog/read-as-of.ts";
import type { Answer, AskingRunner } from "../catalog/runner.ts";
import { type Clock, renderTime } from "../core/clock.ts";
import { thread_turns } from "../core/thread-turns.ts";
import { codeOf } from "../recompute/code-digest.ts";
import { decodeInputs, encodeInputs } from "../recompute/inputs-text.ts";
import { makeAgain, type Recipe } from "../recompute/recipe.ts";
import { hashQuestion, type KeptAnswer } from "./inputs-db.ts";
import type { InputsStore } from "./inputs-store.ts";

/** Answers as they could have been sold earlier, made again of what is kept. None holds what was learnt later. */
export interface PastAnswers {
  /** @throws NodeError invalid_parameter with the span that is kept, where there is no such answer. */
  assertKept(product: CatalogProduct, request: ParsedParams): void;
  /** The runner, which answers so where a request names a time; all others it sees pass by. */
  withPast(runner: AskingRunner): AskingRunner;
}

export interface PastAnswersOptions {
  readonly inputs: Pick<InputsStore, "get" | "findAsked" | "spanOf" | "note"> | null;
  readonly clock: Clock;
}

interface Found {
  readonly kept: KeptAnswer;
  readonly recipe: Recipe;
  readonly as_of_ms: number;
}

export function createPastAnswers({ inputs, clock }: PastAnswersOptions): PastAnswers {
  const refuse = (product: CatalogProduct, asked: string, at_ms: number) => {
    const span = inputs?.spanOf(asked) ?? null;
    const kept = span && { from: renderTime(span.first_ms), to: renderTime(span.last_ms) };
    const what = span ? `made ${renderSpan(span.first_ms, span.last_ms)}` : "none";
    const none = `${product.path} has no answer to this question that was sold at ${renderTime(at_ms)}.`;
    return refuseAsOf(`${none} Kept: ${what}.`, { kept });
  };

  /** @throws NodeError */
  function find(product: CatalogProduct, request: ParsedParams): Found {
    const { as_of_ms: at_ms = 0, params } = request;
    if (at_ms > clock.now()) throw refuseAsOf("That time has not come yet: leave as_of out.");
    if (inputs === null) throw refuseAsOf("This node keeps nothing of what it sold.", { kept: null });
    if (!isPublicQuestion(product, request)) {
      const message =
        "What others asked is nobody's business: as_of is for questions without addresses, names or texts.";
      throw refuseAsOf(message);
    }
    const asked = hashQuestion(product.default_path, encodeInputs(params));
    const sha256 = inputs.findAsked(asked, at_ms);
    // It may have ended since it was found.
    const kept = sha256 === null ? null : inputs.get(sha256);
    if (kept === null) throw refuse(product, asked, at_ms);
    const { as_of } = JSON.parse(kept.body) as { readonly as_of: string };
    const as_of_ms = Date.parse(as_of);
    if (!wasSold(product, { at_ms, made_at_ms: kept.made_at_ms, as_of_ms })) throw refuse(product, asked, at_ms);
    const recipe = JSON.parse(kept.recipe) as Recipe;
    const own_code = codeOf(product.file);
    if (kept.code_sha256 !== own_code) throw otherCode(recipe, kept.code_sha256);
    return { kept, recipe, as_of_ms };
  }

  /** @throws NodeError */
  function make(product: CatalogProduct, request: ParsedParams): Answer {
    const { kept, recipe, as_of_ms } = find(product, request);
    // What comes out must be what was sold: only then is it known that nothing else went into it.
    if (makeAgain(product, recipe, kept.inputs) !== kept.body) throw otherCode(recipe, kept.code_sha256);
    const { now_ms, sources, row_warnings, inputs_sha256, written } = recipe;
    const point_in_time: PointInTime = {
      as_of: renderTime(request.as_of_ms ?? 0),
      made_at: renderTime(now_ms),
      answer_sha256: kept.sha256,
      inputs_sha256,
    };
    const whole = makeAgain(product, { ...recipe, point_in_time }, kept.inputs);
    const { view = null } = request;
    const body = view === null ? whole : renderView(whole, view, product);
    const origin = { params: decodeInputs(recipe.params), now_ms, sources, row_warnings, inputs_sha256, written };
    const named = { ...product, id: recipe.product };
    inputs?.note({ product: named, origin, view, body, inputs: null, point_in_time });
    return { body, as_of_ms, expires_at_ms: clock.now(), origin };
  }

  return {
    assertKept: (product, request) => void find(product, request),
    withPast: (runner) => ({
      createAsk: runner.createAsk,
      produceSnapshots: runner.produceSnapshots,
      fresh: (product, request) => (request.as_of_ms === undefined ? runner.fresh(product, request) : null),
      produce: (product, request, by) =>
        request.as_of_ms === undefined
          ? runner.produce(product, request, by)
          : thread_turns.run("buyer", () => make(product, request)),
    }),
  };
}

const otherCode = ({ made_by }: Recipe, code_sha256: string | null) =>
  refuseAsOf(`What is kept of then was made by intel-node ${made_by}, by other code than this node's.`, {
    made_by,
    code_sha256,
  });
