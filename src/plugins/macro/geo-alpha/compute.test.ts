import { expect, describe as group, test } from "bun:test";
import { readRows } from "../../../../test/helpers/read-rows.ts";
import { settled } from "../../../../test/helpers/settled.ts";
import { isUnusable } from "../../../catalog/unusable.ts";
import { type EventCounts, fileNameOf, readEventFile } from "../providers/gdelt-events/event-file.ts";
import { readTitle } from "../providers/state-advisories/advisories.ts";
import { theatreOf } from "../theatres/theatres.ts";
import { bandOf, combine, computeGeoAlpha as draft, listRuns, studyResponses } from "./compute.ts";
import { describe, listLevelChanges, measureAdvisories, measureNews, sortDays } from "./measure.ts";
import type { GeoAlphaData } from "./schema.ts";

const computeGeoAlpha = (...given: Parameters<typeof draft>) => settled<GeoAlphaData>(draft(...given));

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 8, 1);

/** A file with so many mentions of conflict among 100. */
const counts = (conflict: number): EventCounts => ({
  world: [100, conflict, 0],
  violence: 0,
  countries: { UP: [100, conflict, 0] },
  pages: {},
});
const row = (quad: string, goldstein: number, mentions: number, country = "UP"): string => {
  const cells = Array<string>(61).fill("");
  [cells[28], cells[29], cells[30], cells[31]] = ["19", quad, String(goldstein), String(mentions)];
  [cells[53], cells[60]] = [country, `https://press.example/${mentions}`];
  return cells.join("\t");
};

const readEvents = (text: string) => readRows((eachRow) => readEventFile(text, eachRow));

group("event files", () => {
  test("the rows of the product file", () => {
    const read = readEvents(
      [row("4", -10, 20), row("4", -9, 5), row("1", 2.8, 30), row("3", -4, 10), row("2", 7, 5)].join("\n"),
    );
    if (isUnusable(read)) throw new Error(read.why);
    const { conflict_share = 0, goldstein = 0 } = describe(read.world) ?? {};
    expect(conflict_share).toBeCloseTo(0.35714286, 8);
    expect(goldstein).toBeCloseTo(-2.37142857, 8);
    expect(read.pages["Ukraine/Russia"]).toEqual([
      ["https://press.example/20", 20],
      ["https://press.example/5", 5],
    ]);
  });

  test("rows of another form are skipped, a file of them is refused", () => {
    const good = Array.from({ length: 20 }, () => row("1", 1, 2));
    expect(readEvents([...good, "1\t2\t3"].join("\n"))).toMatchObject({ world: [40, 0, 40] });
    expect(readEvents("<html>\n<body>\n</html>")).toMatchObject({ why: expect.stringContaining("it is not an event") });
    const script = row("4", -1, 3).replace("https://press.example/3", "javascript:alert(1)");
    expect(readEvents(script)).toMatchObject({ pages: {} });
  });

  test("names of files, and codes that are not ISO", () => {
    expect(fileNameOf(Date.UTC(2026, 10, 22, 15, 15))).toBe("20261122151500.export.CSV.zip");
    expect([theatreOf("UP"), theatreOf("CH"), theatreOf("AU")]).toEqual([
      "Ukraine/Russia",
      "Taiwan Strait/China",
      undefined,
    ]);
  });
});

group("the score", () => {
  test("vector of the product file, with and without an index", () => {
    const all = combine({ news: 1.6, gpr: 0.9, advisory: 0, market: 0.5 });
    expect(all?.score).toBeCloseTo(81.76177797, 5);
    const without = combine({ news: 1.6, advisory: 0, market: 0.5 });
    expect(without?.score).toBeCloseTo(81.81770813, 5);
    expect(without?.coverage).toBeCloseTo(0.75, 12);
    expect(combine({ gpr: 1, advisory: 1 })).toBeNull();
    expect([39.9, 40, 60, 75, 90].map(bandOf)).toEqual(["calm", "normal", "elevated", "high", "extreme"]);
  });

  test("news against the days before, without the live day", () => {
    const history = [10, 11, 9, 12, 10, 13, 11, 10, 12, 11, 10, 11, 9, 12, 10, 13, 11, 10, 12, 11];
    const slots = history.flatMap((conflict, day) =>
      [0, 6, 12, 18].map((hour) => ({ at_ms: START_MS + day * DAY_MS + hour * 3_600_000, counts: counts(conflict) })),
    );
    const now_ms = START_MS + 21 * DAY_MS;
    const live = [6, 12, 18, 24].map((hour) => ({
      at_ms: now_ms - DAY_MS + hour * 3_600_000,
      counts: counts(hour === 6 ? 13 : 15),
    }));
    const newest = { at_ms: now_ms, counts: counts(15) };
    const days = sortDays([...slots, ...live], newest);
    expect(days.days).toHaveLength(20);
    expect(days.live).toHaveLength(4);
    // (13 + 3 x 15) / 400 = 0.145: the robust z of the product file.
    expect(measureNews(days)?.z).toBeCloseTo(2.36071766, 6);
    // A later file moves nothing.
    const later = { at_ms: now_ms + 6 * 3_600_000, counts: counts(99) };
    expect(measureNews(sortDays([...slots, ...live, later], newest))?.z).toBeCloseTo(2.36071766, 6);
    expect(measureNews({ ...days, days: days.days.slice(0, 19) })).toBeNull();
  });

  test("the words say each score with one decimal, the part that is known and the most unusual region", () => {
    const history = [10, 11, 9, 12, 10, 13, 11, 10, 12, 11, 10, 11, 9, 12, 10, 13, 11, 10, 12, 11];
    const slots = history.flatMap((conflict, day) =>
      [0, 6, 12, 18].map((hour) => ({ at_ms: START_MS + day * DAY_MS + hour * 3_600_000, counts: counts(conflict) })),
    );
    const now_ms = START_MS + 21 * DAY_MS;
    const live = [6, 12, 18].map((hour) => ({
      at_ms: now_ms - DAY_MS + hour * 3_600_000,
      counts: counts(hour === 6 ? 13 : 15),
    }));
    const { data } = computeGeoAlpha({
      slots: [...slots, ...live],
      newest: { at_ms: now_ms, counts: counts(15) },
      read_at_ms: now_ms,
      advisories: [],
      advisories_at_ms: null,
      pages: {},
      markets: [],
      headlines: [],
      warnings: [],
      // Midnight of today does not count as a day before; yesterday and seven days ago do.
      scores: [7, 1, 0].map((back) => ({ at_ms: now_ms - back * DAY_MS, score: 90 - back })),
    });
    // The z of the news is 2.36071766, as above; the normal distribution up to it is 0.9908801.
    expect(data.score).toBeCloseTo(99.08801, 4);
    expect([data.change_1d, data.change_7d]).toEqual([expect.closeTo(10.08801, 4), expect.closeTo(16.08801, 4)]);
    expect(data.text).toBe(
      "Geopolitical stress stands at 99.1 of 100 (extreme), from news 99.1; 45 % of the weights are known." +
        " The most unusual region is Ukraine/Russia (z 2.36).",
    );
  });

  test("no region is called unusual whose news are as usual", () => {
    const usual = [10, 11, 9, 12, 10, 13, 11, 10, 12, 11, 10, 11, 9, 12, 10, 13, 11, 10, 12, 11];
    const now_ms = START_MS + 21 * DAY_MS;
    const slots = [...usual, 11].flatMap((conflict, day) =>
      [0, 6, 12, 18].map((hour) => ({ at_ms: START_MS + day * DAY_MS + hour * 3_600_000, counts: counts(conflict) })),
    );
    const { data } = computeGeoAlpha({
      slots,
      newest: { at_ms: now_ms, counts: counts(11) },
      read_at_ms: now_ms,
      scores: [],
      advisories: [],
      advisories_at_ms: null,
      pages: {},
      markets: [],
      headlines: [],
      warnings: [],
    });
    expect(data.regions?.[0]?.z).toBeLessThan(2);
    expect(data.text).toMatch(/ No region is unusual; the highest z is that of Ukraine\/Russia \(-?\d\.\d\d\)\.$/);
  });

  test("raised levels count, and a new country is not a change", () => {
    const day = (index: number): string => new Date(START_MS + index * DAY_MS).toISOString().slice(0, 10);
    const levels = Array.from({ length: 71 }, (_, index) => ({
      date: day(index),
      levels: { A: index % 14 < 7 ? 1 : 2, B: index < 70 ? 3 : 4, ...(index > 30 ? { C: 4 } : {}) },
    }));
    expect(listLevelChanges(levels).some(({ country }) => country === "C")).toBe(false);
    const measured = measureAdvisories(levels, day(70));
    expect(measured?.value).toBe(1);
    expect(measureAdvisories(levels.slice(-40), day(70))).toBeNull();
    expect(measureAdvisories(levels.slice(0, 60), day(70))).toBeNull();
    expect(readTitle("Qatar - Level 2: Exercise Increased Caution")).toEqual({ country: "Qatar", level: 2 });
    expect(readTitle("Worldwide Caution")).toBeNull();
  });

  /** The answer to news alone, with more inputs. */
  const NOW_MS = START_MS + 300 * DAY_MS;
  const answerWith = (changes: Partial<Parameters<typeof computeGeoAlpha>[0]>) => {
    const history = [10, 11, 9, 12, 10, 13, 11, 10, 12, 11, 10, 11, 9, 12, 10, 13, 11, 10, 12, 11];
    const slots = history.flatMap((conflict, day) =>
      [0, 6, 12, 18].map((hour) => ({
        at_ms: NOW_MS + (day - 21) * DAY_MS + hour * 3_600_000,
        counts: counts(conflict),
      })),
    );
    const live = [6, 12, 18].map((hour) => ({ at_ms: NOW_MS - DAY_MS + hour * 3_600_000, counts: counts(15) }));
    return computeGeoAlpha({
      slots: [...slots, ...live],
      newest: { at_ms: NOW_MS, counts: counts(15) },
      read_at_ms: NOW_MS,
      advisories: [],
      advisories_at_ms: null,
      pages: {},
      markets: [],
      headlines: [],
      warnings: [],
      scores: [],
      ...changes,
    }).data;
  };

  test("a high score is compared only with prices after its day, and the running day has no such prices", () => {
    const days = Array.from({ length: 8 }, (_, index) => 20 + 20 * index);
    // A tenth more with the first price after each such day; nothing on the day itself or after.
    const points = Array.from({ length: 302 }, (_, day) => ({
      at_ms: START_MS + day * DAY_MS,
      value: 100 * 1.1 ** days.filter((begun) => day > begun).length,
    }));
    const scores = [...days, 300].map((day) => ({ at_ms: START_MS + day * DAY_MS, score: 80 }));
    const [d0] = answerWith({ scores, markets: [{ id: "GOLD", points }] }).history_response ?? [];
    expect(d0).toMatchObject({ asset: "GOLD", window: "d0", n: 8, hit_rate: 1 });
    expect(d0?.mean).toBeCloseTo(100 * Math.log(1.1), 9);
  });

  test("changed levels are those of seven days, newest first, then by country, twenty at most", () => {
    const dayBefore = (back: number) => new Date(NOW_MS - back * DAY_MS).toISOString().slice(0, 10);
    const listOf = (changed: Readonly<Record<string, number>>) =>
      answerWith({
        advisories: Array.from({ length: 10 }, (_, index) => ({
          date: dayBefore(9 - index),
          levels: Object.fromEntries(
            Object.entries(changed).map(([country, back]) => [country, 9 - index > back ? 1 : 2]),
          ),
        })),
      }).advisory_changes.map(({ country, date }) => [country, date]);
    expect(listOf({ SIX: 6, SEVEN: 7, E: 3, C: 3, D: 3, Y: 1 })).toEqual([
      ["Y", dayBefore(1)],
      ["C", dayBefore(3)],
      ["D", dayBefore(3)],
      ["E", dayBefore(3)],
      ["SIX", dayBefore(6)],
    ]);
    const many = Array.from({ length: 22 }, (_, index) => String.fromCharCode(65 + index));
    const listed = listOf(Object.fromEntries(many.toReversed().map((country) => [country, 3])));
    expect(listed.map(([country]) => country)).toEqual(many.slice(0, 20));
  });

  test("runs begin once, and only later prices answer them", () => {
    const scores = [80, 90, 10, 10, 80, 10, 10, 10, 10, 10, 80].map((score, index) => ({
      score,
      at_ms: index * DAY_MS,
    }));
    expect(listRuns(scores)).toEqual([0, 10 * DAY_MS]);
    const points = Array.from({ length: 200 }, (_, index) => ({ at_ms: index * DAY_MS, value: 100 + index }));
    const runs = Array.from({ length: 8 }, (_, index) => (10 + index * 20) * DAY_MS - 1);
    const [d0] = studyResponses(runs, [{ id: "GOLD", points }]);
    expect(d0).toMatchObject({ asset: "GOLD", window: "d0", n: 8, hit_rate: 1 });
    expect(d0?.mean).toBeCloseTo(
      (runs.reduce(
        (all, at) => all + Math.log((101 + (at - DAY_MS + 1) / DAY_MS) / (100 + (at - DAY_MS + 1) / DAY_MS)),
        0,
      ) /
        8) *
        100,
      6,
    );
    expect(studyResponses(runs.slice(1), [{ id: "GOLD", points }])).toEqual([]);
  });
});
