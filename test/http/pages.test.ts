import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  cleanUp,
  type DemoNode,
  newPayer,
  payingFetch,
  signFor,
  startDemo,
  waitForPreview,
} from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import { HOSTILE, newManyProducts } from "../helpers/many-products.ts";

/** The pages of the compiled program with 90 products, as a browser without script gets them. */
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
const PAGES = ["/", "/p/mempool", "/docs", "/docs/mempool", "/about", "/guide", "/status", "/track-record"] as const;
const COMPRESSED_MAX = 50_000;
const PRODUCT_COMPRESSED_MAX = 40_000;

interface Listed {
  readonly path: string;
  readonly product: string;
  readonly title: string;
  readonly price_usd: string;
}

let node: DemoNode;
let products: readonly Listed[];

const read = async (path: string, accept = BROWSER): Promise<string> => (await node.get(path, { accept })).text();
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"'`]/g, (letter) => (letter === "&" ? "&amp;" : letter === "<" ? "&lt;" : `&#${letter}`));
/** The parts of an answer that say how it was given. */
const headersOf = (response: Response): Record<string, string | null> =>
  Object.fromEntries(
    ["payment-required", "cache-control", "x-content-type-options"].map((n) => [n, response.headers.get(n)]),
  );

beforeAll(async () => {
  node = await startDemo({ args: ["--plugins", newManyProducts(80)], history: true });
  ({ products } = (await (await node.get("/get-pricing")).json()) as { products: Listed[] });
});
afterAll(cleanUp);

describe.each(PAGES)("the page %s", (path) => {
  test("comes with the headers of a page that asks nobody else", async () => {
    const response = await node.get(path, { accept: BROWSER });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'sha256-[^']+'(?: 'sha256-[^']+')*;/);
    expect(policy).toMatch(/style-src 'sha256-[^' ]+';/);
    expect(policy).not.toContain("unsafe");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });

  test("has the head that crawlers look for", async () => {
    const text = await read(path);
    expect(text).toStartWith("<!doctype html>");
    for (const name of ['name="description"', 'property="og:title"', 'property="og:description"', 'name="viewport"']) {
      expect(text).toContain(`<meta ${name} content="`);
    }
    expect(text).toMatch(/<title>[^<]+<\/title>/);
    const picture = path === "/" ? "/og/-.png" : path.startsWith("/p/") ? "/og/mempool.png" : "/icon.png";
    expect(text).toContain(`<meta property="og:image" content="${node.url}${picture}">`);
    expect(text).toContain('<link rel="icon" href="/favicon.svg"');
    expect(text).toContain('<link rel="describedby" href="/llms.txt" type="text/markdown">');
    expect(text).toContain("Sandbox.");
  });

  test("loads nothing else, and runs only its own script", async () => {
    const text = await read(path);
    expect(text.match(/<script[ >]/g)?.length).toBeLessThan(3);
    expect(text.match(/<style[ >]/g)).toHaveLength(1);
    expect(text).not.toMatch(/<(?:img|iframe|object|embed|video|audio)[ >]/);
    expect(text).not.toMatch(/ (?:style|on[a-z]+)="/);
    expect(text).not.toContain("@import");
  });

  test("answers HEAD, and a client with the current version gets 304", async () => {
    const head = await fetch(`${node.url}${path}`, { method: "HEAD", headers: { accept: BROWSER } });
    expect(head.status).toBe(200);
    expect(head.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await head.text()).toBe("");
    const tries = [head.headers.get("etag")];
    const seen: number[] = [];
    // A page that shows the state of the moment may have changed between the two: then it is asked with the newer tag.
    for (const etag of tries) {
      const again = await node.get(path, { accept: BROWSER, "If-None-Match": etag ?? "" });
      seen.push(again.status);
      if (again.status === 200 && tries.length < 4) tries.push(again.headers.get("etag"));
    }
    expect(seen.at(-1)).toBe(304);
  });
});

describe("the first page", () => {
  test("shows every product with its price, and leads to its page", async () => {
    const text = await read("/");
    expect(products.length).toBeGreaterThan(85);
    for (const { path, price_usd } of products) {
      expect(text).toContain(`$${price_usd}<`);
      expect(text).toContain(`href="/p${path}"`);
    }
  });

  test("is found as JSON by a caller that accepts it, by the same index", async () => {
    const twin = await node.get("/?q=gas", { accept: "application/json" });
    const { query, products: found } = (await twin.json()) as { query: string; products: Listed[] };
    expect(query).toBe("gas");
    expect(found.map(({ path }) => path)).toContain("/mempool");
  });

  test("arrives in one round trip: less than 60 kB with 90 products", async () => {
    const response = await fetch(`${node.url}/`, { headers: { "accept-encoding": "gzip" }, decompress: false });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(COMPRESSED_MAX);
    expect(gzipSync(await read("/docs")).length).toBeLessThan(COMPRESSED_MAX);
  });

  test("says where software should read on", async () => {
    const response = await node.get("/");
    expect(response.headers.get("link")).toBe('</llms.txt>; rel="describedby"; type="text/markdown"');
    expect(response.headers.get("cache-control")).toBe("no-cache");
  });

  test("is searched without script too", async () => {
    const text = await read("/?q=NUMBER+17");
    expect(text).toContain("Product number 17");
    expect(text).not.toContain("Product number 18");
    expect(await read("/?q=nothing-like-it")).toContain("Nothing matches.");
    expect(await read(`/?q=${encodeURIComponent(HOSTILE)}`)).not.toContain("<img");
  });

  test("shows what was sold", async () => {
    const bought = await payingFetch(newPayer())(`${node.url}/mempool`);
    const id = bought.headers.get("X-Receipt-Id") ?? "none";
    // The page is kept for a second.
    await until(async () => (await read("/")).includes(`href="/receipts/${id}"`), "the sale on the page");
    expect(await read("/")).toContain('href="https://sepolia.basescan.org/tx/0x');
  });
});

describe.each(["mempool", "regime", "fear-greed", "swarm-vote", "relatorio"])("the page of the product %s", (id) => {
  test("has everything that a first-time reader needs", async () => {
    await waitForPreview(node, `/${id}`);
    const { title = "", price_usd = "" } = products.find(({ product }) => product === id) ?? {};
    const page = await read(`/p/${id}`);
    const textOf = (name: string): string =>
      new RegExp(`<section aria-labelledby="${name}".*?</section>`, "s").exec(page)?.[0] ?? "";
    expect(page).toContain(`<title>${title} · `);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(textOf("sample")).toMatch(/Free sample, \d+ [a-z]+ delayed or more.*\d+ (?:s|min|h|d) old<\/time>/s);
    expect(textOf("sample")).not.toMatch(/\blive\b/);
    expect(textOf("charts")).toContain("<svg");
    expect(textOf("play").match(/<button(?! type="button" aria-pressed)/g)).toHaveLength(2);
    const tabs = ["curl", "JavaScript", "Python", "MCP", "Function calling"];
    expect(tabs.filter((tab) => !textOf("buy").includes(`>${tab}</label>`))).toEqual([]);
    expect(textOf("fields")).toContain("Fields of the answer, with units");
    expect(textOf("sources")).toMatch(/<span class="tag">(?:open data|with attribution|terms unclear)/);
    expect(textOf("record")).toMatch(/Last live answer.*Runs of 30 days.*Failures/s);
    expect(textOf("receipts")).toContain(`/receipts?product=${id}`);
    expect(textOf("prices")).toContain(`$${price_usd} a call from a wallet, and the same from a prepaid key.`);
    expect(textOf("prices").match(/<tr><td>/g)?.length).toBeGreaterThan(3);
    expect(gzipSync(page).length).toBeLessThan(PRODUCT_COMPRESSED_MAX);
    const refusal = await node.get(`/${id}`, { accept: BROWSER });
    expect([refusal.status, (await refusal.text()).includes(`<title>${title} · `)]).toEqual([402, true]);
  });
});

test("the reference has a page for every paid path", async () => {
  const index = await read("/docs");
  // Groups with a line a product, not all of them in full: that was 290 kB and 6,182 elements for 30 products.
  expect(index.match(/<details class="group fold" data-group>/g)?.length).toBeGreaterThan(5);
  expect(Buffer.byteLength(index)).toBeLessThan(100_000);
  expect(index.match(/<[a-z]/g)?.length).toBeLessThan(2_600);
  for (const { path, product } of products) {
    expect(index).toContain(`id="${product}"`);
    expect(index).toContain(`href="/docs${path}"`);
    const text = await read(`/docs${path}`);
    expect(text).toContain(`${node.url}${path}`);
    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
    expect(text.match(/<[a-z]/g)?.length).toBeLessThan(2_200);
  }
  const text = await read("/docs/many-7");
  expect(text).toContain("integer");
  expect(text).toContain("1 to 365, default 30");
  expect(index).not.toContain('href="/credits-status"');
  expect((await node.get("/docs/no-such-product", { accept: BROWSER })).status).toBe(404);
});

/** Settings: what only an operator can do, and buyers never read. */
const OPERATOR_WORDS =
  /\[+(?:providers|plugins|plans|peers|prices|aliases|models|chains|bootstrap_trust)\b|terms_ack|node\.toml|base_url/;

test("a walk from the first page reaches every product, page and document, and all of them answer", async () => {
  const reached = new Map<string, number>();
  const of_operators: string[] = [];
  const waiting = ["/"];
  for (let link = waiting.pop(); link !== undefined; link = waiting.pop()) {
    if (reached.has(link)) continue;
    const response = await node.get(link, { accept: BROWSER });
    const is_page = response.headers.get("content-type")?.startsWith("text/html") === true;
    const text = await response.text();
    // A preview that was not taken yet is there, and says so.
    reached.set(link, response.status === 503 && link.includes("preview=1") ? 200 : response.status);
    if (!is_page || link.includes("?")) continue;
    const found = OPERATOR_WORDS.exec(text.replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, ""));
    if (found) of_operators.push(`${link}: ${found[0]}`);
    waiting.push(...[...text.matchAll(/href="(\/[^"#]*)/g)].map(([, found = ""]) => found.replaceAll("&amp;", "&")));
  }
  expect([...reached].filter(([, status]) => status !== 200)).toEqual([]);
  expect(of_operators).toEqual([]);
  const site_map = await read("/sitemap.xml");
  const mapped = [...site_map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => new URL(url).pathname);
  expect(mapped.length).toBeGreaterThan(2 * products.length + 9);
  const own = products.flatMap(({ path }) => [`/p${path}`, `/docs${path}`]);
  // An operator's plugin has no document of a method; a basket's is a page of the guide.
  const sold = products.filter(({ path }) => path !== "/basket" && !path.startsWith("/many-"));
  const wanted = [...mapped, ...own, ...sold.map(({ path }) => `/methodology${path}`), "/methodology/signals"];
  expect(wanted.filter((path) => !reached.has(path))).toEqual([]);
});

test("a product's link preview shows a picture that the node draws", async () => {
  const response = await node.get("/og/mempool.png");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  expect((await node.get("/og/nothing.png")).status).toBe(404);
  const [, own = ""] = /og:image" content="[^"]*(\/og\/[^"]+)"/.exec(await read("/")) ?? [];
  const home = await node.get(own);
  expect([home.status, home.headers.get("content-type")]).toEqual([200, "image/png"]);
});

describe("errors in a browser", () => {
  test.each([
    ["GET", "/no-such-page", 404],
    ["GET", "/p/no-such-product", 404],
    ["DELETE", "/live", 405],
    ["GET", "/receipts?limit=x", 422],
  ])("%s %s is a page that says what is wrong", async (method, path, status) => {
    const response = await fetch(`${node.url}${path}`, { method, headers: { accept: BROWSER } });
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
    expect(await response.text()).toContain('href="/errors#');
    const plain = await fetch(`${node.url}${path}`, { method });
    expect([plain.status, plain.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
  });
});

describe("what software gets", () => {
  test.each(["/live", "/errors", "/receipts", "/welcome", "/track-record", "/status"])(
    "of %s is JSON as before",
    async (path) => {
      const response = await node.get(path);
      expect(response.headers.get("content-type")).toStartWith("application/json");
      expect(typeof (await response.json())).toBe("object");
    },
  );
});

describe("text from elsewhere", () => {
  test.each(["/", "/docs", "/docs/many-0", "/many-0", "/p/many-0"])("is text on %s, never markup", async (path) => {
    const text = await read(path);
    expect(text).toContain("&lt;script&gt;document.title");
    expect(text).not.toContain("<img");
    expect(text).not.toContain("document.title='broken'</script>");
    expect(escaped(HOSTILE)).not.toContain("<");
  });
});

describe("a browser on a paid path", () => {
  test("gets a page it can read, with status and header of the 402", async () => {
    const [page, body] = [await node.get("/mempool", { accept: BROWSER }), await node.get("/mempool")];
    expect([page.status, body.status]).toEqual([402, 402]);
    expect(headersOf(page)).toEqual(headersOf(body));
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("script-src 'sha256-");
    const text = await page.text();
    const price = products.find(({ path }) => path === "/mempool")?.price_usd;
    for (const part of [
      `$${price}`,
      "/mempool?preview=1",
      "Base Sepolia",
      "Solana devnet",
      "curl -i",
      "/docs/mempool",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain(page.headers.get("x-request-id") ?? "none");
  });

  test("is told why a payment was refused", async () => {
    const used = await signFor(node, "/mempool");
    expect((await node.get("/mempool", { "PAYMENT-SIGNATURE": used })).status).toBe(200);
    const response = await node.get("/many-3", { accept: BROWSER, "PAYMENT-SIGNATURE": used });
    expect(response.status).toBe(402);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const text = await response.text();
    expect(text).toContain("The payment was not taken");
    expect(text).toMatch(/\/errors#[a-z_]+/);
  });

  test("gets data as JSON like everybody, and previews too", async () => {
    const signed = await signFor(node, "/many-4");
    const bought = await node.get("/many-4", { accept: BROWSER, "PAYMENT-SIGNATURE": signed });
    expect([bought.status, bought.headers.get("content-type")]).toEqual([200, "application/json"]);
    const preview = await node.get("/mempool?preview=1", { accept: BROWSER });
    expect([preview.status, preview.headers.get("content-type")]).toEqual([200, "application/json"]);
  });

  test("gets it packed when it unpacks", async () => {
    const headers = { accept: BROWSER, "accept-encoding": "gzip, br" };
    const response = await fetch(`${node.url}/mempool`, { headers, decompress: false });
    expect([response.status, response.headers.get("content-encoding")]).toEqual([402, "gzip"]);
    const text = new TextDecoder().decode(gunzipSync(await response.arrayBuffer()));
    expect(text).toStartWith("<!doctype html>");
    expect(text).toEndWith("</html>");
    const plain = await fetch(`${node.url}/mempool`, { headers: { ...headers, "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
  });

  test("has no body of HEAD", async () => {
    const head = await fetch(`${node.url}/mempool`, { method: "HEAD", headers: { accept: BROWSER } });
    expect([head.status, await head.text()]).toEqual([402, ""]);
    expect(head.headers.get("payment-required")).not.toBeNull();
  });

  test.each([
    "*/*",
    "application/json",
    "application/json, text/html",
    "application/json, text/plain, */*",
    "text/*",
    "",
  ])("is no browser when it accepts %p", async (accept) => {
    const response = await node.get("/mempool", { accept });
    expect([response.status, response.headers.get("content-type")]).toEqual([402, "application/json"]);
    expect(await response.json()).toMatchObject({ x402Version: 2, code: "payment_required" });
  });
});

describe("the charts of a product's page", () => {
  const previewOf = (path: string) => waitForPreview(node, path);
  const readCharts = async (path: string): Promise<string> => {
    await previewOf(path);
    return /<section aria-labelledby="charts">.*?<\/section>/s.exec(await read(path))?.[0] ?? "";
  };

  test.each([
    ["/regime", ["Bitcoin and the regime", 'class="bands"', "BTC, daily close"]],
    ["/correlation-matrix", ["Correlation over 30 days", ">1.00</text>", "BTC and ETH "]],
    ["/backtest", ["Equity", "Drawdown", "buy and hold"]],
  ])("of %s are drawn from its preview, and say of when and whose the data is", async (path, parts) => {
    const { as_of } = await previewOf(path);
    const text = await readCharts(path);
    expect(parts.filter((part) => !text.includes(part))).toEqual([]);
    expect(text).toContain(`>${as_of.slice(0, 10)}</span> ${as_of.slice(11, 16)} UTC</time>.`);
    expect(text).toMatch(/Data: [a-z]+/);
    expect(text).not.toMatch(/ (?:style|on[a-z]+)=|<style|<script|NaN|undefined/);
    expect(await readCharts(path)).toBe(text);
  });

  test("are not on the page of a product that has none", async () => {
    expect(await readCharts("/pyth-price")).toBe("");
    expect(await read("/pyth-price")).not.toContain("<figure");
  });

  test("leave status, header and price of the 402 as they are", async () => {
    const [page, body] = [await node.get("/backtest", { accept: BROWSER }), await node.get("/backtest")];
    expect([page.status, body.status]).toEqual([402, 402]);
    expect(headersOf(page)).toEqual(headersOf(body));
    expect(gzipSync(await page.text()).length).toBeLessThan(COMPRESSED_MAX);
  });
});
