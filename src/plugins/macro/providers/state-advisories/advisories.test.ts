import { expect, test } from "bun:test";
import { createRecordedContext } from "../../../../../test/helpers/product-harness.ts";
import { fetchAdvisories } from "./advisories.ts";

const LINK = "https://travel.state.gov/content/travel/en/traveladvisories/traveladvisories/x.html";
const row = (Title: string, Category?: readonly string[] | null) => ({ Title, Link: LINK, Category });
const OTHERS = Array.from({ length: 120 }, (_, index) => row(`Country ${index} - Level 1: Exercise`, ["XX"]));
const readLevels = async (...rows: readonly object[]) => {
  const bodies = { "state_advisories GET /api/TravelAdvisories": [...OTHERS, ...rows] };
  const found = await fetchAdvisories(createRecordedContext({ now_ms: 0, bodies }));
  return Object.fromEntries(
    found.filter(({ country }) => !country.startsWith("Country ")).map(({ country, level }) => [country, level]),
  );
};

test("rows that share a title are distinguished by their place", async () => {
  const title = "Mainland China, Hong Kong & Macau - See Summaries - Level";
  const rows = [row(`${title} 2: A`, ["CH"]), row(`${title} 2: A`, ["HK"]), row(`${title} 3: B`, ["MC"])];
  expect(await readLevels(...rows)).toEqual({ "Mainland China": 2, "Hong Kong": 2, Macau: 3 });
  expect(await readLevels(row("Two Isles - Level 1: A", ["T1"]), row("Two Isles - Level 4: D", ["T2"]))).toEqual({
    "Two Isles (T1)": 1,
    "Two Isles (T2)": 4,
  });
});

test("of two rows of one place the higher level counts, and a row can lack a code", async () => {
  const twice = [row("Mexico Travel Advisory - Level 2: A", ["MX"]), row("Mexico - Level 3: B", ["MX"])];
  expect(await readLevels(...twice)).toEqual({ Mexico: 3 });
  const title = "Mainland China, Hong Kong & Macau - See Summaries - Level 2: A";
  expect(await readLevels(row("Qatar - Level 2: A"), row(title, null))).toEqual({
    Qatar: 2,
    "Mainland China, Hong Kong & Macau": 2,
  });
});

test("a title with a level loses no country, however it is written", async () => {
  const dashes = ["-", "\u2013", "\u2014", "\u2010", ":", ","].map((dash, index) =>
    row(`Guinea-Bissau ${"ABCDEF"[index]} ${dash} Level 4: Do Not Travel`, [`G${index}`]),
  );
  expect(Object.values(await readLevels(...dashes))).toEqual(Array(6).fill(4));
  expect(await readLevels(row("Iraq Level 4: Do Not Travel", ["IZ"]))).toEqual({ Iraq: 4 });
  expect(await readLevels(row("Iraq - LEVEL 4 - Do Not Travel", ["IZ"]))).toEqual({ Iraq: 4 });
  const long = `The Territories of ${"very ".repeat(20)}far islands`;
  expect(await readLevels(row(`${long} - Level 3: Reconsider`, ["ZZ"]))).toEqual({ [long.slice(0, 60).trimEnd()]: 3 });
});

test("the length of a title and of a link decide nothing", async () => {
  const long = { ...row(`Qatar - Level 2: ${"A".repeat(500)}`, ["QA"]), Link: `${LINK}?${"a".repeat(2_000)}` };
  expect(await readLevels(long)).toEqual({ Qatar: 2 });
});
