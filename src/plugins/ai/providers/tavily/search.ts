import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows } from "intel-node";
import { HITS_MAX, type Hit, toHits } from "../../search/hit.ts";
import { tavily } from "./provider.ts";

const Maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Answer = Type.Object({
  results: Rows(Type.Object({ title: Type.String(), url: Type.String(), content: Maybe, published_date: Maybe })),
});

/** @throws UpstreamError */
export function searchTavily(context: Pick<FetchContext, "get" | "now_ms">, q: string): Promise<readonly Hit[]> {
  return context.get(tavily, {
    path: "/search",
    body: { query: q, max_results: HITS_MAX, search_depth: "basic" },
    schema: Answer,
    ttl_ms: 0,
    read: ({ results }) =>
      toHits(
        results.map(({ title, url, content, published_date }) => ({
          title,
          url,
          snippet: content,
          date: published_date,
        })),
        context.now_ms,
      ),
  });
}
