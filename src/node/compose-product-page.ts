import type { CatalogProduct } from "../catalog/catalog.ts";
import { tellIn } from "../catalog/make-answer.ts";
import type { ChartSample } from "../catalog/previews.ts";
import { messageOf } from "../core/errors.ts";
import { keepFor } from "../core/keep-for.ts";
import { createLRU } from "../core/lru.ts";
import type { ReadProduct } from "../http/page-routes.ts";
import { toReceiptFacts } from "../http/receipt-routes.ts";
import type { Html } from "../pages/html.ts";
import type { ProductFacts, RunFacts } from "../pages/product/facts.ts";
import { countCalls, type StatusSamples } from "../pages/uptime/samples.ts";
import type { Words } from "../pages/words.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { hasMethod } from "./compose-methodology.ts";
import type { Core, StartOptions } from "./parts.ts";

/** A flood of requests reads the books once in so long per product and language. */
const KEPT_MS = 5_000;
const PAGES_KEPT_MAX = 500;
const RECEIPTS_SHOWN = 5;

const RUNS_KEPT_MS = 60_000;
const RUN_DAYS = 30;
const DAY_MS = 86_400_000;

interface ReaderParts {
  readonly model: () => SurfaceModel;
  readonly status_samples: StatusSamples;
}

/** What the page of each product shows besides its definition. Charts are drawn once per snapshot and language. */
export function createProductReader(
  { clock, log }: StartOptions,
  { catalog, previews, ledger, last_success, past, inputs }: Core,
  { model, status_samples }: ReaderParts,
): ReadProduct {
  /** Null where nothing was sampled. */
  const readMonth = keepFor(RUNS_KEPT_MS, clock.now, async () => {
    const samples = await status_samples.read();
    const newest = samples.filter(({ at_ms }) => at_ms >= clock.now() - RUN_DAYS * DAY_MS);
    return newest.length === 0 ? null : countCalls(newest);
  });
  const readRuns = async (id: string): Promise<RunFacts | null> => {
    const counts = await readMonth();
    if (counts === null) return null;
    const { answered, failed } = counts.get(id) ?? { answered: 0, failed: 0 };
    return { days: RUN_DAYS, ok: answered, failed };
  };
  const drawn = new WeakMap<ChartSample, Map<Words, Html | "">>();
  const drawCharts = async (product: CatalogProduct, words: Words): Promise<Html | ""> => {
    try {
      const sample = previews.findCharts(product);
      if (sample === null) return "";
      const by_words = drawn.get(sample) ?? new Map<Words, Html | "">();
      drawn.set(sample, by_words);
      const known = by_words.get(words);
      if (known !== undefined) return known;
      // What draws is loaded with the first chart.
      const { renderCharts } = await import("../pages/charts/figures.ts");
      const { sandbox } = model();
      const made = renderCharts({ sample, sandbox, preview_delay_s: product.preview_delay_ms / 1000, words });
      by_words.set(words, made);
      return made;
    } catch (error) {
      log.error({ event: "charts_failed", product: product.id, error: messageOf(error) });
      return "";
    }
  };

  const kept = createLRU<{ readonly at_ms: number; readonly facts: Promise<ProductFacts> }>(PAGES_KEPT_MAX);
  return (shown, words) => {
    const now_ms = clock.now();
    const key = `${words.language} ${shown.id}`;
    const known = kept.get(key);
    if (known && now_ms >= known.at_ms && now_ms - known.at_ms < KEPT_MS) return known.facts;
    const read = async (): Promise<ProductFacts> => {
      const product = catalog.products.find(({ id }) => id === shown.id);
      if (product) await past.waitFor(product);
      const sample = product ? previews.find(product, product.previewRequests()[0]) : null;
      const is_told = product === undefined || sample === null || words.language === "en";
      const { rows } = await ledger.receipts.page({ product: shown.id, limit: RECEIPTS_SHOWN });
      return {
        sample: is_told ? sample : tellIn("pt", sample, product),
        receipts: rows.map(toReceiptFacts),
        runs: await readRuns(shown.id),
        last_success: last_success.get(shown.id) ?? null,
        now_ms,
        keeps_inputs: inputs !== null,
        has_method: product !== undefined && hasMethod(product),
        charts: product ? await drawCharts(product, words) : "",
      };
    };
    const facts = read();
    kept.set(key, { at_ms: now_ms, facts });
    return facts;
  };
}
