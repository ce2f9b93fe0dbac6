import { encode } from "gpt-tokenizer";
import { startProductNode } from "./product-node.ts";

/** What one call without parameters costs the model that reads it. */
export interface AnswerSize {
  readonly path: string;
  /** Of the whole body, sources and warnings included; null when the sandbox has no answer. */
  readonly tokens: number | null;
  readonly chars: number | null;
  /** Why there is no answer. */
  readonly code: string | null;
}

/** Long enough that the newest signals are graded and every list has its usual length. */
const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

/**
 * Buys every product once, as a buyer does who says nothing but the path (where a parameter is needed: its example), on
 * a sandbox node that has lived some days. Tokens are those of o200k_base.
 */
export async function measureAnswers(): Promise<readonly AnswerSize[]> {
  const { products, buy, stop } = await startProductNode({ now_ms: NOW_MS });
  try {
    const sizes: AnswerSize[] = [];
    for (const product of products) {
      const required = (product.params.required ?? []).length > 0;
      const response = await buy(product, required ? product.example.params : {});
      const body = await response.text();
      const { path } = product;
      if (response.status === 200) sizes.push({ path, tokens: encode(body).length, chars: body.length, code: null });
      else sizes.push({ path, tokens: null, chars: null, code: String(JSON.parse(body).code) });
    }
    return sizes;
  } finally {
    await stop();
  }
}
