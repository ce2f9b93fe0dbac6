import { afterAll, describe, expect, test } from "bun:test";
import { createManualTimers } from "../../test/helpers/manual-timers.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import type { CompletionRequest, ModelRun } from "../catalog/model.ts";
import { createTurns } from "../node/compose-models.ts";
import { createPlayedModels, type ScriptedAnswer } from "../sandbox/played-models.ts";
import { createBudget, type SpentOnModel } from "./budget.ts";
import type { ModelSettings } from "./model-settings.ts";
import { createModels, type ModelEvent } from "./models.ts";

// Hosts of models behind real HTTP on loopback: what they answer is scripted, what goes over the wire is not.
const played = createPlayedModels(() => 0);
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch: (request) => played.respond(new URL(request.url).pathname.split("/")[1] ?? "", request),
});
afterAll(() => server.stop(true));

const ASKED: CompletionRequest = { messages: [{ role: "user", content: "hello" }], max_tokens: 100 };
let worlds = 0;

/** An engine over hosts that nobody else calls, on its own timers. */
function createWorld(changes: readonly Partial<ModelSettings>[] = [{}, {}, {}], daily = 1e12) {
  worlds += 1;
  const names = changes.map((_, index) => `w${worlds}-${index + 1}`);
  const timers = createManualTimers();
  const clock = createStillClock();
  const events: ModelEvent[] = [];
  const rows = new Map<string, SpentOnModel>();
  const store = {
    read: (day: string) => [...rows.values()].filter((row) => row.day === day),
    write: (row: SpentOnModel) => void rows.set(`${row.day} ${row.what} ${row.model}`, row),
  };
  const shares: number[] = [];
  const settings = changes.map((change, index) => ({
    id: names[index] ?? "",
    base_url: `http://127.0.0.1:${server.port}/${names[index]}`,
    model: "m",
    api_key: "secret-key",
    classes: [],
    uses: ["compose", "door"] as const,
    context_tokens: 8_192,
    price_in: 0,
    price_out: 0,
    daily_max: null,
    timeout_ms: 30_000,
    parallel: 4,
    is_local: true,
    ...change,
  }));
  const create = () =>
    createModels({
      settings,
      budget: createBudget({
        clock,
        store,
        limits: { daily, guests: 0.3 * daily, of_model: {}, of_product: { "/capped": 1 } },
        onShare: (share) => shares.push(share),
      }),
      cost_share: { compose: 0.3, door: 0.5 },
      run_cost_share: 0.8,
      createTurns,
      parallel: 8,
      fetch: (url, init) => fetch(url, init),
      timers,
      clock,
      random: () => 0,
      user_agent: "intel-node/test",
      log: (event) => events.push(event),
    });
  const models = create();
  const run = (change: Partial<ModelRun> = {}): ModelRun => ({
    what: "/x",
    use: "compose",
    price_atomic: null,
    is_urgent: true,
    signal: new AbortController().signal,
    left_ms: () => 60_000,
    ...change,
  });
  const ask = (request: Partial<CompletionRequest> = {}, change: Partial<ModelRun> = {}) =>
    models.open(run(change)).complete({ ...ASKED, ...request });
  const script = (index: number, answers: readonly ScriptedAnswer[]) =>
    played.setScript(names[index - 1] ?? "", answers);
  const calls = (index: number) => played.status()[names[index - 1] ?? ""]?.calls ?? 0;
  const sent = (index: number) => played.requests(names[index - 1] ?? "") as Record<string, unknown>[];
  const status = (index: number) => models.status()[index - 1];
  return { names, timers, clock, events, rows, shares, models, create, run, ask, script, calls, sent, status };
}

const says = (content: unknown, more: object = {}): ScriptedAnswer => ({
  body: { model: "m-1", choices: [{ message: { role: "assistant", content }, finish_reason: "stop", ...more }] },
});
const fails = (status: number, error: object = { message: "no" }, headers = {}): ScriptedAnswer => ({
  status,
  headers,
  body: { error },
});
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code?: string }) => error.code ?? String(error),
  );

describe("the scripts of a bad day", () => {
  test("1: the first fails, the second answers", async () => {
    const { names, ask, script, status } = createWorld();
    script(1, [fails(500)]);
    script(2, [says("ok")]);
    expect(await ask()).toMatchObject({ text: "ok", provider_id: names[1], model: "m-1", attempts: 2 });
    expect(status(1)?.failures).toBe(1);
  });

  test("2: a short pause it asks for is waited out", async () => {
    const { names, ask, script, timers } = createWorld();
    script(1, [fails(429, {}, { "retry-after": "1" }), says("ok")]);
    const asked = ask();
    await timers.expire(1_000);
    expect(await asked).toMatchObject({ text: "ok", provider_id: names[0], attempts: 2 });
  });

  test("3: a long one is not, and the model is left alone for as long", async () => {
    const { names, ask, script, calls, status, timers } = createWorld();
    script(1, [fails(429, {}, { "retry-after": "60" })]);
    expect(await ask()).toMatchObject({ provider_id: names[1], attempts: 2 });
    expect(status(1)).toMatchObject({ state: "open", remaining_ms: 60_000 });
    expect(await ask()).toMatchObject({ provider_id: names[1], attempts: 1 });
    await timers.advance(60_000);
    expect(await ask()).toMatchObject({ provider_id: names[0] });
    expect(calls(1)).toBe(2);
  });

  test("4: what it calls the limit is learnt once", async () => {
    const { ask, script, sent } = createWorld([{}]);
    const error = {
      message: "Unsupported parameter: 'max_tokens'",
      param: "max_tokens",
      code: "unsupported_parameter",
    };
    script(1, [fails(400, error), says("ok"), says("ok")]);
    expect(await ask()).toMatchObject({ text: "ok", attempts: 2 });
    await ask();
    expect(sent(1).map((body) => body.max_completion_tokens)).toEqual([undefined, 100, 100]);
  });

  test("5: an empty account, told inside an answer, shuts it off for a quarter of an hour", async () => {
    const { names, ask, script, status, events } = createWorld();
    script(1, [{ body: { error: { code: 402, message: "Insufficient credits" } } }]);
    expect(await ask()).toMatchObject({ provider_id: names[1] });
    expect(status(1)).toMatchObject({ state: "open", remaining_ms: 900_000 });
    expect(events).toMatchObject([{ event: "model_shut", kind: "balance" }]);
  });

  test("6: an empty answer and one of thoughts alone are none", async () => {
    const { names, ask, script } = createWorld();
    script(1, [says("")]);
    script(2, [says("<think>x</think>")]);
    script(3, [says("ok")]);
    expect(await ask()).toMatchObject({ text: "ok", provider_id: names[2], attempts: 3 });
  });

  test("7: all fail: an error of the buyer's view, and nothing else", async () => {
    const { ask, script, events } = createWorld();
    for (const index of [1, 2, 3]) script(index, [fails(500, { message: "broken: secret-key" })]);
    expect(await codeOf(ask())).toBe("upstream_unavailable");
    expect(JSON.stringify(events)).not.toContain("secret-key");
  });

  test("8: one that hangs is given up after its own time", async () => {
    const { names, ask, script, timers } = createWorld([{ timeout_ms: 1_000 }, {}]);
    script(1, [{ hangs: true }]);
    const asked = ask();
    await timers.expire(1_000);
    expect(await asked).toMatchObject({ provider_id: names[1] });
  });

  test("9: after three failures in a row it is asked once, half a minute later", async () => {
    const { ask, script, calls, timers } = createWorld([{}, {}]);
    script(1, [fails(500), fails(500), fails(500), fails(500)]);
    for (const _ of [1, 2, 3, 4]) await ask();
    expect(calls(1)).toBe(3);
    await timers.advance(30_000);
    await Promise.all([ask(), ask()]);
    expect(calls(1)).toBe(4);
    // The probe failed: the pause doubles.
    await timers.advance(30_000);
    await ask();
    expect(calls(1)).toBe(4);
    await timers.advance(30_000);
    await ask();
    expect(calls(1)).toBe(5);
  });

  test("19: what a day may cost is spent: only free ones are asked, else none; a restart forgets nothing", async () => {
    // 6 + 100 tokens at 1 USD a million: 106e6 picodollars at most, 3 of 8 tokens are stated.
    const priced = { price_in: 1e6, price_out: 1e6 };
    const world = createWorld([priced, {}], 150e6);
    const { names, ask, script, shares, create, run } = world;
    script(1, [
      { body: { choices: [{ message: { content: "ok" } }], usage: { prompt_tokens: 30, completion_tokens: 99 } } },
    ]);
    expect((await ask()).cost_usd).toBeCloseTo(0.000129, 9);
    expect(shares).toEqual([0.8]);
    expect(await ask()).toMatchObject({ provider_id: names[1], attempts: 1 });
    expect(shares).toEqual([0.8, 1]);
    const again = await create().open(run()).complete(ASKED);
    expect(again.provider_id).toBe(names[1] ?? "");
    world.clock.advance(86_400_000);
    script(1, [says("new day")]);
    expect((await ask()).text).toBe("new day");
  });
});

test("a call that was refused cost nothing; one whose answer is of no use cost all it may have", async () => {
  const { ask, script, rows } = createWorld([{ price_in: 1e6, price_out: 1e6 }], 1e12);
  script(1, [fails(500)]);
  expect(await codeOf(ask())).toBe("upstream_unavailable");
  expect([...rows.values()].map(({ cost }) => cost)).toEqual([0]);
  script(1, [says("")]);
  expect(await codeOf(ask())).toBe("upstream_bad_response");
  expect([...rows.values()].map(({ cost }) => cost)).toEqual([106e6]);
});

test("a path's own budget holds for it alone", async () => {
  const { ask } = createWorld([{ price_in: 1e6, price_out: 1e6 }]);
  expect(await codeOf(ask({}, { what: "/capped" }))).toBe("upstream_unavailable");
  expect((await ask({}, { what: "/other" })).attempts).toBe(1);
});

test("a model whose worst cost is too much of the price is passed over", async () => {
  // The worst is 106e6 picodollars; half of 0.0002 USD is 100e6, half of 0.0003 USD is 150e6.
  const { names, ask } = createWorld([{ price_in: 1e6, price_out: 1e6 }, {}]);
  expect((await ask({}, { use: "door", price_atomic: 200n })).provider_id).toBe(names[1] ?? "");
  expect((await ask({}, { use: "door", price_atomic: 300n })).provider_id).toBe(names[0] ?? "");
});

test("all calls of one run together cost at most their share of its price, those under way included", async () => {
  // The worst of one is 106e6 picodollars; 0.8 of 0.0004 USD is 320e6, of which an answer takes 22e6.
  const { names, models, run, script, rows } = createWorld([{ price_in: 1e6, price_out: 1e6 }, {}]);
  const usage = { prompt_tokens: 6, completion_tokens: 16 };
  const choices = [{ message: { role: "assistant", content: "four words of it" }, finish_reason: "stop" }];
  script(1, Array(20).fill({ body: { model: "m", choices, usage } }));
  const price_atomic = 400n;
  const model = models.open(run({ use: "compose", price_atomic }));
  const askMany = async (count: number) => {
    const asked = Array.from({ length: count }, () => model.complete(ASKED));
    return (await Promise.all(asked)).map(({ provider_id }) => provider_id === names[0]).filter(Boolean).length;
  };
  expect(await askMany(5)).toBe(3);
  expect(await askMany(1)).toBe(1);
  for (let count = 0; count < 20; count += 1) await model.complete(ASKED);
  const dear = [...rows.values()].find(({ model: id }) => id === names[0]);
  // 320e6 less 106e6, at 22e6 each: ten begin, and no more.
  expect([dear?.calls, dear?.cost]).toEqual([10, 220e6]);
  const fresh = models.open(run({ use: "compose", price_atomic }));
  expect((await fresh.complete(ASKED)).provider_id).toBe(names[0] ?? "");
});

test("passes, coupons and previews spend their share of the day's money, and leave the rest to buyers", async () => {
  // 0.3 of 1,000e6 is two worst costs of 106e6; each answer of a model that states no tokens costs less.
  const { names, ask, rows, models } = createWorld([{ price_in: 1e6, price_out: 1e6 }, {}], 1_000e6);
  const who = async (is_guest: boolean) => (await ask({}, { is_guest })).provider_id;
  let asked = 0;
  while ((await who(true)) === names[0]) asked += 1;
  expect(asked).toBeGreaterThan(1);
  const spent = [...rows.values()].find(({ what }) => what === "guest /x")?.cost ?? 0;
  expect(spent).toBeLessThanOrEqual(300e6);
  expect(models.budgets().find(({ scope }) => scope === "guests")).toEqual({
    scope: "guests",
    limit: 300e6,
    spent,
    is_spent: spent >= 240e6,
  });
  expect(await who(false)).toBe(names[0] ?? "");
});

test("JSON is asked for by schema, then as any object, then in words, and the step is remembered", async () => {
  const { ask, script, sent } = createWorld([{}]);
  const refuse = fails(400, { message: "This model does not support response format `json_schema`" });
  script(1, [refuse, refuse, says("{}"), says("{}")]);
  const json = { name: "brief", schema: { type: "object" } };
  expect((await ask({ json })).attempts).toBe(3);
  await ask({ json });
  const formats = sent(1).map(({ response_format }) => (response_format as { type: string } | undefined)?.type);
  expect(formats).toEqual(["json_schema", "json_object", undefined, undefined]);
});

test("a temperature it does not take is left out from then on", async () => {
  const { ask, script, sent } = createWorld([{}]);
  script(1, [fails(400, { message: "Unsupported value: 'temperature'", param: "temperature" }), says("a"), says("b")]);
  await ask({ temperature: 0.2 });
  await ask({ temperature: 0.2 });
  expect(sent(1).map(({ temperature }) => temperature)).toEqual([0.2, undefined, undefined]);
});

test("a request too long for one goes to one that takes more, and says nothing against the first", async () => {
  const { names, ask, script, status, calls } = createWorld([{}, {}, { context_tokens: 32_000 }]);
  script(1, [fails(400, { message: "maximum context length is 4096 tokens", code: "context_length_exceeded" })]);
  expect((await ask()).provider_id).toBe(names[2] ?? "");
  expect([calls(2), status(1)?.state]).toEqual([0, "closed"]);
  const { calls: none, ask: askSmall } = createWorld([{ context_tokens: 1_024 }]);
  expect(await codeOf(askSmall({ max_tokens: 2_000 }))).toBe("upstream_unavailable");
  expect(none(1)).toBe(0);
});

test("a model that is being loaded is waited for", async () => {
  const { ask, script, status, timers } = createWorld([{}]);
  const loading = fails(503, { code: 503, message: "Loading model", type: "unavailable_error" });
  script(1, [loading, loading, says("ok")]);
  const asked = ask();
  await timers.expire(2_000);
  await timers.expire(2_000);
  expect(await asked).toMatchObject({ text: "ok" });
  expect(status(1)).toMatchObject({ state: "closed", failures: 0 });
});

test("the model that is gone, or does not know our key, is left alone", async () => {
  const { script, ask, status } = createWorld([{}, {}, {}]);
  script(1, [fails(404)]);
  script(2, [fails(401, { message: "Incorrect API key provided: secret-key" })]);
  await ask();
  expect([status(1), status(2)]).toMatchObject([
    { state: "open", remaining_ms: null },
    { state: "open", remaining_ms: 900_000 },
  ]);
});

test("every answer of no use is upstream_bad_response", async () => {
  const { ask, script } = createWorld([{}, {}]);
  script(1, [says("x", { finish_reason: "content_filter" })]);
  script(2, [{ body: "<html>" }]);
  expect(await codeOf(ask())).toBe("upstream_bad_response");
});

test("a host that states tokens which cannot be is counted here, and told of", async () => {
  const { ask, script, events } = createWorld([{}]);
  const lie = { prompt_tokens: 1_000_000, completion_tokens: 900_000 };
  script(1, [{ body: { choices: [{ message: { content: "ok" } }], usage: lie } }]);
  expect((await ask()).usage).toEqual({ prompt_tokens: 6, completion_tokens: 1, is_estimated: true });
  expect(events).toMatchObject([{ event: "model_usage_implausible" }]);
  script(1, [says("ok")]);
  expect((await ask()).usage.is_estimated).toBe(true);
  expect(events).toHaveLength(1);
});

test("what is preferred is asked first, then those of the class, those to avoid last", async () => {
  const { names, ask } = createWorld([{ classes: ["fast"] }, { classes: ["writer"] }, {}]);
  const [first = "", second = "", third = ""] = names;
  expect((await ask({ class: "writer" })).provider_id).toBe(second);
  expect((await ask({ class: "writer", prefer: first })).provider_id).toBe(first);
  expect((await ask({ class: "writer", avoid: [second] })).provider_id).toBe(third);
  expect((await ask({ avoid: names })).provider_id).toBe(first);
});

test("a run whose time is up fails for that reason, and no model is blamed", async () => {
  const { ask, script, status, calls } = createWorld([{}]);
  expect(await codeOf(ask({}, { left_ms: () => 10 }))).toBe("deadline_exceeded");
  expect(calls(1)).toBe(0);
  script(1, [{ hangs: true }]);
  const abort = new AbortController();
  const asked = ask({}, { signal: abort.signal });
  setImmediate(() => abort.abort());
  expect(await codeOf(asked)).toBe("deadline_exceeded");
  expect(status(1)).toMatchObject({ state: "closed", failures: 0 });
});

test("only so many are asked at once, and a call that finds the queue full fails at once", async () => {
  const { names, ask, script, calls } = createWorld([{ parallel: 1 }]);
  script(1, [{ hangs: true }]);
  const abort = new AbortController();
  const first = codeOf(ask({}, { signal: abort.signal }));
  const waiting = Array.from({ length: 39 }, () => codeOf(ask()));
  expect(await codeOf(ask())).toBe("upstream_unavailable");
  // Hung up on before its host heard of it, the next call would get the answer that hangs.
  while (calls(1) === 0) await new Promise(setImmediate);
  abort.abort();
  expect(await first).toBe("deadline_exceeded");
  expect((await Promise.all(waiting)).every((code) => code === null)).toBe(true);
  expect(played.status()[names[0] ?? ""]?.calls).toBeGreaterThanOrEqual(39);
});

describe("what a buyer's own words and limits bring about says nothing about the model:", () => {
  const cut = says("", { finish_reason: "length" });
  const priced = { price_in: 1, price_out: 1 };
  const attacks: readonly [string, ScriptedAnswer, Partial<ModelRun>][] = [
    ["a limit that ends it within its thoughts", says("<think>so", { finish_reason: "length" }), { use: "door" }],
    ["a prompt that has it end with nothing", says(""), { use: "door" }],
    ["a prompt that its host's filter withholds", says("", { finish_reason: "content_filter" }), { use: "compose" }],
    ["a prompt that its host refuses", fails(400, { message: "content_policy_violation" }), { use: "door" }],
    ["a question that makes it write nothing", cut, { use: "compose" }],
  ];
  test.each(attacks)("%s, twenty times, and others are answered", async (_what, answer, change) => {
    const { ask, script, status } = createWorld([priced]);
    script(1, [...Array(20).fill(answer), says("ok")]);
    const attack = { ...change, price_atomic: 5_000n };
    for (let n = 0; n < 20; n += 1) await codeOf(ask({}, attack));
    expect(status(1)).toMatchObject({ state: "closed" });
    expect(await ask({}, { price_atomic: 5_000n })).toMatchObject({ text: "ok" });
  });

  test("what is sold as it is was answered, and costs what its host counted", async () => {
    const { ask, script } = createWorld([priced]);
    const usage = { prompt_tokens: 6, completion_tokens: 100 };
    const whole = (content: string, finish_reason: string): ScriptedAnswer => ({
      body: { model: "m-1", choices: [{ message: { content }, finish_reason }], usage },
    });
    script(1, [
      whole("<think>so", "length"),
      whole("I", "content_filter"),
      whole("<think>", "stop"),
      whole("", "stop"),
    ]);
    const door = { use: "door", price_atomic: 5_000n } as const;
    const billed = { usage: { ...usage, is_estimated: false } };
    expect(await ask({}, door)).toMatchObject({ text: "", finish_reason: "length", ...billed });
    expect(await ask({}, door)).toMatchObject({ text: "I", finish_reason: "content_filter", ...billed });
    // "Repeat exactly: <think>"
    expect(await ask({}, door)).toMatchObject({ text: "<think>", finish_reason: "stop", ...billed });
    expect(await codeOf(ask({}, door))).toBe("upstream_bad_response");
  });

  test("a job's own prompt that gets no words shuts the model off for that job alone", async () => {
    const { ask, script, calls, status } = createWorld([priced]);
    script(1, [cut, cut, cut, says("ok")]);
    for (const _ of [1, 2, 3, 4]) expect(await codeOf(ask({}, { what: "job one" }))).not.toBeNull();
    expect(calls(1)).toBe(3);
    expect(status(1)).toMatchObject({ state: "closed" });
    expect(await ask({}, { what: "job two" })).toMatchObject({ text: "ok" });
  });

  test("a useless answer costs what its host says it wrote, not the most it could have", async () => {
    const { ask, script, rows } = createWorld([{ price_in: 1e6, price_out: 1e6 }], 1e12);
    const body = {
      choices: [{ message: { content: "" }, finish_reason: "length" }],
      usage: { prompt_tokens: 6, completion_tokens: 16 },
    };
    script(1, [{ body }]);
    expect(await codeOf(ask({ max_tokens: 16 }))).toBe("upstream_bad_response");
    expect([...rows.values()].map(({ cost }) => cost)).toEqual([22e6]);
  });
});
