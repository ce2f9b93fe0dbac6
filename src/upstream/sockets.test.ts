import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createTestProvider, createTestUpstream } from "../../test/helpers/fake-upstream.ts";
import { createManualTimers } from "../../test/helpers/manual-timers.ts";
import { createStillClock, START_MS } from "../../test/helpers/still-clock.ts";
import type { SubscriptionRequest } from "../catalog/subscription.ts";
import { unusable } from "../catalog/unusable.ts";
import type { Connect, SocketEvents } from "./sockets.ts";

const Trade = Type.Object({ price: Type.Number() });
const request: SubscriptionRequest<typeof Trade, { readonly usd: number }> = {
  path: "/stream",
  hello: [{ subscribe: "trades" }],
  schema: Trade,
  read: ({ price }) => (price === 0 ? null : price < 0 ? unusable("a negative price") : { usd: price }),
  silence_ms: 30_000,
  buffer_max: 3,
};

/** A node whose sockets the test plays. */
function setUp(options: { api_key?: string } = {}) {
  const opened: {
    url: string;
    headers: Readonly<Record<string, string>>;
    sent: string[];
    events: SocketEvents;
    closed: boolean;
  }[] = [];
  const connect: Connect = (url, headers, events) => {
    const socket = { url, headers, sent: [] as string[], events, closed: false };
    opened.push(socket);
    return { send: (text) => socket.sent.push(text), close: () => (socket.closed = true) };
  };
  const timers = createManualTimers();
  const clock = createStillClock();
  const settings = options.api_key === undefined ? {} : { api_key: options.api_key };
  const node = createTestUpstream({ clock, timers, connect, settings });
  const provider = createTestProvider({
    base_urls: ["https://api.example.com"],
    key: { required: false, in: "query", name: "token" },
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await timers.advance(ms);
  };
  const run = () =>
    node.upstream.createContext({
      now_ms: clock.now(),
      signal: new AbortController().signal,
      history: { read: async () => [] },
      purpose: "job",
    });
  const drain = (change: Partial<typeof request> = {}) => run().drain(provider, { ...request, ...change });
  return { node, opened, pass, drain, run, provider };
}

const at = (seconds: number) => START_MS + seconds * 1_000;

describe("a stream", () => {
  test("connects at the first drain, sends its greeting, and returns the messages since the last drain", async () => {
    const { opened, drain, pass } = setUp();
    expect(drain()).toEqual({ listening_since_ms: null, messages: [], gaps: [] });
    const [socket] = opened;
    expect(socket?.url).toBe("wss://api.example.com/stream");
    await pass(1_000);
    socket?.events.onOpen();
    expect(socket?.sent).toEqual(['{"subscribe":"trades"}']);
    socket?.events.onMessage('{"price":5}');
    await pass(1_000);
    socket?.events.onMessage('{"price":0}');
    socket?.events.onMessage('{"price":6}');
    expect(drain()).toEqual({
      listening_since_ms: at(1),
      messages: [
        { at_ms: at(1), value: { usd: 5 } },
        { at_ms: at(2), value: { usd: 6 } },
      ],
      gaps: [{ from_ms: at(0), to_ms: at(1), why: "not connected yet" }],
    });
    expect(drain()).toEqual({ listening_since_ms: at(1), messages: [], gaps: [] });
    expect(opened.length).toBe(1);
  });

  test("that breaks reconnects after a pause, and the gap is reported, even while it lasts", async () => {
    const { opened, drain, pass } = setUp();
    drain();
    opened[0]?.events.onOpen();
    await pass(10_000);
    opened[0]?.events.onClose("the connection broke");
    await pass(200);
    expect(opened.length).toBe(1);
    expect(drain().gaps).toEqual([{ from_ms: at(10), to_ms: at(10.2), why: "the connection broke" }]);
    await pass(800);
    expect(opened.length).toBe(2);
    opened[1]?.events.onOpen();
    expect(opened[1]?.sent.length).toBe(1);
    expect(drain().gaps).toEqual([{ from_ms: at(10.2), to_ms: at(11), why: "the connection broke" }]);
    // Later messages of the old connection are ignored.
    opened[0]?.events.onMessage('{"price":5}');
    expect(drain().messages).toEqual([]);
  });

  test("that is silent for too long counts as dead; pauses double", async () => {
    const { opened, drain, pass } = setUp();
    drain();
    opened[0]?.events.onOpen();
    await pass(30_000);
    expect(opened[0]?.closed).toBe(true);
    expect(drain().gaps).toEqual([]);
    await pass(500);
    expect(opened.length).toBe(2);
    await pass(30_000);
    await pass(999);
    expect(drain().gaps).toMatchObject([{ from_ms: at(30), why: "nothing was heard" }]);
    expect(opened.length).toBe(3);
  });

  test("with more messages than the buffer holds loses the oldest, and reports it", async () => {
    const { opened, drain, pass } = setUp();
    drain();
    opened[0]?.events.onOpen();
    for (let price = 1; price <= 4; price += 1) {
      await pass(1_000);
      opened[0]?.events.onMessage(`{"price":${price}}`);
    }
    const { messages, gaps } = drain();
    expect(messages.map(({ value }) => value.usd)).toEqual([2, 3, 4]);
    expect(gaps).toEqual([{ from_ms: at(1), to_ms: at(2), why: "more than the buffer holds" }]);
  });

  test("an unusable message is a gap, not a value", async () => {
    const { node, opened, drain } = setUp();
    drain();
    opened[0]?.events.onOpen();
    for (const text of ["<html>", '{"cost":1}', '{"price":-1}', " ".repeat(1_000_001)])
      opened[0]?.events.onMessage(text);
    const { messages, gaps } = drain();
    expect(messages).toEqual([]);
    expect(gaps.map(({ why }) => why)).toEqual(Array(4).fill("a message was refused"));
    expect(JSON.stringify(node.events)).toContain("a negative price");
  });

  test("a message read as a text is accepted if the request says so, and refused otherwise", () => {
    for (const gives_text of [true, false]) {
      const { node, opened, run, provider } = setUp();
      const texts = { ...request, read: ({ price }: { price: number }) => `${price} USD`, gives_text };
      const drain = () => run().drain<typeof Trade, string>(provider, texts);
      drain();
      opened[0]?.events.onOpen();
      opened[0]?.events.onMessage('{"price":5}');
      expect(drain().messages.map(({ value }) => value)).toEqual(gives_text ? ["5 USD"] : []);
      expect(JSON.stringify(node.events).includes("it refuses by unusable(why)")).toBe(!gives_text);
    }
  });

  test("that is not drained any more is closed; the next drain starts again", async () => {
    const { opened, drain, pass } = setUp();
    drain({ silence_ms: 3_600_000 });
    opened[0]?.events.onOpen();
    await pass(15 * 60_000);
    expect(opened[0]?.closed).toBe(true);
    expect(drain().listening_since_ms).toBeNull();
    expect(opened.length).toBe(2);
  });

  test("its key is sent, and appears nowhere", () => {
    const { node, opened, drain, run, provider } = setUp({ api_key: "canary-key-0123456789" });
    drain();
    opened[0]?.events.onClose("refused: canary-key-0123456789");
    expect(opened[0]?.url).toBe("wss://api.example.com/stream?token=canary-key-0123456789");
    const context = run();
    context.drain(provider, request);
    const shown = Bun.inspect([node.events, context.sources(), drain()], { depth: 10 });
    expect(shown).not.toContain("canary");
    expect(context.sources()).toMatchObject([{ provider: "test_api", url: "https://api.example.com/stream" }]);
  });
});
