import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { type EachRow, Rows } from "../../../catalog/rows.ts";
import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { FIRST_STORY_S, hnAlgolia } from "./provider.ts";

/** One submission to Hacker News. */
export interface Story {
  readonly title: string;
  /** What was submitted, or the discussion where it is text. */
  readonly url: string;
  readonly points: number;
  readonly comments: number;
  /** Where it is discussed. */
  readonly discussion: string;
  readonly at_ms: number;
}

const HOUR_MS = 3_600_000;
const TTL_MS = 300_000;
const HITS_MAX = 50;
const TITLE_CHARS_MAX = 1_000;
const URL_CHARS_MAX = 2_000;
const DISCUSSION = "https://news.ycombinator.com/item?id=";

const Answer = Type.Object({
  hits: Rows(
    Type.Object({
      objectID: Type.String({ pattern: "^[0-9]{1,15}$" }),
      // Removed submissions keep their place, without their words.
      title: Type.Optional(Type.Union([Type.String({ maxLength: TITLE_CHARS_MAX }), Type.Null()])),
      url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      points: Type.Optional(Type.Union([Type.Integer({ minimum: -1_000, maximum: 1_000_000 }), Type.Null()])),
      num_comments: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000 }), Type.Null()])),
      created_at_i: Type.Integer({ minimum: FIRST_STORY_S }),
    }),
    { maxItems: 1_000 },
  ),
});

const isWebURL = (text: string): boolean =>
  text.length <= URL_CHARS_MAX && /^https?:\/\/\S+$/.test(text) && URL.canParse(text);

function readStories(
  { hits }: Static<typeof Answer>,
  { since_ms, now_ms, eachRow }: { readonly since_ms: number; readonly now_ms: number; readonly eachRow: EachRow },
): Story[] {
  const stories = eachRow(hits, ({ objectID, title, url, points, num_comments, created_at_i }): Story[] | Unusable => {
    const at_ms = created_at_i * 1000;
    if (at_ms > now_ms + CLOCK_SKEW_MAX_MS) return unusable("a story is dated in the future");
    if (at_ms < since_ms) return unusable("a story is older than what was asked for");
    const words = title?.trim() ?? "";
    // Votes may not be counted yet; a story without votes has no weight either way.
    const discussion = `${DISCUSSION}${objectID}`;
    const votes = { points: Math.max(0, points ?? 0), comments: num_comments ?? 0 };
    const story = { title: words, ...votes, discussion, at_ms };
    return words === "" ? [] : [{ ...story, url: url && isWebURL(url) ? url : discussion }];
  });
  // What is newest is for their times to say, not for their order.
  return stories.flat().sort((a, b) => b.at_ms - a.at_ms);
}

/**
 * The newest stories, at most 50, whose words match, from `window_h` hours ago until now. None is an answer too. Hours
 * are whole, so that equal calls within one share an answer.
 * @throws UpstreamError
 */
export function fetchStories(
  context: Pick<FetchContext, "get" | "now_ms">,
  { words, window_h }: { readonly words: string; readonly window_h: number },
): Promise<readonly Story[]> {
  const since_ms = (Math.floor(context.now_ms / HOUR_MS) - window_h) * HOUR_MS;
  const search = new URLSearchParams({
    query: words,
    tags: "story",
    numericFilters: `created_at_i>=${since_ms / 1000}`,
    hitsPerPage: String(HITS_MAX),
  });
  return context.get(hnAlgolia, {
    path: `/search_by_date?${search}`,
    schema: Answer,
    ttl_ms: TTL_MS,
    read: (answer, _, eachRow) => readStories(answer, { since_ms, now_ms: context.now_ms, eachRow }),
  });
}
