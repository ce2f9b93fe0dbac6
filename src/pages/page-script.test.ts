import { describe, expect, test } from "bun:test";
import { SCRIPT } from "./assets.gen.ts";
import { renderHtml } from "./html.ts";
import { fillPlaces, renderAge, renderMoment } from "./parts.ts";
import { ENGLISH, wordsOf } from "./words.ts";

const AT_MS = Date.parse("2026-11-21T01:40:00Z");

describe("moments and ages in the markup", () => {
  test("say in UTC, by the form of the language, and for machines", () => {
    expect(renderHtml(renderMoment(AT_MS, ENGLISH))).toBe(
      '<time datetime="2026-11-21T01:40:00Z">2026-11-21 01:40 UTC</time>',
    );
    expect(renderHtml(renderMoment(AT_MS, wordsOf("pt-BR")))).toContain(">21/11/2026 01:40 UTC<");
    expect(renderHtml(renderAge(901.4))).toBe('<time datetime="PT901S">15 min</time>');
    expect(renderHtml(renderAge(-3))).toBe('<time datetime="PT0S">0 s</time>');
  });

  test("stand in the places of a text, which is escaped", () => {
    expect(renderHtml(fillPlaces("<{0}> old {1}", renderAge(5)))).toBe(
      '&lt;<time datetime="PT5S">5 s</time>&gt; old {1}',
    );
  });
});

/** What the script of the pages asks of a browser, as far as these tests need it. */
function runPage(options: {
  readonly times?: readonly string[];
  readonly lang?: string;
  readonly zone?: string;
  readonly href?: string;
  readonly field?: { value: string; defaultValue: string };
}) {
  const { lang = "en", zone = "America/Sao_Paulo", href = "https://node.example.com/" } = options;
  const times = (options.times ?? []).map((dateTime) => ({
    ...{ dateTime, textContent: "" },
    append(text: string) {
      this.textContent += text;
    },
  }));
  const heard = new Map<string, (event: object) => unknown>();
  const field = options.field && {
    ...options.field,
    addEventListener: (name: string, work: (event: object) => unknown) => heard.set(name, work),
    form: { addEventListener: (name: string, work: (event: object) => unknown) => heard.set(name, work) },
  };
  const rows = ["/gas", "/regime"].map((row) => ({ dataset: { row }, hidden: false }));
  const [document, location] = [
    {
      documentElement: { lang, classList: { add: () => undefined } },
      getElementById: (id: string) => (id === "q" ? (field ?? null) : null),
      querySelectorAll: (selector: string) =>
        selector === "time[datetime]" ? times : selector === "[data-row]" ? rows : [],
    },
    { href, hash: "" },
  ];
  const entries: string[] = [href];
  const go = (url: URL) => {
    location.href = url.href;
  };
  const history = {
    pushState: (_state: null, _title: string, url: URL) => {
      entries.push(url.href);
      go(url);
    },
    replaceState: (_state: null, _title: string, url: URL) => {
      entries[entries.length - 1] = url.href;
      go(url);
    },
  };
  const clock = { ms: 0, ticks: [] as (() => void)[] };
  const world = {
    ...{ document, location, history, window: {}, performance: { now: () => clock.ms } },
    addEventListener: (name: string, work: (event: object) => unknown) => heard.set(name, work),
    setInterval: (work: () => void) => clock.ticks.push(work),
    fetch: async () => ({ json: async () => ({ products: [{ path: "/gas" }] }) }),
  };
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    new Function(...Object.keys(world), SCRIPT)(...Object.values(world));
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
  return { times, field, rows, heard, entries, location, clock };
}

describe("the script of the pages", () => {
  test("tells moments in the reader's zone, with the day where that is another, and nothing beside UTC", () => {
    const here = runPage({ times: ["2026-11-21T15:40:00Z", "2026-11-21T01:40:00Z", "never"], lang: "pt-BR" });
    expect(here.times.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^ \(12:40 \S+\)$/),
      expect.stringMatching(/^ \(20\/11,? 22:40 \S+\)$/),
      "",
    ]);
    expect(runPage({ times: ["2026-11-21T15:40:00Z"], zone: "UTC" }).times[0]?.textContent).toBe("");
  });

  test("lets ages grow from what the page says, by the time it is open", () => {
    const { times, clock } = runPage({ times: ["PT110S", "PT7100S"] });
    const pass = (ms: number) => {
      clock.ms += ms;
      for (const tick of clock.ticks) tick();
      return times.map(({ textContent }) => textContent);
    };
    expect(pass(5_000)).toEqual(["115 s", "118 min"]);
    expect(pass(120_000)).toEqual(["4 min", "2 h"]);
    expect(runPage({ times: [] }).clock.ticks).toEqual([]);
  });

  test("keeps the words of a search in the address: one step back leads out of it", async () => {
    const page = runPage({ href: "https://node.example.com/?lang=pt-BR", field: { value: "", defaultValue: "" } });
    const type = async (text: string) => {
      if (page.field) page.field.value = text;
      await page.heard.get("input")?.({});
    };
    await type("ga");
    await type("gas fee");
    expect(page.entries).toEqual([
      "https://node.example.com/?lang=pt-BR",
      "https://node.example.com/?lang=pt-BR&q=gas+fee",
    ]);
    expect(page.rows.map(({ hidden }) => hidden)).toEqual([false, true]);
    page.location.href = page.entries[0] ?? "";
    await page.heard.get("popstate")?.({});
    expect([page.field?.value, ...page.rows.map(({ hidden }) => hidden)]).toEqual(["", false, false]);
  });

  test("leaves a list of what was found to the form, which asks for all", () => {
    const page = runPage({ field: { value: "gas", defaultValue: "gas" } });
    expect([...page.heard.keys()].filter((name) => ["input", "submit", "popstate"].includes(name))).toEqual([]);
  });
});
