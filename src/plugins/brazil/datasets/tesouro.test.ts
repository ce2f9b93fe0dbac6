import { expect, test } from "bun:test";
import { parseDatasetText } from "../../../../test/helpers/dataset-text.ts";
import { dataset } from "./tesouro.ts";

const HEADER = "Tipo Titulo;Data Vencimento;Data Base;Taxa Compra Manha";
const line = (day: string, rate: string): string => `Tesouro Prefixado;01/01/2030;${day};${rate}`;
const parse = (...lines: readonly string[]) => parseDatasetText(dataset, "prices", [HEADER, ...lines, ""].join("\n"));
const DAYS = Array.from({ length: 10 }, (_, index) => line(`${index + 10}/11/2026`, "13,30"));

test("an odd rate of a day that is not kept costs nothing", async () => {
  expect(await parse(line("02/01/2005", "?"), ...DAYS)).toHaveLength(10);
});

test("an odd rate of a day that is kept refuses the file: the curve would be another one", async () => {
  await expect(parse(line("19/11/2026", "?"), ...DAYS)).rejects.toThrow("is not a rate");
});
