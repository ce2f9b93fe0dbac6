import { defineProduct, drawRows, exampleOf, NodeError } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { LIST_PROVIDERS } from "../lists/sanction-lists.ts";
import { ofac } from "../providers/ofac/provider.ts";
import { computeSanctions } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchSanctions } from "./fetch.ts";
import { gist } from "./gist.ts";
import { SanctionsParams, SanctionsSchema } from "./schema.ts";

const example = exampleOf({ name: "Suex OTC SRO", type: "any", threshold: 0.82 }, made);

export const product = defineProduct({
  path: "/sanctions",
  title: "Sanctions screen",
  description:
    "Screens names and wallets. Searches OFAC's lists, the EU's, the UN's and the UK's, in any script, with " +
    "aliases, slips and reordered names; wallets of every chain named in them, EVM wallets also in the on-chain " +
    "oracle. Verdict hit, possible, clear or incomplete, never clear on a missing or old list; version and digest of " +
    "each list.",
  category: "trust",
  tags: ["sanctions", "compliance", "ofac", "wallet", "screening"],
  search: [
    "sanctions check",
    "OFAC check",
    "is this person sanctioned",
    "is this company on a sanctions list",
    "SDN list",
    "screen a name",
    "lista de sanções",
    "verificar sanções",
    "pessoa sancionada",
    "KYC screening",
    "sanctioned wallet",
    "lista OFAC",
    "blacklist",
  ],
  price_usd: "0.05",
  params: SanctionsParams,
  normalise: ({ name, ...params }) => {
    if (name !== undefined && params.wallets !== undefined) {
      throw new NodeError("invalid_parameter", "name and wallets are two questions: ask one of them", {
        details: { param: "wallets" },
      });
    }
    return { ...params, ...(name === undefined ? {} : { name: name.trim() }) };
  },
  data: SanctionsSchema,
  example,
  gist,
  providers: [...LIST_PROVIDERS, evmRpc],
  requires: [[ofac]],
  ttl: "60s",
  deadline_ms: 10_000,
  preview: {
    listed: ({ lists }) => ({
      n: lists.filter(({ fresh }) => fresh).length,
      of: "fresh lists, and no name to screen,",
    }),
    rowCharts: (shown) =>
      drawRows(shown.lists, {
        title: "Names and wallets in each list",
        about: "As this node took it in.",
        unit: "number",
        bar: ({ id, rows }) => [id, rows],
      }),
    every: "1d",
    delay: "1d",
    params: [{ ...example.params }],
  },
  tried: { order: 20 },
  fetch: fetchSanctions,
  compute: (inputs, { params }) => computeSanctions(inputs, params),
});
