import { column, defineDataset, parseNumber } from "intel-node";
import { tesouro } from "../providers/tesouro/provider.ts";

const PATH =
  "/ckan/dataset/df56aa42-484a-4a59-8184-7676580c81e3/resource/796d2059-14e9-44e3-80c9-2d9e30b405c1/download/" +
  "precotaxatesourodireto.csv";
/** Days of prices that are kept: enough for a curve of today and of last week. */
const DAYS_KEPT = 10;

/** "Tesouro IPCA+" pays no coupon, like "Tesouro Prefixado": their yields are zero rates. */
export const BONDS = { "Tesouro Prefixado": "nominal", "Tesouro IPCA+": "real" } as const;
const isBond = (name: string): name is keyof typeof BONDS => Object.hasOwn(BONDS, name);

const toISO = (text: string): string => {
  if (!/^\d{2}\/\d{2}\/\d{4}$/.test(text)) throw new Error(`"${text.slice(0, 20)}" is not a day`);
  return text.split("/").reverse().join("-");
};
const toRate = (text: string): number => {
  const value = parseNumber(text, { locale: "pt-BR" });
  if (typeof value !== "number" || Math.abs(value) > 60) throw new Error(`"${text.slice(0, 20)}" is not a rate`);
  return value;
};

/** Zero-coupon bonds of the last days on which any was priced. The file holds every day since 2002, in no order. */
export const dataset = defineDataset({
  name: "brazil/tesouro",
  schedule: "30 1 * * 2-6",
  providers: [tesouro],
  deadline_ms: 300_000,
  columns: { kind: column.text(), maturity: column.text(), date: column.text(), rate: column.real() },
  key: ["date", "kind", "maturity"],
  rows_min_ratio: 0.3,
  max_age: "10d",
  async fetch(context) {
    const file = await context.fetchFile(tesouro, { path: PATH, bytes_min: context.simulated ? 100 : 5_000_000 });
    const version = file.sha256.slice(0, 16);
    if (version === context.current?.version) return null;
    return { version, published_at_ms: null, files: { prices: file } };
  },
  async *parse(files) {
    const days = new Map<string, { kind: string; maturity: string; date: string; rate: string }[]>();
    for await (const line of files.csv("prices", { delimiter: ";", charset: "latin1" })) {
      const name = line["Tipo Titulo"] ?? "";
      const text = line["Data Base"] ?? "";
      if (!isBond(name)) continue;
      const date = toISO(text);
      let rows = days.get(date);
      if (!rows) {
        // Days are few, so that the oldest kept is found by looking.
        if (days.size >= DAYS_KEPT) {
          const oldest = [...days.keys()].sort()[0] ?? "";
          if (date < oldest) continue;
          days.delete(oldest);
        }
        rows = [];
        days.set(date, rows);
      }
      rows.push({
        kind: BONDS[name],
        maturity: line["Data Vencimento"] ?? "",
        date,
        rate: line["Taxa Compra Manha"] ?? "",
      });
    }
    // Read at the end: what is odd in a day of long ago costs today's curve nothing. A curve itself is whole or
    // refused.
    for (const { maturity, rate, ...row } of [...days.values()].flat()) {
      yield { ...row, maturity: toISO(maturity), rate: toRate(rate) };
    }
  },
});
