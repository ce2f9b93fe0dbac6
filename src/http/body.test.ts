import { expect, test } from "bun:test";
import { readJSONBody } from "./body.ts";

const post = (body: string): Request =>
  new Request("http://127.0.0.1/x", { method: "POST", body, headers: { "content-type": "application/json" } });

const nest = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

test("a body is read as deep as any call needs", async () => {
  expect(await readJSONBody(post(`{"a":${nest(255)}}`), 262_144)).toEqual({ a: JSON.parse(nest(255)) });
});

test.each([
  ["a list", nest(257)],
  ["a member", `{"a":${nest(256)}}`],
  ["many lists", nest(30_000)],
  ["many objects", `${'{"a":'.repeat(30_000)}1${"}".repeat(30_000)}`],
])("%s nested more deeply is refused before anybody walks it", async (_, body) => {
  await expect(readJSONBody(post(body), 262_144)).rejects.toThrow("at most 256 levels deep");
});

test("a list of very many values is refused before it is parsed", async () => {
  const body = `[${"1,".repeat(30_000)}1]`;
  await expect(readJSONBody(post(body), 262_144)).rejects.toThrow("at most 20000 values");
});

test("a body that drips in is given up when its time is over, however steadily it drips", async () => {
  let drops = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      drops += 1;
      await Bun.sleep(1);
      controller.enqueue(new TextEncoder().encode("["));
    },
  });
  const headers = { "content-type": "application/json" };
  const request = new Request("http://127.0.0.1/x", { method: "POST", body, headers });
  const given_up = readJSONBody(request, 262_144, 20);
  await expect(given_up).rejects.toMatchObject({ code: "body_too_slow", status: 408 });
  expect(drops).toBeGreaterThan(1);
});

test("a body whose length nobody stated is counted while it arrives", async () => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        sent += 1_000;
        controller.enqueue(new Uint8Array(1_000));
        if (sent === 20_000) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-type": "application/json" };
  const request = new Request("http://127.0.0.1/x", { method: "POST", body, headers });
  await expect(readJSONBody(request, 5_000)).rejects.toMatchObject({ code: "body_too_large", status: 413 });
  expect(sent).toBe(6_000);
});

test("a body whose length nobody stated is read whole up to the limit", async () => {
  const pieces = ['{"a":', '"', "b".repeat(4_992), '"}'];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  const headers = { "content-type": "application/json" };
  const request = new Request("http://127.0.0.1/x", { method: "POST", body, headers });
  expect(await readJSONBody(request, 5_000)).toEqual({ a: "b".repeat(4_992) });
});
