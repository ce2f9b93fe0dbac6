import { defineSimulator } from "intel-node";
import { SGS_SERIES } from "../../macro/series.ts";
import { listObservations, readSeriesAt } from "../../simulated/simulated-macro.ts";
import { bcbSGS } from "./provider.ts";

const toISO = (text: string | null): string | null => {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text ?? "") ?? [];
  return day === undefined ? null : `${year}-${month}-${day}`;
};
const refuse = (status: number, detail: string) => ({ status, json: { erro: { detail } } });

export const simulator = defineSimulator({
  provider: bcbSGS.id,
  respond({ path, query }, world) {
    const [, code] = /^\/dados\/serie\/bcdata\.sgs\.(\d+)\/dados$/.exec(path) ?? [];
    const series = SGS_SERIES.find((one) => String(one.code) === code);
    if (!series) return refuse(404, "Value(s) not found");
    const [from, to] = [toISO(query.get("dataInicial")), toISO(query.get("dataFinal"))];
    if (from === null || to === null)
      return refuse(400, "O sistema aceita uma janela de consulta de, no máximo, 10 anos");
    if (Number(to.slice(0, 4)) - Number(from.slice(0, 4)) > 10) return refuse(406, "janela de consulta de 10 anos");
    const rows = listObservations(world, series, { from, to }).map((date) => ({
      data: date.split("-").reverse().join("/"),
      valor: String(readSeriesAt(world, series, date)),
    }));
    return rows.length === 0 ? refuse(404, "Value(s) not found") : { json: rows };
  },
});
