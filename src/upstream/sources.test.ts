import { expect, test } from "bun:test";
import { createTestProvider } from "../../test/helpers/fake-upstream.ts";
import { createSourceList } from "./sources.ts";

const provider = createTestProvider({ base_urls: ["https://rpc.example.com"] });
const URL = "https://rpc.example.com/";
const AT_MS = Date.parse("2026-11-01T00:00:00Z");
const DAY_MS = 86_400_000;

test("equal calls of one address are one source, with the time of the newest", () => {
  const sources = createSourceList(false);
  for (const at_ms of [AT_MS - DAY_MS, AT_MS, AT_MS - 1_000]) {
    sources.add(provider, [{ url: URL, fetched_at_ms: at_ms }]);
  }
  expect(sources.list()).toEqual([{ provider: provider.id, url: URL, fetched_at: "2026-11-01T00:00:00Z", ok: true }]);
});

test("a failure beside a success is a separate source", () => {
  const sources = createSourceList(false);
  sources.add(provider, [
    { url: URL, fetched_at_ms: AT_MS, error: "upstream_timeout" },
    { url: URL, fetched_at_ms: AT_MS },
  ]);
  expect(sources.list().map(({ ok }) => ok)).toEqual([false, true]);
});

test("a call's own attribution takes precedence over its provider's, and a failure has none", () => {
  const own = { text: "Data by Test API", url: "https://example.com" };
  const index = { text: "Index by Test API", url: "https://example.com/index" };
  const named = createTestProvider({ terms: { class: "attribution", note: "n", attribution: own } });
  const sources = createSourceList(false);
  sources.add(named, [{ url: `${URL}a`, fetched_at_ms: AT_MS }]);
  sources.add(named, [{ url: `${URL}b`, fetched_at_ms: AT_MS }], index);
  sources.add(named, [{ url: `${URL}c`, fetched_at_ms: AT_MS, error: "upstream_timeout" }], index);
  expect(sources.list().map(({ attribution }) => attribution)).toEqual([own, index, undefined]);
});
