import { defineProvider } from "intel-node";

/** Jito's block engine: what bundles pay to land. */
export const jito = defineProvider({
  id: "jito",
  title: "Jito",
  docs_url: "https://docs.jito.wtf/lowlatencytxnsend/",
  base_urls: ["https://bundles.jito.wtf"],
  terms: { class: "unclear", note: "A public interface for senders of bundles; no terms for others were found." },
  limits: { rate_per_s: 1, burst: 2, timeout_ms: 3_000, attempts: 1, body_bytes_max: 50_000 },
});
