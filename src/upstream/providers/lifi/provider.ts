import { defineProvider } from "../../../catalog/provider.ts";

/** LI.FI, which compares bridges. */
export const lifi = defineProvider({
  id: "lifi",
  title: "LI.FI",
  docs_url: "https://docs.li.fi/",
  base_urls: ["https://li.quest/v1"],
  terms: { class: "unclear", note: "Keyless quotes for applications; the terms were not read." },
  key: { required: false, in: "header", name: "x-lifi-api-key" },
  // Without a key 75 quotes in 2 hours: 10 at once and 30 an hour stay below it.
  limits: { rate_per_s: 30 / 3_600, burst: 10, timeout_ms: 5_000, attempts: 1, body_bytes_max: 500_000 },
});
