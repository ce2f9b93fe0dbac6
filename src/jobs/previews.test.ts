import { expect, test } from "bun:test";
import { createCatalog } from "../catalog/catalog.ts";
import { registry } from "../plugins/registry.gen.ts";
import { createPreviewJobs } from "./previews.ts";

test("what has a fresh preview is not taken again at a start, and still has its cadence", async () => {
  const catalog = createCatalog({
    plugins: registry,
    prices: {},
    preview_delay_ms: 900_000,
    reserved_paths: [],
    whyNot: () => null,
  });
  const refreshed: string[] = [];
  const jobs = createPreviewJobs({
    catalog,
    refresh: async ({ path }) => void refreshed.push(path),
    onRefreshed: () => undefined,
    isFresh: ({ path }) => path === "/mempool",
  });
  const [kept, taken] = ["preview-mempool", "preview-fear-greed"].map((id) => jobs.find((job) => job.id === id));
  expect([kept?.at_start, taken?.at_start]).toEqual([false, true]);
  await kept?.run();
  expect(refreshed).toEqual(["/mempool"]);
});
