import { closest, NodeError } from "intel-node";
import type { FredId } from "intel-node/providers/fred/series";
import type { EIASeries } from "../providers/eia/spot-prices.ts";

/** One converted price: price x factor, in `unit`. */
interface Conversion {
  readonly unit: string;
  readonly factor: number;
}

interface Shared {
  readonly name: string;
  readonly aliases: readonly string[];
  /** The unit of the price. */
  readonly unit: string;
  readonly conversions: readonly Conversion[];
}
export interface LiveCommodity extends Shared {
  readonly cadence: "live";
  /** ISO 4217 code of the metal. */
  readonly code: string;
}
export interface SlowCommodity extends Shared {
  readonly cadence: "daily" | "monthly";
  readonly fred: FredId;
  readonly eia: EIASeries | null;
}
export type Commodity = LiveCommodity | SlowCommodity;

/** Grams of a troy ounce (NIST Handbook 44, appendix C). */
const TROY_OUNCE_G = 31.1034768;
/** Pounds of a tonne: 1,000 / 0.45359237. */
const TONNE_LB = 2_204.62262185;
/** Bushels of a tonne at the USDA's 60 lb (wheat, soybeans) and 56 lb (corn). */
const TONNE_BU = { wheat: 36.7437, corn: 39.368 };

const metal = (name: string, code: string, aliases: readonly string[]): LiveCommodity => ({
  name,
  code,
  aliases,
  unit: "USD/troy oz",
  cadence: "live",
  conversions: [
    { unit: "USD/g", factor: 1 / TROY_OUNCE_G },
    { unit: "USD/kg", factor: 1_000 / TROY_OUNCE_G },
  ],
});
const grain = (
  name: string,
  fred: FredId,
  [aliases, bushels]: readonly [readonly string[], number],
): SlowCommodity => ({
  name,
  fred,
  eia: null,
  aliases,
  unit: "USD/t",
  cadence: "monthly",
  conversions: [{ unit: "US cents/bu", factor: 100 / bushels }],
});

export const COMMODITIES = {
  gold: metal("Gold", "XAU", ["xau", "xauusd", "gc", "ouro"]),
  silver: metal("Silver", "XAG", ["xag", "xagusd", "si", "prata"]),
  platinum: metal("Platinum", "XPT", ["xpt", "xptusd", "pl", "platina"]),
  palladium: metal("Palladium", "XPD", ["xpd", "xpdusd", "pa", "paladio"]),
  wti: {
    name: "Crude oil WTI, Cushing",
    aliases: ["crude", "crudeoil", "oil", "cl", "petroleo", "petroleowti"],
    unit: "USD/bbl",
    cadence: "daily",
    fred: "DCOILWTICO",
    eia: "RWTC",
    conversions: [],
  },
  brent: {
    name: "Crude oil Brent, Europe",
    aliases: ["bz", "brn", "petroleobrent"],
    unit: "USD/bbl",
    cadence: "daily",
    fred: "DCOILBRENTEU",
    eia: "RBRTE",
    conversions: [],
  },
  natgas: {
    name: "Natural gas, Henry Hub",
    aliases: ["henryhub", "ng", "naturalgas", "gasnatural", "gas"],
    unit: "USD/MMBtu",
    cadence: "daily",
    fred: "DHHNGSP",
    eia: "RNGWHHD",
    conversions: [],
  },
  copper: {
    name: "Copper, world benchmark",
    aliases: ["hg", "cobre"],
    unit: "USD/t",
    cadence: "monthly",
    fred: "PCOPPUSDM",
    eia: null,
    conversions: [{ unit: "USD/lb", factor: 1 / TONNE_LB }],
  },
  wheat: grain("Wheat, world benchmark", "PWHEAMTUSDM", [["zw", "trigo"], TONNE_BU.wheat]),
  corn: grain("Corn, world benchmark", "PMAIZMTUSDM", [["zc", "milho"], TONNE_BU.corn]),
  soybeans: grain("Soybeans, world benchmark", "PSOYBUSDM", [["zs", "soja", "soy", "soybean"], TONNE_BU.wheat]),
  sugar: {
    name: "Sugar No. 11, world benchmark",
    aliases: ["sb", "acucar"],
    unit: "US cents/lb",
    cadence: "monthly",
    fred: "PSUGAISAUSDM",
    eia: null,
    conversions: [{ unit: "USD/t", factor: TONNE_LB / 100 }],
  },
} as const satisfies Readonly<Record<string, Commodity>>;

export type CommoditySymbol = keyof typeof COMMODITIES;
export const SYMBOLS = Object.keys(COMMODITIES) as CommoditySymbol[];

/** The canonical symbol of what people write. @throws NodeError invalid_parameter */
export function parseCommodity(text: string): CommoditySymbol {
  const word = text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s/_=-]/g, "");
  const found = SYMBOLS.find((symbol) => symbol === word || COMMODITIES[symbol].aliases.some((one) => one === word));
  if (found) return found;
  const nearest = closest(word, SYMBOLS);
  throw new NodeError("invalid_parameter", `symbol is one of ${SYMBOLS.join(", ")}.`, {
    param: "symbol",
    details: { parameter: "symbol", got: text, allowed: SYMBOLS, ...(nearest === undefined ? {} : { nearest }) },
  });
}
