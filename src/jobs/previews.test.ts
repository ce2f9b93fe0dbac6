import { expect, test } from "bun:test";
import { createCatalog } from "../catalog/catalog.ts";
import { NodeError } from "../core/errors.ts";
import { registry } from "../plugins/registry.gen.ts";
import { createPreviewJobs } from "./previews.ts";

const catalog = createCatalog({
  plugins: registry,
  prices: {},
  preview_delay_ms: 900_000,
  reserved_paths: [],
  whyNot: () => null,
});

test("what has a fresh preview is not taken again at a start, and still has its cadence", async () => {
  const refreshed: string[] = [];
  const jobs = createPreviewJobs({
    first: new Set<string>(),
    missing: new Set(),
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

test("a preview that could not be taken is tried again until it is, and no other", async () => {
  const tried: string[] = [];
  const refreshed: string[] = [];
  let is_down = true;
  const jobs = createPreviewJobs({
    first: new Set<string>(),
    missing: new Set(),
    catalog,
    refresh: async ({ path }) => {
      tried.push(path);
      if (is_down && path !== "/mempool") throw new Error("nobody answers");
    },
    onRefreshed: (path) => refreshed.push(path),
    isFresh: () => false,
  });
  const run = (id: string) => jobs.find((job) => job.id === id)?.run();
  await expect(run("preview-regime")).rejects.toThrow("nobody answers");
  await run("preview-mempool");
  await expect(run("retry-previews")).rejects.toThrow("1 of 1 previews failed: nobody answers");
  is_down = false;
  await run("retry-previews");
  await run("retry-previews");
  expect(tried).toEqual(["/regime", "/mempool", "/regime", "/regime"]);
  expect(refreshed).toEqual(["/mempool", "/regime"]);
});

test("a product whose records have to grow first has not failed, and is taken at a retry after that", async () => {
  const refreshed: string[] = [];
  let is_early = true;
  const jobs = createPreviewJobs({
    first: new Set<string>(),
    missing: new Set(),
    catalog,
    refresh: async () => {
      if (is_early) throw new NodeError("no_history", "The first evaluation is made not before 16:02.");
    },
    onRefreshed: (path) => refreshed.push(path),
    isFresh: () => false,
  });
  const run = async (id: string) => jobs.find((job) => job.id === id)?.run();
  await run("preview-sinais");
  await run("retry-previews");
  expect(refreshed).toEqual([]);
  is_early = false;
  await run("retry-previews");
  await run("retry-previews");
  expect(refreshed).toEqual(["/sinais"]);
});
