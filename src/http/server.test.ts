import { expect, test } from "bun:test";
import { connect } from "node:net";
import { createStillClock, STILL_TIMERS } from "../../test/helpers/still-clock.ts";
import { createLog } from "../telemetry/log.ts";
import { peerOf } from "./divert.ts";
import type { HTTPCalls } from "./http-call.ts";
import { type ServerOptions, startServer } from "./server.ts";
import { createSlowRefusals } from "./slow-refusals.ts";

const log = createLog({ level: "silent", format: "json", secrets: [] });
/** More than the buffers of both kernels hold. */
const LONG = "x".repeat(32_000_000);

const start = (answer: ServerOptions["fetch"] = () => new Response(LONG), idle_timeout_s = 0) =>
  startServer({
    host: "127.0.0.1",
    port: 0,
    body_bytes_max: 1_000,
    http_calls: { run: () => new Response(null, { status: 500 }), active: 0 } as HTTPCalls,
    fetch: answer,
    log,
    idle_timeout_s,
  });

test.each([
  ["reads nothing", ""],
  ["reads nothing and keeps sending", "GET /"],
])("a client that %s does not hold its connection", async (_, then) => {
  const http = start(undefined, 1);
  const socket = connect(http.port, "127.0.0.1", () => socket.write("GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
  socket.pause();
  socket.on("error", () => undefined);
  const sending = setInterval(() => then !== "" && socket.writable && socket.write(then), 200);
  while (http.pending === 0) await Bun.sleep(5);
  // Ends when the server gives the connection up; until then the answer is pending.
  while (http.pending > 0) await Bun.sleep(20);
  clearInterval(sending);
  socket.destroy();
  await http.stop(true);
});

test("an answer that is read is not cut off", async () => {
  const http = start();
  expect((await (await fetch(`${http.url}/x`)).text()).length).toBe(LONG.length);
  await http.stop(true);
});

test("a sender is known by its address, also when it hung up before anybody looked", async () => {
  const begun = Promise.withResolvers<Request>();
  const http = start((request) => {
    begun.resolve(request);
    return new Promise<Response>((resolve) =>
      request.signal.addEventListener("abort", () => resolve(new Response()), { once: true }),
    );
  });
  const socket = connect(http.port, "127.0.0.1", () =>
    socket.write('POST /x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{"a":'),
  );
  const request = await begun.promise;
  const left = new Promise((resolve) => request.signal.addEventListener("abort", resolve, { once: true }));
  socket.destroy();
  await left;
  expect(peerOf(request)).toBe("127.0.0.1");
  await http.stop(true);
});

test("a caller without a connection has no address, and gets no substitute", () => {
  expect(peerOf(new Request("http://127.0.0.1/x"))).toBe("");
});

test("a refusal that is held back is given up when its client hangs up, and goes when it is let go", async () => {
  const refusals = createSlowRefusals({ clock: createStillClock(), timers: STILL_TIMERS });
  const flood = "203.0.113.1";
  while (refusals.note(flood, new Request("http://127.0.0.1/x")) === null);
  expect(refusals.held).toBe(1);
  const http = start(async (request) => {
    await refusals.note(flood, request);
    return new Response(null, { status: 429 });
  });
  const client = new AbortController();
  const given_up = fetch(`${http.url}/x`, { signal: client.signal }).catch((error: Error) => error.name);
  while (refusals.held < 2) await Bun.sleep(1);
  client.abort();
  expect(await given_up).toBe("AbortError");
  while (refusals.held > 1) await Bun.sleep(1);
  const waiting = fetch(`${http.url}/x`);
  while (refusals.held < 2) await Bun.sleep(1);
  refusals.close();
  expect((await waiting).status).toBe(429);
  await http.stop(true);
});
