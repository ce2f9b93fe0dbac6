import { addDays, countBankDays, defineSimulator, type ISODate, isBankDay, yearOf } from "intel-node";
import { VECTOR_DAP, VECTOR_DI1 } from "../../curve/vector.ts";
import { isPublished, readMove, toComma } from "../../simulated/simulated-days.ts";
import { tesouro } from "./provider.ts";

const HEADER =
  "Tipo Titulo;Data Vencimento;Data Base;Taxa Compra Manha;Taxa Venda Manha;PU Compra Manha;PU Venda Manha;" +
  "PU Base Manha";
const toBrazilian = (date: ISODate): string => date.split("-").reverse().join("/");

export const simulator = defineSimulator({
  provider: tesouro.id,
  respond({ path }, world) {
    if (!path.endsWith("/precotaxatesourodireto.csv")) return { status: 404, text: "" };
    const today = new Date(world.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    const lines: string[] = [];
    for (let back = 0; back < 25; back++) {
      const date = addDays(today, -back);
      if (!isBankDay(date) || !isPublished(world, date, "12:00")) continue;
      const year = yearOf(date);
      for (const [name, first, list, level] of [
        ["Tesouro Prefixado", 2, VECTOR_DI1, 13.3],
        ["Tesouro IPCA+", 3, VECTOR_DAP, 7.6],
        ["Tesouro Selic", 2, VECTOR_DI1, 0.08],
      ] as const) {
        for (let ahead = first; ahead < first + 8; ahead++) {
          const maturity = `${year + ahead}-01-01`;
          const rate = level + 0.3 * readMove(world, `bond-${name}`, date) + 0.02 * (list.length % 7);
          const pu = 1_000 / (1 + rate / 100) ** (countBankDays(date, maturity) / 252);
          const cells = [rate, rate + 0.12, pu, pu - 2, pu - 2].map((value) => toComma(value, 2));
          lines.push([name, toBrazilian(maturity), toBrazilian(date), ...cells].join(";"));
        }
      }
    }
    // The real file is in no order.
    return { text: [HEADER, ...lines.sort((a, b) => (a.slice(-7) < b.slice(-7) ? -1 : 1)), ""].join("\n") };
  },
});
