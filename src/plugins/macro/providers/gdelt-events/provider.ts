import { defineProvider } from "intel-node";

/** GDELT's event files, one a quarter of an hour: what the world's press reported, coded by machine. */
export const gdeltEvents = defineProvider({
  id: "gdelt_events",
  title: "GDELT event files",
  docs_url: "https://www.gdeltproject.org/data.html",
  base_urls: ["https://storage.googleapis.com/data.gdeltproject.org"],
  terms: {
    class: "attribution",
    note: "Any use, commercial too, with a citation and a link (gdeltproject.org/about.html).",
    attribution: { text: "Source: The GDELT Project", url: "https://www.gdeltproject.org/" },
  },
  limits: { rate_per_s: 1, burst: 2, timeout_ms: 20_000, attempts: 2, body_bytes_max: 3_000_000 },
});
