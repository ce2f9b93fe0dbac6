import { addDays, defineSimulator, weekdayOf } from "intel-node";
import { readMove, toComma } from "../../simulated/simulated-days.ts";
import { conab } from "./provider.ts";

const HEADER =
  "produto;classificao_produto;id_produto;uf;regiao;ano;mes;data_inicial_final_semana;semana;" +
  "dsc_nivel_comercializacao;valor_produto_kg";
/** In the order of the file, which has no rule: other kinds can come first. */
const PRICES: readonly (readonly [product: string, kind: string, brl_per_kg: number, states: readonly string[]])[] = [
  ["SOJA", "EM GRÃOS", 2.05, ["MT", "PR", "RS", "GO"]],
  ["MILHO", "DE PIPOCA", 1.51, ["MT"]],
  ["MILHO", "EM GRÃOS", 1.02, ["MT", "PR", "GO"]],
  ["BOI", "GORDO", 20.6, ["SP", "MT", "GO"]],
  ["CAFE", "CONILLON TIPO 7", 17.6, ["MG"]],
  ["CAFE", "ARÁBICA TIPO 6, BEBI", 36.5, ["MG", "SP"]],
  ["TRIGO", "PÃO, PH 75, TIPO 2", 1.1, ["PR"]],
  ["TRIGO", "PÃO, PH 78, TIPO 1", 1.24, ["PR", "RS"]],
];
const WEEKS = 64;
const pad = (text: string, length: number): string => text.padEnd(length, " ");
const toBrazilian = (date: string): string => date.split("-").reverse().join("-");

export const simulator = defineSimulator({
  provider: conab.id,
  respond({ path }, world) {
    if (path !== "/downloads/arquivos/PrecosSemanalUF.txt") return { status: 404, text: "" };
    const today = new Date(world.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    // The week that ended last Friday is in the file from Tuesday on.
    const friday = addDays(
      today,
      -(((weekdayOf(today) + 2) % 7) + (weekdayOf(today) < 2 || weekdayOf(today) > 4 ? 7 : 0)),
    );
    const lines: string[] = [];
    for (let back = 0; back < WEEKS; back++) {
      const end = addDays(friday, -7 * back);
      const week = `${toBrazilian(addDays(end, -4))} - ${toBrazilian(end)}`;
      for (const [product, kind, level, states] of PRICES) {
        for (const [index, uf] of states.entries()) {
          const price = level * (1 - 0.03 * index) * (1 + 0.06 * readMove(world, `conab-${product}`, end));
          const blank = world.noise(`blank:${product}:${uf}:${end}`) < 0.07 && back > 0;
          lines.push(
            [
              ...[
                pad(product, 25),
                pad(kind, 20),
                "1",
                uf,
                "CENTRO-OESTE",
                end.slice(0, 4),
                end.slice(5, 7),
                week,
                "1",
              ],
              ...["PREÇO RECEBIDO P/ PR", blank ? "" : toComma(price, 2)],
            ].join(";"),
          );
        }
      }
    }
    return { text: [HEADER, ...lines, ""].join("\r\n"), charset: "latin1" };
  },
});
