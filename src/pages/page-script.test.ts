import { describe, expect, test } from "bun:test";
import { answerTextsOf } from "./answer/answer-texts.ts";
import { HEAD_SCRIPT, PLAYGROUND_SCRIPT, SCRIPT } from "./assets.gen.ts";
import { renderHtml } from "./html.ts";
import { fillPlaces, renderAge, renderMoment } from "./parts.ts";
import { ENGLISH, wordsOf } from "./words.ts";

const AT_MS = Date.parse("2026-11-21T01:40:00Z");

describe("moments and ages in the markup", () => {
  test("are written in UTC, in the form of the language and in a form for machines", () => {
    expect(renderHtml(renderMoment(AT_MS, ENGLISH))).toBe(
      '<time datetime="2026-11-21T01:40:00Z"><span class="whole">2026-11-21</span> 01:40 UTC</time>',
    );
    expect(renderHtml(renderMoment(AT_MS, wordsOf("pt-BR")))).toContain(">21/11/2026</span> 01:40 UTC<");
    expect(renderHtml(renderAge(901.4))).toBe('<time datetime="PT901S">15 min</time>');
    expect(renderHtml(renderAge(-3))).toBe('<time datetime="PT0S">0 s</time>');
    expect(renderHtml(renderAge(5, "{0} <old>"))).toBe(
      '<time datetime="PT5S" data-age="{0} &lt;old&gt;">5 s &lt;old&gt;</time>',
    );
  });

  test("fill the placeholders of a text, which is escaped", () => {
    expect(renderHtml(fillPlaces("<{0}> old {1}", renderAge(5)))).toBe(
      '&lt;<time datetime="PT5S">5 s</time>&gt; old {1}',
    );
  });
});

type Work = (event: object) => unknown;
interface FakeElement {
  tag: string;
  readonly parts: unknown[];
  readonly attributes: Record<string, string>;
  textContent: string;
  hidden: boolean;
  readonly dataset: Record<string, string>;
  readonly heard: Map<string, Work>;
  addEventListener(name: string, work: Work): void;
}
function createFakeElement(tag = ""): FakeElement & Record<string, unknown> {
  const heard = new Map<string, Work>();
  const parts: unknown[] = [];
  const attributes: Record<string, string> = {};
  return {
    tag,
    parts,
    attributes,
    textContent: "",
    hidden: true,
    dataset: {},
    heard,
    addEventListener: (name, work) => void heard.set(name, work),
    setAttribute: (name: string, value: string) => void Object.assign(attributes, { [name]: value }),
    removeAttribute: () => undefined,
    append: (...added: unknown[]) => void parts.push(...added),
    replaceChildren: (...added: unknown[]) => void parts.splice(0, parts.length, ...added),
  };
}

/** The part of a browser that the pages' script needs in these tests. */
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
    dataset: {},
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
  const rows = ["/gas", "/regime"].map((row) => ({
    dataset: { row },
    hidden: false,
    querySelector: () => ({ cloneNode: () => `link to ${row}` }),
  }));
  const [best, questions] = [createFakeElement(), createFakeElement()];
  best.dataset.best = "Best for this";
  const codes = options.codes ?? [];
  const copies: string[] = [];
  const parsed: (() => void)[] = [];
  const [document, location] = [
    {
      body: { dataset: { copy: "Copy", copied: "Copied" } },
      createElement: () => createFakeElement(),
      documentElement: { lang, classList: { add: () => undefined } },
      addEventListener: (_name: string, work: () => void) => parsed.push(work),
      getElementById: (id: string) => (id === "q" ? (field ?? null) : null),
      querySelectorAll: (selector: string) =>
        ({
          "time[datetime]": times,
          "[data-row]": rows,
          "pre > code": codes,
          "[data-best]": [best],
          ".best-for": [questions],
        })[selector] ?? [],
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
    const head = { ...world, setTimeout: () => undefined, requestAnimationFrame: (work: () => void) => work() };
    new Function(...Object.keys(head), HEAD_SCRIPT)(...Object.values(head));
    for (const work of parsed) work();
    new Function(...Object.keys(world), SCRIPT)(...Object.values(world));
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
  return { times, field, rows, best, questions, heard, entries, location, clock, copies };
}

describe("the script of the pages", () => {
  test("adds times in the reader's zone, with the day if it differs, and adds nothing in UTC", () => {
    const here = runPage({ times: ["2026-11-21T15:40:00Z", "2026-11-21T01:40:00Z", "never"], lang: "pt-BR" });
    expect(here.times.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^ \(12:40 \S+\)$/),
      expect.stringMatching(/^ \(20\/11,? 22:40 \S+\)$/),
      "",
    ]);
    expect(runPage({ times: ["2026-11-21T15:40:00Z"], zone: "UTC" }).times[0]?.textContent).toBe("");
  });

  test("lets ages grow from those in the page, by the time the page is open", () => {
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

  test("keeps a search in the address and names the best result; one step back ends the search", async () => {
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
    expect([page.best.hidden, page.best.parts, page.questions.hidden]).toEqual([
      false,
      ["Best for this: ", "link to /gas"],
      true,
    ]);
    page.location.href = page.entries[0] ?? "";
    await page.heard.get("popstate")?.({});
    expect([page.field?.value, ...page.rows.map(({ hidden }) => hidden)]).toEqual(["", false, false]);
    expect([page.best.hidden, page.questions.hidden]).toEqual([true, false]);
  });

  test("leaves a page of search results to the form, which searches everything", () => {
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

/** The script of a product's page with its form, and the answers of `fetch`. */
async function callInPlace(answer: () => Promise<object>, schema: Readonly<Record<string, unknown>> = {}) {
  const [box, status] = [createFakeElement(), createFakeElement()];
  box.dataset.texts = JSON.stringify(answerTextsOf(schema, ENGLISH));
  status.dataset.loading = "Loading …";
  const told: string[] = [];
  const form = {
    ...createFakeElement(),
    dataset: { method: "GET" },
    getAttribute: () => "/regime",
    querySelectorAll: () => [],
    querySelector: () => null,
    parentElement: { querySelector: (selector: string) => (selector === "[data-told]" ? status : box) },
  };
  const world = {
    document: {
      querySelectorAll: (selector: string) => (selector === "[data-play]" ? [form] : []),
      querySelector: (selector: string) => (selector === "[data-answer]" ? box : null),
      createElement: (tag: string) => createFakeElement(tag),
      createTextNode: (text: string) => text,
    },
    fetch: async () => {
      told.push(status.textContent);
      return answer();
    },
  };
  new Function(...Object.keys(world), PLAYGROUND_SCRIPT)(...Object.values(world));
  await form.heard.get("submit")?.({ preventDefault: () => undefined, submitter: null });
  return { told: [...told, status.textContent], is_hidden: box.hidden, box };
}

describe("a call from the page is reported in one line that is read aloud", () => {
  test("while it loads, and when it was answered", async () => {
    const answer = async () => ({ ok: true, status: 200, statusText: "OK", text: async () => "{}" });
    expect(await callInPlace(answer)).toMatchObject({
      told: ["Loading …", "GET /regime?preview=1 → 200 OK"],
      is_hidden: false,
    });
  });

  test("when it failed, without an earlier answer", async () => {
    const answer = async () => {
      throw new Error("no network");
    };
    expect(await callInPlace(answer)).toMatchObject({ told: ["Loading …", "no network"], is_hidden: true });
  });
});

/** The elements below some nodes, and the texts between them. */
function walk(nodes: readonly unknown[]): { readonly tags: string[]; readonly texts: string[] } {
  const [tags, texts]: [string[], string[]] = [[], []];
  for (const node of nodes) {
    if (typeof node === "string") texts.push(node);
    else {
      const { tag, parts } = node as FakeElement;
      const inner = walk(parts);
      tags.push(tag, ...inner.tags);
      texts.push(...inner.texts);
    }
  }
  return { tags, texts };
}

describe("the script lays out the answer to a call", () => {
  const HOSTILE = '</script><img src=x onerror="alert(1)">';
  const answer =
    (body: unknown, ok = true) =>
    async () => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return { ok, status: ok ? 200 : 402, statusText: "", text: async () => text };
    };

  test("as its sentence and a table with labels and units, with sources and JSON folded", async () => {
    const body = {
      product: "gas",
      text: "Gas is low on 2026-11-21.",
      as_of: "2026-11-21T12:40:00Z",
      warnings: ["odd"],
      sources: [{ provider: "a", ok: true, fetched_at: "2026-11-21T12:40:00Z" }],
      data: { price_usd: 1234.5, rows: [{ name: "x", legs: [{ fee_bps: 3 }] }] },
    };
    const properties = { price_usd: { type: "number" }, rows: { items: { properties: { fee_bps: {} } } } };
    const { box } = await callInPlace(answer(body), { properties });
    const { tags, texts } = walk(box.parts);
    expect(texts.join("|")).toContain("price| |USD|1,234.5");
    expect(texts.join("|")).toContain("fee| |bps|3");
    const folds = box.parts.filter((one) => (one as FakeElement).tag === "details") as FakeElement[];
    expect(folds.map((one) => walk(one.parts).texts[0])).toEqual(["1 warning", "1 source", "JSON"]);
    expect(folds.every(({ attributes }) => !Object.hasOwn(attributes, "open"))).toBe(true);
    expect(tags.filter((tag) => tag === "table").length).toBe(2);
  });

  test.each([
    ["of a product", answer({ text: HOSTILE, data: { [HOSTILE]: HOSTILE, rows: [{ [HOSTILE]: [HOSTILE, {}] }] } })],
    ["that is a refusal", answer({ detail: HOSTILE }, false)],
    ["that is no JSON", answer(HOSTILE)],
    ["that is a list", answer([HOSTILE])],
    ["whose members are called as objects' own", answer('{"data":{"__proto__":{"constructor":[{"toString":1}]}}}')],
  ])("as text, whatever stands in one %s", async (_, given) => {
    const { box, is_hidden } = await callInPlace(given, { properties: { a_usd: {} } });
    const { tags, texts } = walk(box.parts);
    const known = "p dl dt dd span div ul ol li pre code table thead tbody tr th td details summary".split(" ");
    expect(tags.filter((tag) => !known.includes(tag))).toEqual([]);
    expect(texts.length).toBeGreaterThan(0);
    expect(is_hidden).toBe(false);
  });
});
