import type { PassedOn } from "../core/passed-on.ts";
import {
  type Answerer,
  type AnswerMaker,
  type AnswerParts,
  computeProduced,
  type Produced,
  renderAnswer,
} from "./make-answer.ts";

/** The bytes of an answer, as text, with what is read off its data besides. Plain data: threads can hand it over. */
export interface RenderedAnswer {
  readonly body: string;
  readonly as_of_ms: number;
  readonly generated_at_ms: number;
  /** What of the buyer's own money left for somebody else. */
  readonly passed_on?: PassedOn | undefined;
  /** Of a product whose meter reads it; null if nothing was paid, or it is not known. */
  readonly peer_price: bigint | null;
}

/** What an answer or a preview is made from. */
export type InputParts = AnswerParts & { readonly product: AnswerMaker };

/** Makes an answer of its inputs. Pure, as what it follows from says. @throws whatever the product throws. */
export function renderFromInputs(parts: InputParts, answerer: Answerer): RenderedAnswer {
  const { product } = parts;
  const { metered, passed_on } = product.definition;
  const produced = computeProduced(parts);
  const { as_of_ms, generated_at_ms, data } = produced;
  return {
    body: renderAnswer(product, produced, answerer),
    as_of_ms,
    generated_at_ms,
    passed_on: passed_on?.(data) ?? undefined,
    peer_price: metered?.read?.(data) ?? null,
  };
}

/** The inputs of a preview's views: an earlier one, of products that can go back, and the present one. */
export function listViewInputs({ product, inputs, now_ms }: Pick<InputParts, "product" | "inputs" | "now_ms">) {
  const earlier = product.definition.preview.rewind?.(inputs, now_ms) ?? null;
  return [earlier, inputs].filter((one) => one !== null);
}

/** One view of a preview, redacted. Pure as above. */
export function computeView(parts: InputParts): Produced {
  const { redact, listed, charts, rowCharts } = parts.product.definition.preview;
  return computeProduced({ ...parts, redact, listed, charts, rowCharts });
}

/** What is made of inputs, by what it is made for. */
export interface MadeOfInputs {
  readonly answer: RenderedAnswer;
  readonly views: readonly Produced[];
}

type Makers = { readonly [K in keyof MadeOfInputs]: (parts: InputParts, answerer: Answerer) => MadeOfInputs[K] };

/** All of it in one piece, for threads that serve no calls. */
export const MAKERS: Makers = {
  answer: renderFromInputs,
  views: (parts) => listViewInputs(parts).map((inputs) => computeView({ ...parts, inputs })),
};
