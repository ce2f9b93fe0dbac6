import { dayOf, type PackBuilder, type WritingPlan } from "intel-node";
import { createBrazilFacts } from "../written/facts.ts";
import { dataOf } from "../written/parts.ts";
import { listPortugueseBlocks } from "../written/portuguese.ts";
import { listRisks } from "../written/risks.ts";
import type { RelatorioInputs } from "./fetch.ts";

const COINS = { BTC: "btc", ETH: "eth" } as const;

function addCrypto(builder: PackBuilder, { parts, crypto }: RelatorioInputs): void {
  if (!crypto.ok) return;
  const ptax = dataOf(parts, "macro")?.fx.ptax_sell ?? null;
  const own = { from: "/market-brief", as_of: dayOf(new Date(crypto.value.as_of_ms).toISOString()) };
  const { prices, fear_greed } = crypto.value.data;
  for (const [about, name] of Object.entries(COINS)) {
    const price = prices.find(({ symbol }) => symbol === about);
    if (!price) continue;
    const brl = ptax === null ? null : price.price_usd * ptax;
    const change = { ...own, unit: "pct", kind: "change", window: "24h", about } as const;
    builder.addAll([
      { ...own, name, label: `${about}, US dollars`, unit: "usd", value: price.price_usd, about },
      { ...own, name: `${name}_brl`, label: `${about} in BRL by PTAX`, unit: "brl", value: brl, about },
      { ...change, name: `${name}_24h`, label: `${about} change, 24h`, value: price.chg_24h_pct },
    ]);
  }
  builder.add({ ...own, name: "fear_greed", label: "fear and greed", unit: "index", value: fear_greed?.value });
}

/** One warning for each product that is asked: the facts it does not have. */
function warnOfMissing(builder: PackBuilder): readonly string[] {
  const names_of = Map.groupBy(builder.listMissing(), ({ from }) => from);
  return [...names_of].map(([from, facts]) => `facts: ${from} has no ${facts.map(({ name }) => name).join(", ")}`);
}

/** The report to be written, and what is missing in it. */
export function planRelatorio(inputs: RelatorioInputs): WritingPlan & { readonly warnings: readonly string[] } {
  const { parts, crypto } = inputs;
  const builder = createBrazilFacts(parts, { subjects: { BTC: ["Bitcoin"], ETH: ["Ether"] }, windows: ["24h"] });
  addCrypto(builder, inputs);
  const macro = parts.macro.ok ? parts.macro.value : null;
  const own = { from: "/br-macro", as_of: dayOf(new Date(macro?.as_of_ms ?? 0).toISOString()), unit: "count" } as const;
  const known = listRisks(parts).filter(({ triggered }) => triggered !== null);
  builder.addAll([
    { ...own, name: "events", label: "releases and decisions of 14 days", value: macro?.data.calendar?.length },
    { ...own, name: "risks_known", label: "triggers that could be judged", value: known.length },
    {
      ...own,
      name: "risks_on",
      label: "triggers that are on",
      value: known.filter(({ triggered }) => triggered).length,
    },
  ]);
  const regime = crypto.ok ? (crypto.value.data.regime?.regime ?? null) : null;
  const is_known = regime === "bull" || regime === "bear" || regime === "chop";
  return {
    pack: builder.build(),
    warnings: warnOfMissing(builder),
    locale: "pt-BR",
    task: "Você escreve o relatório diário de mercado do Brasil, em português do Brasil.",
    blocks: listPortugueseBlocks(parts, { regime: is_known ? regime : null }),
  };
}
