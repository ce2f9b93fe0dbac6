import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../test/helpers/product-harness.ts";
import { readRows } from "../../../test/helpers/read-rows.ts";
import type { SimulatedAnswer, SimulatedWorld } from "../../catalog/simulator.ts";
import { isUnusable } from "../../catalog/unusable.ts";
import { UpstreamError } from "../../core/errors.ts";
import { NEWS_FEEDS } from "./news-feeds.ts";
import { createFeedReader, fetchHeadlines, renderPlain } from "./rss.ts";
import { simulator as coindesk } from "./rss-coindesk/simulator.ts";
import { simulator as cointelegraph } from "./rss-cointelegraph/simulator.ts";
import { simulator as decrypt } from "./rss-decrypt/simulator.ts";

const NOW_MS = Date.UTC(2026, 9, 2, 16);
const reader = await createFeedReader();
const readFeed = (xml: string, now_ms: number) => readRows((eachRow) => reader(xml, now_ms, eachRow));

const itemOf = ({
  title = "<![CDATA[Bitcoin surges]]>",
  link = "https://news.example/a",
  date = "Fri, 02 Oct 2026 15:00:00 GMT",
}) => `<item><title>${title}</title><link>${link}</link><guid isPermaLink="false">a1</guid><pubDate>${date}</pubDate>
<description><![CDATA[<p>A body that is <b>not</b> kept.</p>]]></description></item>`;
const feedOf = (...items: string[]) =>
  `<?xml version="1.0"?>\n<rss version="2.0"><channel><title>News</title>${items.join("")}</channel></rss>`;

describe("a feed", () => {
  test("gives title, address and date of each item, newest first, and nothing else", () => {
    const older = itemOf({ title: "Ether &amp; more", link: " https://news.example/b?x=1&amp;y=2 " });
    const newer = itemOf({ date: "Fri, 02 Oct 2026 11:30:00 -0400" });
    const read = readFeed(feedOf(older.replace("&amp;y", "y"), newer), NOW_MS);
    expect(read).toEqual([
      { title: "Bitcoin surges", url: "https://news.example/a", at_ms: Date.UTC(2026, 9, 2, 15, 30) },
      { title: "Ether & more", url: "https://news.example/b?x=1y=2", at_ms: Date.UTC(2026, 9, 2, 15) },
    ]);
  });

  test("with a single item is a list of one", () => {
    expect(readFeed(feedOf(itemOf({})), NOW_MS)).toHaveLength(1);
  });

  test("items without a date, a title or a web address are left out; those of the future too", () => {
    const good = itemOf({});
    const bad = [
      itemOf({ date: "" }),
      itemOf({ date: "soon" }),
      itemOf({ title: "<![CDATA[<b> </b>]]>" }),
      itemOf({ link: "javascript:alert(1)" }),
      itemOf({ link: "/relative" }),
      itemOf({ date: "Fri, 02 Oct 2026 16:02:00 GMT" }),
      "<item><title>no more than that</title></item>",
    ];
    expect(readFeed(feedOf(...bad, good), NOW_MS)).toHaveLength(1);
    for (const one of bad) expect(isUnusable(readFeed(feedOf(one), NOW_MS))).toBe(true);
  });

  test("that stopped two days ago is refused", () => {
    expect(readFeed(feedOf(itemOf({})), NOW_MS + 47 * 3_600_000)).toBeArray();
    expect(isUnusable(readFeed(feedOf(itemOf({})), NOW_MS + 47 * 3_600_000 + 1))).toBe(true);
  });

  test("an invalid feed is refused, and no document may define entities", () => {
    const whole = feedOf(itemOf({}));
    const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">]>${whole.slice(whole.indexOf("<rss"))}`;
    const html = "<!doctype html><html><head><title>Just a moment...</title></head><body></body></html>";
    const bodies = ["", "null", "{}", html, bomb, feedOf(), whole.slice(0, whole.length / 2), "<rss></rss>"];
    for (const body of bodies) expect(isUnusable(readFeed(body, NOW_MS))).toBe(true);
  });

  test("of ten thousand items is read in part", () => {
    expect(readFeed(feedOf(...Array(10_000).fill(itemOf({}))), NOW_MS)).toHaveLength(500);
  });
});

test("titles become plain words", () => {
  expect(renderPlain("<b>Bitcoin</b>&#8217;s &quot;rally&quot; &amp;  more&nbsp;")).toBe(
    'Bitcoin\u2019s "rally" & more',
  );
  expect(renderPlain("&lt;i&gt;DeFi&lt;/i&gt; 1 &lt; 2")).toBe("DeFi 1 < 2");
  expect(renderPlain("a\u202eb\u0000c &unknown; &#xffffff;")).toBe("a b c &unknown;");
  expect(renderPlain("x".repeat(1_000))).toHaveLength(500);
});

describe("the simulated publishers", () => {
  const world: SimulatedWorld = {
    now: () => NOW_MS,
    price: (_, at_ms = NOW_MS) => 100 + 10 * Math.sin(at_ms / 1e8),
    noise: (key) => (Bun.hash.crc32(key) % 10_000) / 10_000,
  };
  const SIMULATORS = [coindesk, cointelegraph, decrypt];

  test.each(NEWS_FEEDS.map((feed) => [feed.provider.id, feed] as const))(
    "%s is read like the real one",
    async (id, feed) => {
      const simulator = SIMULATORS.find(({ provider }) => provider === id);
      const request = { method: "GET", query: new URLSearchParams(), headers: new Headers(), body: undefined };
      const ask = (path: string): SimulatedAnswer | undefined => simulator?.respond({ ...request, path }, world);
      const answer = ask(feed.path);
      if (!answer || !("text" in answer)) throw new Error("a feed is text");
      const bodies = { [`${id} GET ${feed.path}`]: answer.text };
      const headlines = await fetchHeadlines(createRecordedContext({ now_ms: NOW_MS, bodies }), feed);
      expect(headlines.length).toBeGreaterThan(25);
      expect(headlines.every(({ title }) => title.length > 10)).toBe(true);
      expect(ask("/other")).toMatchObject({ status: 404 });
    },
  );

  test("a refused feed is an error of its provider", async () => {
    const [feed] = NEWS_FEEDS;
    const context = createRecordedContext({ now_ms: NOW_MS, bodies: { [`${feed.provider.id} GET`]: "<html></html>" } });
    const error = await fetchHeadlines(context, feed).catch((thrown: unknown) => thrown);
    expect(error instanceof UpstreamError && error.kind).toBe("upstream_bad_response");
  });
});
