import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AlertBook, createAlertBook } from "./alert-book.ts";
import { type AlertEntry, createChannels } from "./channels.ts";
import type { AlertChannel, AlertMessage, Condition } from "./types.ts";

const folder = mkdtempSync(join(tmpdir(), "alerts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START_MS = Date.UTC(2026, 10, 22, 12);
let now_ms = START_MS;
const clock = { now: () => now_ms };
const pass = (ms: number): void => {
  now_ms += ms;
};
const DOWN: Condition = { id: "facilitator:a", severity: "critical", title: "a is down", text: "…", for_ms: 120_000 };

let file = "";
let sent: AlertMessage[] = [];
let refuse = false;
const channel: AlertChannel = {
  name: "test 1",
  wants: () => true,
  async send(message) {
    if (refuse) throw new Error("answered 503");
    sent.push(message);
  },
};
const open = (): AlertBook => createAlertBook({ file, clock, channels: [channel], log: () => undefined });
const kinds = (): readonly string[] => sent.map(({ kind }) => kind);

beforeEach(() => {
  file = join(folder, `${crypto.randomUUID()}.json`);
  sent = [];
  refuse = false;
  now_ms = START_MS;
});

describe("a trouble", () => {
  test("is told when it lasted, once, and its end once", async () => {
    const book = open();
    const look = async (conditions: readonly Condition[]) => {
      book.update(conditions);
      await book.deliver();
    };
    await look([DOWN]);
    expect(kinds()).toEqual([]);
    pass(119_000);
    await look([DOWN]);
    expect(kinds()).toEqual([]);
    pass(1_000);
    await look([DOWN]);
    await look([DOWN]);
    expect(kinds()).toEqual(["opened"]);
    await look([]);
    pass(599_000);
    await look([]);
    expect(kinds()).toEqual(["opened"]);
    pass(1_000);
    await look([]);
    await look([]);
    expect(kinds()).toEqual(["opened", "closed"]);
    expect(book.list()).toEqual([]);
  });

  test("that was over before it lasted is nobody's business", async () => {
    const book = open();
    book.update([DOWN]);
    pass(60_000);
    book.update([]);
    pass(600_000);
    book.update([DOWN]);
    await book.deliver();
    expect(kinds()).toEqual([]);
  });

  test("that comes and goes is one trouble", async () => {
    const book = open();
    book.update([DOWN]);
    pass(120_000);
    for (let round = 0; round < 20; round += 1) {
      book.update([DOWN]);
      pass(300_000);
      book.update([]);
      pass(300_000);
    }
    await book.deliver();
    expect(kinds()).toEqual(["opened"]);
  });

  test("is not told again after a restart, and its end is", async () => {
    const before = open();
    before.update([DOWN]);
    pass(120_000);
    before.update([DOWN]);
    await before.deliver();
    const after = open();
    expect(after.list()).toMatchObject([{ id: "facilitator:a", told: true, since: "2026-11-22T12:00:00Z" }]);
    after.update([DOWN]);
    after.update([]);
    pass(600_000);
    after.update([]);
    await after.deliver();
    expect(kinds()).toEqual(["opened", "closed"]);
  });

  test("is sent later when nobody takes it, by the next process too, under the same id", async () => {
    refuse = true;
    const before = open();
    before.update([{ ...DOWN, for_ms: 0 }]);
    await before.deliver();
    await before.deliver();
    const waiting = JSON.parse(readFileSync(file, "utf8")).outbox;
    expect(waiting).toMatchObject([{ tries: 1, next_ms: START_MS + 30_000 }]);
    refuse = false;
    const after = open();
    await after.deliver();
    expect(sent).toEqual([]);
    pass(30_000);
    await after.deliver();
    expect(sent).toMatchObject([{ id: waiting[0].message.id, kind: "opened" }]);
    expect(after.undelivered).toBe(0);
  });

  test("that nobody took for a day is dropped", async () => {
    refuse = true;
    const book = open();
    book.update([{ ...DOWN, for_ms: 0 }]);
    pass(86_400_000);
    await book.deliver();
    expect(book.undelivered).toBe(0);
  });
});

test("what happened is told once for ever", async () => {
  const first = { id: "first-sale", title: "the first sale", text: "…" };
  open().tell(first);
  const book = open();
  book.tell(first);
  await book.deliver();
  expect(sent).toHaveLength(1);
  expect(book.hasTold("first-sale")).toBe(true);
});

test("a book that was damaged is begun anew", () => {
  writeFileSync(file, '{"open":{"a":1}');
  expect(open().list()).toEqual([]);
});

const ENTRY: AlertEntry = { kind: "ntfy", port: 587, least: "info", events: [] };
const MESSAGE: AlertMessage = {
  id: "alert_1",
  event: "facilitator",
  kind: "opened",
  severity: "critical",
  title: "facilitator a does not answer",
  text: "Payments go through another one.",
  at: "2026-11-22T12:00:00Z",
};
const channelOf = (entry: Partial<AlertEntry>): AlertChannel => {
  const [made] = createChannels([{ ...ENTRY, ...entry }], { node_name: "tést", version: "1" });
  if (!made) throw new Error("no channel");
  return made;
};

describe("channels", () => {
  const received: { readonly path: string; readonly headers: Headers; readonly body: string }[] = [];
  let status = 200;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      received.push({ path: new URL(request.url).pathname, headers: request.headers, body: await request.text() });
      return new Response("", { status, headers: status === 302 ? { Location: "/elsewhere" } : {} });
    },
  });
  afterAll(() => server.stop(true));
  const url = `http://127.0.0.1:${server.port}/secret-topic`;
  beforeEach(() => {
    received.length = 0;
    status = 200;
  });

  test("ntfy gets title, priority, tag and token", async () => {
    await channelOf({ url, token: "tk_1" }).send(MESSAGE, START_MS);
    const [{ headers, body } = { headers: new Headers(), body: "" }] = received;
    expect(headers.get("title")).toBe("t?st: facilitator a does not answer");
    expect(headers.get("priority")).toBe("5");
    expect(headers.get("authorization")).toBe("Bearer tk_1");
    expect(body).toBe(MESSAGE.text);
    await channelOf({ url }).send({ ...MESSAGE, kind: "closed" }, START_MS);
    expect(received[1]?.headers.get("title")).toBe("t?st: Over: facilitator a does not answer");
    expect(received[1]?.headers.get("priority")).toBe("3");
  });

  test("a webhook is signed as Standard Webhooks says", async () => {
    const key = Buffer.from("0123456789abcdef0123456789abcdef");
    await channelOf({ kind: "webhook", url, secret: `whsec_${key.toString("base64")}` }).send(MESSAGE, START_MS);
    const [{ headers, body } = { headers: new Headers(), body: "" }] = received;
    expect(JSON.parse(body)).toEqual({
      type: "alert.opened",
      timestamp: MESSAGE.at,
      data: { node: "tést", ...MESSAGE },
    });
    const signed = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`;
    expect(headers.get("webhook-timestamp")).toBe(String(START_MS / 1000));
    expect(headers.get("webhook-signature")).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  });

  test("what was not taken is an error that names no address", async () => {
    status = 500;
    await expect(channelOf({ url }).send(MESSAGE, START_MS)).rejects.toThrow(/^answered 500$/);
    status = 302;
    await expect(channelOf({ url }).send(MESSAGE, START_MS)).rejects.toThrow(/^could not be reached$/);
    const nobody = channelOf({ url: "http://127.0.0.1:9/secret-topic" });
    await expect(nobody.send(MESSAGE, START_MS)).rejects.toThrow(/^could not be reached$/);
  });

  test("each gets what it asked for", () => {
    expect(channelOf({ least: "warning" }).wants({ ...MESSAGE, severity: "info" })).toBe(false);
    expect(channelOf({ least: "warning" }).wants(MESSAGE)).toBe(true);
    expect(channelOf({ events: ["ledger"] }).wants(MESSAGE)).toBe(false);
    expect(channelOf({ events: ["facilitator"] }).wants(MESSAGE)).toBe(true);
  });
});

describe("e-mail", () => {
  const lines: string[] = [];
  let refused = false;
  /** As much of a mail server as one message needs. */
  const mail: Server = createServer((socket) => {
    let in_text = false;
    let rest = "";
    socket.write("220 test ESMTP\r\n");
    socket.on("data", (chunk) => {
      rest += chunk.toString();
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        lines.push(line);
        if (in_text) {
          if (line !== ".") continue;
          in_text = false;
          socket.write("250 taken\r\n");
        } else if (line.startsWith("EHLO")) socket.write("250-test\r\n250 AUTH PLAIN\r\n");
        else if (line.startsWith("AUTH")) socket.write(refused ? "535 wrong password hunter22\r\n" : "235 ok\r\n");
        else if (line === "DATA") {
          in_text = true;
          socket.write("354 go on\r\n");
        } else socket.write(line === "QUIT" ? "221 bye\r\n" : "250 ok\r\n");
      }
    });
    socket.on("error", () => undefined);
  });
  const listening = new Promise<number>((resolve) =>
    mail.listen(0, "127.0.0.1", () => resolve((mail.address() as { port: number }).port)),
  );
  afterAll(() => void mail.close());
  const entry = async (): Promise<Partial<AlertEntry>> => ({
    ...{ kind: "smtp", host: "127.0.0.1", port: await listening, user: "me", password: "hunter22" },
    ...{ from: "node@example.com", to: "you@example.com" },
  });

  test("is handed to the mail server", async () => {
    await channelOf(await entry()).send(MESSAGE, START_MS);
    expect(lines).toContain("RCPT TO:<you@example.com>");
    expect(lines).toContain("Message-ID: <alert_1@intel-node>");
    expect(lines.join("\n")).toContain(MESSAGE.text);
  });

  test("that is refused says why, without the password", async () => {
    refused = true;
    const failed = await channelOf(await entry())
      .send(MESSAGE, START_MS)
      .catch((error: unknown) => String(error));
    expect(failed).toContain("535");
    expect(failed).not.toContain("hunter22");
  });
});
