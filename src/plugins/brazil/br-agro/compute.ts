import { addDays, type Computed, type Draft, missing, missingIn } from "intel-node";
import { getPercentileRank, median } from "intel-node/quant/stats";
import { type AgroFuture, findFront, listFutures } from "../agro/fronts.ts";
import { type Fronts, getFronts } from "../agro/stored-ratios.ts";
import { AGRO_ROOTS, type AgroRoot, ROOTS } from "../b3/contracts.ts";
import { momentOf } from "../b3/stored-days.ts";
import { type AgroInputs, countMarkets, type FarmPrice } from "./fetch.ts";
import { type AgroData, FUTURES, PLACES } from "./schema.ts";
import { ARROBA_KG, getParity, SACK_KG, toSackPrice } from "./units.ts";

type Maybe = number | null;
type FarmRow = NonNullable<AgroData["physical"]>[number];
const FLAT_PCT = 0.5;
const HISTORY_MIN = 100;
/** States whose prices the trade quotes. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  soy: ["MT", "PR", "RS"],
  corn: ["MT", "PR"],
  cattle: ["SP", "MT", "GO"],
  coffee: ["MG"],
  wheat: ["PR"],
};
/** Which future a farm price is compared with. */
const FUTURE_OF = { soy: "SJC", corn: "CCM", cattle: "BGI", coffee: "ICF" } as const;
const CROP_WORDS = /LSPA|agr[íi]cola|safra|pecu[áa]ri/i;

/** A settlement in both currencies: of soy FOB Santos (USD per tonne) per 60 kg. */
export function convert(
  { root, settle }: Pick<AgroFuture, "root" | "settle">,
  ptax: number,
): { readonly brl: number; readonly usd: number } {
  if (ROOTS[root].unit.startsWith("BRL")) return { brl: settle, usd: settle / ptax };
  const usd = root === "SOY" ? toSackPrice(settle) : settle;
  return { brl: usd * ptax, usd };
}

/** Slope from the front to the last contract. */
export function getTerm(
  futures: readonly AgroFuture[],
  front: AgroFuture | null,
): AgroData["term_structure"][number] | null {
  const last = futures.at(-1);
  if (!front || !last || last.symbol === front.symbol) return null;
  const months = (last.year - front.year) * 12 + last.month - front.month;
  const slope = last.settle / front.settle - 1;
  return {
    root: front.root,
    front: front.symbol,
    last: last.symbol,
    slope_pct: slope * 100,
    slope_annual_pct: ((1 + slope) ** (12 / months) - 1) * 100,
    shape: Math.abs(slope * 100) < FLAT_PCT ? "flat" : slope > 0 ? "contango" : "backwardation",
  };
}

/** Ratios of a day's fronts. */
export function getRatios({ cattle, corn, soy_usd_60kg, coffee_usd_60kg }: Fronts, ptax: number) {
  const over = (a: Maybe, b: Maybe): Maybe => (a === null || b === null || b === 0 ? null : a / b);
  return {
    cattle_corn: over(cattle, corn),
    soy_corn: over(soy_usd_60kg === null ? null : soy_usd_60kg * ptax, corn),
    coffee_usd_per_sack_60kg: coffee_usd_60kg,
  };
}

const rankOf = (history: readonly Maybe[], value: Maybe): Maybe => {
  const known = history.filter((one): one is number => one !== null);
  return value === null || known.length < HISTORY_MIN ? null : getPercentileRank(known, value);
};

const medianOf = (values: readonly number[]): Maybe => (values.length === 0 ? null : median([...values]));

/** The newest week's prices of the named states and of the median of all, with their changes. */
export function describeFarm(
  prices: readonly FarmPrice[],
  places: number = PLACES.max,
): NonNullable<AgroData["physical"]> {
  return Object.entries(STATES).flatMap(([product, states]) => {
    const own = prices.filter((row) => row.product === product);
    const newest = own
      .map(({ week_start }) => week_start)
      .sort()
      .at(-1);
    if (newest === undefined) return [];
    const priceAt = (uf: string, weeks: number): Maybe => {
      const week = addDays(newest, -7 * weeks);
      const found = own.filter((row) => row.week_start === week);
      return uf === "median"
        ? medianOf(found.map(({ brl_per_kg }) => brl_per_kg))
        : (found.find((row) => row.uf === uf)?.brl_per_kg ?? null);
    };
    const change = (now: number, before: Maybe): Maybe => (before === null ? null : (now / before - 1) * 100);
    const week_end = own.find(({ week_start }) => week_start === newest)?.week_end ?? newest;
    return ["median", ...states].slice(0, places).flatMap((uf) => {
      const now = priceAt(uf, 0);
      if (now === null) return [];
      const is_cattle = product === "cattle";
      return [
        {
          product: product as "soy",
          uf,
          level: "farm_gate" as const,
          week_start: newest,
          week_end,
          brl_per_kg: now,
          brl_per_sack_60kg: is_cattle ? null : now * SACK_KG,
          brl_per_arroba_15kg: is_cattle ? now * ARROBA_KG : null,
          change_4w_pct: change(now, priceAt(uf, 4)),
          change_52w_pct: change(now, priceAt(uf, 52)),
        },
      ];
    });
  });
}

/** A price in another unit does not count for a product; a change is missing where nothing was published then. */
const explainFarm = (row: FarmRow): Draft<FarmRow> => ({
  ...row,
  change_4w_pct: row.change_4w_pct ?? missing("no price of then was published"),
  change_52w_pct: row.change_52w_pct ?? missing("no price of then was published"),
});

/** Farm gate minus the front future of the product, both in BRL of the same unit. */
export function getBasis(physical: number, futures: number) {
  const basis_brl = physical - futures;
  return { physical_brl: physical, futures_brl: futures, basis_brl, basis_pct: (basis_brl / futures) * 100 };
}

function listBasis(
  physical: NonNullable<AgroData["physical"]>,
  frontBRL: (root: AgroRoot) => Maybe,
): NonNullable<AgroData["basis"]> {
  return physical.flatMap((row) => {
    const root = row.product === "wheat" ? undefined : FUTURE_OF[row.product];
    const futures = root === undefined ? null : (frontBRL(root) ?? (root === "SJC" ? frontBRL("SOY") : null));
    const price = row.brl_per_arroba_15kg ?? row.brl_per_sack_60kg;
    return futures === null || price === null
      ? []
      : [{ product: row.product, uf: row.uf, ...getBasis(price, futures) }];
  });
}

const periodOf = (text: string): string => `${text.slice(0, 4)}-${text.slice(4)}`;

function listCrops({ production, area }: AgroInputs): AgroData["crop"] {
  if (!production) return null;
  const change = (now: number, before: number | undefined): Maybe =>
    before === undefined || before === 0 ? null : (now / before - 1) * 100;
  return [...Map.groupBy(production, ({ crop }) => crop)].flatMap(([crop, estimates]) => {
    const sorted = estimates.toSorted((a, b) => (a.period < b.period ? -1 : 1));
    const last = sorted.at(-1);
    if (!last) return [];
    const year_before = `${Number(last.period.slice(0, 4)) - 1}${last.period.slice(4)}`;
    return [
      {
        crop: crop as "soy",
        year: Number(last.period.slice(0, 4)),
        period: periodOf(last.period),
        production_t: last.value,
        area_ha: area?.find((row) => row.crop === crop && row.period === last.period)?.value ?? null,
        change_vs_previous_estimate_pct: change(last.value, sorted.at(-2)?.value),
        change_yoy_pct: change(last.value, sorted.find(({ period }) => period === year_before)?.value),
      },
    ];
  });
}

const NO_FARM = "Conab's file could not be had, or is old";
const NO_RATIO = `a future is not settled, or fewer than ${HISTORY_MIN} days are stored`;

const show = (value: Maybe, unit: string): string => (value === null ? "unknown" : `${value.toFixed(2)} ${unit}`);

/** @returns farm prices and futures; USD are turned into BRL at the PTAX of the settlements' day. */
export function computeAgro(
  inputs: AgroInputs,
  {
    now_ms,
    futures: futures_max = FUTURES.max,
    places,
  }: { readonly now_ms: number; readonly futures?: number; readonly places?: number },
): Computed<Draft<AgroData>> {
  const { day, before, ptax, farm, history } = inputs;
  const by_root = new Map(AGRO_ROOTS.map((root) => [root, listFutures(day.settlements, root)] as const));
  const fronts = new Map(AGRO_ROOTS.map((root) => [root, findFront(by_root.get(root) ?? [], day.date)] as const));
  const earlier = new Map((before?.settlements ?? []).map(({ symbol, settle }) => [symbol, settle]));
  const listed = AGRO_ROOTS.flatMap((root) => {
    const all = by_root.get(root) ?? [];
    const front = fronts.get(root);
    const others = all.filter((future) => future !== front);
    const shown = new Set([...(front ? [front] : []), ...others].slice(0, futures_max));
    return all.filter((future) => shown.has(future)).map((future) => ({ root, future }));
  });
  const futures = listed.map(({ root, future }) => {
    const { brl, usd } = convert(future, ptax.sell);
    const then = earlier.get(future.symbol);
    return {
      root,
      symbol: future.symbol,
      expiry: future.expiry,
      settle: future.settle,
      unit: ROOTS[root].unit,
      settle_brl: brl,
      settle_usd: usd,
      change_pct: then === undefined ? missing("not settled on the day before") : (future.settle / then - 1) * 100,
      volume: future.contracts ?? missing("the session report does not say how many were traded"),
      open_interest: future.open_interest ?? missing("the file does not say"),
      front: fronts.get(root)?.symbol === future.symbol,
    };
  });
  const frontBRL = (root: AgroRoot): Maybe => {
    const front = fronts.get(root);
    return front ? convert(front, ptax.sell).brl : null;
  };
  const physical = farm && farm.length > 0 ? describeFarm(farm, places) : null;
  const now = getRatios(getFronts(day.settlements, day.date), ptax.sell);
  const then = history.map((one) => getRatios(one, ptax.sell));
  const ratioOf = (name: keyof typeof now) => ({
    value: now[name] ?? missing(NO_RATIO),
    percentile_52w:
      name === "soy_corn"
        ? missing("it would need the PTAX of every day")
        : (rankOf(
            then.map((one) => one[name]),
            now[name],
          ) ?? missing(NO_RATIO)),
  });
  const data: Draft<AgroData> = {
    trade_date: day.date,
    fx: { ptax_sell: ptax.sell, date: ptax.date },
    futures,
    term_structure: AGRO_ROOTS.flatMap((root) => getTerm(by_root.get(root) ?? [], fronts.get(root) ?? null) ?? []),
    physical: physical?.map(explainFarm) ?? missing(NO_FARM),
    basis: physical ? listBasis(physical, frontBRL) : missing(NO_FARM),
    parity:
      inputs.chicago
        ?.map((price) => getParity(price, ptax.sell, frontBRL(price.product === "soy" ? "SJC" : "CCM")))
        .map((row) => missingIn(row, "B3's front future is not settled")) ??
      missing("no source of Chicago prices that may be resold is configured"),
    ratios: {
      cattle_corn: ratioOf("cattle_corn"),
      soy_corn: ratioOf("soy_corn"),
      coffee_usd_per_sack_60kg: ratioOf("coffee_usd_per_sack_60kg"),
    },
    crop:
      listCrops(inputs)?.map((row) => missingIn(row, "IBGE's survey has no such figure")) ??
      missing("IBGE's survey could not be read"),
    next_reports:
      inputs.releases
        ?.filter(({ at_ms, title }) => at_ms >= now_ms && CROP_WORDS.test(title))
        .map(({ at_ms, title }) => ({ time_utc: new Date(at_ms).toISOString(), title })) ??
      missing("IBGE's calendar could not be read"),
    settled_markets: countMarkets(day),
    text:
      `On ${day.date} live cattle settled at ${show(frontBRL("BGI"), "BRL per arroba")}, corn at ` +
      `${show(frontBRL("CCM"), "BRL")} and soy at ${show(frontBRL("SJC") ?? frontBRL("SOY"), "BRL")} per sack of ` +
      "60 kg. " +
      `An arroba of cattle buys ${show(now.cattle_corn, "sacks of corn")}.`,
  };
  return { as_of_ms: momentOf(day.date), data, warnings: [] };
}
