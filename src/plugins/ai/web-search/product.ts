import { defineProduct, exampleOf } from "intel-node";
import { computeWebSearch } from "./compute.ts";
import { GENERAL, LAST, SPECIAL } from "./engines.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchWebSearch } from "./fetch.ts";
import { gist } from "./gist.ts";
import { DEFAULT_QUERY, parseQuery } from "./query.ts";
import { WebSearchParams, WebSearchSchema } from "./schema.ts";

const PROVIDERS = [...Object.values(GENERAL), ...SPECIAL, LAST].map(({ provider }) => provider);

const example = exampleOf({ q: "x402 payments" }, made);

export const product = defineProduct({
  path: "/web-search",
  title: "Web search",
  description:
    "Results of several engines as one list: canonical links, who found each (agreement), dates, excerpts, and " +
    "texts that look like instructions marked. A node without a general engine's key searches Wikipedia, Hacker " +
    "News and its own news store, and says so: coverage limited.",
  category: "ai",
  tags: ["search", "web", "news", "citations"],
  search: [
    "search the web",
    "google something",
    "internet search",
    "find web pages",
    "buscar na internet",
    "pesquisar na web",
    "pesquisa na internet",
    "search engine",
    "Wikipedia",
  ],
  price_usd: "0.008",
  params: WebSearchParams,
  normalise: ({ q = DEFAULT_QUERY }) => ({ q: parseQuery(q) }),
  data: WebSearchSchema,
  long: ["results"],
  example,
  gist,
  providers: PROVIDERS,
  requires: [PROVIDERS.filter((provider) => provider !== LAST.provider)],
  ttl: "10m",
  max_age: "10m",
  deadline_ms: 10_000,
  preview: { every: "6h", delay: "6h", redact: (data) => ({ ...data, results: data.results.slice(0, 3) }) },
  fetch: (context, { q = DEFAULT_QUERY }) => fetchWebSearch(context, q),
  compute: computeWebSearch,
});
