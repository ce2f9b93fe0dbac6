import { defineProvider } from "intel-node";

/** The operator's own meta engine: set base_url and terms_ack, and allow JSON in its search.formats. */
export const searxng = defineProvider({
  id: "searxng",
  title: "SearXNG, the operator's own",
  docs_url: "https://docs.searxng.org/dev/search_api.html",
  base_urls: ["http://127.0.0.1:8888"],
  terms: {
    class: "restricted",
    note: "A meta engine: the terms of the engines behind it are the operator's duty, so he acknowledges them.",
  },
  limits: { rate_per_s: 4, burst: 5, timeout_ms: 4_000, attempts: 1, body_bytes_max: 1_000_000 },
});
