import { expect, test } from "bun:test";
import type { JobContext, UpstreamRequest } from "intel-node";
import { createRowTally } from "../../../../upstream/sift-rows.ts";
import { FEEDS, type Feed, TOPICS } from "./feeds.ts";
import { isAllowed } from "./robots.ts";

const [feed] = FEEDS.filter(({ id }) => id === "bbc_world");

/** A host that answers its robots.txt so. */
const answering = (rules: string, status = 200): Pick<JobContext, "get"> => ({
  get: async (_provider, request) => {
    const { read } = request as unknown as UpstreamRequest<never>;
    return read?.(rules as never, { status } as never, createRowTally().eachRow) as never;
  },
});

test.each<[string, number, boolean]>([
  ["User-agent: *\nDisallow:", 200, true],
  ["User-agent: *\nDisallow: /", 200, false],
  ["User-agent: *\nDisallow: /news/", 200, false],
  ["User-agent: *\nDisallow: /news/\nAllow: /news/world/rss.xml", 200, true],
  // Only the group with our own name counts (RFC 9309, 2.2.1).
  ["User-agent: *\nDisallow: /\n\nUser-agent: intel-node\nAllow: /", 200, true],
  ["User-agent: intel-node\nDisallow: /*.xml$", 200, false],
  ["<html>not found</html>", 404, true],
])("%p, status %p", async (rules, status, allowed) => {
  expect(await isAllowed(answering(rules, status), feed as Feed)).toBe(allowed);
});

test.each(["<!DOCTYPE html><html></html>", '{"error": true}', "User-agent: *\nDisallow: /private/\nUser-a"])(
  "a file that is not a robots.txt allows nothing: %p",
  async (text) => {
    expect(await isAllowed(answering(text), feed as Feed)).not.toBeBoolean();
  },
);

test("fifty-five feeds and more, each once", () => {
  expect(FEEDS.length).toBeGreaterThanOrEqual(55);
  for (const of of [({ id }: Feed) => id, ({ host, path }: Feed) => `${host}${path}`])
    expect(new Set(FEEDS.map(of)).size).toBe(FEEDS.length);
  for (const topic of TOPICS) expect(FEEDS.some((one) => one.topic === topic)).toBe(true);
});
