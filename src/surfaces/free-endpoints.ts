import type { FreeEndpoint } from "./types.ts";

const JSON_TYPE = "application/json";
const get = (path: string, summary: string, more: Partial<FreeEndpoint> = {}): FreeEndpoint => ({
  path,
  methods: ["GET"],
  summary,
  content_type: JSON_TYPE,
  ...more,
});

/**
 * Free paths whose answer is made per call, for every list of them; rendered documents list themselves. A test compares
 * this with the routes that are mounted.
 */
export const FREE_ENDPOINTS: readonly FreeEndpoint[] = [
  get("/", "For people: products, prices, previews, how to pay, health, receipts", {
    content_type: "text/html",
    query: { q: "words to search products for" },
  }),
  get("/docs", "The reference, to be read in a browser", { content_type: "text/html" }),
  get("/healthz", "Whether the process is up and its books can be written"),
  get("/readyz", "Whether the node should get traffic, and why not; ?verbose adds what its start still owes, and when"),
  get("/live", "Uptime, networks, sales, latency, freshness of every product"),
  get("/receipts", "Settled payments with their chain transactions", {
    query: {
      limit: "at most 200",
      cursor: "from next_cursor",
      label: "organic or operator-test",
      network: "CAIP-2 id",
      product: "product id",
    },
  }),
  get("/receipts/:id/bundle", "All it takes to make a sold answer again, for who paid", { asks: true }),
  get(
    "/receipt-seals",
    "Hourly signed seals over all paid answers, as a chain, or the proof of one answer by its bytes' hash",
    {
      query: {
        after_seq: "seq of the last seal you have",
        response_sha256: "SHA-256 of an answer's body: asks for its proof",
        at: "its generated_at",
      },
    },
  ),
  get("/track-record", "How the node's signals did: equity, hit rates, results; a page in a browser"),
  get("/track-record/evidence", "Records and outcomes of the track record, to check signature, chain and Merkle root", {
    query: { after_seq: "from next_after_seq" },
  }),
  get(
    "/track-record/heads",
    "Signed heads of the track record and of peers', and the proof that a later one goes on from yours",
    {
      query: {
        chain: "signals or theses",
        after_seq: "seq of the last head you have",
        from: "chain_length of the head you kept: asks for the proof",
        from_outcomes: "its outcome_log_size",
      },
    },
  ),
  get("/track-record/checkpoint", "Newest head of a history as a signed note (C2SP tlog-checkpoint)", {
    content_type: "text/plain",
    query: { chain: "signals or theses", form: "note, or key: who verifies it" },
  }),
  get("/track-record/theses/checkpoint", "The same of the theses", {
    content_type: "text/plain",
    query: { form: "note, or key: who verifies it" },
  }),
  ...["/track-record", "/track-record/theses"].flatMap((log) => [
    get(`${log}/tile/:level/:index`, "A tile of the history as a log (C2SP tlog-tiles); level may be entries", {
      content_type: "application/octet-stream",
      asks: true,
    }),
    get(`${log}/outcomes/:file`, "What came of them as a log, a day later: checkpoint, tile/…, proof/<outcome_seq>", {
      content_type: "application/octet-stream",
      asks: true,
    }),
    get(`${log}/proof/:seq`, "That a record stands in the log, as a file (C2SP tlog-proof)", {
      content_type: "text/plain",
      asks: true,
    }),
  ]),
  {
    path: "/add-checkpoint",
    methods: ["POST"],
    summary: "A peer's log gets its checkpoint cosigned (C2SP tlog-witness); the body is text",
    content_type: "text/plain",
    asks: true,
  },
  get("/witness", "Logs of peers that this node cosigned, and forks with both signatures"),
  get("/witness/:log/checkpoint", "The cosigned checkpoint of one, by the SHA-256 of its origin", {
    content_type: "text/plain",
    asks: true,
  }),
  get("/track-record/anchors", "Public timestamps of all heads and seals, with their OpenTimestamps proofs", {
    query: { after_seq: "seq of the last one you have" },
  }),
  get("/track-record/anchors/:name", "One of them by its seq; <seq>.json and <seq>.json.ots are the files", {
    asks: true,
  }),
  get(
    "/peers",
    "Other nodes as this one's own purchases from them show, signed, with the evidence against those dropped",
  ),
  get("/methodology", "How figures are made: families of models and formulas"),
  get("/status", "State now, and uptime, latency, failures and incidents of 90 days"),
  get("/status.atom", "Incidents as an Atom feed", { content_type: "application/atom+xml" }),
  get("/changes", "New products, prices, fields and methods, as they changed; a page in a browser"),
  get("/changes.atom", "Changes of the catalog as an Atom feed", { content_type: "application/atom+xml" }),
  get("/sample", "Newest free previews of the sampled products"),
  get("/try", "Real, delayed data of six products"),
  {
    path: "/quote",
    methods: ["GET", "POST"],
    summary: "What planned calls cost one by one, by prepaid balance and by pass",
    content_type: JSON_TYPE,
    body: { calls: [{ product: "<product id>", count: 100 }], period: "24h" },
    query: {
      product: "product id; two more as product_2 and product_3",
      calls: "calls a day; calls_2 and calls_3 beside them",
      days: "how many days, 30 unless given",
    },
    asks: true,
  },
  get("/welcome", "A coupon for one free call"),
  get("/credits-status", "What a key holds", { asks: true, query: { key: "the key; better in the X-API-Key header" } }),
  get("/statement", "Every movement on a key's balance", { asks: true }),
  get("/verify", "For people: checks the bundle of a sold answer in their browser"),
  get("/wallet", "For people: what their wallet bought here; for software the doors of a wallet"),
  ...[
    get("/wallet/purchases", "What a wallet bought here, and where each answer is fetched again", {
      query: { cursor: "from next_cursor" },
    }),
    get("/wallet/statement", "A wallet's payments of a time, as JSON or CSV", {
      query: {
        format: "json or csv",
        from: "a day or time",
        until: "a day or time",
        cursor: "from next_cursor",
      },
    }),
    get("/wallet/keys", "Prepaid keys a wallet bought, without their secrets"),
    get("/wallet/answers/:id", "An answer a wallet bought, again, by its payment_id"),
  ].map((endpoint): FreeEndpoint => ({ ...endpoint, asks: true, signs_in: true })),
  {
    path: "/mcp",
    methods: ["GET", "POST"],
    summary: "Every product as an MCP tool (Streamable HTTP)",
    content_type: JSON_TYPE,
  },
  {
    path: "/a2a",
    methods: ["POST"],
    summary: "Every product as an A2A skill (JSON-RPC, versions 0.3 and 1.0)",
    content_type: JSON_TYPE,
    asks: true,
  },
  {
    path: "/keys",
    methods: ["GET", "POST"],
    summary: "Keys of limited power under a key of yours",
    content_type: JSON_TYPE,
    body: { label: "worker 1", daily_cap_atomic: "1000000" },
    asks: true,
  },
  {
    path: "/watch",
    methods: ["GET", "POST"],
    summary: "Have the node ask a product again and again for your key, and tell you when a condition holds",
    content_type: JSON_TYPE,
    body: {
      product: "<product id>",
      params: {},
      condition: { field: "<a field of its data>", op: "changed" },
      every: "1h",
      budget_usd: "1",
    },
    query: { limit: "at most 200", before: "from next_before" },
    asks: true,
  },
  {
    path: "/watch/preview",
    methods: ["POST"],
    summary: "When a watch would have told in the last 30 days, by free samples, and what it may cost; sets nothing",
    content_type: JSON_TYPE,
    body: {
      product: "<product id>",
      params: {},
      condition: { field: "<a field of its data>", op: "changed" },
      every: "1h",
    },
    asks: true,
  },
  {
    path: "/watch/:id",
    methods: ["GET", "DELETE"],
    summary: "A watch of your key: how it stands; DELETE ends it",
    content_type: JSON_TYPE,
    asks: true,
  },
  get("/watch/:id/events", "What a watch told, as JSON or as Server-Sent Events", {
    asks: true,
    query: { after: "seq of the last event you have", limit: "at most 50" },
  }),
  {
    path: "/watch/:id/webhook",
    methods: ["POST", "DELETE"],
    summary: "Where the events of a watch are sent from now on; DELETE sends them nowhere",
    content_type: JSON_TYPE,
    body: { url: "https://example.com/hook", form: "event" },
    asks: true,
  },
  ...Object.entries({
    pause: "Pauses a watch of your key",
    resume: "Goes on with a paused watch, and sends again what its webhook did not take",
    secret: "Another secret for the webhook of a watch; the one before signs for a day more",
  }).map(
    ([verb, summary]): FreeEndpoint => ({
      path: `/watch/:id/${verb}`,
      methods: ["POST"],
      summary,
      content_type: JSON_TYPE,
      asks: true,
    }),
  ),
  {
    path: "/verify-receipt",
    methods: ["POST"],
    summary: "Whether a receipt is signed by this node and in its books",
    content_type: JSON_TYPE,
    body: { id: "rcp_<id of a receipt>" },
    asks: true,
  },
];
