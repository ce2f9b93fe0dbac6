import { expect, test } from "bun:test";
import { VALUE } from "../../test/helpers/fake-upstream.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { createSharedAnswers } from "./shared-answers.ts";

const MINUTE_MS = 60_000;

test("answers that are too old for any use are dropped, and the others are kept", async () => {
  const clock = createStillClock();
  const answers = createSharedAnswers(clock);
  let calls = 0;
  const ask = (key: string, ttl_ms: number) =>
    answers.get({
      key,
      reading: { schema: VALUE },
      ttl_ms,
      revalidate: false,
      patience: () => ({ is_urgent: true, wait_max_ms: 0 }),
      signal: new AbortController().signal,
      start: async () => {
        calls += 1;
        const found = { value: { value: 1 }, reading: { value: 1 }, schema: VALUE, facts: { status: 200, bytes: 100 } };
        const call = { url: "http://127.0.0.1:1", fetched_at_ms: clock.now() };
        return { calls: [call], outcome: { ok: true, unchanged: false, ...found, call } };
      },
    });
  await ask("decimals", 24 * 60 * MINUTE_MS);
  for (let block = 0; block < 600; block++) {
    clock.advance(MINUTE_MS / 4);
    await ask(`block ${block}`, 5_000);
    expect(answers.size).toBeLessThanOrEqual(10);
  }
  expect(calls).toBe(601);
  await ask("decimals", 24 * 60 * MINUTE_MS);
  expect(calls).toBe(601);
});
