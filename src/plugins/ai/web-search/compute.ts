import { type Computed, isSuspicious } from "intel-node";
import { fuse } from "../search/fuse.ts";
import type { WebSearchInputs } from "./fetch.ts";
import { RESULTS_MAX, type WebSearchData } from "./schema.ts";

type EngineId = WebSearchData["engines"][number]["id"];

/** One list of many engines' results, by reciprocal rank fusion. */
export function computeWebSearch({ q, answers, read_at_ms }: WebSearchInputs): Computed<WebSearchData> {
  const lists = answers.map(({ engine, hits }) => ({ engine: engine.id, weight: engine.weight, hits: hits ?? [] }));
  const results = fuse(lists, RESULTS_MAX).map(
    ({ title, url, domain, snippet, published_at, engines, score }, index) => ({
      rank: index + 1,
      title,
      url,
      domain,
      snippet,
      published_at,
      score,
      engines: engines as EngineId[],
      suspicious: isSuspicious(`${title}\n${snippet ?? ""}\n${renderReadable(url)}`),
    }),
  );
  const is_web = answers.some(({ is_general, hits }) => is_general && hits !== null);
  const silent = answers.filter(({ hits }) => hits === null).map(({ engine }) => engine.id);
  const warnings = [
    ...(is_web ? [] : ["coverage: no general engine answered, so only parts of the web were searched"]),
    ...(silent.length > 0 ? [`engines: no usable answer from ${silent.join(", ")}`] : []),
    ...(results.length > 0 ? ["results: no engine states a time of its index; as_of is that of the calls"] : []),
    ...(results.length === 0 ? ["results: every engine that answered found nothing"] : []),
  ];
  return {
    as_of_ms: read_at_ms,
    data: {
      query: q,
      results,
      engines: answers.map(({ engine, hits }) => ({
        id: engine.id as EngineId,
        ok: hits !== null,
        count: hits?.length ?? 0,
        weight: engine.weight,
      })),
      coverage: is_web ? "web" : "limited",
    },
    warnings,
  };
}

/** An address as people read it; as it is where its escapes are wrong. */
function renderReadable(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
