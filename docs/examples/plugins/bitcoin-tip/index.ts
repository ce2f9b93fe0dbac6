import { Type } from "@sinclair/typebox";
import {
  defineJob,
  definePlugin,
  defineProduct,
  defineProvider,
  defineSeries,
  defineSimulator,
  type FetchContext,
  unusable,
} from "intel-node";

/** An upstream: where it is, what its terms say, how hard it may be asked. Config table: [providers.esplora_tip]. */
const esploraTip = defineProvider({
  id: "esplora_tip",
  title: "Blockstream Esplora (chain tip)",
  docs_url: "https://github.com/Blockstream/esplora/blob/master/API.md",
  base_urls: ["https://blockstream.info/api"],
  terms: { class: "unclear", note: "public API; no statement on reuse was found" },
  limits: { rate_per_s: 1, burst: 2, timeout_ms: 3_000, attempts: 2, body_bytes_max: 1_000 },
});

/** The one call: plain text, a block height. What does not look like one is refused, never guessed. */
const fetchHeight = (context: Pick<FetchContext, "get">): Promise<number> =>
  context.get(esploraTip, {
    path: "/blocks/tip/height",
    format: "text",
    schema: Type.String({ pattern: "^[1-9][0-9]{5,7}\\s*$" }),
    ttl_ms: 10_000,
    read(text) {
      const height = Number(text);
      return Number.isSafeInteger(height) ? height : unusable("not a height");
    },
  });

const HALVING_BLOCKS = 210_000;

const bitcoinTip = defineProduct({
  path: "/bitcoin-tip",
  title: "Bitcoin chain tip",
  description: "Height of the newest Bitcoin block and how many blocks are left to the next subsidy halving.",
  category: "example",
  tags: ["bitcoin", "example"],
  price_usd: "0.001",
  params: Type.Object({}),
  data: Type.Object(
    {
      height: Type.Integer({ minimum: 1, description: "height of the newest block" }),
      blocks_to_halving: Type.Integer({
        minimum: 1,
        maximum: HALVING_BLOCKS,
        description: "blocks until the next halving",
      }),
    },
    { additionalProperties: false },
  ),
  example: {
    params: {},
    as_of: "2026-01-01T00:00:00Z",
    data: { height: 930_000, blocks_to_halving: 120_000 },
  },
  gist: ({ height, blocks_to_halving }, { en, pt, fig, name, moment, pick }) => ({
    headline: { value: height, unit: pick("blocks", "blocos"), sense: pick("height of Bitcoin", "altura do Bitcoin") },
    text:
      en`${name("Bitcoin")} stood at block ${fig(height, "count")} on ${moment()}, ${fig(blocks_to_halving, "count")}
        before the next halving` ??
      pt`${name("Bitcoin")} estava no bloco ${fig(height, "count")} em ${moment()}, a
        ${fig(blocks_to_halving, "count")} do próximo halving`,
  }),
  providers: [esploraTip],
  requires: [[esploraTip]],
  ttl: "10s",
  deadline_ms: 8_000,
  preview: { every: "10m", delay: "10m" },
  fetch: async (context) => ({ height: await fetchHeight(context), at_ms: context.now_ms }),
  compute: ({ height, at_ms }) => ({
    as_of_ms: at_ms,
    data: { height, blocks_to_halving: HALVING_BLOCKS - (height % HALVING_BLOCKS) },
    warnings: [],
  }),
});

/** One height an hour, kept for a month and backed up: a later product could tell how fast blocks come. */
const heights = defineSeries({
  name: "bitcoin-tip/height",
  value: Type.Integer({ minimum: 1 }),
  every: "1h",
  keep: "30d",
  storage: "kept",
});

/** Work on a schedule. One that fails is tried again soon. */
const sampleTip = defineJob({
  id: "bitcoin-tip-sample",
  schedule: "20 * * * *",
  providers: [esploraTip],
  at_start: false,
  deadline_ms: 10_000,
  run: async (context) => {
    await heights.write(context, await fetchHeight(context));
  },
});

/** How the sandbox plays the upstream, so that the plugin can be bought from offline. */
const simulator = defineSimulator({
  provider: esploraTip.id,
  respond: ({ path }, world) =>
    path === "/blocks/tip/height"
      ? { text: String(840_000 + Math.floor((world.now() - Date.UTC(2024, 3, 20)) / 600_000)) }
      : { status: 404, text: "Not Found" },
});

export default definePlugin({
  id: "bitcoin-tip",
  title: "Example: Bitcoin chain tip",
  products: [bitcoinTip],
  jobs: [sampleTip],
  simulators: [simulator],
});
