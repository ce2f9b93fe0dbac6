import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows } from "intel-node";
import { type Hit, toHits } from "../../search/hit.ts";
import { wikipedia } from "./provider.ts";

const Answer = Type.Object({
  query: Type.Object({
    search: Rows(
      Type.Object({
        title: Type.String({ minLength: 1 }),
        pageid: Type.Integer({ minimum: 1 }),
        snippet: Type.String(),
      }),
    ),
  }),
});
const COUNT = 10;

/** Articles by relevance. The time of an article's last change is not when it was published. @throws UpstreamError */
export function searchWikipedia(context: Pick<FetchContext, "get" | "now_ms">, q: string): Promise<readonly Hit[]> {
  const words = encodeURIComponent(q);
  return context.get(wikipedia, {
    path: `/w/api.php?action=query&list=search&srsearch=${words}&srlimit=${COUNT}&format=json`,
    schema: Answer,
    ttl_ms: 0,
    read: ({ query }) =>
      toHits(
        query.search.map(({ title, pageid, snippet }) => ({
          title,
          snippet,
          url: `https://en.wikipedia.org/?curid=${pageid}`,
        })),
        context.now_ms,
      ),
  });
}
