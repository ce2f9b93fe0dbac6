import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows } from "intel-node";
import { type Hit, toHits } from "../../search/hit.ts";
import { brave } from "./provider.ts";

const Maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Answer = Type.Object({
  type: Type.Literal("search"),
  // Left out where nothing was found.
  web: Type.Optional(
    Type.Object({
      results: Rows(Type.Object({ title: Type.String(), url: Type.String(), description: Maybe, page_age: Maybe })),
    }),
  ),
});

/** @throws UpstreamError */
export function searchBrave(context: Pick<FetchContext, "get" | "now_ms">, q: string): Promise<readonly Hit[]> {
  return context.get(brave, {
    path: `/res/v1/web/search?q=${encodeURIComponent(q)}&count=20`,
    schema: Answer,
    ttl_ms: 0,
    read: ({ web }) =>
      toHits(
        (web?.results ?? []).map(({ title, url, description, page_age }) => ({
          title,
          url,
          snippet: description,
          date: page_age,
        })),
        context.now_ms,
      ),
  });
}
