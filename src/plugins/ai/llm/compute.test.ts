import { expect, test } from "bun:test";
import { toChatRequest } from "./compute.ts";

test("a question is one user message, unchanged", () => {
  expect(toChatRequest({ q: " what\nis new? ", max_tokens: 32 })).toEqual({
    messages: [{ role: "user", content: " what\nis new? " }],
    max_tokens: 32,
    temperature: 0.4,
  });
});
