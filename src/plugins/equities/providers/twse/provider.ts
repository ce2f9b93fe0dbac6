import { defineProvider } from "intel-node";

/** The Taiwan Stock Exchange's open data: the day's closes. */
export const twse = defineProvider({
  id: "twse",
  title: "Taiwan Stock Exchange, open data",
  docs_url: "https://openapi.twse.com.tw/",
  base_urls: ["https://openapi.twse.com.tw"],
  terms: {
    class: "attribution",
    note: "Open data of Taiwan, reuse with the source named; the exact wording of the licence was not confirmed.",
    attribution: { text: "Source: Taiwan Stock Exchange", url: "https://openapi.twse.com.tw/" },
  },
  limits: { rate_per_s: 1, burst: 3, timeout_ms: 8_000, attempts: 2, body_bytes_max: 4_000_000 },
});
