import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AlertBook, createAlertBook } from "./alert-book.ts";
import { type AlertEntry, createChannels } from "./channels.ts";
import type { AlertChannel, AlertCondition, AlertMessage } from "./types.ts";

const folder = mkdtempSync(join(tmpdir(), "alerts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START_MS = Date.UTC(2026, 10, 22, 12);
let now_ms = START_MS;
const clock = { now: () => now_ms };
const pass = (ms: number): void => {
  now_ms += ms;
};
const DOWN: AlertCondition = {
  id: "facilitator:a",
  severity: "critical",
  title: "a is down",
  text: "…",
  for_ms: 120_000,
};

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
const open = (write?: (path: string, text: string) => void): AlertBook =>
  createAlertBook({ file, clock, channels: [channel], log: () => undefined, ...(write ? { write } : {}) });
const kinds = (): readonly string[] => sent.map(({ kind }) => kind);

beforeEach(() => {
  file = join(folder, `${crypto.randomUUID()}.json`);
  sent = [];
  refuse = false;
  now_ms = START_MS;
});

describe("a trouble", () => {
  test("is reported when it lasted, once, and its end once", async () => {
    const book = open();
    const look = async (conditions: readonly AlertCondition[]) => {
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

  test("that was over before it lasted is not reported", async () => {
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

describe("many troubles at once", () => {
  const troubles = (count: number, severity: AlertCondition["severity"] = "warning"): readonly AlertCondition[] =>
    Array.from({ length: count }, (_, n) => ({
      id: `source:${n}`,
      severity,
      title: `source ${n} is down`,
      text: "…",
      for_ms: 0,
    }));
  const CRITICAL: AlertCondition = { id: "ledger", severity: "critical", title: "no writes", text: "…", for_ms: 0 };

  test("are few messages, what is critical first and the rest in a summary", async () => {
    const book = open(writeFileSync);
    book.update([...troubles(91), CRITICAL]);
    await book.deliver();
    expect(sent.map(({ event }) => event)).toEqual(["ledger", "source", "summary"]);
    expect(sent.flatMap(({ alerts }) => alerts)).toHaveLength(92);
    expect(sent[2]?.title).toBe("90 more messages in one");
  });

  test("are never more than five messages in ten minutes, and all are sent in the end", async () => {
    const book = open(writeFileSync);
    const times: number[] = [];
    for (let minutes = 0; minutes < 40; minutes += 1) {
      const before = sent.length;
      book.update([...troubles(3 * minutes), ...(minutes > 10 ? [CRITICAL] : [])]);
      await book.deliver();
      for (let n = before; n < sent.length; n += 1) times.push(now_ms);
      pass(60_000);
    }
    for (const at_ms of times) {
      expect(times.filter((other) => other >= at_ms && other < at_ms + 600_000).length).toBeLessThanOrEqual(5);
    }
    expect(sent.filter(({ alerts }) => alerts.includes("ledger"))).toHaveLength(1);
    expect(new Set(sent.flatMap(({ alerts }) => alerts)).size).toBeGreaterThan(80);
  });

  test("that a dead channel took no message of are few when it is back", async () => {
    const book = open(writeFileSync);
    refuse = true;
    for (let hours = 0; hours < 18; hours += 1) {
      book.update(troubles(10 * hours));
      await book.deliver();
      pass(3_600_000);
    }
    refuse = false;
    for (let minutes = 0; minutes < 15; minutes += 1) {
      book.update(troubles(180));
      await book.deliver();
      pass(60_000);
    }
    expect(sent.length).toBeLessThanOrEqual(6);
    expect(new Set(sent.flatMap(({ alerts }) => alerts)).size).toBe(180);
  });

  test("that end together are one message", async () => {
    const book = open(writeFileSync);
    book.update(troubles(40));
    await book.deliver();
    book.update([]);
    pass(600_000);
    book.update([]);
    await book.deliver();
    const ends = sent.filter(({ kind }) => kind === "closed");
    expect(ends.map(({ title, alerts }) => [title, alerts.length])).toEqual([["40 troubles", 40]]);
  });
});

describe("what is open", () => {
  const CRITICAL: AlertCondition = { ...DOWN, for_ms: 0 };
  const WARNING: AlertCondition = { ...CRITICAL, id: "gas:a", severity: "warning" };

  test("is reminded of every four hours while it is critical", async () => {
    const book = open();
    for (let hours = 0; hours <= 12; hours += 1) {
      book.update([CRITICAL, WARNING]);
      await book.deliver();
      pass(3_600_000);
    }
    expect(sent.map(({ event, kind }) => `${event} ${kind}`)).toEqual([
      ...["facilitator opened", "gas opened"],
      ...["facilitator reminded", "facilitator reminded", "facilitator reminded"],
    ]);
  });

  test("is reported again when it gets worse, and when it takes hold of more", async () => {
    const book = open();
    const look = async (condition: AlertCondition, later_ms: number) => {
      pass(later_ms);
      book.update([condition]);
      await book.deliver();
    };
    await look({ ...WARNING, subjects: ["a"] }, 0);
    await look({ ...WARNING, subjects: ["a", "b"] }, 60_000);
    expect(kinds()).toHaveLength(1);
    await look({ ...WARNING, subjects: ["a", "b"] }, 600_000);
    await look({ ...WARNING, subjects: ["a"] }, 600_000);
    expect(kinds()).toHaveLength(2);
    await look({ ...WARNING, severity: "critical", subjects: ["a"] }, 1_000);
    await look({ ...WARNING, severity: "critical", subjects: ["a"] }, 1_000);
    expect(kinds()).toEqual(["opened", "opened", "opened"]);
  });

  test("waits in quiet hours unless it is critical", async () => {
    let is_quiet = true;
    const quiet = { ...channel, isQuiet: () => is_quiet };
    const book = createAlertBook({ file, clock, channels: [quiet], log: () => undefined });
    book.update([CRITICAL, WARNING]);
    await book.deliver();
    expect(sent.map(({ event }) => event)).toEqual(["facilitator"]);
    is_quiet = false;
    book.update([CRITICAL, WARNING]);
    await book.deliver();
    expect(sent.map(({ event }) => event)).toEqual(["facilitator", "gas"]);
  });

  test("goes to a channel that is new, and its end only to those that knew of it", async () => {
    const heard: string[] = [];
    const listen = (name: string, key: string): AlertChannel => ({
      name,
      key,
      wants: () => true,
      send: async ({ kind, alerts }) => void heard.push(`${key} ${kind} ${alerts.join()}`),
    });
    const channels: AlertChannel[] = [];
    const book = createAlertBook({ file, clock, channels, log: () => undefined });
    const look = async (conditions: readonly AlertCondition[]) => {
      book.update(conditions);
      await book.deliver();
    };
    await look([CRITICAL, WARNING]);
    expect(book.list().map(({ told }) => told)).toEqual([false, false]);
    await look([CRITICAL]);
    pass(600_000);
    await look([CRITICAL]);
    channels.push(listen("ntfy 1", "phone"));
    await look([CRITICAL]);
    // It stands elsewhere in the configuration now.
    channels.splice(0, 1, listen("webhook 1", "hook"), listen("ntfy 2", "phone"));
    await look([CRITICAL]);
    await look([]);
    pass(600_000);
    await look([]);
    expect(heard).toEqual([
      ...["phone opened facilitator:a", "hook opened facilitator:a"],
      ...["hook closed facilitator:a", "phone closed facilitator:a"],
    ]);
  });

  test("is reported although the disk takes nothing, and one channel that is away holds up no other", async () => {
    mkdirSync(`${file}.new`);
    const logged: unknown[] = [];
    const away: AlertChannel = {
      name: "away",
      wants: () => true,
      send: () => Promise.reject(new Error("could not be reached")),
    };
    const book = createAlertBook({ file, clock, channels: [away, channel], log: (told) => logged.push(told.event) });
    book.update([CRITICAL]);
    await book.deliver();
    book.update([CRITICAL]);
    await book.deliver();
    expect(kinds()).toEqual(["opened"]);
    expect(logged.filter((event) => event === "alerts_not_kept")).toHaveLength(1);
  });

  test("and explained by another trouble is reported only when it outlasts that one", async () => {
    const book = open();
    const look = async (conditions: readonly AlertCondition[], later_ms: number) => {
      pass(later_ms);
      book.update(conditions);
      await book.deliver();
    };
    const offline: AlertCondition = { ...CRITICAL, id: "offline" };
    await look([offline, { ...WARNING, because: "offline" }], 0);
    await look([offline, { ...WARNING, because: "offline" }], 3_600_000);
    expect(sent.map(({ event }) => event)).toEqual(["offline"]);
    await look([WARNING], 15_000);
    await look([WARNING], 60_000);
    expect(sent.map(({ event }) => event)).toEqual(["offline"]);
    await look([WARNING], 300_000);
    expect(sent.map(({ event }) => event)).toEqual(["offline", "gas"]);
  });

  test("and stops sales is over a minute after it is, and later when it comes and goes", async () => {
    const book = open();
    const quick: AlertCondition = { ...CRITICAL, over_ms: 60_000 };
    for (let minutes = 0; minutes < 60; minutes += 1) {
      book.update(minutes % 4 < 2 ? [quick] : []);
      await book.deliver();
      pass(60_000);
    }
    expect(kinds()).toEqual(["opened", "closed", "opened"]);
  });
});

test("an event is reported once for ever", async () => {
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
  alerts: ["facilitator:a"],
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

  test("quiet hours are UTC, and go over midnight where they end before they begin", () => {
    const isQuiet = (quiet_hours: string, hour: number) =>
      channelOf({ quiet_hours }).isQuiet?.(Date.UTC(2026, 10, 22, hour, 30));
    expect([21, 22, 23, 0, 6, 7, 12].map((hour) => isQuiet("22:00-07:00", hour))).toEqual([
      ...[false, true, true, true, true, false, false],
    ]);
    expect([8, 9, 16, 17].map((hour) => isQuiet("09:00-17:00", hour))).toEqual([false, true, true, false]);
  });

  test("an entry is known again wherever it stands, and two that lead to one place are two", () => {
    const phone: AlertEntry = { ...ENTRY, url: "https://ntfy.sh/secret-topic" };
    const hook: AlertEntry = { ...ENTRY, kind: "webhook", url: "https://hooks.example.com/a" };
    const keysOf = (entries: readonly AlertEntry[]) =>
      createChannels(entries, { node_name: "t", version: "1" }).map(({ key }) => key);
    expect(keysOf([hook, phone]).toReversed()).toEqual([...keysOf([phone, hook])]);
    expect(new Set(keysOf([phone, { ...phone, least: "critical" }])).size).toBe(2);
    expect(keysOf([phone]).join()).not.toContain("secret-topic");
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
    kind: "smtp",
    host: "127.0.0.1",
    port: await listening,
    user: "me",
    password: "hunter22",
    from: "node@example.com",
    to: "you@example.com",
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
