import type { WorkBudget, WorkFor } from "../calls/work-budget.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import type { ParsedParams } from "../catalog/params.ts";
import { renderTime } from "../core/clock.ts";
import { ceilingOf } from "../core/metering.ts";
import { renderUSD } from "../core/money.ts";
import type { ThreadTurns } from "../core/thread-turns.ts";
import { estimateMarks } from "../watches/cadence.ts";
import { priceIdle } from "../watches/engine.ts";
import { type FreeSample, type Rehearsal, rehearse } from "../watches/rehearse.ts";
import { readJSONBody } from "./body.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Responder } from "./respond.ts";
import { type OrderOptions, readSketch, type WatchRequest } from "./watch-order.ts";

export interface WatchPreviewOptions extends OrderOptions {
  readonly responder: Responder;
  /** The first free sample of the last 30 days after a time: what anybody could have read, and nothing else. */
  readonly nextSample: (product: CatalogProduct, request: ParsedParams, after_ms: number) => FreeSample | null;
  readonly idle_share: number;
  readonly stamp: () => Record<string, unknown>;
  /** Each sample is work that nobody pays for. */
  readonly work: Pick<WorkBudget, "assertLeft" | "spend">;
  /** What an address is counted as; null where it is not limited. */
  readonly limitOf: (client: string) => string | null;
  /** This thread's turns unless given. */
  readonly turns?: ThreadTurns;
}

const BODY_BYTES_MAX = 16_384;
const DAYS = 30;
const DAY_MS = 86_400_000;
/** Times that are named. */
const TIMES_MAX = 100;
/** Samples that weigh as much as one answer for nothing. A month of an hourly product has some 130. */
const SAMPLES_PER_UNIT = 100;
const SAMPLE = { took_ms: 0, price_atomic: 0n, answers: 1 / SAMPLES_PER_UNIT };

/**
 * What a watch would have told and what it may cost, before it is set: judged on free samples alone, never on answers
 * that are sold, so that no condition is a free look at them.
 */
export function createWatchPreviewRoute(options: WatchPreviewOptions): FreeRoute {
  const { responder, now_ms, idle_share, stamp, work, limitOf, turns } = options;
  return {
    path: "/watch/preview",
    methods: ["POST"],
    handler: async ({ request, request_id, client }) => {
      const asked = readSketch(await readJSONBody(request, BODY_BYTES_MAX), options);
      const network = limitOf(client);
      const by: WorkFor = { holder: `look back ${network}`, network, target: null, is_free: true };
      const nextSample = (after_ms: number): FreeSample | null => {
        // Before each of them: a hundred looks at once would all be let through before the first is counted.
        work.assertLeft(by);
        const sample = options.nextSample(asked.product, asked.request, after_ms);
        if (sample !== null) work.spend(by, SAMPLE);
        return sample;
      };
      const rehearsed = await rehearse(asked, nextSample, turns);
      const body = JSON.stringify({
        ...stamp(),
        product: asked.product.path,
        params: asked.request.params,
        past: renderPast(rehearsed),
        estimate: renderEstimate(asked, rehearsed, { now_ms: now_ms(), idle_share }),
      });
      const response = new Response(body, { headers: responder.headers({ "Cache-Control": "no-store" }) });
      response.headers.set("X-Request-Id", request_id);
      return response;
    },
  };
}

function renderPast({ samples, from_ms, to_ms, told_ms, unknown }: Rehearsal): object {
  return {
    days: DAYS,
    samples,
    from: samples === 0 ? null : renderTime(from_ms),
    to: samples === 0 ? null : renderTime(to_ms),
    without_value: unknown,
    told: told_ms.length,
    told_at: told_ms.slice(-TIMES_MAX).map((ms) => renderTime(ms)),
  };
}

interface Prices {
  readonly now_ms: number;
  readonly idle_share: number;
}

/** For 30 days, or until it ends; of what it tells only as far as samples say. */
function renderEstimate(asked: WatchRequest, rehearsed: Rehearsal, { now_ms, idle_share }: Prices): object {
  const { cadence, condition, budget } = asked;
  const told_price = ceilingOf(asked.product);
  const idle_price = condition === null ? told_price : priceIdle(told_price, idle_share);
  const to_ms = Math.min(asked.until_ms, now_ms + DAYS * DAY_MS);
  const evaluations = estimateMarks(cadence, { from_ms: now_ms, to_ms });
  const told = estimateTold(asked, { rehearsed, evaluations, span_ms: to_ms - now_ms });
  const idle_usd = renderUSD(BigInt(evaluations) * idle_price);
  const sum = told === null ? null : BigInt(told) * told_price + BigInt(evaluations - told) * idle_price;
  return {
    until: renderTime(to_ms),
    evaluations,
    told,
    price_told_usd: renderUSD(told_price),
    price_idle_usd: renderUSD(idle_price),
    idle_usd,
    sum_usd: sum === null ? null : renderUSD(sum),
    budget_lasts: sum === null || budget === null ? null : sum <= budget,
  };
}

/** By how often it told in the time of the samples; null where there are too few to say. */
function estimateTold(
  { condition }: WatchRequest,
  of: { readonly rehearsed: Rehearsal; readonly evaluations: number; readonly span_ms: number },
): number | null {
  const { rehearsed, evaluations, span_ms } = of;
  if (condition === null) return evaluations;
  const { samples, told_ms, from_ms, to_ms } = rehearsed;
  if (samples < 2 || to_ms <= from_ms) return null;
  return Math.min(evaluations, Math.ceil((told_ms.length * span_ms) / (to_ms - from_ms)));
}
