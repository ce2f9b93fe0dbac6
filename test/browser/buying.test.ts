import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { PrivateKeyAccount } from "viem/accounts";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { settleCalls } from "../helpers/demo-books.ts";
import { cleanUp, type DemoNode, newPayer, payingFetch, startDemo } from "../helpers/demo-node.ts";
import { openPage } from "../helpers/open-page.ts";

/** A person with a wallet in a real Chromium, from the first page to a receipt that is checked; the wallet signs. */
const missing = ensureProgram("chromium", "chromium");
if (missing !== null) noteSkipped("buying by hand in a browser", missing);

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 } };
const BASE_SEPOLIA = 84_532;
/** EIP-1193: the person said no. */
const REFUSED = 4_001;

interface Wallet {
  readonly account: PrivateKeyAccount;
  chain: number;
  refuses: boolean;
  /** Methods it was asked for. */
  readonly asked: string[];
}

const createWallet = (chain = BASE_SEPOLIA): Wallet => ({ account: newPayer(), chain, refuses: false, asked: [] });

/** What an injected provider answers; an error travels as its code. */
async function answer(wallet: Wallet, method: string, params: readonly unknown[]): Promise<unknown> {
  wallet.asked.push(method);
  switch (method) {
    case "eth_requestAccounts":
      return [wallet.account.address];
    case "eth_chainId":
      return `0x${wallet.chain.toString(16)}`;
    case "wallet_switchEthereumChain":
      wallet.chain = Number((params[0] as { chainId: string }).chainId);
      return null;
    case "eth_signTypedData_v4": {
      if (wallet.refuses) return { error: REFUSED };
      const { domain, types, primaryType, message } = JSON.parse(String(params[1]));
      const { EIP712Domain: _, ...own } = types;
      return wallet.account.signTypedData({ domain, types: own, primaryType, message });
    }
    case "personal_sign": {
      if (wallet.refuses) return { error: REFUSED };
      return wallet.account.signMessage({ message: { raw: String(params[0]) as `0x${string}` } });
    }
    default:
      return { error: 4_200 };
  }
}

const PROVIDER = `globalThis.ethereum = { async request({ method, params = [] }) {
  const told = await askWallet(method, params);
  if (told?.error) throw Object.assign(new Error("refused"), { code: told.error });
  return told;
} };`;

describe.skipIf(missing !== null)("buying by hand", () => {
  let node: DemoNode;
  let browser: Browser;

  beforeAll(async () => {
    node = await startDemo();
    const executablePath = Bun.which("chromium") ?? "";
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  });
  afterAll(async () => {
    await browser.close();
    await cleanUp();
  });

  interface Visit {
    readonly path: string;
    readonly wallet?: Wallet;
    readonly view?: { viewport: { width: number; height: number } };
  }
  const visit = async ({ path, wallet, view = DESKTOP }: Visit, use: (page: Page) => Promise<void>) => {
    const context: BrowserContext = await browser.newContext(view);
    const elsewhere: string[] = [];
    const errors: string[] = [];
    if (wallet) {
      await context.exposeFunction("askWallet", (method: string, params: unknown[]) => answer(wallet, method, params));
      await context.addInitScript(PROVIDER);
    }
    const page = await context.newPage();
    page.on("request", (request) => {
      if (!request.url().startsWith(`${node.url}/`)) elsewhere.push(request.url());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    try {
      await openPage(page, `${node.url}${path}`);
      await use(page);
      expect({ elsewhere, errors }).toEqual({ elsewhere: [], errors: [] });
    } finally {
      await context.close();
    }
  };
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const told = (page: Page, text: string) => page.locator("[data-panel]", { hasText: text }).waitFor();

  describe.each([
    ["a desktop", DESKTOP],
    ["a phone", PHONE],
  ])("on %s", (_name, view) => {
    test("leads from the first page to a receipt that is verified", async () => {
      const wallet = createWallet();
      await visit({ path: "/", wallet, view }, async (page) => {
        // A phone folds most of the list; what is searched for is shown.
        await page.locator('input[type="search"]').fill("mempool");
        await page.locator('[data-row="/mempool"] a').click();
        await page.getByRole("button", { name: "See the 402" }).click();
        await page.locator("[data-answer] pre", { hasText: '"x402Version": 2' }).waitFor();
        await press(page, "Pay with this browser's wallet");
        await told(page, "0.008 USDC");
        const { accepts } = JSON.parse((await page.locator("[data-answer] code").textContent()) ?? "");
        await told(page, accepts[0].payTo);
        expect(wallet.asked).toEqual([]);
        await press(page, "Sign and pay");
        await told(page, `Paid: 0.008 USDC to ${accepts[0].payTo}.`);
        expect(await page.locator("[data-panel] code").last().textContent()).toContain('"product": "mempool"');
        const size = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.documentElement)";
        expect(await page.evaluate(size)).toBe(0);
        await page.locator('[data-panel] a[href^="/receipts/"]').click();
        expect((await page.locator("main").textContent())?.toLowerCase()).toContain(
          wallet.account.address.toLowerCase(),
        );
        await press(page, "Verify this receipt");
        await page.locator("[data-steps] li", { hasText: "what is shown is what was signed" }).waitFor();
      });
    });
  });

  test("a wallet signs in, sees what it bought, and is shown the answer again", async () => {
    const wallet = createWallet();
    const bought = await payingFetch(wallet.account)(`${node.url}/mempool`);
    const { data } = (await bought.json()) as { data: Record<string, unknown> };
    await visit({ path: "/wallet", wallet }, async (page) => {
      await press(page, "Sign in with this browser's wallet");
      expect(wallet.asked).toEqual([]);
      await press(page, "Purchases");
      await told(page, "mempool");
      await press(page, "Show the answer again");
      await told(page, '"state": "settled"');
      const shown = JSON.parse((await page.locator("[data-panel] code").textContent()) ?? "");
      expect(shown.answer.data).toEqual(data);
      expect(wallet.asked.filter((method) => method === "personal_sign").length).toBe(2);
      await press(page, "Keys");
      await told(page, '"items": []');
      wallet.refuses = true;
      await press(page, "Statement");
      await told(page, "You refused in the wallet.");
    });
  });

  test("signs nothing on another chain, and offers the change", async () => {
    const wallet = createWallet(1);
    await visit({ path: "/p/mempool", wallet }, async (page) => {
      await press(page, "Pay with this browser's wallet");
      await press(page, "Sign and pay");
      await told(page, "The wallet is on chain 1");
      expect(wallet.asked).not.toContain("eth_signTypedData_v4");
      await press(page, "Switch the wallet to Base Sepolia");
      await press(page, "Sign and pay");
      await told(page, "Paid: 0.008 USDC");
      expect(wallet.chain).toBe(BASE_SEPOLIA);
    });
  });

  test("sends nothing when the person refuses, and forgets an offer whose call was changed", async () => {
    const wallet = createWallet();
    wallet.refuses = true;
    const before = await settleCalls(node);
    await visit({ path: "/p/correlation-matrix", wallet }, async (page) => {
      await press(page, "Pay with this browser's wallet");
      await press(page, "Sign and pay");
      await told(page, "You refused in the wallet. Nothing was sent, nothing was charged.");
      await press(page, "Pay with this browser's wallet");
      await page.locator("[data-panel] dl").waitFor();
      await page.locator("[data-play] :is(input, select)").first().dispatchEvent("input");
      expect(await page.locator("[data-panel]").isVisible()).toBe(false);
    });
    expect(await settleCalls(node)).toEqual(before);
  });

  test("an answer lost on the way comes with the same payment, which is taken once", async () => {
    const wallet = createWallet();
    const before = await settleCalls(node);
    await visit({ path: "/p/mempool", wallet }, async (page) => {
      const sent: string[] = [];
      await page.route(`${node.url}/mempool`, async (route) => {
        const payment = route.request().headers()["payment-signature"];
        if (payment === undefined) return route.continue();
        sent.push(payment);
        if (sent.length > 1) return route.continue();
        await route.fetch();
        return route.abort();
      });
      await press(page, "Pay with this browser's wallet");
      await press(page, "Sign and pay");
      await told(page, "Do not sign a new one.");
      await press(page, "Send the same payment again");
      await told(page, "Paid: 0.008 USDC");
      expect(new Set(sent).size).toBe(1);
      expect(wallet.asked.filter((method) => method === "eth_signTypedData_v4")).toHaveLength(1);
    });
    expect(await settleCalls(node)).toBe(before + 1);
  });

  test("sells a prepaid key, which pays a call", async () => {
    await visit({ path: "/p/buy-credits", wallet: createWallet() }, async (page) => {
      await press(page, "Pay with this browser's wallet");
      await told(page, "0.99 USDC");
      await press(page, "Sign and pay");
      await told(page, "Keep the key below: it is shown only now.");
      const key =
        /ink_[0-9A-Za-z]+/.exec((await page.locator("[data-panel] code").last().textContent()) ?? "")?.[0] ?? "";
      expect((await node.get("/mempool", { "X-API-Key": key })).status).toBe(200);
    });
  });

  test("says without a wallet that a page cannot sign, and what works; without script, too", async () => {
    await visit({ path: "/p/mempool" }, async (page) => {
      const text = await page.locator("[data-wallet]").textContent();
      expect(text).toContain("A page cannot sign by itself");
      expect(await page.getByRole("button", { name: /^Pay with/ }).count()).toBe(0);
    });
    const html = await (await node.get("/p/mempool", { Accept: "text/html" })).text();
    expect(html).toContain("A page cannot sign by itself");
    expect(html).toContain('href="/p/buy-credits#by-hand"');
  });
});
