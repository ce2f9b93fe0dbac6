import { expect, test } from "bun:test";
import { parseDatasetText } from "../../../../test/helpers/dataset-text.ts";
import { dataset } from "./conab.ts";

const HEADER =
  "produto;classificao_produto;id_produto;uf;regiao;ano;mes;data_inicial_final_semana;semana;" +
  "dsc_nivel_comercializacao;valor_produto_kg";
const line = (uf: string, week: string): string =>
  `SOJA;EM GRÃOS;1;${uf};SUL;2026;1;${week};1;PREÇO RECEBIDO P/ PRODUTOR;2,05`;
const parse = (...lines: readonly string[]) =>
  parseDatasetText(dataset, "prices", Buffer.from([HEADER, ...lines, ""].join("\n"), "latin1"));
const WEEK = "05-01-2026 - 09-01-2026";

test.each(["?", "05-01-2026", "05-01-2026 - ?"])("a line of the week %p is left out alone", async (week) => {
  const rows = await parse(line("PR", WEEK), line("MT", week), line("RS", WEEK), line("GO", WEEK));
  expect(rows.map(({ uf }) => uf)).toEqual(["PR", "RS", "GO"]);
});

test("a file with too many odd lines is refused", async () => {
  const text = parse(line("PR", WEEK), line("MT", "?"), line("RS", "?"));
  await expect(text).rejects.toThrow("2 of 3 rows cannot be read");
});
