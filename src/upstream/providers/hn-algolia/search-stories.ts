import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Rows } from "../../../catalog/rows.ts";
import { FIRST_STORY_S, hnAlgolia } from "./provider.ts";

/** A story as the search gives it; `url` is null where the submission is text. */
export interface FoundStory {
  readonly title: string;
  readonly url: string;
  readonly at_ms: number;
}

const Maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Answer = Type.Object({
  hits: Rows(
    Type.Object({
      objectID: Type.String({ pattern: "^[0-9]{1,15}$" }),
      title: Maybe,
      url: Maybe,
      created_at_i: Type.Integer({ minimum: FIRST_STORY_S }),
    }),
    { maxItems: 1_000 },
  ),
  query: Type.String(),
});
const COUNT = 20;

/** Stories of all times by relevance, at most 20. None is an answer too. @throws UpstreamError */
export function searchStories(context: Pick<FetchContext, "get">, q: string): Promise<readonly FoundStory[]> {
  return context.get(hnAlgolia, {
    path: `/search?query=${encodeURIComponent(q)}&tags=story&hitsPerPage=${COUNT}`,
    schema: Answer,
    ttl_ms: 0,
    read: ({ hits }) =>
      hits.flatMap(({ objectID, title, url, created_at_i }) => {
        const words = title?.trim() ?? "";
        const link = url || `https://news.ycombinator.com/item?id=${objectID}`;
        return words === "" ? [] : [{ title: words, url: link, at_ms: created_at_i * 1000 }];
      }),
  });
}
