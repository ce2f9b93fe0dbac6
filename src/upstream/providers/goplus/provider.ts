import { defineProvider } from "../../../catalog/provider.ts";

/** GoPlus' opinions of tokens and addresses. */
export const goplus = defineProvider({
  id: "goplus",
  title: "GoPlus Security",
  docs_url: "https://docs.gopluslabs.io/",
  base_urls: ["https://api.gopluslabs.io/api/v1"],
  terms: { class: "unclear", note: "Keyless security data for applications; the terms were not read." },
  // About 30 calls a minute and address are answered; a little less is asked.
  limits: { rate_per_s: 27 / 60, burst: 9, timeout_ms: 3_000, attempts: 1, body_bytes_max: 1_000_000 },
});
