import { Type } from "@sinclair/typebox";
import { type FetchContext, parseNumber, type Unusable, unusable } from "intel-node";
import { type Day, parseContract } from "../../b3/contracts.ts";
import { type JudgedSettlements, judgeSettlements, type Settlement } from "../../b3/settlement.ts";
import { b3Reports } from "./provider.ts";

const numberIn = (report: string, tag: string): number | null => {
  const [, text] = new RegExp(`<${tag}(?: [^>]*)?>([^<]*)</${tag}>`).exec(report) ?? [];
  return text === undefined ? null : (parseNumber(text, { locale: "en" }) ?? null);
};

/**
 * Reads the settlements of a SPRD report, the simplified one (BVBG.187, BVMF.217.01), which has no volumes. Its
 * elements are picked by their tags: an XML parser needs half a second for what takes milliseconds so.
 * @returns the reason to refuse it.
 */
export function readSettlementReport(xml: string, day: Day): JudgedSettlements | Unusable {
  const { date } = day;
  const rows: Settlement[] = [];
  for (const [, report = ""] of xml.matchAll(/<PricRpt>([\s\S]*?)<\/PricRpt>/g)) {
    const [, symbol = ""] = /<TckrSymb>([^<]*)<\/TckrSymb>/.exec(report) ?? [];
    if (!parseContract(symbol)) continue;
    const [, day] = /<TradDt>\s*<Dt>([^<]*)<\/Dt>/.exec(report) ?? [];
    if (day !== date) return unusable(`it holds a report of ${String(day).slice(0, 10)}`);
    const settle = numberIn(report, "AdjstdQt");
    if (settle === null) continue;
    const is_rate = /^(DI1|DAP)/.test(symbol);
    rows.push({
      symbol,
      settle,
      rate: is_rate ? (numberIn(report, "AdjstdQtTax") ?? Number.NaN) : null,
      // The number traded is in the full price report only (BVBG.086, some 175 MB of XML).
      contracts: null,
      open_interest: numberIn(report, "OpnIntrst"),
    });
  }
  return judgeSettlements(rows, day);
}

/**
 * Settlements of a day from B3's session report: a ZIP that holds a ZIP that holds XML. A day without one is a ZIP
 * without a file.
 * @throws UpstreamError
 */
export function fetchSettlementReport(context: Pick<FetchContext, "get">, day: Day): Promise<JudgedSettlements> {
  return context.get(b3Reports, {
    path: `/pesquisapregao/download?filelist=SPRD${day.date.slice(2).replaceAll("-", "")}.zip`,
    format: "text",
    unpack: [
      { kind: "zip", bytes_max: 20_000_000, empty_means: "not_found" },
      { kind: "zip", bytes_max: 100_000_000 },
    ],
    schema: Type.String({ minLength: 1 }),
    ttl_ms: 0,
    read: (xml) => readSettlementReport(xml, day),
  });
}
