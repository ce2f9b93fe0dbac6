import { type Computed, keepShown, type Write, type WritingPlan, writeByTemplates } from "intel-node";
import { median } from "intel-node/quant/stats";
import { listEnglishBlocks } from "../written/english.ts";
import { createBrazilFacts, frontBRL } from "../written/facts.ts";
import { assertParts, type BrazilParts, dataOf, newestOf, warnOfParts } from "../written/parts.ts";
import { listEvents } from "../written/schema.ts";
import type { BrazilBriefData } from "./schema.ts";

type Maybe = number | null | undefined;

/** Which way a change points, beyond what is noise. */
export const toDirection = (change: Maybe, noise: number): "up" | "down" | "flat" | null =>
  change === null || change === undefined ? null : change > noise ? "up" : change < -noise ? "down" : "flat";

function readNumbers(parts: BrazilParts): BrazilBriefData["numbers"] {
  const [macro, curve] = [dataOf(parts, "macro"), dataOf(parts, "curve")];
  const [equity, agro] = [dataOf(parts, "equity"), dataOf(parts, "agro")];
  const point = (tenor: string) => curve?.curve.find((one) => one.tenor === tenor);
  const ipca = macro?.focus?.find(({ indicator }) => indicator === "ipca");
  const front = (roots: readonly string[]) => (agro ? frontBRL(agro, roots) : null);
  return {
    selic_target_pct: macro?.selic.target_pct ?? null,
    di_1y_pct: point("1y")?.nominal ?? null,
    di_10y_pct: point("10y")?.nominal ?? null,
    slope_2s10s_bps: curve?.slopes.s2s10s ?? null,
    breakeven_5y_pct: point("5y")?.breakeven ?? null,
    ipca_12m_pct: macro?.inflation.ipca_12m ?? null,
    focus_ipca_year_pct: ipca?.median ?? null,
    ex_ante_real_pct: macro?.real_rates.ex_ante ?? null,
    ptax_sell: macro?.fx.ptax_sell ?? null,
    ibov_close: equity?.close ?? null,
    ibov_change_5d_pct: equity?.returns.d5 ?? null,
    soy_brl_sack: front(["SJC", "SOY"]),
    cattle_brl_arroba: front(["BGI"]),
    corn_brl_sack: front(["CCM"]),
  };
}

function readDirections(parts: BrazilParts): BrazilBriefData["directions"] {
  const [macro, curve] = [dataOf(parts, "macro"), dataOf(parts, "curve")];
  const [equity, agro] = [dataOf(parts, "equity"), dataOf(parts, "agro")];
  const fronts = agro?.futures.flatMap(({ front, change_pct }) => (front && change_pct !== null ? [change_pct] : []));
  return {
    rates: toDirection(curve?.curve.find(({ tenor }) => tenor === "1y")?.change_5d_bps, 5),
    fx: toDirection(macro?.fx.change_5d_pct, 1),
    equity: toDirection(equity?.returns.d5, 1.5),
    agro: toDirection(fronts ? median(fronts) : null, 1),
  };
}

/** The text to be written of the parts. */
export function planBrazilBrief(parts: BrazilParts): WritingPlan {
  const { rates, inflation, fx_equity, agro, watch } = listEnglishBlocks(parts);
  return {
    pack: createBrazilFacts(parts).build(),
    locale: "en",
    task: "You write a short snapshot of Brazil's markets for a decision loop.",
    blocks: [rates, inflation, fx_equity, agro, watch],
  };
}

/**
 * Numbers, directions by rule, and sentences of nothing but them.
 * @throws NodeError when policy rate, curve or exchange rate are missing.
 */
export function computeBrazilBrief(
  parts: BrazilParts,
  { write = writeByTemplates }: { readonly write?: Write } = {},
): Computed<BrazilBriefData> {
  assertParts(parts, ["macro", "curve"], "br-market-brief");
  const { written, warnings } = write(planBrazilBrief(parts));
  const numbers = readNumbers(parts);
  const directions = readDirections(parts);
  const missing = (group: string, values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).flatMap(([name, value]) =>
      value === null ? [`${group}.${name}: the product it is from does not have it now`] : [],
    );
  const next_events = listEvents(dataOf(parts, "macro"));
  return {
    as_of_ms: newestOf(parts),
    warnings: [
      ...warnOfParts(parts, { equity: "numbers.ibov_close", agro: "numbers.soy_brl_sack" }),
      ...missing("numbers", numbers),
      ...missing("directions", directions),
      ...(next_events ? [] : ["next_events: the calendar is missing"]),
      ...warnings,
    ],
    data: { numbers, directions, next_events, ...keepShown(written) },
  };
}
