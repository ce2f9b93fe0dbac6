import type { TellGist } from "intel-node";
import type { WinRateData } from "./schema.ts";

/** The signed payload holds its decimals as texts. */
const toNumber = (decimal: string | null | undefined): number | null => (decimal ? Number(decimal) : null);

export const gist: TellGist<WinRateData> = (data, { en, pt, fig, share, day, name, pick }) => {
  const { model_id, n_scored, wins, win_rate, win_rate_lo95, win_rate_hi95, window_from } = data.payload ?? {};
  const [rate, low, high] = [win_rate, win_rate_lo95, win_rate_hi95].map(toNumber);
  const [counted, won] = [fig(n_scored, "count"), fig(wins, "count")];
  return {
    headline: { value: rate ?? null, unit: "ratio", sense: pick("of the signals were right", "dos sinais acertaram") },
    text:
      en`${name(model_id)} was right in ${won} of ${counted} signals since ${day(window_from)}, ${share(rate)}, with
        chance allowed for between ${share(low)} and ${share(high)}` ??
      pt`${name(model_id)} acertou ${won} de ${counted} sinais desde ${day(window_from)}, ${share(rate)}, e com o
        acaso entre ${share(low)} e ${share(high)}`,
  };
};
