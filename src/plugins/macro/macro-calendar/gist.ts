import type { TellGist } from "intel-node";
import type { MacroCalendarData } from "./schema.ts";

export const gist: TellGist<MacroCalendarData> = (data, { en, pt, fig, moment, day, name, pick, opt }) => {
  const { next_high_impact, events, from, to } = data;
  const event = events?.find(({ id }) => id === next_high_impact?.id);
  const hours = fig(next_high_impact?.hours_until, "number", {
    decimals: 0,
    window: `${Math.round(next_high_impact?.hours_until ?? 0)}h`,
  });
  const what = event?.title ?? next_high_impact?.id?.replaceAll(":", " ");
  const status = event?.status === "estimated" ? pick("an estimated date", "data estimada") : null;
  return {
    headline: { value: next_high_impact?.hours_until ?? null, unit: pick("hours", "horas"), sense: what ?? null },
    text:
      en`${name(what)} is the next release of weight, on ${moment(next_high_impact?.time_utc)}, in ${hours} hours${opt(
        en`, ${status}`,
      )}; the calendar runs from ${day(from)} to ${day(to)}` ??
      pt`${name(what)} é a próxima de peso, em ${moment(next_high_impact?.time_utc)}, em ${hours} horas${opt(
        pt`, ${status}`,
      )}; a agenda vai de ${day(from)} a ${day(to)}`,
  };
};
