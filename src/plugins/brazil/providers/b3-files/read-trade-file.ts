import { type ISODate, isUnusable, parseNumber, type Unusable, unusable } from "intel-node";
import { type Day, parseContract } from "../../b3/contracts.ts";
import { type JudgedSettlements, judgeSettlements, type Settlement } from "../../b3/settlement.ts";

/** What a share, unit, fund or receipt did on one day, as B3 published it. */
export interface DayClose {
  readonly symbol: string;
  readonly isin: string;
  readonly close: number;
  readonly average: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** B3's own change to the day before, percent. */
  readonly change_pct: number | null;
  readonly trades: number | null;
  readonly shares: number | null;
  readonly turnover: number | null;
}

export interface TradeFile extends JudgedSettlements {
  readonly date: ISODate;
  readonly closes: readonly DayClose[];
}

/** Tickers of the cash market: four letters or digits and what is traded of it. */
const CASH_SYMBOL = /^[A-Z][A-Z0-9]{3}\d{1,2}$/;
const CLOSES_MIN = 20;
const COLUMNS = [
  ...["RptDt", "TckrSymb", "ISIN", "SgmtNm", "MinPric", "MaxPric", "TradAvrgPric", "LastPric", "OscnPctg"],
  ...["AdjstdQt", "AdjstdQtTax", "TradQty", "FinInstrmQty", "NtlFinVol"],
] as const;
type Column = (typeof COLUMNS)[number];

/** A cell as a number: null when empty; NaN when it is not a number, which `isFinite` detects. */
const toNumber = (cell: string | undefined): number | null => {
  const value = parseNumber(cell ?? "", { locale: "pt-BR" });
  return value === undefined ? Number.NaN : value;
};
const positive = (value: number | null): number | null => (value !== null && value > 0 ? value : null);

type Cells = Readonly<Record<Column, string>>;

function toSettlement(cells: Cells): Settlement | null {
  const [settle, rate, contracts] = [
    toNumber(cells.AdjstdQt),
    toNumber(cells.AdjstdQtTax),
    toNumber(cells.FinInstrmQty),
  ];
  if (settle === null) return null;
  const is_rate = /^(DI1|DAP)/.test(cells.TckrSymb);
  return {
    symbol: cells.TckrSymb,
    settle: Number.isNaN(settle) ? -1 : settle,
    rate: is_rate ? (rate ?? Number.NaN) : null,
    contracts: contracts !== null && Number.isNaN(contracts) ? null : contracts,
    open_interest: null,
  };
}

function toClose(cells: Cells): DayClose | null {
  const close = toNumber(cells.LastPric);
  if (close === null || !(close > 0)) return null;
  const change_pct = toNumber(cells.OscnPctg);
  return {
    symbol: cells.TckrSymb,
    isin: cells.ISIN,
    close,
    average: positive(toNumber(cells.TradAvrgPric)),
    low: positive(toNumber(cells.MinPric)),
    high: positive(toNumber(cells.MaxPric)),
    change_pct: change_pct !== null && Number.isNaN(change_pct) ? null : change_pct,
    trades: positive(toNumber(cells.TradQty)),
    shares: positive(toNumber(cells.FinInstrmQty)),
    turnover: positive(toNumber(cells.NtlFinVol)),
  };
}

/** Lines of a text without splitting the whole of it: of 130,000 lines about 2,000 are wanted. */
function* linesOf(text: string, from: number): Generator<string> {
  for (let at = from; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const stop = end < 0 ? text.length : end;
    yield text.slice(at, text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    at = stop + 1;
  }
}

/**
 * Reads TradeInformationConsolidatedFile: a line with its state, a line of column names, a line per instrument.
 * @returns the reason to refuse it where it is preliminary, of another day, cut off or cannot be true.
 */
export function readTradeFile(text: string, day: Day): TradeFile | Unusable {
  const { date } = day;
  const first = text
    .slice(0, text.indexOf("\n"))
    .replace(/^\uFEFF/, "")
    .trim();
  if (!/^Status do Arquivo:/.test(first)) return unusable("it does not begin with the state of the file");
  if (!/\bFinal$/.test(first)) return unusable(`the file is not final: "${first.slice(0, 60)}"`);
  const lines = linesOf(text, text.indexOf("\n") + 1);
  const header = lines.next().value;
  const names: readonly string[] = typeof header === "string" ? header.split(";") : [];
  const places = COLUMNS.map((name) => names.indexOf(name));
  const missing = COLUMNS.filter((_, index) => (places[index] ?? -1) < 0);
  if (missing.length > 0) return unusable(`columns are missing: ${missing.join(", ")}`);
  const [rows, closes]: [Settlement[], DayClose[]] = [[], []];
  for (const line of lines) {
    const ticker_at = line.indexOf(";") + 1;
    const symbol = line.slice(ticker_at, line.indexOf(";", ticker_at));
    const is_future = parseContract(symbol) !== null;
    if (!is_future && !CASH_SYMBOL.test(symbol)) continue;
    const parts = line.split(";");
    const cells = Object.fromEntries(COLUMNS.map((name, index) => [name, parts[places[index] ?? -1] ?? ""])) as Cells;
    if (cells.RptDt !== date) return unusable(`it holds a row of ${cells.RptDt.slice(0, 10)}`);
    if (parts.length < names.length) return unusable("a line is cut off");
    const settlement = is_future ? toSettlement(cells) : null;
    if (settlement) rows.push(settlement);
    const close = is_future || cells.SgmtNm !== "CASH" ? null : toClose(cells);
    if (close) closes.push(close);
  }
  const judged = judgeSettlements(rows, day);
  if (isUnusable(judged)) return judged;
  return closes.length < CLOSES_MIN
    ? unusable(`only ${closes.length} shares were traded`)
    : { ...judged, date, closes };
}
