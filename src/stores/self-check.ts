import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import { type Clock, renderTime } from "../core/clock.ts";
import { thread_turns } from "../core/thread-turns.ts";
import { codeOf } from "../recompute/code-digest.ts";
import { type Recheck, type Rechecked, recheck } from "../recompute/recheck.ts";
import type { Recipe } from "../recompute/recipe.ts";
import type { KeptAnswer } from "./inputs-db.ts";
import type { InputsStore } from "./inputs-store.ts";

/** What came of making sold answers again. */
export interface SelfCheckReport {
  /** Made again, the same byte for byte. */
  readonly recomputed: number;
  readonly differing: number;
  /** Made by other code, or of a product this node has no more. */
  readonly unknown: number;
  /** Hashes of some that differ. */
  readonly examples: readonly string[];
}

/** Makes a node's own answers again, each night: its buyers can do the same. */
export interface SelfCheck {
  /** Checks what was made since a time, while nobody has to wait for it. */
  run(since_ms: number): Promise<SelfCheckReport>;
  /** For `/live`; null before the first. */
  last(): ({ readonly checked_at: string; readonly since: string } & Omit<SelfCheckReport, "examples">) | null;
}

export interface SelfCheckOptions {
  readonly inputs: Pick<InputsStore, "list" | "get"> | null;
  readonly catalog: () => Pick<Catalog, "products">;
  readonly clock: Clock;
  readonly log: (
    event: { readonly event: "answer_differs"; readonly product: string } & Record<string, unknown>,
  ) => void;
}

const PAGE = 200;
/** Answers of one night; the rest of a busier day is not checked, which the figure shows. */
const ANSWERS_MAX = 20_000;
const EXAMPLES_MAX = 10;

/** Makes one kept answer again. */
export function recheckKept(kept: KeptAnswer, find: (path: string) => CatalogProduct | undefined): Rechecked {
  const recipe = JSON.parse(kept.recipe) as Recipe;
  const product = find(recipe.path);
  const own_code = product === undefined ? null : codeOf(product.file);
  const { inputs, body, code_sha256 } = kept;
  const asked: Recheck = { recipe, inputs, body, code_sha256, product, own_code };
  return recheck(asked);
}

export function createSelfCheck({ inputs, catalog, clock, log }: SelfCheckOptions): SelfCheck {
  let last: ReturnType<SelfCheck["last"]> = null;

  return {
    last: () => last,
    async run(since_ms) {
      const counts = { same: 0, differs: 0, other_code: 0, unknown: 0 };
      const examples: string[] = [];
      const products = new Map(catalog().products.map((product) => [product.default_path as string, product]));
      const started = renderTime(clock.now());
      let after = "";
      for (let seen = 0; inputs !== null && seen < ANSWERS_MAX; seen += PAGE) {
        const page = inputs.list({ since_ms, after, limit: PAGE });
        for (const sha256 of page) {
          // It may have ended since the page was read.
          const kept = inputs.get(sha256);
          if (kept === null) continue;
          const { verdict, differences } = await thread_turns.run("patient", () =>
            recheckKept(kept, (path) => products.get(path)),
          );
          counts[verdict] += 1;
          if (verdict !== "differs") continue;
          const { product } = JSON.parse(kept.recipe) as Recipe;
          if (examples.length < EXAMPLES_MAX) examples.push(sha256);
          log({ event: "answer_differs", product, response_sha256: sha256, where: differences[0]?.path ?? "" });
        }
        after = page.at(-1) ?? after;
        if (page.length < PAGE) break;
      }
      const { same: recomputed, differs: differing, other_code, unknown } = counts;
      const figures = { recomputed, differing, unknown: other_code + unknown };
      last = { checked_at: started, since: renderTime(since_ms), ...figures };
      return { ...figures, examples };
    },
  };
}
