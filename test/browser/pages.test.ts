import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { source as axe } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { cleanUp, type DemoNode, newPayer, payingFetch, startDemo, waitForPreview } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import { newManyProducts } from "../helpers/many-products.ts";
import { openPage } from "../helpers/open-page.ts";

/** The pages in a real Chromium: phone and desktop, light and dark, by keyboard, without script. */
const missing = ensureProgram("chromium", "chromium");
if (missing !== null) noteSkipped("the pages in a browser", missing);

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
/** What a window of 1280 x 900 shows of a page at 200 % (WCAG 2.2, 1.4.4). */
const ZOOMED: BrowserContextOptions = { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 };
const ALL_VIEWS = (["en-US", "pt-BR"] as const).flatMap((locale) =>
  (["light", "dark"] as const).flatMap((colorScheme): (readonly [name: string, options: BrowserContextOptions])[] => [
    [`a phone, ${colorScheme}, ${locale}`, { viewport: PHONE, colorScheme, locale }],
    [`a desktop, ${colorScheme}, ${locale}`, { viewport: DESKTOP, colorScheme, locale }],
  ]),
);
/** Two of them have both widths, both schemes and both languages. */
const QUICK_VIEWS = ["a phone, light, pt-BR", "a desktop, dark, en-US"];
const VIEWS = process.env.TEST_FULL ? ALL_VIEWS : ALL_VIEWS.filter(([name]) => QUICK_VIEWS.includes(name));
/** Product pages with charts of every kind. */
const CHARTED = ["/regime", "/correlation-matrix", "/backtest"] as const;
const PATHS = [
  "/",
  "/p/mempool",
  "/track-record",
  "/status",
  "/receipts",
  "/docs",
  "/docs/mempool",
  "/guide",
  "/guide/watches",
  ...CHARTED,
] as const;
/** Those that have most to say of their kind, and the ones a phone was too narrow for. */
const LONGEST = [
  "/p/br-curve",
  "/p/smart-money",
  "/p/agent-call",
  "/p/job/br-market-brief",
  "/terms",
  "/verify",
  "/wallet",
];
/** One page of each kind that has tables, times, charts or long lists. */
const IN_PIECES = ["/", "/p/mempool", "/track-record", "/status", "/docs/mempool", "/guide", "/correlation-matrix"];
const HEIGHT_MAX = 6_000;
/** The narrowest window that text has to fit without a sideways scroll (WCAG 2.2, 1.4.10). */
const NARROW = 320;
/** Opens what is folded. */
const UNFOLD = "for (const folded of document.querySelectorAll('main details')) folded.open = true";
/** What stands out to the right of the window, unless it is in a box that scrolls by itself. */
const OUT_OF_SIGHT = `${UNFOLD};
  (() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const boxes = ".scroll, .shown, pre, .skip, .tabs input, svg";
    const outside = [...document.querySelectorAll("body *")].filter((one) =>
      one.getBoundingClientRect().right > clientWidth + 1 && !one.closest(boxes));
    return { wide: scrollWidth - clientWidth, outside: outside.slice(0, 3).map((one) => one.outerHTML.slice(0, 80)) };
  })()`;
/** Pictures of them are kept with the files of the run, for whoever looks at the pages. */
const PICTURES = join(import.meta.dir, "..", "..", ".tmp", "screenshots");
/**
 * Notes which parts jump, how far and when (Layout Instability). The browser reports a jump some time after the frame
 * it happened in, so jumps are told apart by their own time, and those not yet reported are taken at once.
 */
const WATCH_SHIFTS = `{
  const shifts = [];
  const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  const nameNode = (node) => (node?.outerHTML ?? node?.textContent ?? "gone").slice(0, 120);
  window.shiftsSince = (begin_ms) => {
    shifts.push(...observer.takeRecords());
    return shifts.filter(({ startTime }) => startTime >= begin_ms).map(({ value, sources }) =>
      value.toFixed(6) + sources.map(({ node, previousRect: from, currentRect: to }) =>
        " " + nameNode(node) + " from " + [from.x, from.y, from.width] + " to " + [to.x, to.y, to.width]).join());
  };
}`;
const PIECES = 25;
/** Two frames. More of them, on a slow machine, show the same. */
const PIECE_PAUSE_MS = 34;
const HEIGHT = "document.documentElement.scrollHeight";
const FIRST_PRODUCT_TOP = `document.querySelector('main a[href^="/p/"]').getBoundingClientRect().top`;
/** Said by the browser of every page whose status is an error, whatever is on it. */
const STATUS_NOTE = "the server responded with a status of 402";

interface Opened {
  readonly page: Page;
  /** Requests that did not go to the node. */
  readonly elsewhere: string[];
  /** Console errors and exceptions. */
  readonly errors: string[];
  /** Which of its parts jumped while it came, and how far. */
  shifts: unknown;
}

/** A proxy that sends each page of a node in pieces, with a frame or two between them. */
function serveInPieces(origin: string): { readonly url: string; stop(): Promise<void> } {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(`${origin}${pathname}${search}`, { headers: request.headers });
      const headers = new Headers(answer.headers);
      for (const name of ["content-encoding", "content-length"]) headers.delete(name);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const size = Math.ceil(bytes.length / PIECES);
      async function* pieces() {
        for (let from = 0; from < bytes.length; from += size) {
          yield bytes.subarray(from, from + size);
          await Bun.sleep(PIECE_PAUSE_MS);
        }
      }
      return new Response(pieces, { status: answer.status, headers });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

const PIECE_VIEWS = [
  ["a phone", PHONE],
  ["a desktop", DESKTOP],
] as const;

/** What jumps on pages of a node that come in pieces, each read once. */
async function listShifts(browser: Browser, origin: string, viewport: { width: number; height: number }) {
  const slow = serveInPieces(origin);
  const moved: string[] = [];
  try {
    for (const path of IN_PIECES) {
      const context = await browser.newContext({ timezoneId: "America/Sao_Paulo", viewport });
      const page = await context.newPage();
      await page.addInitScript(WATCH_SHIFTS);
      await openPage(page, `${slow.url}${path}`);
      const shifts = (await page.evaluate("window.shiftsSince(0)")) as string[];
      moved.push(...shifts.map((shift) => `${path}: ${shift}`));
      await context.close();
    }
  } finally {
    await slow.stop();
  }
  return moved;
}

describe.skipIf(missing !== null)("in Chromium", () => {
  let node: DemoNode;
  let browser: Browser;

  beforeAll(async () => {
    node = await startDemo({ args: ["--plugins", newManyProducts(20)], history: true });
    expect((await payingFetch(newPayer())(`${node.url}/mempool`)).status).toBe(200);
    for (const path of CHARTED) await waitForPreview(node, path);
    const executablePath = Bun.which("chromium") ?? "";
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  });
  afterAll(async () => {
    await browser.close();
    await cleanUp();
  });

  const visit = async (path: string, options: BrowserContextOptions, use: (opened: Opened) => Promise<void>) => {
    // Elsewhere than in UTC a page adds the reader's own time to each moment, which must not move anything.
    const context = await browser.newContext({ timezoneId: "America/Sao_Paulo", ...options });
    const page = await context.newPage();
    await page.addInitScript(WATCH_SHIFTS);
    const opened: Opened = { page, elsewhere: [], errors: [], shifts: [] };
    page.on("request", (request) => {
      if (!request.url().startsWith(`${node.url}/`)) opened.elsewhere.push(request.url());
    });
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes(STATUS_NOTE)) opened.errors.push(message.text());
    });
    page.on("pageerror", (error) => opened.errors.push(error.message));
    try {
      await openPage(page, `${node.url}${path}`);
      opened.shifts = await page.evaluate("window.shiftsSince(0)");
      // What is far below is laid out too, so that it is judged.
      await page.evaluate(
        "for (const one of document.querySelectorAll('main > *, .part')) one.style.contentVisibility = 'visible'",
      );
      await use(opened);
    } finally {
      await context.close();
    }
  };

  describe.each(VIEWS)("on %s", (view, options) => {
    test.each(PATHS)(
      "%s shows without an error, a request elsewhere, a part out of sight or a barrier",
      async (path) => {
        await visit(path, options, async ({ page, elsewhere, errors, shifts }) => {
          const name = `${view}${path === "/" ? "/home" : path}`.replaceAll(/[^\w-]+/g, "-");
          await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
          expect(shifts).toEqual([]);
          expect(await page.locator("h1").count()).toBe(1);
          const { scrollWidth, clientWidth } = (await page.evaluate(
            "(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)",
          )) as { scrollWidth: number; clientWidth: number };
          expect(scrollWidth).toBe(clientWidth);
          if (options.viewport === PHONE) expect(await page.evaluate(HEIGHT)).toBeLessThanOrEqual(HEIGHT_MAX);
          if (path === "/") expect(await page.evaluate(FIRST_PRODUCT_TOP)).toBeLessThan(options.viewport?.height ?? 0);
          expect(await page.evaluate("document.documentElement.lang")).toBe(
            options.locale === "pt-BR" ? "pt-BR" : "en",
          );
          expect(await judge(page)).toEqual([]);
          if (CHARTED.some((charted) => charted === path)) await readPictures(page);
          expect({ elsewhere, errors }).toEqual({ elsewhere: [], errors: [] });
        });
      },
    );
  });

  test.each(PIECE_VIEWS)("on %s nothing moves while a page comes in pieces", async (_view, viewport) => {
    expect(await listShifts(browser, node.url, viewport)).toEqual([]);
  });

  /** What axe-core objects to at levels A and AA. */
  const judge = async (page: Page): Promise<string[]> => {
    await page.evaluate(axe);
    return (await page.evaluate(
      `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }).then((all) =>
        all.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.target.join(" ")).slice(0, 5)))`,
    )) as string[];
  };

  /** How high a page is and how much wider than its window, all of it laid out. */
  const measure = async (page: Page, path: string): Promise<{ readonly height: number; readonly wide: number }> => {
    await openPage(page, `${node.url}${path}`);
    return (await page.evaluate(
      `for (const one of document.querySelectorAll("main > *, .part")) one.style.contentVisibility = "visible";
      (({ scrollHeight, scrollWidth, clientWidth }) => ({ height: scrollHeight, wide: scrollWidth - clientWidth }))(
        document.documentElement)`,
    )) as { height: number; wide: number };
  };

  /** One picture for each chart, as wide as fits, with letters that can be read. */
  const readPictures = async (page: Page) => {
    await page.evaluate(UNFOLD);
    const figures = await page.locator("figure.chart").count();
    const pictures = page.locator("figure.chart > svg:visible");
    expect(figures).toBeGreaterThan(0);
    expect(await pictures.count()).toBe(figures);
    const seen = (await page.evaluate(`[...document.querySelectorAll("figure.chart > svg")]
      .filter((svg) => svg.getBoundingClientRect().width > 0)
      .map((svg) => ({
        scale: svg.getBoundingClientRect().width / svg.viewBox.baseVal.width,
        outside: [...svg.querySelectorAll("text")].filter((text) => {
          const [inner, outer] = [text.getBoundingClientRect(), svg.getBoundingClientRect()];
          return inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.bottom > outer.bottom + 1;
        }).map((text) => text.textContent),
      }))`)) as { scale: number; outside: string[] }[];
    // Letters of 12 px are at least 11 of them on the page.
    for (const { scale } of seen) expect(scale).toBeGreaterThan(0.91);
    expect(seen.flatMap(({ outside }) => outside)).toEqual([]);
  };

  describe.each(CHARTED)("the charts of %s", (path) => {
    test("differ in colour between the schemes", async () => {
      const colours: string[] = [];
      for (const colorScheme of ["light", "dark"] as const) {
        await visit(path, { colorScheme, javaScriptEnabled: false }, async ({ page }) => {
          const marks = "document.querySelector('figure.chart .lines path, figure.chart .cells rect')";
          colours.push(String(await page.evaluate(`((s) => s.fill + s.stroke)(getComputedStyle(${marks}))`)));
        });
      }
      expect(new Set(colours).size).toBe(2);
    });
  });

  test.each(["/", "/p/regime", "/track-record"])(
    "%s at 200 %% shows everything without a sideways scroll",
    async (path) => {
      await visit(path, ZOOMED, async ({ page }) => {
        const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(wide)).toBe(0);
        expect(await page.locator("h1").isVisible()).toBe(true);
      });
    },
  );

  test("on paper a page has its text and pictures, and nothing to click", async () => {
    await visit("/p/regime", { ...desktop, colorScheme: "dark" }, async ({ page }) => {
      await page.emulateMedia({ media: "print", colorScheme: "light" });
      for (const hidden of [".top nav", ".foot nav", ".play .buttons"]) {
        expect(await page.locator(hidden).first().isVisible()).toBe(false);
      }
      expect(await page.locator("figure.chart svg:visible").count()).toBeGreaterThan(0);
      expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
    });
  });

  const desktop: BrowserContextOptions = { viewport: DESKTOP };
  test("the colours follow the scheme from the first moment, by style alone", async () => {
    const colours: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await visit("/", { colorScheme, javaScriptEnabled: false }, async ({ page }) => {
        colours.push(String(await page.evaluate("getComputedStyle(document.body).backgroundColor")));
      });
    }
    expect(new Set(colours).size).toBe(2);
  });

  test("a search leaves what matches, and says how much that is", async () => {
    await visit("/", desktop, async ({ page }) => {
      await page.locator("#q").fill("gas");
      await page.locator("#found", { hasText: / of \d\d$/ }).waitFor();
      expect(await page.locator("[data-row]:visible th").allTextContents()).toContain("Transaction fees now");
      expect(await page.locator("[data-row]:visible").count()).toBeLessThan(5);
      await page.locator("#q").fill("What does a bitcoin transaction cost now?");
      await page.locator("[data-best]", { hasText: "Best for this: Transaction fees now" }).waitFor();
      expect(await page.locator("[data-best] a").getAttribute("href")).toBe("/p/mempool");
      expect(await page.locator(".best-for").isVisible()).toBe(false);
      await page.locator("#q").fill("qqqqq");
      await page.locator("#found", { hasText: "Nothing matches." }).waitFor();
      await page.locator("#q").fill("");
      expect(await page.locator("[data-row]:visible").count()).toBeGreaterThan(20);
    });
  });

  test("a call of the playground is shown in place, as a table: the preview, the 402 and what is wrong", async () => {
    await visit("/p/mempool", desktop, async ({ page, errors }) => {
      await page.getByRole("button", { name: "Free preview" }).click();
      await page.locator("[data-answer] .shown", { hasText: "sat/vB" }).waitFor();
      expect(await page.locator("[data-answer] details[open]").count()).toBe(0);
      await page.locator("[data-answer] summary", { hasText: "JSON" }).click();
      await page.locator("[data-answer] pre", { hasText: '"delayed": true' }).waitFor();
      expect(await judge(page)).toEqual([]);
      await page.getByRole("button", { name: "See the 402" }).click();
      await page.locator("[data-answer] pre", { hasText: '"x402Version": 2' }).waitFor();
      await openPage(page, `${node.url}/p/many-0`);
      await page.locator("#play-days").fill("0");
      await page.getByRole("button", { name: "Free preview" }).click();
      await page.locator("[data-answer] pre", { hasText: "invalid_parameter" }).waitFor();
      expect(await page.locator("img").count()).toBe(0);
      expect(await page.title()).toContain("document.title");
      expect(errors.filter((text) => !text.includes("422"))).toEqual([]);
    });
  });

  test("members of an answer are clicked, by mouse and by keyboard, and only those are answered", async () => {
    await visit("/p/regime", { ...desktop, locale: "pt-BR" }, async ({ page, errors }) => {
      await page.locator('[data-field="regime"]').click();
      await page.locator('[data-field="score"]').focus();
      await page.keyboard.press("Enter");
      expect(await page.locator("#play-fields").inputValue()).toBe("regime,score");
      await page.locator('[data-field="regime"]').click();
      expect(await page.locator('[aria-pressed="true"]').allTextContents()).toEqual(["pontuação"]);
      await page.locator("#play-view").selectOption("brief");
      await page.locator("button[name=preview]").click();
      await page.locator("[data-answer] .shown").waitFor();
      const url = "/regime?lang=pt&view=brief&fields=score&preview=1";
      expect(await page.locator("[data-told]").textContent()).toBe(`GET ${url} → 200 OK`);
      expect(await page.locator("[data-answer] dt").count()).toBe(1);
      expect(await page.locator("[data-answer] .lead").textContent()).toMatch(/ em \d\d\/\d\d\/\d{4}/);
      expect(errors).toEqual([]);
    });
  });

  test("a watch is built by keyboard, the order follows, and the node says what it would have told", async () => {
    await visit("/p/regime", desktop, async ({ page, errors }) => {
      const readOrder = async (): Promise<unknown> => {
        const shown = (await page.locator("[data-watch-order]").textContent()) ?? "";
        return JSON.parse(shown.match(/-d '([\s\S]*)'$/)?.[1] ?? "null");
      };
      expect(await readOrder()).toMatchObject({ product: "/regime", condition: { field: "regime", op: "changed" } });
      await page.locator("#watch-field").focus();
      await page.keyboard.type("score");
      await page.keyboard.press("Tab");
      await page.keyboard.type("crossed up");
      await page.keyboard.press("Tab");
      await page.keyboard.type("0.25");
      await page.keyboard.press("Tab");
      await page.keyboard.type("2 of 3");
      await page.keyboard.press("Enter");
      await page.locator("[data-watch-told]", { hasText: /evaluations: [0-9.]+ USD if none tells/ }).waitFor();
      expect(await readOrder()).toMatchObject({
        condition: { field: "score", op: "crossed", value: 0.25, direction: "up", for: "2 of 3" },
        every: "1h",
      });
      // The order is taken by the door as it stands there.
      const sent = { method: "POST", headers: { "content-type": "application/json" } };
      const tried = await fetch(`${node.url}/watch/preview`, { ...sent, body: JSON.stringify(await readOrder()) });
      expect(tried.status).toBe(200);
      await page.locator("#watch-field").selectOption("regime");
      await page.locator("#watch-op").selectOption("==");
      expect(await page.locator("#watch-value").inputValue()).toBe("bull");
      expect(await page.locator("#watch-by").isVisible()).toBe(false);
      await page.locator("#watch-every").fill("1s");
      await page.locator("[data-watch-told]", { hasText: "every: is at least 900s" }).waitFor();
      expect(await judge(page)).toEqual([]);
      expect(errors.filter((text) => !text.includes("422"))).toEqual([]);
    });
  });

  /** Addresses of the sitemap: with full counts all of them. */
  const listPages = async (): Promise<readonly string[]> => {
    const map = await (await fetch(`${node.url}/sitemap.xml`)).text();
    const all = [...map.matchAll(/<loc>https?:\/\/[^</]*([^<]*)<\/loc>/g)].map(([, path = ""]) => path || "/");
    const looked = process.env.TEST_FULL ? all : all.filter((path) => /^\/(?:guide|docs)/.test(path));
    return [...new Set([...looked, ...PATHS, ...LONGEST])];
  };

  test.each(["pt-BR", ...(process.env.TEST_FULL ? ["en-US"] : [])])(
    "no page is above 6,000 pixels on a phone, or wider than it, in %s",
    async (locale) => {
      const paths = await listPages();
      expect(paths.length).toBeGreaterThan(100);
      await visit("/guide", { viewport: PHONE, locale }, async ({ page }) => {
        const found: string[] = [];
        for (const path of paths) {
          const { height, wide } = await measure(page, path);
          if (height > HEIGHT_MAX || wide > 0) found.push(`${path} ${wide} too wide, ${height} high`);
        }
        expect(found).toEqual([]);
      });
    },
  );

  test.each([PHONE.width, NARROW])(
    "nothing reaches out of a window of %d pixels, what is folded neither",
    async (width) => {
      await visit("/guide", { viewport: { width, height: 640 }, locale: "pt-BR" }, async ({ page }) => {
        const found: string[] = [];
        for (const path of [...PATHS, ...LONGEST]) {
          await measure(page, path);
          const { wide, outside } = (await page.evaluate(OUT_OF_SIGHT)) as { wide: number; outside: string[] };
          if (wide > 0 || outside.length > 0) found.push(`${path}: ${wide}, ${outside.join(" ")}`);
        }
        expect(found).toEqual([]);
      });
    },
  );

  test.each([
    ["a desktop", DESKTOP],
    ["a phone", PHONE],
  ])("on %s ages grow, and nothing moves for it", async (_, viewport) => {
    for (const path of ["/", "/status", "/track-record", "/p/regime"]) {
      await visit(path, { viewport, locale: "en-US" }, async ({ page }) => {
        const read = 'JSON.stringify([...document.querySelectorAll("time")].map((one) => one.textContent))';
        const before = await page.evaluate(read);
        // The parts that were made visible a moment ago are laid out by then.
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        const begin_ms = Number(await page.evaluate("performance.now()"));
        // The page's script tells the time by this clock, a second after it was read.
        await page.evaluate("{ const now = performance.now(); performance.now = () => now + 6_000_000; }");
        await until(async () => (await page.evaluate(read)) !== before, "ages that have grown");
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        expect([path, await page.evaluate(`window.shiftsSince(${begin_ms})`)]).toEqual([path, []]);
      });
    }
  });

  test("the button that copies lies above the code, never on it", async () => {
    await visit("/p/regime", { viewport: PHONE, permissions: ["clipboard-write"] }, async ({ page }) => {
      await page.evaluate(UNFOLD);
      const covered = await page.evaluate(`[...document.querySelectorAll(".copy")].filter((button) => {
        const code = button.nextElementSibling.querySelector("code").getBoundingClientRect();
        const { bottom, height } = button.getBoundingClientRect();
        return height > 0 && code.height > 0 && bottom > code.top;
      }).length`);
      expect(await page.locator(".copy:visible").count()).toBeGreaterThan(1);
      expect(covered).toBe(0);
    });
  });

  test("what a phone folds opens without script; a desktop and paper show it at once", async () => {
    const shows = (page: Page) => page.locator(".wants .more [data-row]").first().isVisible();
    await visit("/", { viewport: PHONE, javaScriptEnabled: false }, async ({ page }) => {
      expect(await shows(page)).toBe(false);
      await page.locator(".wants .more > summary").first().click();
      expect(await shows(page)).toBe(true);
    });
    await visit("/", desktop, async ({ page }) => {
      expect(await shows(page)).toBe(true);
      expect(await page.locator(".more > summary").first().isVisible()).toBe(false);
      await page.setViewportSize(PHONE);
      expect(await shows(page)).toBe(false);
      await page.emulateMedia({ media: "print" });
      expect(await shows(page)).toBe(true);
    });
  });

  test("the keyboard reaches search, products and, on a product's page, its tabs", async () => {
    await visit("/", desktop, async ({ page }) => {
      const first = await page.locator("[data-row] a").first().getAttribute("href");
      const reached: string[] = [];
      for (let step = 0; step < 40; step += 1) {
        await page.keyboard.press("Tab");
        reached.push(
          String(
            await page.evaluate(
              "(({ id, tagName, attributes: { href } }) => id || href?.value || tagName)(document.activeElement)",
            ),
          ),
        );
      }
      const order = ["#main", "/docs", "q", String(first)].map((one) => reached.indexOf(one));
      expect(order).not.toContain(-1);
      expect([...order].sort((a, b) => a - b)).toEqual(order);
      await openPage(page, `${node.url}/p/mempool`);
      await page.locator("#tab-curl").focus();
      await page.keyboard.press("ArrowRight");
      expect(await page.locator(".panel:visible").textContent()).toContain("wrapFetchWithPayment");
    });
  });

  test("the reference finds a product while its name is typed, and leads to its sample", async () => {
    await visit("/docs", desktop, async ({ page }) => {
      await page.locator("#q").fill("many-5");
      // The page asks the node, and opens the lists that hold what was found.
      await page.locator("#found", { hasText: /^1 of / }).waitFor();
      expect(await page.locator("[data-row]:visible code").allTextContents()).toEqual(["/many-5"]);
      await page.locator("[data-row]:visible a").click();
      await page.locator('a[href="/p/many-5#sample"]').click();
      await page.locator("h2#sample").waitFor();
    });
  });

  test("everything works without script", async () => {
    await visit("/", { ...desktop, javaScriptEnabled: false }, async ({ page }) => {
      expect(await page.locator("[data-row]").count()).toBeGreaterThan(20);
      await page.locator("#q").fill("transaction fees");
      await page.locator(".search button").click();
      await page.waitForURL(`${node.url}/?q=transaction+fees`);
      expect(await page.locator("[data-row] th").allTextContents()).toContain("Transaction fees now");
      await page.locator('a[href="/p/mempool"]').first().click();
      expect(await page.locator("[data-watch]").isVisible()).toBe(false);
      expect(await page.locator("[data-watch-order]").textContent()).toContain('"product": "/mempool"');
      await page.locator("label[for=tab-python]").click();
      expect(await page.locator(".panel:visible").textContent()).toContain("import");
      await page.getByRole("button", { name: "Free preview" }).click();
      expect(await page.locator("body").textContent()).toContain('"product":"mempool"');
      await openPage(page, `${node.url}/docs`);
      await page.locator("details:has(a[href='/docs/mempool']) > summary").click();
      await page.locator('a[href="/docs/mempool"]').click();
      expect(await page.locator("main").textContent()).toContain("Free preview");
    });
  });
});
