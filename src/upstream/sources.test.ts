import { expect, test } from "bun:test";
import { createTestProvider } from "../../test/helpers/fake-upstream.ts";
import { createSourceList } from "./sources.ts";

const provider = createTestProvider({ base_urls: ["https://rpc.example.com"] });
const URL = "https://rpc.example.com/";
const AT_MS = Date.parse("2026-11-01T00:00:00Z");
const DAY_MS = 86_400_000;

test("equal calls of one address are one source, as of the newest of them", () => {
  const sources = createSourceList(false);
  for (const at_ms of [AT_MS - DAY_MS, AT_MS, AT_MS - 1_000]) {
    sources.add(provider, [{ url: URL, fetched_at_ms: at_ms }]);
  }
  expect(sources.list()).toEqual([{ provider: provider.id, url: URL, fetched_at: "2026-11-01T00:00:00Z", ok: true }]);
});

test("a failure beside a success is a source of its own", () => {
  const sources = createSourceList(false);
  sources.add(provider, [
    { url: URL, fetched_at_ms: AT_MS, error: "upstream_timeout" },
    { url: URL, fetched_at_ms: AT_MS },
  ]);
  expect(sources.list().map(({ ok }) => ok)).toEqual([false, true]);
});
