import { type Static, Type } from "@sinclair/typebox";
import { closed, count, day, nullable, number, oneOf, text } from "intel-node";
import { AGRO_ROOTS } from "../b3/contracts.ts";

const FOUR = { decimals: 4 } as const;
const figure = (description: string) => nullable(Type.Number(FOUR), `${description}; null when unknown.`);
const Root = oneOf(AGRO_ROOTS, "Root of its ticker: BGI cattle, CCM corn, ICF coffee, ETH ethanol, SJC and SOY soy.");

export const FUTURES = { max: 40, default: 1 } as const;
/** The median and the states the trade quotes. */
export const PLACES = { max: 4, default: 2 } as const;
export const AgroParams = Type.Object(
  {
    futures: Type.Optional(
      Type.Integer({
        description: "Most futures of each market that are listed, the front before all others.",
        minimum: 1,
        maximum: FUTURES.max,
        default: FUTURES.default,
      }),
    ),
    places: Type.Optional(
      Type.Integer({
        description: "Most farm-gate prices of each product: the median of all states, then the states.",
        minimum: 1,
        maximum: PLACES.max,
        default: PLACES.default,
      }),
    ),
  },
  closed,
);

const Future = Type.Object(
  {
    root: Root,
    symbol: text("B3's ticker."),
    expiry: day("Last trading day, by B3's rule for the contract."),
    settle: number("Settlement, in `unit`.", FOUR),
    unit: text("What the contract is quoted in."),
    settle_brl: figure("The same in BRL at the PTAX of that day; of SOY per 60 kg"),
    settle_usd: figure("The same in USD; of SOY per 60 kg"),
    change_pct: figure("Change of the settlement since the trading day before, percent"),
    volume: nullable(
      Type.Number({ decimals: 0 }),
      "Contracts traded; null where only the session report is there, which does not say.",
    ),
    open_interest: nullable(Type.Number({ decimals: 0 }), "Contracts open; null when the file does not say."),
    front: Type.Boolean({ description: "Whether it is the nearest with at least 5 bank days left." }),
  },
  closed,
);

const Term = Type.Object(
  {
    root: Root,
    front: text("Ticker of the front contract."),
    last: text("Ticker of the farthest one that is settled."),
    slope_pct: number("last / front - 1, percent.", FOUR),
    slope_annual_pct: number("(1 + slope)^(12 / months between them) - 1, percent.", FOUR),
    shape: oneOf(["contango", "backwardation", "flat"], "Rising, falling, or within half a percent."),
  },
  closed,
);

const Product = oneOf(["soy", "corn", "cattle", "coffee", "wheat"], "Farm product.");
const Physical = Type.Object(
  {
    product: Product,
    uf: text("State, or `median` of all states that have a price."),
    level: oneOf(["farm_gate"], "Price paid to the farmer."),
    week_start: day("First day of the week."),
    week_end: day("Its last day."),
    brl_per_kg: number("BRL per kg.", FOUR),
    brl_per_sack_60kg: nullable(Type.Number(FOUR), "BRL per sack of 60 kg", "for cattle"),
    brl_per_arroba_15kg: nullable(Type.Number(FOUR), "BRL per arroba of 15 kg, for cattle", "for the others"),
    change_4w_pct: nullable(
      Type.Number(FOUR),
      "Change over 4 weeks, percent; null where no price of then was published.",
    ),
    change_52w_pct: figure("Change over 52 weeks, percent"),
  },
  closed,
);

const Basis = Type.Object(
  {
    product: Product,
    uf: text("State, or `median`."),
    physical_brl: number("Farm-gate price, BRL per sack of 60 kg, or per arroba.", FOUR),
    futures_brl: number("Front future in the same unit, BRL.", FOUR),
    basis_brl: number("physical - futures, BRL.", FOUR),
    basis_pct: number("The same, percent of the future.", FOUR),
  },
  closed,
);

const Parity = Type.Object(
  {
    product: oneOf(["soy", "corn"], "Farm product."),
    chicago_usd_bu: number("Chicago, USD per bushel.", FOUR),
    usd_per_sack_60kg: number("The same per 60 kg, USD.", FOUR),
    brl_per_sack_60kg: number("In BRL at the PTAX.", FOUR),
    premium_pct: figure("B3's front future over it, percent"),
  },
  closed,
);

const ratio = (description: string) =>
  Type.Object(
    {
      value: figure(description),
      percentile_52w: nullable(
        Type.Number({ decimals: 2 }),
        "Rank among 52 weeks of settlements, 0 to 100; null below 100.",
      ),
    },
    { ...closed, description },
  );

const Crop = Type.Object(
  {
    crop: oneOf(
      ["soy", "corn_first", "corn_second", "wheat", "rice", "coffee", "sugar_cane"],
      "Crop of IBGE's survey.",
    ),
    year: Type.Integer({ description: "Year of the survey." }),
    period: text("Month of the survey, YYYY-MM."),
    production_t: number("Estimated production, tonnes.", { decimals: 0 }),
    area_ha: nullable(Type.Number({ decimals: 0 }), "Planted area, hectares; null when unknown."),
    change_vs_previous_estimate_pct: figure("Against the survey of the month before, percent"),
    change_yoy_pct: figure("Against the survey of the same month a year before, percent"),
  },
  closed,
);

export const AgroSchema = Type.Object(
  {
    trade_date: day("Day of the settlements."),
    fx: Type.Object(
      {
        ptax_sell: number("BRL for one US dollar, closing PTAX of `date`, sell.", FOUR),
        date: day("The trade date, or the last day before it that has one."),
      },
      { ...closed, description: "What US dollars were turned into reais with." },
    ),
    futures: Type.Array(Future, {
      description: "Settled futures, as many of each market as `futures` says, nearest first.",
    }),
    term_structure: Type.Array(Term, { description: "Slope of each market, front to last." }),
    physical: nullable(Type.Array(Physical), "Farm-gate prices of the newest week; null when Conab's file is missing."),
    basis: nullable(Type.Array(Basis), "Farm gate against the front future; null likewise."),
    parity: nullable(Type.Array(Parity), "Chicago against B3; null without a source that may be resold."),
    ratios: Type.Object(
      {
        cattle_corn: ratio("Sacks of corn an arroba of cattle buys (fronts)"),
        soy_corn: ratio("Sacks of corn a sack of soy buys (fronts, soy in BRL)"),
        coffee_usd_per_sack_60kg: ratio("Front of coffee, USD per 60 kg"),
      },
      { ...closed, description: "Feed and price ratios." },
    ),
    crop: nullable(Type.Array(Crop), "IBGE's crop survey (LSPA); null when it is missing."),
    next_reports: nullable(
      Type.Array(Type.Object({ time_utc: text("When, ISO 8601 UTC."), title: text("What.") }, closed)),
      "IBGE's next releases on crops; null when its calendar is missing.",
    ),
    settled_markets: count("Of cattle, corn, coffee and soy, how many are settled."),
    text: text("The same in two sentences."),
  },
  closed,
);
export type AgroData = Static<typeof AgroSchema>;
