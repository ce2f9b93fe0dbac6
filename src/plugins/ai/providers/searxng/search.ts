import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows } from "intel-node";
import { type Hit, toHits } from "../../search/hit.ts";
import { searxng } from "./provider.ts";

const Maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Answer = Type.Object({
  results: Rows(Type.Object({ url: Type.String(), title: Type.String(), content: Maybe, publishedDate: Maybe })),
});

/** @throws UpstreamError; 403 means that the instance does not allow JSON (`search.formats`). */
export function searchSearxng(context: Pick<FetchContext, "get" | "now_ms">, q: string): Promise<readonly Hit[]> {
  return context.get(searxng, {
    path: `/search?q=${encodeURIComponent(q)}&format=json&safesearch=1&pageno=1`,
    schema: Answer,
    ttl_ms: 0,
    read: ({ results }) =>
      toHits(
        results.map(({ url, title, content, publishedDate }) => ({
          url,
          title,
          snippet: content,
          date: publishedDate,
        })),
        context.now_ms,
      ),
  });
}
