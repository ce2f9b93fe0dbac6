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
