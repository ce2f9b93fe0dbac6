import { countBankDays, type ISODate, type SimulatedWorld, yearOf } from "intel-node";
import { getSimulatedEuro } from "intel-node/providers/simulated-fx";
import { type Contract, expiryOf, parseContract, type Root, renderContract } from "../b3/contracts.ts";
import { type CurvePoint, createFlatForward } from "../curve/flat-forward.ts";
import { VECTOR_DAP, VECTOR_DATE, VECTOR_DI1 } from "../curve/vector.ts";
import { previousTradingDay, readMove, round } from "./simulated-days.ts";
import { overnightOn } from "./simulated-policy.ts";

/** A settlement as B3 prints it: PU or price, and of rates the rate. */
export interface SimulatedSettlement {
  readonly symbol: string;
  readonly settle: number;
  readonly rate: number | null;
  readonly contracts: number;
}

const toPoint = ({ symbol, rate }: { symbol: string; rate: number }): CurvePoint => {
  const contract = parseContract(symbol);
  return { du: contract ? countBankDays(VECTOR_DATE, expiryOf(contract)) : 0, rate };
};
const FORMS = {
  DI1: createFlatForward(VECTOR_DI1.map(toPoint)),
  DAP: createFlatForward(VECTOR_DAP.map(toPoint).filter(({ du }) => du > 100)),
} as const;

const monthOf = (date: ISODate): number => Number(date.slice(5, 7));
const later = (date: ISODate, months: number): { readonly year: number; readonly month: number } => {
  const index = yearOf(date) * 12 + monthOf(date) - 1 + months;
  return { year: Math.floor(index / 12), month: (index % 12) + 1 };
};

/** Months of the DI1 and DAP contracts that are listed on a day. */
function listRates(date: ISODate): readonly Contract[] {
  const found: Contract[] = [];
  for (let ahead = 1; ahead <= 240; ahead++) {
    const { year, month } = later(date, ahead);
    const is_quarter = month % 3 === 1;
    if (ahead <= 11 || (ahead <= 60 && is_quarter) || (ahead <= 180 && month === 1)) {
      found.push({ root: "DI1", year, month });
    }
  }
  for (let ahead = 0; ahead <= 420; ahead++) {
    const { year, month } = later(date, ahead);
    const is_bond = (year % 2 === 1 && month === 5) || (year % 2 === 0 && month === 8);
    if (ahead <= 6 || is_bond) found.push({ root: "DAP", year, month });
  }
  return found.filter((contract) => expiryOf(contract) > date);
}

/** Business days over which the form replaces the overnight rate. */
const NEAR_DU = 250;

function settleRate(world: SimulatedWorld, contract: Contract, date: ISODate): SimulatedSettlement {
  const du = countBankDays(date, expiryOf(contract));
  const form = FORMS[contract.root === "DAP" ? "DAP" : "DI1"];
  const last = form.points.at(-1);
  const base = form.rateAt(Math.max(1, Math.min(du, last?.du ?? 1))) ?? 0;
  const is_nominal = contract.root !== "DAP";
  // The near end of the nominal curve is the overnight rate, whatever the Copom has done since the day of the form.
  const near = is_nominal ? (overnightOn(date) - (form.rateAt(1) ?? 0)) * Math.exp(-du / NEAR_DU) : 0;
  const swing = (is_nominal ? 0.6 : 0.35) * readMove(world, `curve-${contract.root}`, date);
  const share = is_nominal ? 1 - Math.exp(-du / NEAR_DU) : 1;
  const rate = round(base + near + swing * share * (0.4 + 0.6 * Math.exp(-du / 800)), 3);
  return toSettlement(renderContract(contract), rate, du);
}

const toSettlement = (symbol: string, rate: number, du: number): SimulatedSettlement => ({
  symbol,
  settle: round(100_000 / (1 + rate / 100) ** (du / 252), 2),
  rate,
  contracts: 1_000 + ((du * 37) % 90_000),
});

/** Price near the vector's, months that are traded, decimals, how much a later month is dearer. */
const AGRO: Readonly<
  Record<Exclude<Root, "DI1" | "DAP">, { price: number; months: readonly number[]; carry: number }>
> = {
  BGI: { price: 319.1, months: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], carry: 0.002 },
  CCM: { price: 68.83, months: [1, 3, 5, 7, 8, 9, 11], carry: 0.004 },
  ICF: { price: 433.3, months: [3, 5, 7, 9, 12], carry: -0.012 },
  ETH: { price: 3_182, months: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], carry: -0.004 },
  SJC: { price: 23.13, months: [1, 3, 5, 7, 8, 9, 11], carry: 0.003 },
  SOY: { price: 400.2, months: [1, 2, 3, 5, 7, 8, 9, 11], carry: 0.002 },
};

function* listAgro(world: SimulatedWorld, date: ISODate): Generator<SimulatedSettlement> {
  for (const [root, { price, months, carry }] of Object.entries(AGRO)) {
    const level = price * Math.exp(0.08 * readMove(world, root, date));
    let listed = 0;
    for (let ahead = 0; ahead <= 24 && listed < 6; ahead++) {
      const { year, month } = later(date, ahead);
      if (!months.includes(month)) continue;
      const contract: Contract = { root: root as Root, year, month };
      if (expiryOf(contract) <= date) continue;
      listed++;
      const settle = round(level * (1 + carry * ahead), 2);
      yield { symbol: renderContract(contract), settle, rate: null, contracts: Math.round(5_000 / (1 + ahead)) };
    }
  }
}

/** Every settlement of a day; on 2026-01-12 rates are those B3 published. */
export function listSettlements(world: SimulatedWorld, date: ISODate): readonly SimulatedSettlement[] {
  const published = [...VECTOR_DI1, ...VECTOR_DAP].map((row) => toSettlement(row.symbol, row.rate, toPoint(row).du));
  const rates = date === VECTOR_DATE ? published : listRates(date).map((contract) => settleRate(world, contract, date));
  return [...rates, ...listAgro(world, date)];
}

/** Shares, units, ETFs, funds and receipts the simulated exchange trades: a rough price, the weight in its index. */
export const SHARES: Readonly<Record<string, { readonly price: number; readonly weight: number }>> = {
  VALE3: { price: 62.4, weight: 11.8 },
  ITUB4: { price: 38.2, weight: 8.4 },
  PETR4: { price: 31.5, weight: 7.1 },
  PETR3: { price: 33.6, weight: 4.2 },
  ELET3: { price: 47.3, weight: 4.1 },
  BBDC4: { price: 17.9, weight: 3.9 },
  SBSP3: { price: 121.5, weight: 3.6 },
  B3SA3: { price: 13.8, weight: 3.2 },
  ITSA4: { price: 12.95, weight: 3.1 },
  BBAS3: { price: 22.1, weight: 2.9 },
  WEGE3: { price: 45.6, weight: 2.8 },
  ABEV3: { price: 13.2, weight: 2.6 },
  EMBR3: { price: 81.7, weight: 2.5 },
  EQTL3: { price: 36.9, weight: 2.2 },
  RENT3: { price: 44.8, weight: 2.0 },
  PRIO3: { price: 40.9, weight: 1.9 },
  SUZB3: { price: 52.3, weight: 1.8 },
  RDOR3: { price: 39.7, weight: 1.7 },
  BPAC11: { price: 49.2, weight: 2.9 },
  RADL3: { price: 22.4, weight: 1.4 },
  VIVT3: { price: 33.8, weight: 1.3 },
  GGBR4: { price: 18.4, weight: 1.2 },
  UGPA3: { price: 20.1, weight: 1.1 },
  LREN3: { price: 15.9, weight: 1.0 },
  TIMS3: { price: 22.7, weight: 0.9 },
  CSAN3: { price: 6.4, weight: 0.5 },
  BOVA11: { price: 152.3, weight: 0 },
  KNRI11: { price: 158.2, weight: 0 },
  M1TA34: { price: 128.4, weight: 0 },
  AAPL34: { price: 71.9, weight: 0 },
};

/** BRL, at the end of a day. */
const closeOf = (world: SimulatedWorld, symbol: string, date: ISODate): number =>
  round((SHARES[symbol]?.price ?? 10) * Math.exp(0.12 * readMove(world, symbol, date)), 2);

export interface SimulatedClose {
  readonly symbol: string;
  readonly last: number;
  readonly low: number;
  readonly high: number;
  readonly average: number;
  readonly change_pct: number;
  readonly trades: number;
  readonly shares: number;
}

export function listCloses(world: SimulatedWorld, date: ISODate): readonly SimulatedClose[] {
  const before = previousTradingDay(date);
  return Object.keys(SHARES).map((symbol) => {
    const [last, previous] = [closeOf(world, symbol, date), closeOf(world, symbol, before)];
    const [low, high] = [Math.min(last, previous) * 0.995, Math.max(last, previous) * 1.005];
    const shares = Math.round(1e6 + 9e6 * world.noise(`shares:${symbol}:${date}`));
    return {
      symbol,
      last,
      low: round(low, 2),
      high: round(high, 2),
      average: round((low + high) / 2, 2),
      change_pct: round((last / previous - 1) * 100, 2),
      trades: Math.round(shares / 590),
      shares,
    };
  });
}

/** Points of the index, which goes with its members. */
export function indexLevelOf(world: SimulatedWorld, date: ISODate): number {
  let level = 0;
  for (const [symbol, { price, weight }] of Object.entries(SHARES)) {
    if (weight > 0) level += (weight * closeOf(world, symbol, date)) / price;
  }
  return round(level * 2_050, 2);
}

/** The last of the four windows it is the mean of ends at 13:10 in Brasília. */
const PTAX_MS = 16 * 3_600_000;

/** BRL for one US dollar, the closing PTAX bid and offer: the world's own dollar, as in every other source. */
export function ptaxOf(world: SimulatedWorld, date: ISODate): { readonly buy: number; readonly sell: number } {
  const at_ms = Date.parse(date) + PTAX_MS;
  const sell = round(getSimulatedEuro(world, "BRL", at_ms) / getSimulatedEuro(world, "USD", at_ms), 4);
  return { buy: round(sell - 0.0006, 4), sell };
}
