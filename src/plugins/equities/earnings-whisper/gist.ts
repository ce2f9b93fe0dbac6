import type { TellGist } from "intel-node";
import type { EarningsWhisperData } from "./schema.ts";

export const gist: TellGist<EarningsWhisperData> = (data, { en, pt, fig, share, day, name, opt, pick }) => {
  const { symbol, next_report, eps_model, beat_rate, upcoming, universe_size } = data;
  const first = upcoming?.[0];
  if (!symbol && first) {
    return {
      headline: { value: first.symbol, unit: null, sense: pick("reports next", "divulga em seguida") },
      text:
        en`${name(first.symbol)} reports next, on ${day(first.date)}, of ${fig(universe_size, "count")} companies
        watched` ??
        pt`${name(first.symbol)} divulga em seguida, em ${day(first.date)}, de ${fig(universe_size, "count")} empresas
        seguidas`,
    };
  }
  const estimated = next_report?.source === "estimated" ? pick("by an estimated date", "em data estimada") : null;
  const [low, high] = [fig(eps_model?.band_low, "usd"), fig(eps_model?.band_high, "usd")];
  const [beats, n, least] = [
    fig(beat_rate?.beats, "count"),
    fig(beat_rate?.n, "count"),
    share(beat_rate?.wilson_low, { decimals: 0 }),
  ];
  return {
    headline: {
      value: eps_model?.expected ?? null,
      unit: "usd",
      sense: pick("earnings a share expected", "lucro por ação esperado"),
    },
    text:
      en`${name(symbol)} is modelled to earn ${fig(eps_model?.expected, "usd")} a share${opt(en`, ${low} to
        ${high},`)} in its report of ${day(next_report?.date ?? null)}${opt(
        en`, ${estimated}`,
      )}${opt(en`; it beat the model in ${beats} of ${n} reports`)}${opt(en`, ${least} at least`)}` ??
      pt`${name(symbol)} deve lucrar ${fig(eps_model?.expected, "usd")} por ação pelo modelo${opt(pt`, ${low} a
        ${high},`)} na divulgação de ${day(next_report?.date ?? null)}${opt(
        pt`, ${estimated}`,
      )}${opt(pt`; superou o modelo em ${beats} de ${n} divulgações`)}${opt(pt`, ${least} ao menos`)}`,
  };
};
