import { afterAll, describe, expect, test } from "bun:test";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { createSandbox } from "./index.ts";

const sandbox = await createSandbox({ seed: "s", clock: createStillClock(), simulators: [] });
afterAll(() => sandbox.stop());

async function control(body?: unknown): Promise<unknown> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await sandbox.handleControl(new Request("http://localhost/__sandbox/facilitator", init));
  expect(response.status).toBe(200);
  return response.json();
}

describe("the facilitator's door", () => {
  test.each(["", "{", "[]", "null", '{"paymentPayload":{}}'])("answers 400 to the body %p", async (body) => {
    const response = await fetch(`${sandbox.facilitatorUrl()}/settle`, { method: "POST", body });
    expect(response.status).toBe(400);
    await response.body?.cancel();
  });

  test("has no other paths and methods", async () => {
    const url = sandbox.facilitatorUrl();
    expect((await fetch(`${url}/verify`)).status).toBe(404);
    expect((await fetch(`${url}/refund`, { method: "POST" })).status).toBe(404);
  });

  test("refuses a body over 256 KB", async () => {
    const init = { method: "POST", body: "x".repeat(262_145) };
    expect((await fetch(`${sandbox.facilitatorUrl()}/verify`, init)).status).toBe(413);
  });

  test("that is dead for a number of calls counts calls of every kind", async () => {
    const url = sandbox.facilitatorUrl();
    await control({ dead: true, times: 3 });
    const asked: readonly (readonly [method: string, path: string])[] = [
      ["GET", "/supported"],
      ["POST", "/verify"],
      ["POST", "/settle"],
      ["GET", "/supported"],
    ];
    const statuses: number[] = [];
    for (const [method, path] of asked) statuses.push((await fetch(`${url}${path}`, { method })).status);
    expect(statuses).toEqual([503, 503, 503, 200]);
    expect(await control()).toMatchObject({ mode: { dead: false, times: null } });
  });
});
