import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows } from "intel-node";
import { HITS_MAX, type Hit, toHits } from "../../search/hit.ts";
import { serper } from "./provider.ts";

const Maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Answer = Type.Object({
  searchParameters: Type.Object({ q: Type.String() }),
  organic: Rows(Type.Object({ title: Type.String(), link: Type.String(), snippet: Maybe, date: Maybe })),
});

/** @throws UpstreamError */
export function searchSerper(context: Pick<FetchContext, "get" | "now_ms">, q: string): Promise<readonly Hit[]> {
  return context.get(serper, {
    path: "/search",
    body: { q, num: HITS_MAX },
    schema: Answer,
    ttl_ms: 0,
    read: ({ organic }) =>
      toHits(
        organic.map(({ title, link, snippet, date }) => ({ title, url: link, snippet, date })),
        context.now_ms,
      ),
  });
}
