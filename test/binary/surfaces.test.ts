import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { cleanUp, type DemoNode, startDemo } from "../helpers/demo-node.ts";
import {
  localPlugin,
  newNodeFolder,
  startFacilitator,
  startRun,
  startUpstream,
  stopRuns,
} from "../helpers/run-node.ts";
import {
  CATALOG_DOCUMENTS,
  DOOR_CALLS,
  type DoorCall,
  NODE_DOCUMENTS,
  readDocument,
} from "../helpers/surface-fetch.ts";

/** What all public documents and doors of the compiled program have in common. */
const EXAMPLES = join(import.meta.dir, "..", "..", "docs", "examples", "plugins");
let plain: DemoNode;

beforeAll(async () => {
  plain = await startDemo();
});
afterAll(async () => {
  await stopRuns();
  await cleanUp();
});

/** Whether a text names a product by its path or by the name tools have. */
const names = (text: string, id: string): boolean =>
  text.includes(`/${id}`) || text.includes(`"${id.replaceAll("-", "_")}"`);

const askDoor = async (url: string, { path, init }: DoorCall): Promise<string> => {
  const response = await fetch(`${url}${path}`, init);
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.text();
};

describe("a plugin dropped beside the binary", () => {
  let extended: DemoNode;
  beforeAll(async () => {
    extended = await startDemo({ args: ["--plugins", EXAMPLES] });
  });

  test.each(CATALOG_DOCUMENTS)("shows up in $path $accept, and is not there without it", async (document) => {
    expect(names(await readDocument(extended.url, document), "bitcoin-tip")).toBe(true);
    expect(names(await readDocument(plain.url, document), "bitcoin-tip")).toBe(false);
  });

  test.each(DOOR_CALLS)("shows up in $name, and is not there without it", async (call) => {
    expect(names(await askDoor(extended.url, call), "bitcoin-tip")).toBe(true);
    expect(names(await askDoor(plain.url, call), "bitcoin-tip")).toBe(false);
  });
});

describe("a product withheld by configuration", () => {
  const up = startUpstream();
  const facilitator = startFacilitator();
  const urls: Record<"offered" | "withheld", string> = { offered: "", withheld: "" };

  beforeAll(async () => {
    const entry = `url = "${facilitator.url}"`;
    const plugin = localPlugin(up.url);
    urls.offered = (await startRun(newNodeFolder([entry], "", plugin))).url();
    const off = "[providers.local_test]\nenabled = false\n";
    urls.withheld = (await startRun(newNodeFolder([entry], off, plugin))).url();
  });
  afterAll(() => {
    up.stop();
    facilitator.stop();
  });

  test.each(CATALOG_DOCUMENTS)("is not in $path $accept", async (document) => {
    expect(names(await readDocument(urls.offered, document), "local")).toBe(true);
    expect(names(await readDocument(urls.withheld, document), "local")).toBe(false);
  });

  test.each(DOOR_CALLS)("is not in $name", async (call) => {
    expect(names(await askDoor(urls.offered, call), "local")).toBe(true);
    expect(names(await askDoor(urls.withheld, call), "local")).toBe(false);
  });

  test("answers 404 and says where to look", async () => {
    const response = await fetch(`${urls.withheld}/local`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      code: "not_found",
      discovery: {
        openapi: `${urls.withheld}/openapi.json`,
        llms_txt: `${urls.withheld}/llms.txt`,
        pricing: `${urls.withheld}/get-pricing`,
      },
    });
  });
});

/** Sends text as it is; what comes back until the node hangs up. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    const end = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString("latin1"));
    };
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("close", end);
    socket.on("error", end);
  });
}

const FORGED = [
  "X-Forwarded-Host: evil.example",
  "X-Forwarded-Proto: evil",
  "X-Forwarded-Server: evil.example",
  "X-Original-Host: evil.example",
  "Forwarded: host=evil.example;proto=evil",
  "X-Forwarded-Prefix: /evil",
];

describe("a forged Host or X-Forwarded header leaves no trace", () => {
  const portOf = () => Number(new URL(plain.url).port);
  const every = [
    ...CATALOG_DOCUMENTS,
    ...NODE_DOCUMENTS,
    ...["/fear-greed", "/nowhere"].map((path) => ({ path, accept: "*/*" })),
  ];

  test.each(every)("in $path $accept", async ({ path, accept }) => {
    for (const host of ["evil.example", `127.0.0.1:${portOf()}`]) {
      const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...FORGED, `Accept: ${accept}`, "Connection: close"];
      const answer = await sendRaw(portOf(), [...lines, "", ""].join("\r\n"));
      expect(answer).toMatch(/^HTTP\/1\.1 (200|402|404)/);
      expect(answer).not.toMatch(/\bevil\b/i);
    }
  });

  test.each(DOOR_CALLS)("in $name", async ({ path, init: { headers, body } }) => {
    const given = Object.entries(headers as Record<string, string>).map(([name, value]) => `${name}: ${value}`);
    const text = String(body);
    const lines = [`POST ${path} HTTP/1.1`, "Host: evil.example", ...FORGED, ...given];
    const length = `Content-Length: ${Buffer.byteLength(text)}`;
    const answer = await sendRaw(portOf(), `${[...lines, length, "Connection: close"].join("\r\n")}\r\n\r\n${text}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(answer).not.toMatch(/\bevil\b/i);
  });
});

/** Made per call, so they are never kept. */
const PER_CALL = ["/live", "/receipts", "/welcome", "/try", "/sample", "/mcp", "/"];
const PAGES = ["/docs"];

describe("every document", () => {
  const rendered = [...CATALOG_DOCUMENTS, ...NODE_DOCUMENTS].filter(
    ({ path }) => !PER_CALL.includes(path) && !PAGES.includes(path),
  );

  test.each(rendered)(
    "$path $accept has an ETag, can be kept for five minutes, and is not sent twice",
    async ({ path, accept }) => {
      const headers = { accept };
      const first = await fetch(`${plain.url}${path}`, { headers });
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[0-9a-f]{24}(-gzip)?"$/);
      expect(first.headers.get("cache-control")).toBe("public, max-age=300");
      expect((await first.bytes()).length).toBeLessThanOrEqual(256 * 1024);
      const again = await fetch(`${plain.url}${path}`, { headers: { ...headers, "if-none-match": etag } });
      expect(again.status).toBe(304);
      expect(again.headers.get("etag")).toBe(etag);
    },
  );

  const all = [...CATALOG_DOCUMENTS, ...NODE_DOCUMENTS];
  test.each(all)(
    "$path $accept may be read by any origin, also by HEAD and after a preflight",
    async ({ path, accept }) => {
      const headers = { accept };
      const whole = await fetch(`${plain.url}${path}`, { headers });
      await whole.bytes();
      const head = await fetch(`${plain.url}${path}`, { method: "HEAD", headers });
      expect(head.status).toBe(200);
      expect((await head.bytes()).length).toBe(0);
      expect(head.headers.get("content-type")).toBe(whole.headers.get("content-type"));
      for (const { headers: answered } of [whole, head]) {
        expect(answered.get("access-control-allow-origin")).toBe("*");
        expect(answered.get("access-control-expose-headers")).toContain("PAYMENT-REQUIRED");
      }
      const preflight = await fetch(`${plain.url}${path}`, { method: "OPTIONS" });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-headers")).toContain("PAYMENT-SIGNATURE");
    },
  );

  test("a 402 is never kept", async () => {
    expect((await plain.get("/fear-greed")).headers.get("cache-control")).toBe("no-store");
  });

  test.each(CATALOG_DOCUMENTS)("$path $accept of a demo says that it is one", async (document) => {
    const text = await readDocument(plain.url, document);
    expect(text).toMatch(/sandbox/i);
  });
});
