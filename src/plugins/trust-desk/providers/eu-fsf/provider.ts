import { defineProvider } from "intel-node";

/** The European Union's consolidated list. The token in the path is public and the same for everybody. */
export const euFsf = defineProvider({
  id: "eu_fsf",
  title: "EU financial sanctions files",
  docs_url: "https://www.eeas.europa.eu/eeas/european-union-sanctions_en",
  base_urls: ["https://webgate.ec.europa.eu/fsd/fsf/public/files"],
  terms: {
    class: "unclear",
    note: "Public file; terms of reuse were not confirmed. Only the Official Journal is authentic.",
  },
  // The file is made on the fly, which takes more than a minute.
  limits: { rate_per_s: 0.2, burst: 1, timeout_ms: 240_000, attempts: 3, body_bytes_max: 120_000_000 },
});
