import { describe, expect, test } from "bun:test";
import { PLAYGROUND_SCRIPT, SCRIPT } from "./assets.gen.ts";
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

type Work = (event: object) => unknown;
interface FakeElement {
  textContent: string;
  hidden: boolean;
  readonly dataset: Record<string, string>;
  readonly heard: Map<string, Work>;
  addEventListener(name: string, work: Work): void;
}
function createFakeElement(): FakeElement & Record<string, unknown> {
  const heard = new Map<string, Work>();
  return {
    textContent: "",
    hidden: true,
    dataset: {},
    heard,
    addEventListener: (name, work) => void heard.set(name, work),
    setAttribute: () => undefined,
    removeAttribute: () => undefined,
    append: () => undefined,
    replaceChildren: () => undefined,
  };
}

/** What the script of the pages asks of a browser, as far as these tests need it. */
function runPage(options: {
  readonly times?: readonly string[];
  readonly lang?: string;
  readonly zone?: string;
  readonly href?: string;
  readonly field?: { value: string; defaultValue: string };
  readonly codes?: readonly { textContent: string; parentElement: { before(button: FakeElement): void } }[];
}) {
  const { lang = "en", zone = "America/Sao_Paulo", href = "https://node.example.com/" } = options;
  const times = (options.times ?? []).map((dateTime) => ({
    dateTime,
    textContent: "",
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
  const codes = options.codes ?? [];
  const copies: string[] = [];
  const [document, location] = [
    {
      body: { dataset: { copy: "Copy", copied: "Copied" } },
      createElement: () => createFakeElement(),
      documentElement: { lang, classList: { add: () => undefined } },
      getElementById: (id: string) => (id === "q" ? (field ?? null) : null),
      querySelectorAll: (selector: string) =>
        ({ "time[datetime]": times, "[data-row]": rows, "pre > code": codes })[selector] ?? [],
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
  const navigator = { clipboard: { writeText: async (text: string) => copies.push(text) } };
  const clock = { ms: 0, ticks: [] as (() => void)[] };
  const world = {
    document,
    location,
    history,
    navigator,
    window: { navigator },
    performance: { now: () => clock.ms },
    setTimeout: (work: () => void) => clock.ticks.push(work),
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
  return { times, field, rows, heard, entries, location, clock, copies };
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

  test("puts a button on every block of code, which copies it and says so", async () => {
    const buttons: FakeElement[] = [];
    const parentElement = { before: (button: FakeElement) => void buttons.push(button) };
    const page = runPage({ codes: ["curl a", "curl b"].map((textContent) => ({ textContent, parentElement })) });
    expect(buttons.map(({ textContent }) => textContent)).toEqual(["Copy", "Copy"]);
    await buttons[1]?.heard.get("click")?.({});
    expect([page.copies, buttons[1]?.textContent]).toEqual([["curl b"], "Copied"]);
    for (const tick of page.clock.ticks) tick();
    expect(buttons[1]?.textContent).toBe("Copy");
  });
});

/** The script of a product's page with its form, and what `fetch` answers. */
async function callInPlace(answer: () => Promise<object>) {
  const [box, status] = [createFakeElement(), createFakeElement()];
  status.dataset.loading = "Loading …";
  const told: string[] = [];
  const form = {
    ...createFakeElement(),
    dataset: { method: "GET" },
    getAttribute: () => "/regime",
    querySelectorAll: () => [],
    parentElement: { querySelector: (selector: string) => (selector === "[data-told]" ? status : box) },
  };
  const world = {
    document: {
      querySelectorAll: (selector: string) => (selector === "[data-play]" ? [form] : []),
      querySelector: () => null,
      createElement: () => createFakeElement(),
    },
    fetch: async () => {
      told.push(status.textContent);
      return answer();
    },
  };
  new Function(...Object.keys(world), PLAYGROUND_SCRIPT)(...Object.values(world));
  await form.heard.get("submit")?.({ preventDefault: () => undefined, submitter: null });
  return { told: [...told, status.textContent], is_hidden: box.hidden };
}

describe("a call in place is told in one line that is read aloud", () => {
  test("while it loads, and when it was answered", async () => {
    const answer = async () => ({ status: 200, statusText: "OK", text: async () => "{}" });
    expect(await callInPlace(answer)).toEqual({
      told: ["Loading …", "GET /regime?preview=1 → 200 OK"],
      is_hidden: false,
    });
  });

  test("when it failed, without an answer of before", async () => {
    const answer = async () => {
      throw new Error("no network");
    };
    expect(await callInPlace(answer)).toEqual({ told: ["Loading …", "no network"], is_hidden: true });
  });
});
