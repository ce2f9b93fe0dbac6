import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OverviewAnswer } from "../../src/admin/answers.ts";
import { renderAnswer } from "../../src/commands/admin.ts";
import { askOperation } from "../../src/commands/ask-node.ts";
import { renderTop } from "../../src/commands/top.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { type FileNode, ownPlugins, startFileNode } from "../helpers/file-node.ts";
import { sendRaw } from "../helpers/raw-http.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

let at: FileNode;
let published: FileNode;
beforeAll(async () => {
  at = await startFileNode();
  published = await startFileNode({ toml: ownPlugins('\n[server]\ntrusted_proxies = ["127.0.0.1"]\n') });
});
afterAll(async () => {
  await at.stop();
  await published.stop();
});

type Headers = Readonly<Record<string, string>>;
const get = (path: string, headers: Headers = {}, node = at) =>
  fetch(`${node.url}${path}`, { headers, redirect: "manual" });
const post = (path: string, fields: Headers, headers: Headers = {}, node = at) =>
  fetch(`${node.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields),
    redirect: "manual",
  });

/** A browser that gave the token: its cookie, and what stands in its forms. */
async function logIn(node = at): Promise<{ readonly cookie: string; readonly csrf: string }> {
  const answer = await post("/admin/login", { token: node.node.operator_token }, {}, node);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/admin"]);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await (await get("/admin/jobs", { cookie }, node)).text();
  return { cookie, csrf: /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "" };
}

const buy = async () => {
  const signature = await createPaymentPayload(await fetch(`${at.url}/one`), newPayer());
  return fetch(`${at.url}/one`, { headers: { "PAYMENT-SIGNATURE": signature } });
};

const OF_STATE = ["watches", "sources", "jobs", "attention", "alerts", "backups", "config", "logs"];
const SECTIONS = ["sales", "find", "products", "keys", ...OF_STATE];

describe("the operator's pages", () => {
  test("every page is whole without script, for the operator", async () => {
    expect((await buy()).status).toBe(200);
    const { cookie } = await logIn();
    const home = await (await get("/admin", { cookie })).text();
    expect(home).toContain("$0.01 (1)");
    expect(home).toContain("organic");
    for (const section of SECTIONS) {
      const page = await get(`/admin/${section}`, { cookie });
      expect([section, page.status]).toEqual([section, 200]);
      const text = await page.text();
      expect(text).toContain('aria-current="page"');
      expect(text).not.toContain(at.node.operator_token);
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(page.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect(await (await get("/admin/sales?label=organic", { cookie })).text()).toContain("/one");
    expect(await (await get("/admin/sales.csv", { cookie })).text()).toMatch(/^settled_at,.*\r\n.*,one,0\.01,0x/);
  });

  test("a key is issued, shown once, capped, topped up and revoked by forms alone", async () => {
    const { cookie, csrf } = await logIn();
    const act = async (fields: Headers) => {
      const done = await post("/admin/do", { csrf, back: "/admin/keys", ...fields }, { cookie });
      expect(done.status).toBe(303);
      return (await get(done.headers.get("location") ?? "", { cookie })).text();
    };
    const issued = await act({ op: "key_issue", credit_usd: "1", duration: "30d", plan: "", label: "for <Ann>" });
    const api_key = /<code>(ink_[A-Za-z0-9]+)<\/code>/.exec(issued)?.[1] ?? "";
    const key_id = /key=(key_[A-Za-z0-9]+)/.exec(issued)?.[1] ?? "";
    expect(issued).toContain("for &lt;Ann&gt;");
    expect(await (await get("/admin/keys", { cookie })).text()).not.toContain(api_key);
    const call = () => fetch(`${at.url}/one`, { headers: { "x-api-key": api_key } });
    expect((await call()).status).toBe(200);
    await act({ op: "key_amend", key_id, label: "", daily_cap_usd: "0.02", call_cap_usd: "none" });
    expect([(await call()).status, (await call()).status]).toEqual([200, 402]);
    await act({ op: "key_top_up", key_id, credit_usd: "0.5" });
    const page = await (await get(`/admin/keys?key=${key_id}`, { cookie })).text();
    expect(page).toContain("1.48");
    expect(await act({ op: "key_amend", key_id, daily_cap_usd: "nonsense" })).toContain("Not done");
    await act({ op: "key_revoke", key_id });
    expect(await (await call()).json()).toMatchObject({ code: "api_key_revoked" });
  });

  test("long lists come a page at a time, and are searched and filtered without script", async () => {
    const { cookie } = await logIn();
    const page = async (path: string) => (await get(path, { cookie })).text();
    const rowsOf = (text: string) => text.split("<tr>").length - 2;
    const all = await page("/admin/config");
    expect(rowsOf(all)).toBe(25);
    expect(all).toContain('href="/admin/config?page=2"');
    expect(await page("/admin/config?page=2")).toContain("26 to 50 of ");
    const found = await page("/admin/config?q=preview.delay");
    expect(rowsOf(found)).toBe(1);
    expect(found).toContain('value="preview.delay"');
    const mine = await page("/admin/config?show=set+by+you");
    expect(mine).toContain("plugins.dir");
    expect(mine).not.toContain("preview.delay");
    expect(rowsOf(await page("/admin/jobs?q=receipt-seals"))).toBe(1);
    expect(await page("/admin/products?q=nothing")).toMatch(/None of \d+ is like that\./);
    expect(await page("/admin/sources?show=failing")).not.toContain("Off…");
    // The log of a minute is longer than a page.
    expect(rowsOf(await page("/admin/logs?least=info"))).toBeLessThanOrEqual(25);
    for (const [section, query] of [
      ["attention", "q=x"],
      ["alerts", "q=x&show=critical"],
      ["keys", "q=x"],
      ["backups", "page=2"],
    ] as const) {
      expect([section, (await get(`/admin/${section}?${query}`, { cookie })).status]).toEqual([section, 200]);
    }
  });

  test("watches are seen with what they told, cost and failed at", async () => {
    const { cookie } = await logIn();
    const issued = await at.ask("/admin/api/key-issue", { credit_usd: "1", duration: "30d", label: "" });
    const { api_key } = (await issued.json()) as { readonly api_key: string };
    const order = { product: "/one", every: "1h", budget_usd: "0.5", label: "the <one>" };
    const set = await fetch(`${at.url}/watch`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": api_key },
      body: JSON.stringify(order),
    });
    const { watch } = (await set.json()) as { readonly watch: string };
    await at.node.checkWatches();
    const page = async (query = "") => (await get(`/admin/watches${query}`, { cookie })).text();
    const all = await page();
    for (const part of [watch, "the &lt;one&gt;", "0.01 of 0.50"]) expect(all).toContain(part);
    expect(await page("?show=failing")).not.toContain(watch);
    const { items, active } = (await (await at.ask("/admin/api/watches")).json()) as Record<string, unknown>;
    expect([active, items]).toMatchObject([1, [{ watch, told: 1, webhook: null }]]);
  });

  test("a key is found by its note among more than one page of the books", async () => {
    const { cookie } = await logIn();
    for (let n = 0; n < 30; n += 1) {
      const label = n === 3 ? "for the museum" : `note ${n}`;
      expect((await at.ask("/admin/api/key-issue", { credit_usd: "1", duration: "30d", label })).status).toBe(200);
    }
    const page = await (await get("/admin/keys?q=museum", { cookie })).text();
    expect(page.match(/href="\/admin\/keys\?key=/g)).toHaveLength(1);
    expect(await (await get("/admin/keys", { cookie })).text()).toContain('href="/admin/keys?page=2"');
  });

  test("a job is run, and the configuration reloaded, by forms alone", async () => {
    const { cookie, csrf } = await logIn();
    const done = await post(
      "/admin/do",
      { csrf, op: "run_job", job: "receipt-seals", back: "/admin/jobs" },
      { cookie },
    );
    expect(await (await get(done.headers.get("location") ?? "", { cookie })).text()).toContain("done.");
    at.write(ownPlugins('\n[prices]\n"/one" = "0.03"\n'));
    await post("/admin/do", { csrf, op: "reload", back: "/admin/config" }, { cookie });
    const page = await (await get("/admin/config", { cookie })).text();
    expect(page).toContain("In force: prices./one");
    // Who is logged in stays so, and the new price is shown.
    expect(await (await get("/admin/products", { cookie })).text()).toContain("0.03");
    at.write(ownPlugins());
    await at.node.reload();
  });

  test("a sale appears by itself where script is on", async () => {
    const { cookie, csrf } = await logIn();
    const events = await get("/admin/events?of=sales", { cookie });
    const reader = events.body?.getReader();
    const seen = { text: "" };
    const until = async (wanted: string) => {
      while (!seen.text.includes(wanted)) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`the stream ended before ${wanted}`);
        seen.text += new TextDecoder().decode(value);
      }
    };
    await until("event: page");
    const receipt = (await buy()).headers.get("x-receipt-id") ?? "none";
    await until(receipt);
    await post("/admin/logout", { csrf }, { cookie });
    await until("event: ended");
  });

  test("every operation is in the API's document, and every one that reads answers", async () => {
    const document = (await (await at.ask("/admin/openapi.json")).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    const needs = ["/admin/api/key", "/admin/api/key-statement", "/admin/api/find"];
    for (const [path, methods] of Object.entries(document.paths)) {
      if (!("get" in methods) || needs.includes(path)) continue;
      expect([path, (await at.ask(path)).status]).toEqual([path, 200]);
    }
    const wrong = await at.ask("/admin/api/sales?limit=many");
    expect([wrong.status, await wrong.json()]).toEqual([422, expect.objectContaining({ param: "limit" })]);
  });
});

test("a key's label is one line and hides nothing, whatever it contains", async () => {
  const admin = async (command: object) =>
    (await (await at.ask("/admin/keys", command)).json()) as Record<string, unknown>;
  const { api_key, key_id } = await admin({ command: "issue", credit_usd: "1", label: "\u202eours\u0000\r\n" });
  const mint = async (label: string) => {
    const headers = { "x-api-key": String(api_key), "content-type": "application/json" };
    const minted = await fetch(`${at.url}/keys`, { method: "POST", headers, body: JSON.stringify({ label }) });
    return ((await minted.json()) as { label: string | null }).label;
  };
  const clean = "bot[2J31m revoked key_forged";
  expect(await mint("bot\u001b[2J\u009b31m\u202e\u{e0041}\r\nrevoked  key_forged")).toBe(clean);
  expect(await mint("\u200b\u202e")).toBeNull();
  expect(await admin({ command: "show", key_id })).toMatchObject({
    label: "ours",
    children: [{ label: clean }, { label: null }],
  });
});

test("the terminal shows the same figures, and the command line does the same work", async () => {
  await buy();
  const node = { url: at.url, operator_token: at.node.operator_token };
  const screen = renderTop((await askOperation(node, "overview")) as unknown as OverviewAnswer, 100);
  expect(screen).toMatch(/ ok .* UTC {2}up /);
  expect(screen).toContain("/one");
  expect(Math.max(...screen.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(renderAnswer(await askOperation(node, "run_job", { job: "tables" }))).toContain("failures: 0");
  await expect(askOperation(node, "run_job", { job: "none" })).rejects.toThrow('404: There is no job "none"');
});

describe("nobody else gets in", () => {
  const denied = async (answer: Response) => {
    const text = await answer.text();
    expect(text).not.toContain('aria-current="page"');
    expect(text).not.toContain("ink_");
    expect(text).not.toContain('"items"');
    return answer.status;
  };
  const issue = { op: "key_issue", credit_usd: "1", duration: "30d", back: "/admin/keys" };
  const countKeys = async () => ((await (await at.ask("/admin/api/keys")).json()) as { items: unknown[] }).items.length;

  test("1: without a token, in any spelling of the header", async () => {
    const { operator_token: token } = at.node;
    for (const authorization of ["", "Bearer", "Bearer x", `bearer ${token}x`, `Basic ${btoa(`a:${token}`)}`]) {
      expect(await denied(await get("/admin/api/overview", { authorization }))).toBe(404);
    }
    expect(
      await denied(await get("/admin/api/overview", { "x-authorization": `Bearer ${token}`, "X-API-Key": token })),
    ).toBe(404);
    expect(await denied(await get(`/admin/api/overview?token=${token}&operator_token=${token}`))).toBe(404);
  });
  test("2: by tricks with the path", async () => {
    const paths = ["/admin/", "//admin/sales", "/ADMIN/sales", "/admin/./sales", "/admin/%73ales", "/admin/sales/"];
    const more = [
      "/docs/..%2fadmin/sales",
      "/admin;x/sales",
      "/admin/api/overview/",
      "/admin/sales%00",
      "/.//admin/sales",
    ];
    for (const path of [...paths, ...more]) {
      const answer = await sendRaw(at.url, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
      expect([path, /^HTTP\/1\.1 [34]/.test(answer), answer.includes('aria-current="page"')]).toEqual([
        path,
        true,
        false,
      ]);
    }
  });
  test("3: by another method", async () => {
    for (const method of ["HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      await denied(await fetch(`${at.url}/admin/sales`, { method, redirect: "manual" }));
    }
    const override = { "x-http-method-override": "GET", "content-type": "application/json" };
    const answer = await fetch(`${at.url}/admin/keys`, { method: "POST", headers: override, body: "{}" });
    expect(await denied(answer)).toBe(404);
  });
  test("4: through a proxy, where the pages are for this machine alone", async () => {
    const marks = [
      { "x-forwarded-for": "127.0.0.1" },
      { forwarded: "for=127.0.0.1" },
      { via: "1.1 proxy" },
      { "x-real-ip": "::1" },
    ];
    for (const mark of marks) expect(await denied(await get("/admin", mark as Headers))).toBe(404);
    // A node that names proxies cannot tell who is on this machine.
    expect(await denied(await get("/admin", {}, published))).toBe(404);
    const login = await post("/admin/login", { token: published.node.operator_token }, {}, published);
    expect(await denied(login)).toBe(404);
  });
  test("5: by a name that leads here from elsewhere", async () => {
    expect(await denied(await get("/admin", { host: "rebound.example.com" }))).toBe(404);
  });
  test("6: by a form of another site, with the operator's own cookie", async () => {
    const { cookie, csrf } = await logIn();
    const before = await countKeys();
    const foreign: readonly Headers[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      expect(await denied(await post("/admin/do", { ...issue, csrf }, { cookie, ...headers }))).toBe(404);
    }
    for (const wrong of ["", "x", `${csrf}x`]) {
      expect(await denied(await post("/admin/do", { ...issue, csrf: wrong }, { cookie }))).toBe(404);
    }
    const json = { cookie, "content-type": "application/json" };
    const answer = await fetch(`${at.url}/admin/do`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ ...issue, csrf }),
    });
    expect(await denied(answer)).toBe(415);
    expect(await denied(await get(`/admin/do?${new URLSearchParams({ ...issue, csrf })}`, { cookie }))).toBe(405);
    expect(await countKeys()).toBe(before);
  });
  test("7: with another session's form", async () => {
    const [one, two] = [await logIn(), await logIn()];
    expect(await denied(await post("/admin/do", { ...issue, csrf: one.csrf }, { cookie: two.cookie }))).toBe(404);
  });
  test("8: with a cookie of another node, or an invented one", async () => {
    const { cookie } = await logIn();
    const name = cookie.split("=")[0];
    for (const value of ["", "x", at.node.operator_token, "A".repeat(43), "..", "a".repeat(3_000)]) {
      const page = await get("/admin/sales", { cookie: `${name}=${value}` });
      expect([await denied(page), page.headers.get("location")]).toEqual([303, "/admin"]);
    }
    await at.restart();
    // Sessions are the running process's: what was handed out before is nobody's now.
    expect(await denied(await get("/admin/sales", { cookie }))).toBe(303);
  });
  test("9: with what was logged out", async () => {
    const { cookie, csrf } = await logIn();
    expect((await post("/admin/logout", { csrf }, { cookie })).status).toBe(303);
    expect(await denied(await get("/admin/sales", { cookie }))).toBe(303);
    expect(await denied(await post("/admin/do", { ...issue, csrf }, { cookie }))).toBe(303);
  });
  test("10: after twelve hours", async () => {
    const { cookie } = await logIn();
    at.clock.advance(12 * 3_600_000);
    expect(await denied(await get("/admin/sales", { cookie }))).toBe(303);
    at.clock.advance(-12 * 3_600_000);
    expect(await denied(await get("/admin/sales", { cookie }))).toBe(303);
  });
  test("11: by MCP or A2A", async () => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const send = (path: string, method: string, params: unknown) =>
      fetch(`${at.url}${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
    const tools = await (await send("/mcp", "tools/list", {})).text();
    expect(tools).not.toContain("admin");
    for (const name of ["admin_overview", "/admin/api/overview", "overview"]) {
      await denied(await send("/mcp", "tools/call", { name, arguments: {} }));
      const parts = [{ kind: "data", data: { skill: name } }];
      await denied(
        await send("/a2a", "message/send", { message: { role: "user", kind: "message", messageId: "1", parts } }),
      );
    }
    for (const path of ["/openapi.json", "/llms.txt", "/.well-known/mcp.json", "/robots.txt"]) {
      expect(await (await get(path)).text()).not.toContain("/admin/api");
    }
  });
  test("12: by guessing: after ten wrong tokens not even the right one is taken for a while", async () => {
    for (let tries = 0; tries < 10; tries += 1)
      expect(await denied(await post("/admin/login", { token: `wrong ${tries}` }))).toBe(401);
    const late = await post("/admin/login", { token: at.node.operator_token });
    expect([late.status, Number(late.headers.get("retry-after")) > 0]).toEqual([429, true]);
    at.clock.advance(15 * 60_000);
    await logIn();
  });
});
