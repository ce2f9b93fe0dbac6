import type { TellGist } from "intel-node";
import type { EventPlaybookData } from "./schema.ts";

const EDGES: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  up: ["leans up", "tende a subir"],
  down: ["leans down", "tende a cair"],
  volatile: ["moves more than usual", "se move mais que o normal"],
  none: ["shows no edge", "não mostra vantagem"],
};

export const gist: TellGist<EventPlaybookData> = (data, { en, pt, say, fig, day, name, word, opt, pick }) => {
  const [first] = data.playbook ?? [];
  const edge = word(EDGES, first?.label);
  const n = fig(first?.n, "count");
  const chance = fig(first?.p_adj, "ratio");
  const next = day(data.next_occurrence?.time_utc ?? null);
  return {
    headline: {
      value: first?.vol_ratio ?? data.n_events ?? null,
      unit: pick("times the usual move", "vezes o movimento normal"),
      sense: say`${first?.asset}: ${edge}`,
    },
    text:
      en`After ${n} releases of ${name(data.event)} ${name(first?.asset)} ${edge}${opt(en`, p ${chance}`)}${opt(en`;
        the next is on ${next}`)}, by data to ${day()}` ??
      pt`Depois de ${n} divulgações de ${name(data.event)} ${name(first?.asset)} ${edge}${opt(pt`, p ${chance}`)}
        ${opt(pt`; a próxima é em ${next}`)}, por dados até ${day()}`,
  };
};
