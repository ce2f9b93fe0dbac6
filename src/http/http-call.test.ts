import { expect, test } from "bun:test";
import { NodeError } from "../core/errors.ts";
import type { RequestRecord } from "../telemetry/log.ts";
import { createLog } from "../telemetry/log.ts";
import { createStats } from "../telemetry/stats.ts";
import { createClientAddresses } from "./client-address.ts";
import { createHTTPCalls, type Handler } from "./http-call.ts";
import { createRateLimits } from "./limits.ts";
import { createResponder } from "./respond.ts";
import type { SlowRefusals } from "./slow-refusals.ts";

const clock = { now: () => 0 };
const URL_OF = "http://127.0.0.1/known";

const AT_ONCE: Pick<SlowRefusals, "note"> = { note: () => null };

function start(per_minute = 100, slow_refusals = AT_ONCE) {
  const records: RequestRecord[] = [];
  const log = {
    ...createLog({ level: "silent", format: "json", secrets: [] }),
    request: (record: RequestRecord) => void records.push(record),
  };
  const stats = createStats(clock);
  const limits = createRateLimits({ per_minute, key_per_minute: 100, enabled: true, loopback_exempt: false, clock });
  const responder = createResponder({ public_url: "http://127.0.0.1" });
  let ids = 0;
  const calls = createHTTPCalls({
    log,
    stats,
    limits,
    slow_refusals,
    responder: () => responder,
    clientOf: createClientAddresses([]),
    newRequestId: () => `req_${ids++}`,
    onForwarded: () => undefined,
    problemPage: () => null,
    noCharge: async () => null,
  });
  return { calls, records, stats };
}

const createHandler = (atOnce: Handler["atOnce"], is_payable = true): Handler =>
  Object.assign(() => new Response("usual"), {
    ...(atOnce ? { atOnce } : {}),
    ...(is_payable ? { payable: true as const } : {}),
  });

const textOf = async (request: Request, handler: Handler): Promise<string> =>
  (await start().calls.run(request, handler, "/known")).text();

test("only a GET without a query and without anything to pay with is answered at once", async () => {
  const handler = createHandler(() => new Response("at once"));
  const paying = ["x-payment", "payment-signature", "x-api-key", "x-coupon"];
  expect(await textOf(new Request(URL_OF), handler)).toBe("at once");
  for (const name of paying)
    expect(await textOf(new Request(URL_OF, { headers: { [name]: "1" } }), handler)).toBe("usual");
  for (const query of ["?", "?preview=1", "?x402Version=1"]) {
    expect(await textOf(new Request(`${URL_OF}${query}`), handler)).toBe("usual");
  }
  for (const method of ["HEAD", "POST"]) expect(await textOf(new Request(URL_OF, { method }), handler)).toBe("usual");
  // Nobody pays for a free document, whatever he sends along.
  const free = createHandler(() => new Response("at once"), false);
  for (const name of paying)
    expect(await textOf(new Request(URL_OF, { headers: { [name]: "1" } }), free)).toBe("at once");
});

test("what has to be looked at closer goes the usual way, once counted", async () => {
  const { calls, records, stats } = start();
  const response = await calls.run(
    new Request(URL_OF),
    createHandler(() => null),
    "/known",
  );
  expect(await response.text()).toBe("usual");
  expect([records.length, stats.last24h().total, calls.active]).toEqual([1, 1, 0]);
});

test("what is answered at once is limited, counted and logged; a failure is an answer", async () => {
  const { calls, records, stats } = start(2);
  const handler = createHandler((_, request_id) => {
    if (request_id === "req_1") throw new NodeError("upstream_unavailable", "It recovers on its own.");
    return new Response("at once", { status: 402 });
  });
  const statuses: number[] = [];
  const left: (string | null)[] = [];
  for (let asked = 0; asked < 3; asked += 1) {
    const { status, headers } = await calls.run(new Request(URL_OF), handler, "/known");
    statuses.push(status);
    left.push(headers.get("ratelimit"));
  }
  expect(statuses).toEqual([402, 503, 429]);
  expect(left).toEqual(['"free";r=1;t=30', '"free";r=0;t=30', null]);
  expect(records.map(({ request_id, path, status, code }) => [request_id, path, status, code])).toEqual([
    ["req_0", "/known", 402, null],
    ["req_1", "/known", 503, "upstream_unavailable"],
    ["req_2", "/known", 429, "rate_limited"],
  ]);
  expect([stats.last24h().total, stats.totals().limited, calls.active]).toEqual([3, 1, 0]);
});

test("a refusal goes when it may; its time is what it took, and until it goes its call is active", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked: (string | null)[] = [];
  const note: SlowRefusals["note"] = (network) => {
    asked.push(network);
    return promise;
  };
  const { calls, records } = start(1, { note });
  const send = () => calls.run(new Request(URL_OF), createHandler(undefined, false), "/known");
  // What is no refusal is not asked for.
  expect((await send()).status).toBe(200);
  expect([asked, calls.active]).toEqual([[], 0]);
  const held = Promise.resolve(send());
  while (records.length < 2) await Promise.resolve();
  expect([asked, calls.active]).toEqual([[""], 1]);
  resolve();
  expect([(await held).status, calls.active]).toEqual([429, 0]);
});

test("a refusal that a door tells inside an answer is one as well", async () => {
  const asked: (string | null)[] = [];
  const note: SlowRefusals["note"] = (network) => {
    asked.push(network);
    return null;
  };
  const { calls } = start(100, { note });
  const door: Handler = (http_call) => {
    http_call.failed(new NodeError("rate_limited", "Too many."));
    return new Response("told inside");
  };
  expect((await calls.run(new Request(URL_OF), door, "/known")).status).toBe(200);
  expect(asked).toEqual([""]);
});
