import { defineProvider } from "../../../catalog/provider.ts";

/** Counts and judges the world's news. Slow and strict with callers: only jobs ask it. */
export const gdelt = defineProvider({
  id: "gdelt",
  title: "GDELT",
  docs_url: "https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/",
  base_urls: ["https://api.gdeltproject.org/api/v2/doc"],
  terms: {
    class: "attribution",
    note: "Its pages allow any use, commercial too, with a citation and a link; the exact wording was not checked.",
    attribution: { text: "Source: The GDELT Project", url: "https://www.gdeltproject.org/" },
  },
  // It asks for one call in 5 s and often refuses more than one in 30 s. A refused call is not repeated.
  limits: { rate_per_s: 1 / 30, burst: 1, timeout_ms: 30_000, attempts: 1, body_bytes_max: 1_000_000 },
});
