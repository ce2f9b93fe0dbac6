import { defineSimulator, type ISODate, type SimulatedWorld } from "intel-node";
import { listCloses, listSettlements } from "../../simulated/simulated-b3.ts";
import { isPublished, isTradingDay, toComma } from "../../simulated/simulated-days.ts";
import { b3Files } from "./provider.ts";

const HEADER =
  "RptDt;TckrSymb;ISIN;SgmtNm;MinPric;MaxPric;TradAvrgPric;LastPric;OscnPctg;AdjstdQt;AdjstdQtTax;RefPric;TradQty;" +
  "FinInstrmQty;NtlFinVol";
/** Local time from which the file is there, and from which it is final. */
const [FIRST_TIME, FINAL_TIME] = ["18:00", "18:30"];
const AGRO = /^(BGI|CCM|ICF|ETH|SJC|SOY)/;

/** B3's file of a day, in its own form. */
export function renderTradeFile(world: SimulatedWorld, date: ISODate, state = "Final"): string {
  const futures = listSettlements(world, date).map(({ symbol, settle, rate, contracts }) => {
    const segment = AGRO.test(symbol) ? "AGRIBUSINESS" : "FINANCIAL";
    const tax = rate === null ? "" : toComma(rate, 3).replace(/,?0+$/, "");
    return `${date};${symbol};BRBMEF000001;${segment};;;;;;${toComma(settle, 2)};${tax};;;${contracts};`;
  });
  const shares = listCloses(world, date).map(({ symbol, last, low, high, average, change_pct, trades, shares }) =>
    [
      ...[date, symbol, `BR${symbol.slice(0, 4)}ACNPR7`, "CASH", toComma(low, 2), toComma(high, 2)],
      ...[toComma(average, 2), toComma(last, 2), toComma(change_pct, 2), "", "", "", trades, shares],
      Math.round(shares * average),
    ].join(";"),
  );
  return [`Status do Arquivo: ${state}`, HEADER, ...futures, ...shares, ""].join("\n");
}

export const simulator = defineSimulator({
  provider: b3Files.id,
  respond({ path, query }, world) {
    if (path === "/api/download/requestname") {
      const date = query.get("date") ?? "";
      const is_there = /^\d{4}-\d{2}-\d{2}$/.test(date) && isTradingDay(date) && isPublished(world, date, FIRST_TIME);
      if (!is_there) return { status: 400, text: "" };
      const token = `simulated-${date}`;
      return { json: { redirectUrl: `~/download?token=${token}`, token } };
    }
    const [, date] = /^simulated-(\d{4}-\d{2}-\d{2})$/.exec(query.get("token") ?? "") ?? [];
    if (path !== "/api/download/" || date === undefined) return { status: 404, text: "" };
    return { text: renderTradeFile(world, date, isPublished(world, date, FINAL_TIME) ? "Final" : "Preliminar") };
  },
});
