import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { loadConfigFile } from "../../src/commands/load-config-file.ts";
import { findOwnershipFaults } from "../../src/node/compose-ownership.ts";
import { VECTOR } from "../helpers/ownership-vector.ts";
import { type SetupDoor, type SetupDoorOptions, startSetupDoor } from "../helpers/setup-door.ts";

const started: SetupDoor[] = [];
const start = (options: SetupDoorOptions = {}): SetupDoor => {
  const door = startSetupDoor(options);
  started.push(door);
  return door;
};
afterEach(() => {
  for (const door of started.splice(0)) door.stop();
});

const HOUR_MS = 3_600_000;
const BASE = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const SHOP = { name: "Ann's shop", publicUrl: "https://node.example.com", contactEmail: "", proxy: "127.0.0.1, ::1" };

describe("the address of the set-up", () => {
  test("opens once, and only for the browser that opened it", async () => {
    const door = start();
    expect(door.code.length).toBeGreaterThanOrEqual(22);
    const opened = await door.get(`/setup?code=${door.code}`);
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/setup/shop"]);
    const set = opened.headers.get("set-cookie") ?? "";
    expect(set).toMatch(/; Path=\/setup; .*HttpOnly; SameSite=Strict$/);
    const cookie = set.split(";")[0] ?? "";
    expect((await door.get("/setup/shop", { cookie })).status).toBe(200);
    expect((await door.get(`/setup?code=${door.code}`)).status).toBe(403);
    // The one that has it open is led on by it, and by its bare path.
    expect((await door.get(`/setup?code=${door.code}`, { cookie })).status).toBe(303);
    expect((await door.get("/setup", { cookie })).status).toBe(303);
  });

  test("is not used up by who only looks at it", async () => {
    const door = start();
    const looked = await fetch(`${door.url}/setup?code=${door.code}`, { method: "HEAD", redirect: "manual" });
    expect(looked.headers.get("set-cookie")).toBeNull();
    expect((await door.get(`/setup?code=${door.code}`)).status).toBe(303);
  });

  test("opens nothing without the code, with another one, with an empty one, or with an empty cookie", async () => {
    const door = start();
    for (const query of ["", "?code=", "?code=%20", `?code=${door.code.slice(1)}`, `?code=${door.code}x`]) {
      expect([query, (await door.get(`/setup${query}`)).status]).toEqual([query, 403]);
    }
    for (const cookie of ["", "intel_node_setup=", "intel_node_setup=%20", `intel_node_setup=${door.code}`]) {
      expect([cookie, (await door.get("/setup/shop", { cookie })).status]).toEqual([cookie, 403]);
    }
    expect((await door.get(`/setup?code=${door.code}`)).status).toBe(303);
  });

  test("ends after an hour, and so does a browser that was left alone for an hour", async () => {
    const late = start();
    late.pass(HOUR_MS);
    expect((await late.get(`/setup?code=${late.code}`)).status).toBe(403);

    const door = start();
    door.pass(HOUR_MS - 1);
    const { cookie } = await door.open();
    door.pass(HOUR_MS - 1);
    expect((await door.get("/setup/shop", { cookie })).status).toBe(200);
    door.pass(HOUR_MS);
    expect((await door.get("/setup/shop", { cookie })).status).toBe(403);
  });

  test.each([
    ["another name that leads to this machine", { host: "attacker.example" }],
    ["another name with the right port", { host: "attacker.example:8402" }],
    ["a name that only begins like ours", { host: "localhost.attacker.example" }],
    ["a proxy that says so", { "x-forwarded-for": "203.0.113.9" }],
    ["a proxy that says so for loopback", { "x-forwarded-for": "127.0.0.1" }],
    ["a proxy that names a host", { "x-forwarded-host": "node.example.com" }],
    ["a proxy by RFC 7239", { forwarded: "for=127.0.0.1" }],
    ["a proxy by Via", { via: "1.1 proxy" }],
  ])("does not open to %s", async (_, headers) => {
    const door = start();
    expect((await door.get(`/setup?code=${door.code}`, headers)).status).toBe(404);
    const { cookie } = await door.open();
    expect((await door.get("/setup/shop", { cookie, ...headers })).status).toBe(404);
  });

  test("does not open to another machine", async () => {
    for (const peer of ["192.0.2.7", "10.0.0.4", "::ffff:10.0.0.4", ""]) {
      const door = start({ peer });
      expect([peer, (await door.get(`/setup?code=${door.code}`)).status]).toEqual([peer, 404]);
    }
  });

  test("opens elsewhere under the one address the operator named", async () => {
    const door = start({ place: "http://umbrel.local:8402", peer: "10.0.0.4" });
    const host = "umbrel.local:8402";
    const through = { host, "x-forwarded-for": "10.0.0.9" };
    expect((await door.get(`/setup?code=${door.code}`)).status).toBe(404);
    expect((await door.get(`/setup?code=${door.code}`, { host: "umbrel.local" })).status).toBe(404);
    const opened = await door.get(`/setup?code=${door.code}`, through);
    expect(opened.status).toBe(303);
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
    const page = await (await door.get("/setup/shop", { ...through, cookie })).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const send = (origin: string) => door.post("/setup/shop", { ...SHOP, csrf }, { ...through, cookie, origin });
    expect((await send("http://umbrel.local")).status).toBe(404);
    expect((await send("http://umbrel.local:8402")).status).toBe(303);
  });

  test("opens to the operator's own network where he says so, by names that nobody else can have", async () => {
    const door = start({ place: "lan", peer: "192.168.1.20" });
    for (const host of ["attacker.example", "attacker.example:8402", "8.8.8.8:8402", "local.example"]) {
      expect([host, (await door.get(`/setup?code=${door.code}`, { host })).status]).toEqual([host, 404]);
    }
    const outside = start({ place: "lan", peer: "203.0.113.9" });
    expect((await outside.get(`/setup?code=${outside.code}`, { host: "192.168.1.5:8402" })).status).toBe(404);
    const host = "box.local:8402";
    const opened = await door.get(`/setup?code=${door.code}`, { host, "x-forwarded-for": "192.168.1.20" });
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
    const page = await (await door.get("/setup/shop", { host, cookie })).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const send = (origin: string) => door.post("/setup/shop", { ...SHOP, csrf }, { host, cookie, origin });
    expect((await send("http://attacker.example")).status).toBe(404);
    expect((await send("http://other.local:8402")).status).toBe(404);
    expect((await send("http://box.local:8402")).status).toBe(303);
  });

  test("ends as soon as a configuration file exists, whoever wrote it", async () => {
    const door = start();
    const { cookie, csrf } = await door.open();
    writeFileSync(door.file, "# of somebody else\n");
    expect((await door.get(`/setup?code=${door.code}`)).status).toBe(404);
    expect((await door.get("/setup/shop", { cookie })).status).toBe(404);
    expect((await door.post("/setup/finish", { csrf }, { cookie })).status).toBe(404);
    expect(await Bun.file(door.file).text()).toBe("# of somebody else\n");
  });
});

describe("a form of the set-up", () => {
  test("is taken from its own page only", async () => {
    const door = start();
    const { cookie, csrf } = await door.open();
    const send = (headers: Record<string, string>, token = csrf) =>
      door.post("/setup/shop", { ...SHOP, csrf: token }, { cookie, ...headers });
    expect((await send({ origin: "https://attacker.example" })).status).toBe(404);
    expect((await send({ origin: "null" })).status).toBe(404);
    expect((await send({ origin: door.url.replace("http:", "https:") })).status).toBe(404);
    expect((await send({ "sec-fetch-site": "cross-site" })).status).toBe(404);
    expect((await send({ "sec-fetch-site": "same-site" })).status).toBe(404);
    for (const token of ["", " ", csrf.slice(1)]) expect((await send({}, token)).status).toBe(404);
    expect((await door.post("/setup/shop", { ...SHOP, csrf })).status).toBe(403);
    expect((await send({ origin: door.url, "sec-fetch-site": "same-origin" })).status).toBe(303);
  });

  test("has labels, its own style alone, and Portuguese where the browser asks for it", async () => {
    const door = start();
    const { cookie } = await door.open();
    for (const step of ["shop", "wallets", "prices", "alerts", "keys", "sale", "finish"]) {
      const page = await door.get(`/setup/${step}`, { cookie, "accept-language": "pt-BR,pt;q=0.9" });
      expect([step, page.status, page.headers.get("cache-control")]).toEqual([step, 200, "no-store"]);
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
      const text = await page.text();
      expect(text).toContain('<html lang="pt-BR">');
      expect([step, text.includes("<script")]).toEqual([step, step === "wallets"]);
      const ids = [...text.matchAll(/<(?:input|select) id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids.filter((id) => !text.includes(`<label for="${id}">`))).toEqual([]);
    }
    expect(await (await door.get("/setup/shop?lang=en", { cookie, "accept-language": "pt" })).text()).toContain(
      'action="/setup/shop?lang=en"',
    );
  });
});

const LONG = "x".repeat(3_000);
/** Step, field, what was typed, and what the page says beside the field. */
const WRONG: readonly (readonly [step: string, field: string, typed: string, says: RegExp])[] = [
  ["shop", "name", "Anns café", /"name" must be 1 to 32 letters/],
  ["shop", "name", "x".repeat(33), /"name" must be 1 to 32 letters/],
  ["shop", "name", LONG, /at most 2000 characters/],
  ["shop", "publicUrl", "node.example.com", /"public_url" must be an http\(s\) address/],
  ["shop", "publicUrl", "http://node.example.com", /"public_url" must be https/],
  ["shop", "publicUrl", "https://node.example.com/", /without a path or trailing slash/],
  ["shop", "publicUrl", "https://node.example.com/shop", /without a path or trailing slash/],
  ["shop", "publicUrl", "https://NODE.example.com", /has one spelling: "https:\/\/node\.example\.com"/],
  ["shop", "publicUrl", "ftp://node.example.com", /must be an http\(s\) address/],
  ["shop", "publicUrl", 'https://x"\n[admin]\nenabled = true', /"public_url" must/],
  ["shop", "contactEmail", "ann", /"contact_email" must be an e-mail address/],
  ["shop", "contactEmail", "ann@a b", /"contact_email" must be an e-mail address/],
  ["shop", "proxy", "nginx", /"nginx" is no IP address and no range/],
  ["shop", "proxy", "0.0.0.0/0", /is everybody/],
  ["wallets", "basePayTo", "0x123", /"pay_to" must be 0x and 40 hex digits/],
  ["wallets", "basePayTo", BASE.replace("F", "f"), /wrong checksum/],
  ["wallets", "basePayTo", "ann.eth", /"pay_to" must be 0x and 40 hex digits/],
  ["wallets", "solanaPayTo", "0x123", /"pay_to" must be 32-44 base58 characters/],
  ["wallets", "solanaPayTo", "z".repeat(44), /this is no Solana address/],
  ["wallets", "algorandPayTo", "ABC", /"pay_to" must be 58 base32 characters/],
  ["wallets", "algorandPayTo", "A".repeat(58), /wrong checksum/],
  ["wallets", "facilitatorUrl", "payai", /"url" must be an http\(s\) address/],
  ["wallets", "facilitatorUrl", "https://", /"url" must be an http\(s\) address/],
  ["prices", "price:/fear-greed", "one cent", /must be a USD amount such as "0\.01"/],
  ["prices", "price:/fear-greed", "0", /a price must be above 0/],
  ["prices", "price:/mempool", "0,02", /must be a USD amount/],
  ["prices", "price:/mempool", "-1", /must be a USD amount/],
  ["prices", "price:/mempool", "0.0000001", /must be a USD amount/],
  ["alerts", "alert.kind", "pigeon", /"kind" must be "ntfy" or "webhook"/],
  ["alerts", "alert.kind", "ntfy", /needs "url"/],
  ["alerts", "alert.kind", "email", /needs "host"/],
  ["keys", "key:coinmarketcap", "\u200b\u00a0\u2060", /"api_key" is empty/],
  ["keys", "key:coinmarketcap", "k".repeat(1_999), /"api_key" must be a text, at most \d+ characters/],
];
/** Of an alert that is told of a kind: what else it needs stands in the form as well. */
const WRONG_ALERTS: readonly (readonly [kind: string, field: string, typed: string, says: RegExp])[] = [
  ["ntfy", "alert.url", "ntfy.sh/topic", /"url" must be an http\(s\) address/],
  ["webhook", "alert.secret", "secret", /"secret" must be "whsec_" and base64/],
  ["email", "alert.port", "smtp", /"port" must be a whole number from 1 to 65535/],
  ["email", "alert.port", "0", /"port" must be a whole number from 1 to 65535/],
  ["email", "alert.port", "70000", /"port" must be a whole number from 1 to 65535/],
  ["email", "alert.to", "x".repeat(400), /"to" must be a text, at most 300 characters/],
];

const unescapeHTML = (text: string): string => text.replaceAll("&quot;", '"').replaceAll("&#39;", "'");

describe("a wrong answer is told beside its field, and nothing of it is kept", () => {
  const table = [
    ...WRONG.map(([step, field, typed, says]) => [step, field, typed, says, {}] as const),
    ...WRONG_ALERTS.map(([kind, field, typed, says]) => {
      const rest = { "alert.url": "https://example.com/x", "alert.host": "smtp.example.com", "alert.from": "a@b" };
      return ["alerts", field, typed, says, { ...rest, "alert.to": "a@b", "alert.kind": kind }] as const;
    }),
  ];
  const named = table.map((row) => [row[0], row[1], JSON.stringify(row[2].slice(0, 40)), row] as const);
  test.each(named)("%s: %s %s", async (_step, _field, _typed, [step, field, typed, says, rest]) => {
    const door = start();
    const { cookie, csrf } = await door.open();
    const answer = await door.post(`/setup/${step}`, { csrf, ...rest, [field]: typed }, { cookie });
    const page = unescapeHTML(await answer.text());
    const id = `f-${field.replaceAll(/[^A-Za-z0-9]+/g, "-")}`;
    const [, told = ""] = new RegExp(`id="${id}-fault" lang="en">([^<]*)<`).exec(page) ?? [];
    expect([answer.status, told]).toEqual([422, expect.stringMatching(says)]);
    expect(page).toContain('role="alert"');
    expect(page).toMatch(new RegExp(`id="${id}" name="[^"]+" aria-invalid="true" aria-describedby="[^"]*${id}-fault"`));
    expect(existsSync(join(door.file, "..", "setup.json"))).toBe(false);
  });
});

describe("what was entered", () => {
  const enter = async (door: SetupDoor) => {
    const { cookie, csrf } = await door.open();
    const send = async (step: string, fields: Record<string, string>) => {
      const answer = await door.post(`/setup/${step}`, { csrf, ...fields }, { cookie });
      return [answer.status, answer.headers.get("location")];
    };
    expect(await send("shop", SHOP)).toEqual([303, "/setup/wallets"]);
    expect(await send("wallets", { basePayTo: BASE })).toEqual([303, "/setup/prices"]);
    expect(await send("prices", { "price:/fear-greed": "0.03", "price:/mempool": "0.005" })).toEqual([
      303,
      "/setup/alerts",
    ]);
    const mail = { "alert.host": "smtp.example.com", "alert.port": "465", "alert.from": "a@b", "alert.to": "c@d" };
    expect(await send("alerts", { "alert.kind": "email", "alert.url": "of ntfy", ...mail })).toEqual([
      303,
      "/setup/keys",
    ]);
    expect(await send("keys", { "key:coinmarketcap": 'a "secret" \\ key' })).toEqual([303, "/setup/sale"]);
    return { cookie, csrf };
  };

  test("becomes a file with its comments, which the node reads as it was meant", async () => {
    const door = start();
    const { cookie, csrf } = await enter(door);
    const last = await (await door.get("/setup/finish", { cookie })).text();
    expect(last).toContain("typed, not signed");
    expect(last).toContain("the operator&#39;s token");
    expect((await door.post("/setup/finish", { csrf }, { cookie })).status).toBe(200);
    expect(door.written()).toBe(1);
    const text = await Bun.file(door.file).text();
    expect(statSync(door.file).mode & 0o777).toBe(0o600);
    expect(text).toContain("# Addresses that are paid: only addresses, never keys.");
    expect(text).toContain("#[wallets.solana]");
    const loaded = await loadConfigFile(door.file);
    if ("faults" in loaded) throw new Error(loaded.faults);
    const { config } = loaded;
    expect(config.node).toMatchObject({ name: "Ann's shop", node_id: door.node_id });
    expect(config.server.trusted_proxies).toEqual(["127.0.0.1", "::1"]);
    expect(config.wallets.base?.pay_to).toBe(BASE);
    // Its own price is the product's: it is not written, and follows an upgrade.
    expect(config.prices).toEqual({ "/fear-greed": "0.03" });
    expect(config.alerts).toMatchObject([{ kind: "email", host: "smtp.example.com", port: 465, to: "c@d" }]);
    expect(config.alerts[0]?.url).toBeUndefined();
    expect(config.providers.tables.coinmarketcap?.api_key).toBe('a "secret" \\ key');
    // Nothing of it lies about, and nothing is served any more.
    expect(readdirSync(join(door.file, "..")).sort()).toEqual(["data", "node.toml"]);
    expect((await door.get("/setup/finish", { cookie })).status).toBe(404);
  });

  test("is there after a stop in the middle, behind a new code", async () => {
    const before = start();
    await enter(before);
    const after = before.restart();
    started.push(after);
    expect(after.code).not.toBe(before.code);
    expect(statSync(join(after.file, "..", "setup.json")).mode & 0o777).toBe(0o600);
    const { cookie } = await after.open();
    expect(await (await after.get("/setup/shop", { cookie })).text()).toContain('value="Ann&#39;s shop"');
    expect(await (await after.get("/setup/prices", { cookie })).text()).toContain('value="0.03"');
  });

  test("begins anew where its file is damaged", async () => {
    const before = start();
    await enter(before);
    for (const damage of ["", "{", "[]", '{"name": 1}', "null"]) {
      writeFileSync(join(before.file, "..", "setup.json"), damage);
      const after = before.restart();
      started.push(after);
      const { cookie } = await after.open();
      const page = await (await after.get("/setup/shop", { cookie })).text();
      expect([damage, page.includes("Ann")]).toEqual([damage, false]);
    }
  });

  test("writes nothing where something is wrong with the whole", async () => {
    const door = start();
    await enter(door);
    writeFileSync(join(door.file, "..", "setup.json"), JSON.stringify({ basePayTo: "0x1" }));
    const after = door.restart();
    started.push(after);
    const opened = await after.open();
    const answer = await after.post("/setup/finish", { csrf: opened.csrf }, { cookie: opened.cookie });
    expect(unescapeHTML(await answer.text())).toContain('"pay_to" must be 0x and 40 hex digits');
    expect([existsSync(door.file), after.written()]).toEqual([false, 0]);
  });

  test("the node's key is handed to the open browser alone", async () => {
    const door = start();
    const { cookie, csrf } = await door.open();
    const key = await door.post("/setup/node-key.pem", { csrf }, { cookie });
    expect(key.headers.get("content-disposition")).toBe('attachment; filename="node-key.pem"');
    expect(await key.text()).toBe("the node's key");
    expect((await door.post("/setup/node-key.pem", { csrf })).status).toBe(403);
    expect((await door.post("/setup/node-key.pem", {}, { cookie })).status).toBe(404);
    expect((await door.get("/setup/node-key.pem", { cookie })).status).not.toBe(200);
  });
});

describe("a wallet of the set-up", () => {
  const account = privateKeyToAccount(VECTOR.base_key as `0x${string}`);
  const enter = async (door: SetupDoor) => {
    const { cookie, csrf } = await door.open();
    const send = (path: string, fields: Record<string, string>) => door.post(path, { csrf, ...fields }, { cookie });
    const look = async () => unescapeHTML(await (await door.get("/setup/wallets", { cookie })).text());
    return { send, look };
  };

  test("gives its address, signs the node's statement, and that is its proof in the file", async () => {
    const door = start();
    const { send, look } = await enter(door);
    await send("/setup/shop", SHOP);
    // As wallets give it: in lower case.
    const asked = await send("/setup/claim", { wallet: "base", address: account.address.toLowerCase() });
    const { statement } = (await asked.json()) as { readonly statement: string };
    expect(statement).toContain(door.node_id);
    expect(statement).toContain("https://node.example.com");
    const signature = await account.signMessage({ message: statement });
    expect((await send("/setup/proof", { wallet: "base", signature })).status).toBe(303);
    expect(await look()).toContain("signed by the wallet");
    await send("/setup/finish", {});
    const loaded = await loadConfigFile(door.file);
    if ("faults" in loaded) throw new Error(loaded.faults);
    expect(loaded.config.wallets.base?.proofs).toHaveLength(1);
    expect(await findOwnershipFaults(loaded.config)).toEqual([]);
  });

  test("proves nothing by another wallet, over another text, or for an address that changed", async () => {
    const door = start();
    const { send, look } = await enter(door);
    await send("/setup/shop", SHOP);
    const asked = await send("/setup/claim", { wallet: "base", address: account.address });
    const { statement } = (await asked.json()) as { readonly statement: string };
    const other = privateKeyToAccount(generatePrivateKey());
    const wrong = [
      await other.signMessage({ message: statement }),
      await account.signMessage({ message: `${statement} ` }),
      ...["", "0x", "x".repeat(2_000)],
    ];
    for (const signature of wrong) {
      await send("/setup/proof", { wallet: "base", signature });
      const page = await look();
      expect([page.includes("Not signed by this address"), page.includes("signed by the wallet")]).toEqual([
        true,
        false,
      ]);
    }
    const signature = await account.signMessage({ message: statement });
    await send("/setup/proof", { wallet: "__proto__", signature });
    await send("/setup/proof", { wallet: "base", signature });
    expect(await look()).toContain("signed by the wallet");
    await send("/setup/shop", { ...SHOP, publicUrl: "https://other.example.com" });
    expect(await look()).not.toContain("signed by the wallet");
  });

  test("is told what to fill in first, and a wrong address is not taken", async () => {
    const door = start();
    const { send, look } = await enter(door);
    expect(await look()).toContain("Fill in the public address first");
    await send("/setup/shop", SHOP);
    const asked = await send("/setup/claim", { wallet: "base", address: "0x1" });
    expect([asked.status, ((await asked.json()) as { error: string }).error]).toEqual([
      422,
      '"pay_to" must be 0x and 40 hex digits',
    ]);
    expect((await send("/setup/claim", { wallet: "dogecoin", address: account.address })).status).toBe(422);
  });
});

describe("what is tried before it is written", () => {
  test("a test message goes the way that was filled in, and what came of it is told", async () => {
    const taken: string[] = [];
    const receiver = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        taken.push(await request.text());
        return new Response(null, { status: taken.length === 1 ? 200 : 403 });
      },
    });
    const door = start();
    const { cookie, csrf } = await door.open();
    const send = async (fields: Record<string, string>) => {
      await door.post("/setup/alerts", { csrf, go: "test", ...fields }, { cookie });
      return (await door.get("/setup/alerts", { cookie })).text();
    };
    const ntfy = { "alert.kind": "ntfy", "alert.url": receiver.url.href };
    expect(await send(ntfy)).toContain("the message was sent");
    expect(await send(ntfy)).toContain("ntfy 1: answered 403");
    expect(taken).toHaveLength(2);
    expect(await send({ "alert.kind": "" })).toContain("Choose how you are told");
    void receiver.stop(true);
  });

  test("a sale on test money is of the draft, and is told step by step", async () => {
    const drafts: string[] = [];
    const steps = [
      { step: 1, title: "It buys", lines: ["GET /fear-greed"], checks: [{ what: "it is paid", ok: true }] },
    ];
    const door = start({
      sell(draft) {
        drafts.push(draft);
        return drafts.length === 1
          ? { ok: true, steps, error: null }
          : { ok: false, steps: [], error: "no <loopback>" };
      },
    });
    const { cookie, csrf } = await door.open();
    await door.post("/setup/prices", { csrf, "price:/fear-greed": "0.07" }, { cookie });
    const sold = await (await door.post("/setup/sale", { csrf }, { cookie })).text();
    expect([sold.includes("Sold: every step"), sold.includes("✓ it is paid")]).toEqual([true, true]);
    expect(drafts[0]).toContain('"/fear-greed" = "0.07"');
    const failed = await (await door.post("/setup/sale", { csrf }, { cookie })).text();
    expect([failed.includes("did not go through"), failed.includes("no &lt;loopback&gt;")]).toEqual([true, true]);
  });
});
