import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { source as axe } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { SECTIONS, sectionPath } from "../../src/pages/admin/layout.ts";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { type FileNode, ownPlugins, startFileNode } from "../helpers/file-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/** The operator's pages in a real Chromium, as wide as a phone: each action by forms alone, without script. */
const missing = ensureProgram("chromium", "chromium");
if (missing !== null) noteSkipped("the operator's pages in a browser", missing);

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const WITHOUT_SCRIPT: BrowserContextOptions = { ...PHONE, javaScriptEnabled: false };

describe.skipIf(missing !== null)("the operator's pages on a phone", () => {
  let at: FileNode;
  let browser: Browser;

  beforeAll(async () => {
    at = await startFileNode();
    const executablePath = Bun.which("chromium") ?? "";
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  });
  afterAll(async () => {
    await browser.close();
    await at.stop();
  });

  const visit = async (options: BrowserContextOptions, use: (page: Page) => Promise<void>) => {
    const context = await browser.newContext(options);
    const elsewhere: string[] = [];
    const errors: string[] = [];
    const page = await context.newPage();
    page.on("request", (request) => {
      if (!request.url().startsWith(`${at.url}/`)) elsewhere.push(request.url());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    try {
      await page.goto(`${at.url}/admin`);
      await use(page);
      expect({ elsewhere, errors }).toEqual({ elsewhere: [], errors: [] });
    } finally {
      await context.close();
    }
  };
  const logIn = async (page: Page, token = at.node.operator_token) => {
    await page.getByLabel("Operator token").fill(token);
    await page.getByRole("button", { name: "Log in" }).click();
  };
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

  test("a key is issued, shown once and revoked without script", async () => {
    await visit(WITHOUT_SCRIPT, async (page) => {
      await logIn(page);
      await page.getByRole("link", { name: "Keys" }).click();
      await page.getByLabel("Credit in USD").fill("1");
      await page.getByLabel("Lasts").fill("30d");
      await press(page, "Issue");
      const api_key = (await page.locator("[role=status] code").textContent()) ?? "";
      const call = () => fetch(`${at.url}/one`, { headers: { "X-API-Key": api_key } });
      expect((await call()).status).toBe(200);
      await page.reload();
      expect(await page.content()).not.toContain(api_key);
      await page.locator('td a[href^="/admin/keys?key="]').click();
      await press(page, "Revoke this key for good");
      expect(await (await call()).json()).toMatchObject({ code: "api_key_revoked" });
    });
  });

  test("a price that was changed in the file is put in force without script", async () => {
    await visit(WITHOUT_SCRIPT, async (page) => {
      await logIn(page);
      at.write(ownPlugins('\n[prices]\n"/one" = "0.03"\n'));
      await page.getByRole("link", { name: "Configuration" }).click();
      await press(page, "Reload");
      expect(await page.locator("[role=status]").textContent()).toContain("In force: prices./one");
      await page.getByRole("link", { name: "Products" }).click();
      expect(await page.locator("tr", { hasText: "/one" }).textContent()).toContain("0.03");
      const { accepts } = (await (await fetch(`${at.url}/one`)).json()) as { accepts: { amount: string }[] };
      expect(accepts[0]?.amount).toBe("30000");
    });
  });

  test("no page is longer than some screens of a phone", async () => {
    await visit(WITHOUT_SCRIPT, async (page) => {
      await logIn(page);
      for (const [section] of SECTIONS) {
        await page.goto(`${at.url}${sectionPath(section)}`);
        const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
        expect([section, height < 6_000 || height]).toEqual([section, true]);
      }
    });
  });

  test("a sale appears by itself where script runs", async () => {
    await visit(PHONE, async (page) => {
      await logIn(page);
      await page.getByRole("link", { name: "Sales" }).click();
      const signature = await createPaymentPayload(await fetch(`${at.url}/one`), newPayer());
      const sold = await fetch(`${at.url}/one`, { headers: { "PAYMENT-SIGNATURE": signature } });
      await page.locator(`a[href="/receipts/${sold.headers.get("x-receipt-id")}"]`).waitFor();
    });
  });

  test("every page fits, and axe has nothing against it", async () => {
    await visit(PHONE, async (page) => {
      const found: Record<string, unknown> = {};
      const look = async (name: string) => {
        await page.evaluate(axe);
        const barriers = (await page.evaluate(
          `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }).then((all) =>
            all.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.target.join(" ")).slice(0, 3)))`,
        )) as string[];
        const over = await page.evaluate(
          "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.documentElement)",
        );
        if (barriers.length > 0 || over !== 0) found[name] = { barriers, over };
      };
      await look("login");
      await logIn(page);
      for (const [section] of SECTIONS) {
        await page.goto(`${at.url}${sectionPath(section)}`);
        expect(await page.locator("nav [aria-current=page]").getAttribute("href")).toBe(sectionPath(section));
        await look(section);
      }
      expect(found).toEqual({});
    });
  });

  test("after ten wrong tokens not even the right one is taken for a while", async () => {
    await visit(WITHOUT_SCRIPT, async (page) => {
      for (let tries = 0; tries < 10; tries += 1) {
        await logIn(page, `wrong ${tries}`);
        expect(await page.locator("nav[aria-label=Pages]").count()).toBe(0);
      }
      await logIn(page);
      expect(await page.locator("nav[aria-label=Pages]").count()).toBe(0);
      at.clock.advance(15 * 60_000);
      await page.goto(`${at.url}/admin`);
      await logIn(page);
      expect(await page.locator("nav[aria-label=Pages]").count()).toBe(1);
    });
  });
});
