import { zipSync } from "fflate";
import { defineSimulator, type ISODate, type SimulatedWorld } from "intel-node";
import { listSettlements } from "../../simulated/simulated-b3.ts";
import { isPublished, isTradingDay } from "../../simulated/simulated-days.ts";
import { b3Reports } from "./provider.ts";

/** The simplified report of a day as XML: prices, settlements and what is open, no volume. */
export function renderSettlementReport(world: SimulatedWorld, date: ISODate): string {
  const reports = listSettlements(world, date).map(
    ({ symbol, settle, rate, contracts }) =>
      `<PricRpt><TradDt><Dt>${date}</Dt></TradDt><SctyId><TckrSymb>${symbol}</TckrSymb></SctyId><FinInstrmAttrbts>` +
      `<OpnIntrst>${contracts * 7}</OpnIntrst><AdjstdQt Ccy="BRL">${settle}</AdjstdQt>` +
      (rate === null ? "" : `<AdjstdQtTax Ccy="BRL">${rate}</AdjstdQtTax>`) +
      "</FinInstrmAttrbts></PricRpt>",
  );
  return `<?xml version="1.0"?><Document xmlns="urn:bvmf.217.01.xsd">${reports.join("\n")}</Document>`;
}

/** What B3 sends for a day without a report. */
const EMPTY_ZIP = Uint8Array.from([0x50, 0x4b, 5, 6, ...Array(18).fill(0)]);

export const simulator = defineSimulator({
  provider: b3Reports.id,
  respond({ path, query }, world) {
    const [, yy, mm, dd] = /^SPRD(\d{2})(\d{2})(\d{2})\.zip$/.exec(query.get("filelist") ?? "") ?? [];
    if (path !== "/pesquisapregao/download" || yy === undefined) return { status: 404, text: "" };
    const date = `20${yy}-${mm}-${dd}`;
    if (!isTradingDay(date) || !isPublished(world, date, "20:00")) return { bytes: EMPTY_ZIP };
    const xml = new TextEncoder().encode(renderSettlementReport(world, date));
    const inner = zipSync({ [`BVBG.187.01_SPRD_${date}.xml`]: xml });
    return { zip: { [`SPRD${yy}${mm}${dd}.zip`]: inner } };
  },
});
