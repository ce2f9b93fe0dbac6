import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { source as axe } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { SETUP_STEPS } from "../../src/pages/setup/fields.ts";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { newEmptyFolder, removeFolder, startProgram } from "../helpers/empty-folder.ts";

/** From an empty folder to a sale on test money and a node that sells, in a real Chromium, without a command. */
const missing = ensureProgram("chromium", "chromium");
if (missing !== null) noteSkipped("the set-up in a browser", missing);

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const BASE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

/** A node in a folder that holds nothing. */
function startEmpty() {
  const folder = newEmptyFolder();
  const program = startProgram(folder);
  return {
    folder,
    file: join(folder, "node.toml"),
    find: program.find,
    async stop() {
      program.signal("SIGTERM");
      await program.ended;
      removeFolder(folder);
    },
  };
}

describe.skipIf(missing !== null)("the set-up on a phone", () => {
  let at: ReturnType<typeof startEmpty>;
  let browser: Browser;
  beforeAll(async () => {
    at = startEmpty();
    browser = await chromium.launch({
      executablePath: Bun.which("chromium") ?? "",
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
    });
  });
  afterAll(async () => {
    await browser.close();
    await at.stop();
  });

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const look = async (page: Page) => {
    await page.evaluate(axe);
    const barriers = (await page.evaluate(
      `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }).then((all) =>
        all.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.target.join(" ")).slice(0, 3)))`,
    )) as string[];
    const over = await page.evaluate(
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.documentElement)",
    );
    return { barriers, over };
  };

  test("leads from an empty folder to a test sale, a file and a node that sells, without script", async () => {
    const address = await at.find(/set up\s+(http\S+)/);
    const context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
    // A sale in a process of its own takes as long as a busy machine lets it.
    context.setDefaultTimeout(0);
    const page = await context.newPage();
    await page.goto(address);
    await page.getByLabel("Name of the shop").fill("Café");
    await press(page, "Save and go on");
    expect(await page.getByRole("alert").textContent()).toContain("Not saved");
    await page.getByLabel("Name of the shop").fill("Corner shop");
    await press(page, "Save and go on");
    await page.getByLabel("Address on Base").fill(BASE);
    await press(page, "Save and go on");
    await page.getByLabel("/fear-greed", { exact: true }).fill("0.03");
    await press(page, "Save and go on");
    await press(page, "Save and go on");
    await press(page, "Save and go on");
    await press(page, "Make a test sale");
    expect(await page.getByRole("status").textContent()).toContain("Sold");
    await page.getByRole("link", { name: "Keep and start" }).first().click();
    const [key] = await Promise.all([page.waitForEvent("download"), press(page, "Download node-key.pem")]);
    expect(readFileSync(await key.path(), "utf8")).toContain("PRIVATE KEY");
    await press(page, "Write node.toml and sell");
    expect(await page.locator("h1").textContent()).toBe("Done");
    await context.close();

    const url = await at.find(/bind\s+(http\S+)/);
    expect(await at.find(/-> (0x\S+)/)).toBe(BASE);
    expect(readFileSync(at.file, "utf8")).toContain('name = "Corner shop"');
    expect(existsSync(join(at.folder, "data", "setup.json"))).toBe(false);
    const pricing = (await (await fetch(`${url}/get-pricing`)).json()) as {
      products: { path: string; price_usd: string }[];
    };
    expect(pricing.products.find(({ path }) => path === "/fear-greed")?.price_usd).toBe("0.03");
    expect((await fetch(`${url}/setup`)).status).toBe(404);
    expect((await fetch(address.replace(new URL(address).origin, url))).status).toBe(404);
  });

  test("every page fits, and axe has nothing against it; a wallet of the browser signs", async () => {
    const other = startEmpty();
    try {
      const context = await browser.newContext(PHONE);
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      const asked: unknown[] = [];
      await page.exposeFunction("noteAsked", (request: unknown) => void asked.push(request));
      // A wallet that says no: what is shown and asked is what counts here.
      await page.addInitScript(`globalThis.ethereum = { request: async (call) => {
        await noteAsked(call);
        if (call.method === "eth_requestAccounts") return ["${BASE.toLowerCase()}"];
        throw Object.assign(new Error("no"), { code: 4001 });
      } };`);
      await page.goto(await other.find(/set up\s+(http\S+)/));
      await page.getByLabel("Public address").fill("https://node.example.com");
      await press(page, "Save and go on");
      const found: Record<string, unknown> = {};
      for (const [step] of SETUP_STEPS) {
        await page.goto(new URL(`/setup/${step}`, page.url()).href);
        const { barriers, over } = await look(page);
        if (barriers.length > 0 || over !== 0) found[step] = { barriers, over };
      }
      expect(found).toEqual({});
      await page.goto(new URL("/setup/wallets", page.url()).href);
      await press(page, "Connect Ethereum and sign");
      await page.getByText("You said no in the wallet.").waitFor();
      expect(asked).toMatchObject([{ method: "eth_requestAccounts" }, { method: "personal_sign" }]);
      expect(errors).toEqual([]);
      await context.close();
    } finally {
      await other.stop();
    }
  });
});
