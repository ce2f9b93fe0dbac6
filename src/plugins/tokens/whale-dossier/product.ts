import { defineProduct, drawRows, exampleOf } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { parseSubject } from "../facts/subject.ts";
import { computeWhaleDossier } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchWhaleDossier } from "./fetch.ts";
import { gist } from "./gist.ts";
import { WhaleDossierParams, WhaleDossierSchema } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/whale-dossier",
  title: "Dossiers of large movers",
  description:
    "The three wallets that moved most on Ethereum and Base within a day, or one address: what they hold, how old " +
    "they are, where seven days of stablecoins and wrapped coins came from and went, who they deal with, and what " +
    "sanctions lists and screens say. Exchanges, bridges and contracts are left out and counted.",
  category: "tokens",
  tags: ["whale", "wallet", "dossier", "flows", "screening"],
  search: [
    "who is this whale",
    "profile of a whale",
    "whale wallet profile",
    "dossiê de baleia",
    "quem é esta baleia",
    "where did the whale's money come from",
  ],
  price_usd: "0.20",
  params: WhaleDossierParams,
  normalise: ({ address }) =>
    address === undefined ? {} : { address: parseSubject("address", address, "ethereum").address.toLowerCase() },
  data: WhaleDossierSchema,
  usual_view: "brief",
  example,
  gist,
  providers: [evmRpc],
  requires: [[evmRpc]],
  asks: { "/wallet-scan": "optional", "/job/wallet-audit": "optional" },
  // Those two read the payer where no address is named; here one always is.
  uses_payer: true,
  ttl: "5m",
  max_age: "25m",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.subjects[0]?.flows.by_asset ?? [], {
        title: "Into less out of the first wallet",
        about: "7 days, US dollars, by token.",
        unit: "usd",
        bar: ({ id, in_usd, out_usd }) => [id, in_usd - out_usd],
      }),
    every: "1d",
    delay: "1d",
    redact: (data) => ({ ...data, subjects: data.subjects.slice(0, 1) }),
  },
  fetch: (context, { address }) => fetchWhaleDossier(context, address),
  compute: (inputs) => computeWhaleDossier(inputs),
});
