import { afterAll, expect, test } from "bun:test";
import { cleanUp, type DemoNode, startDemo, waitForPast } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";

afterAll(cleanUp);

interface Link {
  readonly name: string;
  readonly url: string;
  readonly note: string;
}
interface Parsed {
  readonly title: string;
  readonly summary: string;
  readonly sections: ReadonlyMap<string, readonly Link[]>;
}

/** llmstxt.org read as strictly as its strictest readers do. Throws at whatever has no place. */
function parseIndex(text: string): Parsed {
  const lines = text.split("\n");
  const title = /^# (\S.*)$/.exec(lines[0] ?? "")?.[1];
  if (!title) throw new Error("the first line is no H1");
  const sections = new Map<string, Link[]>();
  let summary = "";
  let links: Link[] | null = null;
  for (const line of lines.slice(1)) {
    if (line === "") continue;
    const heading = /^(#{1,6}) (.+)$/.exec(line);
    if (heading) {
      if (heading[1] !== "##") throw new Error(`a heading of another level: ${line}`);
      links = [];
      sections.set(heading[2] ?? "", links);
    } else if (links) {
      const link = /^- \[([^\]]+)\]\((https?:\/\/[^)\s]+)\)(?:: (.+))?$/.exec(line);
      if (!link) throw new Error(`not a link in a section: ${line}`);
      links.push({ name: link[1] ?? "", url: link[2] ?? "", note: link[3] ?? "" });
    } else if (line.startsWith("> ")) {
      if (summary !== "") throw new Error("two summaries");
      summary = line.slice(2);
    }
  }
  return { title, summary, sections };
}

let started: Promise<DemoNode> | undefined;
const open = () => {
  started ??= startDemo({ history: true });
  return started;
};
const read = async (path: string): Promise<string> => {
  const response = await (await open()).get(path);
  expect({ path, status: response.status }).toEqual({ path, status: 200 });
  return response.text();
};

interface Pricing {
  readonly products: readonly { path: string; product: string; price_usd: string; parameters: string[] }[];
  readonly plans: readonly { path: string }[];
}
const readPricing = async (): Promise<Pricing> => JSON.parse(await read("/get-pricing"));

/** Of a basket the lowest price is listed. */
const fromOf = (path: string): string => (path.endsWith("/basket") ? "from " : "");

test("the parser refuses an invalid llms.txt", () => {
  for (const text of [
    "no title",
    "# a\n\n## B\n\nprose",
    "# a\n### c",
    "# a\n> b\n> c",
    "# a\n## B\n- [x](/relative)",
  ]) {
    expect(() => parseIndex(text)).toThrow();
  }
});

test("llms.txt has one title, a summary and sections of nothing but links, below 16 KB", async () => {
  const node = await open();
  const text = await read("/llms.txt");
  const { title, summary, sections } = parseIndex(text);
  expect(title).toBe("intel-node demo");
  expect(summary).toContain("prepaid key");
  expect([...sections.keys()]).toEqual(["Products", "Prepaid", "Free", "Documents", "Optional"]);
  expect(new TextEncoder().encode(text).length).toBeLessThan(16_000);
  const answer = await node.get("/llms.txt");
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
});

test("a crawler finds every product by its address and the one amount behind it", async () => {
  const node = await open();
  const { products } = await readPricing();
  const origin = node.url.replaceAll(".", "\\.");
  const pattern = new RegExp(`\\]\\((${origin}/[^)\\s]+)\\)[^$\\n]*\\$(\\d+(?:\\.\\d+)?)\\s*$`, "gm");
  const found = [...(await read("/llms.txt")).matchAll(pattern)].map(([, url, price]) => ({ url, price }));
  const wanted = products.map(({ path, price_usd }) => ({ url: `${node.url}${path}`, price: price_usd }));
  const byURL = (a: { url?: string | undefined }, b: { url?: string | undefined }) =>
    `${a.url}`.localeCompare(`${b.url}`);
  expect(found.sort(byURL)).toEqual(wanted.sort(byURL));
});

test("every link of llms.txt answers: paid ones 402, the others 200", async () => {
  const node = await open();
  const { sections } = parseIndex(await read("/llms.txt"));
  for (const [section, links] of sections) {
    const paid = section === "Products" || section === "Prepaid";
    for (const { url } of links) {
      const { status } = await node.get(url.slice(node.url.length));
      expect({ url, status }).toEqual({ url, status: paid ? 402 : 200 });
    }
  }
});

test("llms-full.txt has path, price, parameters, fields, example and failure rule of every product", async () => {
  const node = await open();
  const { products, plans } = await readPricing();
  const prepaid = new Set(plans.map(({ path }) => path));
  expect(prepaid).toContain("/buy-credits");
  const parts = (await read("/llms-full.txt")).split(/^### /m);
  for (const { path, price_usd, parameters } of products) {
    const part = parts.find((text) => text.includes(` ${node.url}${path}\n`)) ?? "";
    expect(part).toContain(`- Price: ${fromOf(path)}$${price_usd} ${prepaid.has(path) ? "once" : "a call"}`);
    expect(part).toContain("- Failure: no data, no charge");
    for (const name of parameters) expect(part).toContain(`| ${name} |`);
    const shown = /```json\n(.+)\n```/.exec(part)?.[1];
    // With many products the longest are cut, and say where the whole is.
    if (shown === undefined) {
      expect(part).toContain(`- Whole schema and example: ${node.url}/openapi.json?product=`);
      continue;
    }
    const example = JSON.parse(shown) as { data: Record<string, unknown> };
    for (const name of Object.keys(example.data)) expect(part).toContain(`| ${name} |`);
  }
});

test("llms-full.txt ends with programs that buy", async () => {
  const text = await read("/llms-full.txt");
  const chapters = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(chapters).toEqual(["Rules", "Products", "Prepaid", "Quick starts"]);
  expect(text).toContain("@x402/fetch");
});

test("a function list names each product with its price, in the members each stack takes", async () => {
  const node = await open();
  const { products } = await readPricing();
  for (const format of ["openai", "anthropic", "gemini"]) {
    const list = JSON.parse(await read(`/tools.json?format=${format}`));
    expect(list).toMatchObject({ format, sandbox: true });
    expect(list.tools.map(({ url, price_usd }: Record<string, string>) => ({ url, price_usd }))).toEqual(
      products.map(({ path, price_usd }) => ({ url: `${node.url}${path}`, price_usd })),
    );
    for (const tool of list.tools) {
      const { description } = format === "openai" ? tool.function : tool;
      const [, preview = ""] = description.split(`Costs ${fromOf(tool.url)}$${tool.price_usd} a call; `);
      expect(preview).toMatch(/^preview=1 shows free, delayed data(, kept only for .+)?\.$/);
    }
  }
  expect(await read("/tools.json")).toBe(await read("/tools.json?format=openai"));
});

test("a function list in no known format is refused, naming the known ones", async () => {
  const answer = await (await open()).get("/tools.json?format=cobol");
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    code: "invalid_parameter",
    param: "format",
    got: "cobol",
    allowed: ["openai", "anthropic", "gemini"],
  });
});

test("icons are images on GET and HEAD", async () => {
  const node = await open();
  for (const [path, type] of [
    ["/favicon.ico", "image/x-icon"],
    ["/favicon.svg", "image/svg+xml"],
    ["/icon.png", "image/png"],
  ] as const) {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await fetch(`${node.url}${path}`, { method });
      expect({ path, status, type: headers.get("content-type") }).toEqual({ path, status: 200, type });
    }
  }
  const png = await (await node.get("/icon.png")).bytes();
  expect(Buffer.from(png.subarray(1, 4)).toString()).toBe("PNG");
});

test("a sandbox keeps crawlers out and names no security contact it does not have", async () => {
  const node = await open();
  expect(await read("/robots.txt")).toContain("Disallow: /\n");
  expect((await node.get("/security.txt")).status).toBe(404);
  expect((await node.get("/.well-known/security.txt")).status).toBe(404);
  expect(await read("/llms.txt")).not.toContain("security.txt");
});

test("documents are rendered again every day, so that none outlives the dates in it", async () => {
  const node = await open();
  const headers = { authorization: `Bearer ${node.operator_token}` };
  const readNext = async (): Promise<string | null> => {
    const { jobs } = (await (await node.get("/admin/status", headers)).json()) as {
      jobs: { id: string; next_run: string | null }[];
    };
    const job = jobs.find(({ id }) => id === "documents");
    if (!job) throw new Error("no job renders documents");
    return job.next_run;
  };
  // Jobs get their marks when the past has been lived and what runs at the start has run.
  await waitForPast(node);
  let next: string | null = null;
  const hasMark = async (): Promise<boolean> => {
    next = await readNext();
    return next !== null;
  };
  await until(hasMark, "the mark of the job", 50);
  expect(next).toEndWith("T00:00:00.000Z");
});

test("the catalog of APIs leads to documents that are there", async () => {
  const node = await open();
  const answer = await node.get("/.well-known/api-catalog");
  expect(answer.headers.get("content-type")).toStartWith("application/linkset+json");
  const { linkset, sandbox } = (await answer.json()) as { linkset: Record<string, unknown>[]; sandbox: boolean };
  expect(sandbox).toBe(true);
  expect(linkset).toHaveLength(1);
  const { anchor, ...relations } = linkset[0] as Record<string, { href: string }[]>;
  expect(anchor as unknown).toBe(`${node.url}/`);
  expect(Object.keys(relations).sort()).toEqual(["service-desc", "service-doc", "service-meta", "status"]);
  for (const { href } of Object.values(relations).flat()) await read(href.slice(node.url.length));
});

test("terms and about come as HTML, JSON or Markdown, as Accept says", async () => {
  const node = await open();
  for (const path of ["/terms", "/about"]) {
    for (const [accept, type] of [
      ["*/*", "text/html; charset=utf-8"],
      ["application/json", "application/json"],
      ["text/markdown", "text/markdown; charset=utf-8"],
    ] as const) {
      const answer = await node.get(path, { accept });
      expect({ accept, type: answer.headers.get("content-type") }).toEqual({ accept, type });
      expect(answer.headers.get("vary")).toContain("Accept");
    }
  }
  const terms = (await (await node.get("/terms", { accept: "application/json" })).json()) as {
    charged_on_failure: boolean;
    data_sources: { id: string; attribution: { text: string } | null }[];
  };
  expect(terms).toMatchObject({ sandbox: true, charged_on_failure: false });
  const named = terms.data_sources.find(({ id }) => id === "alternative_me");
  const text = named?.attribution?.text ?? "missing";
  expect(text).toContain("Alternative.me");
  const markdown = await (await node.get("/terms", { accept: "text/markdown" })).text();
  expect(markdown).toContain(text);
});

test("every link of the page about the node answers 200", async () => {
  const node = await open();
  const about = (await (await node.get("/about", { accept: "application/json" })).json()) as {
    links: { url: string }[];
  };
  expect(about.links.length).toBeGreaterThan(20);
  for (const { url } of about.links) await read(url.slice(node.url.length));
});
