import type { TellGist } from "intel-node";
import type { CurveData } from "./schema.ts";

const SHAPES: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  flat: ["flat", "plana"],
  normal: ["upward", "ascendente"],
  inverted: ["inverted", "invertida"],
  humped: ["humped", "com corcova"],
};
const SOURCES: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  di_futures: ["futures", "contratos futuros"],
  treasury_bonds: ["government bonds", "títulos públicos"],
};

export const gist: TellGist<CurveData> = (data, { en, pt, fig, day, name, word, opt }) => {
  const { curve, reference_date, shape, source_kind } = data;
  const rateOf = (tenor: string) => curve?.find((point) => point.tenor === tenor)?.nominal;
  const point = curve?.find(({ tenor }) => tenor === "1y") ?? curve?.[0];
  const ten = fig(rateOf("10y"), "pct");
  const form = word(SHAPES, shape);
  return {
    headline: {
      value: point?.nominal ?? null,
      unit: "pct",
      sense: en`${point?.tenor} rate` ?? pt`taxa ${point?.tenor}`,
    },
    text:
      en`${name("Brazil's")} ${name(point?.tenor)} rate stood at ${fig(point?.nominal, "pct")} on
        ${day(reference_date)}${opt(
          en` and the ${name("10y")} rate at ${ten}`,
        )}${opt(en`, the curve being ${form}`)}${opt(en`, by prices of ${word(SOURCES, source_kind)}`)}` ??
      pt`A taxa ${name(point?.tenor)} do ${name("Brasil")} estava em ${fig(point?.nominal, "pct")} em
        ${day(reference_date)}${opt(
          pt` e a de ${name("10y")} em ${ten}`,
        )}${opt(pt`, com a curva ${form}`)}${opt(pt`, por preços de ${word(SOURCES, source_kind)}`)}`,
  };
};
