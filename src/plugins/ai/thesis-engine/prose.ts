import { createPack, dayOf, getOwn, type SentenceWriter, type SourceText, type WritingPlan } from "intel-node";
import type { StoredThesis } from "../theses/records.ts";
import { COIN_NAMES } from "../written/published-facts.ts";
import type { ThesisData } from "./schema.ts";

export interface ThesisStory {
  readonly thesis: readonly StoredThesis[];
  readonly payload: Pick<ThesisData["payload"], "hit_rate" | "n_scored">;
  readonly texts: readonly SourceText[];
}

const QUOTED = 2;
const daysOf = ({ record }: StoredThesis): number => record.horizon_h / 24;
/** Whether a factor points the thesis's way. */
export const supports = (side: string, contribution: number): boolean =>
  side === "short" ? contribution < 0 : contribution > 0;

function createThesisPack({ thesis, payload, texts }: ThesisStory) {
  const [first] = thesis;
  if (!first) throw new RangeError("a thesis has records");
  const { symbol: about, emitted_at, strength, ref_price, sigma_pct, invalidation_price } = first.record;
  const { factors, base_rate, catalysts } = first.basis;
  const own = { from: "/thesis-engine", as_of: emitted_at };
  const usd = { ...own, unit: "usd" as const, about };
  const builder = createPack({
    texts,
    windows: ["7d", "30d", "90d"],
    subjects: { [about]: getOwn(COIN_NAMES, about) ?? [] },
    days: (catalysts ?? []).map(({ title, time_utc }, index) => ({
      name: `catalyst_${index}`,
      label: title,
      from: "/macro-calendar",
      date: dayOf(time_utc),
    })),
    identifiers: [
      ...factors.map(({ name }) => name),
      ...(catalysts ?? []).flatMap(({ title, country }) => [title, country]),
    ],
  });
  builder.addAll([
    { ...usd, name: "close", label: `${about} close`, value: Number(ref_price) },
    { ...own, name: "strength", label: "strength of the thesis", unit: "index", value: strength },
    { ...own, name: "sigma", label: "volatility of a year", unit: "pct", value: Number(sigma_pct) },
    ...thesis.flatMap((one) => {
      const window = `${daysOf(one)}d`;
      const { minus2, minus1, plus1, plus2 } = one.record;
      return Object.entries({ minus2, minus1, plus1, plus2 }).map(([name, value]) => ({
        ...usd,
        name: `${name}_${window}`,
        label: `band ${name} of ${window}`,
        window,
        value: Number(value),
      }));
    }),
    ...(invalidation_price === null
      ? []
      : [{ ...usd, name: "invalidation", label: `${about} invalidation`, value: Number(invalidation_price) }]),
    ...factors.map(({ name, contribution }) => ({
      ...own,
      from: "/alpha-signal",
      name: `factor_${name}`,
      label: `points of ${name}`,
      unit: "number" as const,
      value: Number(contribution),
    })),
    ...(base_rate
      ? [
          {
            ...own,
            from: "/alpha-signal",
            name: "base_rate",
            label: "hits of signals as sure",
            unit: "pct" as const,
            value: 100 * Number(base_rate.hit_rate),
          },
          {
            ...own,
            from: "/alpha-signal",
            name: "base_n",
            label: "graded ones",
            unit: "count" as const,
            value: base_rate.n,
          },
        ]
      : []),
    ...(payload.hit_rate === null
      ? []
      : [
          {
            ...own,
            name: "own_hits",
            label: "hits of theses",
            unit: "pct" as const,
            value: 100 * Number(payload.hit_rate),
          },
          { ...own, name: "own_n", label: "graded theses", unit: "count" as const, value: payload.n_scored },
        ]),
  ]);
  return builder.build();
}

/** The thesis to be written, from what its records say. */
export function planThesis(story: ThesisStory): WritingPlan {
  const [first] = story.thesis;
  if (!first) throw new RangeError("a thesis has records");
  const { symbol, side } = first.record;
  const { factors, regime, catalysts } = first.basis;
  const sayFactors =
    (wanted: boolean) =>
    ({ say, show }: SentenceWriter): void => {
      const listed = factors.filter(({ contribution }) => supports(side, Number(contribution)) === wanted);
      if (listed.length === 0) say`No factor stands ${wanted ? "behind" : "against"} it.`;
      for (const { name } of listed) say`The factor ${name} counts ${show(`factor_${name}`)} points.`;
    };
  const block = (id: string, about: string, template: (write: SentenceWriter) => void) => ({
    id,
    about,
    words_max: 80,
    template,
  });
  return {
    pack: createThesisPack(story),
    locale: "en",
    task: `You write one falsifiable thesis on ${symbol}, ${side === "none" ? "without an edge" : side}, for agents.`,
    blocks: [
      block("claim", "direction, strength, price and bands", ({ say, show }) => {
        if (side === "none") say`There is no edge: no signal is sure enough, and ${symbol} closed at ${show("close")}.`;
        else
          say`The thesis on ${symbol} is ${side}, with a strength of ${show("strength")}, from a close at
          ${show("close")}.`;
        for (const one of story.thesis) {
          const window = `${daysOf(one)}d`;
          say`Over ${daysOf(one)} days the inner band ends at ${show(`minus1_${window}`)} and
          ${show(`plus1_${window}`)}.`;
        }
      }),
      block("evidence", "factors that speak for it", sayFactors(true)),
      block("counter", "factors that speak against it, and how such signals did", (write) => {
        sayFactors(false)(write);
        write.say`Signals as sure hit in ${write.show("base_rate")} of ${write.show("base_n")} graded cases.`;
        write.say`Theses of this node hit in ${write.show("own_hits")} of ${write.show("own_n")} graded cases.`;
      }),
      block("invalidation", "what ends it", ({ say, show }) => {
        if (side === "none") say`Without a direction there is nothing to end.`;
        say`A daily close past ${show("invalidation")} ends the thesis.`;
        if (regime !== null && side !== "none") say`So does a turn of the market regime, which is ${regime}.`;
      }),
      block("catalysts", "events ahead, and headlines, quoted", ({ say, day, quote }) => {
        if (catalysts?.length === 0) say`No event of high importance is ahead.`;
        for (const { title, time_utc } of catalysts ?? []) say`${title} is due on ${day(time_utc)}.`;
        for (const { id } of story.texts.filter(({ suspicious }) => !suspicious).slice(0, QUOTED)) say`${quote(id)}.`;
      }),
    ],
  };
}
