import { createPack, dayOf, type FactDraft, renderTime, type SentenceWriter, type WritingPlan } from "intel-node";
import { COIN_NAMES, subjectsOf, toDrafts, windowsOf } from "../written/published-facts.ts";
import { findSimilarDays } from "./metrics.ts";
import type { ResearchStory } from "./story.ts";

const CROSS = ["BTC", "ETH", "SOL"] as const;
const WEEK_DAYS = 7;
const QUOTED = 2;
const EVENTS = 3;

/** The value below which a share of some readings falls, the nearest of them. */
export function getQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

const listEvents = ({ calendar, now_ms }: Pick<ResearchStory, "calendar" | "now_ms">) =>
  (calendar.ok ? calendar.value.data.events : [])
    .filter(({ importance, time_utc }) => importance === "high" && Date.parse(time_utc) > now_ms)
    .slice(0, EVENTS);

function createResearchPack(story: ResearchStory) {
  const { topic, runners_up, series, fear_greed, texts } = story;
  const as_of = renderTime(story.as_of_ms);
  const own = { from: "/research-brief", as_of };
  const events = listEvents(story);
  const parts = story.asked?.parts ?? [];
  const published = parts.flatMap(({ facts }) => facts);
  const builder = createPack({
    texts,
    windows: ["5d", "7d", "30d", "50d", "365d", "1y", "1d", "20d", ...windowsOf(published)],
    subjects: { ...subjectsOf(published), ...COIN_NAMES },
    days: events.map(({ title, time_utc }, index) => ({
      name: `event_${index}`,
      label: title,
      from: "/macro-calendar",
      date: dayOf(time_utc),
    })),
    identifiers: events.flatMap(({ title, country }) => [title, country]),
  });
  const readings = [topic, ...runners_up].flatMap(({ id, label, value, unit, z }, index): FactDraft[] => [
    { ...own, name: `value_${index}`, label, unit, kind: id.includes("return") ? "change" : "level", value },
    { ...own, name: `z_${index}`, label: `deviation of ${label}`, unit: "number", value: z },
  ]);
  for (const part of parts) builder.addAll(toDrafts(part.from, part.facts));
  const similar = topic.metric ? findSimilarDays(topic.metric, topic.z) : [];
  builder.addAll([
    ...readings,
    ...(topic.metric
      ? [0.05, 0.5, 0.95].map(
          (share): FactDraft => ({
            ...own,
            name: `q_${share}`,
            label: `quantile ${share} of a year`,
            unit: "pct",
            value: getQuantile(topic.metric?.history ?? [], share),
          }),
        )
      : []),
    ...similar.flatMap(({ horizon_d, n, mean_pct, hit_rate }): FactDraft[] => [
      { ...own, name: `n_${horizon_d}`, label: `similar days, ${horizon_d}d after`, unit: "count", value: n },
      {
        ...own,
        name: `mean_${horizon_d}`,
        label: `mean change ${horizon_d}d after`,
        unit: "pct",
        kind: "change",
        value: mean_pct,
      },
      { ...own, name: `hit_${horizon_d}`, label: `rises ${horizon_d}d after`, unit: "pct", value: 100 * hit_rate },
    ]),
    ...CROSS.flatMap((symbol): FactDraft[] => {
      const closes = series.find((one) => one.symbol === symbol)?.bars.map(({ close }) => close) ?? [];
      const [last, before] = [closes.at(-1), closes.at(-1 - WEEK_DAYS)];
      if (last === undefined || before === undefined) return [];
      return [
        { ...own, name: symbol, label: `${symbol} close`, unit: "usd", about: symbol, value: last },
        {
          // Of whole days; the briefs' "change, 7d" is up to the last hour.
          ...own,
          name: `${symbol}_7d`,
          label: `${symbol} change of daily closes, 7d`,
          unit: "pct",
          kind: "change",
          window: "7d",
          about: symbol,
          value: 100 * (last / before - 1),
        },
      ];
    }),
    {
      ...own,
      from: "/fear-greed",
      name: "fear_greed",
      label: "fear and greed",
      unit: "index",
      value: fear_greed.ok ? fear_greed.value.data.value : null,
    },
  ]);
  return { pack: builder.build(), similar };
}

const TASKS: Readonly<Record<ResearchStory["kind"], string>> = {
  unusual: "You write a research brief on the one thing that is most unusual in crypto markets today, for agents.",
  quiet: "You write a research brief on a day on which nothing is unusual in crypto markets, for agents.",
  asked: "You write a research brief on one coin that was asked about, for agents.",
};

/** The brief to be written. */
export function planResearch(story: ResearchStory): WritingPlan {
  const { topic, runners_up, kind, texts } = story;
  const { pack, similar } = createResearchPack(story);
  const block = (id: string, about: string, template: (write: SentenceWriter) => void) => ({
    id,
    about,
    words_max: 120,
    template,
  });
  return {
    pack,
    locale: "en",
    task: TASKS[kind],
    blocks: [
      ...(story.asked && story.asked.told.length > 0
        ? [
            block("asked", "the facts that the question asks for", ({ say, show }) => {
              for (const { name, label } of story.asked?.told ?? []) say`${label}: ${show(name)}.`;
            }),
          ]
        : []),
      block("headline", "the topic in a sentence", ({ say, show }) => {
        if (kind === "quiet") say`A quiet market: nothing is unusual.`;
        say`${topic.label}: ${show("value_0")}.`;
      }),
      block("what_happened", "the figures", ({ say, show }) => {
        say`The reading of ${topic.label} stands at ${show("value_0")}.`;
        say`Its deviation from the median of the year is ${show("z_0")}.`;
        for (const [index, { label }] of runners_up.entries()) {
          say`Next comes ${label} at ${show(`value_${index + 1}`)}, with a deviation of ${show(`z_${index + 1}`)}.`;
        }
      }),
      block("how_unusual", "its place in the year", ({ say, show }) => {
        say`The median of the year is ${show("q_0.5")}; the outer quantiles are ${show("q_0.05")} and
        ${show("q_0.95")}.`;
      }),
      block("history", "what followed similar days", ({ say, show }) => {
        for (const { horizon_d } of similar) {
          say`After ${show(`n_${horizon_d}`)} similar days ${topic.about} rose in ${show(`hit_${horizon_d}`)} of cases
          within ${horizon_d} ${horizon_d === 1 ? "day" : "days"}, with a mean change of ${show(`mean_${horizon_d}`)}.`;
        }
      }),
      block("drivers", "headlines beside it, quoted; no cause without one", ({ say, quote }) => {
        for (const { id } of texts.filter(({ suspicious }) => !suspicious).slice(0, QUOTED)) say`${quote(id)}.`;
      }),
      block("cross_asset", "other coins and the mood", ({ say, show, bySign }) => {
        for (const symbol of CROSS) {
          say`${symbol} closed at ${show(symbol)}, ${bySign(`${symbol}_7d`, ["up", "down", "changed by"])}
          ${show(`${symbol}_7d`, { unsigned: true })} in 7d.`;
        }
        say`Fear and greed reads ${show("fear_greed")}.`;
      }),
      block("watch", "events ahead", ({ say, day }) => {
        const events = listEvents(story);
        if (story.calendar.ok && events.length === 0) say`No event of high importance is ahead.`;
        for (const { title, time_utc } of events) say`${title} is due on ${day(time_utc)}.`;
      }),
    ],
  };
}
