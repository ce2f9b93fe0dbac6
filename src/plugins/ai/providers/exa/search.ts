import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows } from "intel-node";
import { HITS_MAX, type Hit, toHits } from "../../search/hit.ts";
import { exa } from "./provider.ts";

const Maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Answer = Type.Object({
  results: Rows(Type.Object({ title: Maybe, url: Type.String(), publishedDate: Maybe, text: Maybe })),
});

/** @throws UpstreamError */
export function searchExa(context: Pick<FetchContext, "get" | "now_ms">, q: string): Promise<readonly Hit[]> {
  return context.get(exa, {
    path: "/search",
    body: { query: q, numResults: HITS_MAX, contents: { text: { maxCharacters: 400 } } },
    schema: Answer,
    ttl_ms: 0,
    read: ({ results }) =>
      toHits(
        results.map(({ title, url, publishedDate, text }) => ({
          // It gives an empty title to pages without one.
          title: title?.trim() ? title : url,
          url,
          snippet: text,
          date: publishedDate,
        })),
        context.now_ms,
      ),
  });
}
