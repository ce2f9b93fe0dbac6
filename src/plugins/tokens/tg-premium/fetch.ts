import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type FetchContext, NodeError, outcomeOf } from "intel-node";
import type { PremiumSection } from "./schema.ts";

const Name = Type.Union([Type.String(), Type.Null()]);
const Whale = Type.Object({
  alerts: Type.Array(
    Type.Object({
      usd: Type.Number(),
      asset: Type.String(),
      chain: Type.String(),
      class: Type.String(),
      from_label: Name,
      to_label: Name,
      tx: Type.String({ pattern: "^[0-9A-Za-z]{40,100}$" }),
    }),
  ),
});
const Launch = Type.Object({
  items: Type.Array(
    Type.Object({
      token: Type.Object({ address: Type.String(), symbol: Name }),
      verdict: Type.String(),
      risk: Type.Number(),
      hard_fails: Type.Array(Type.Object({ evidence: Type.String() })),
    }),
  ),
});
const Mev = Type.Object({
  ethereum: Type.Union([
    Type.Object({ value_eth: Type.Object({ p50: Type.Number(), max: Type.Number() }), blocks: Type.Number() }),
    Type.Null(),
  ]),
  solana: Type.Object({ tip_lamports: Type.Union([Type.Object({ p50: Type.Number() }), Type.Null()]) }),
});
const Smart = Type.Object({
  accumulating: Type.Array(
    Type.Object({
      chain: Type.String(),
      token: Type.String(),
      net_usd_24h: Type.Number(),
      buyers: Type.Integer(),
      launch_verdict: Name,
    }),
  ),
});
const Yield = Type.Object({
  pools: Type.Array(
    Type.Object({
      project: Type.String(),
      chain: Type.String(),
      symbol: Type.String(),
      base_apy_pct: Type.Number(),
      is_paused: Type.Union([Type.Boolean(), Type.Null()]),
    }),
  ),
});
const Sentiment = Type.Object({
  value: Type.Number(),
  classification: Type.String(),
  attribution: Type.Union([Type.Object({ text: Type.String() }), Type.Null()]),
});

/** The data of a section, and its time. */
interface Dated<T> {
  readonly data: T;
  readonly as_of_ms: number;
}
export interface TgPremiumInputs {
  readonly read_at_ms: number;
  readonly receipts_url: string | null;
  readonly whale: Dated<Static<typeof Whale>> | null;
  readonly launch: Dated<Static<typeof Launch>> | null;
  readonly smart: Dated<Static<typeof Smart>> | null;
  readonly mev: Dated<Static<typeof Mev>> | null;
  readonly yield: Dated<Static<typeof Yield>> | null;
  readonly sentiment: Dated<Static<typeof Sentiment>> | null;
}

const AGE_MAX_MS: Readonly<Record<PremiumSection, number>> = {
  whale: 2 * 3_600_000,
  launch: 2 * 3_600_000,
  smart: 2 * 3_600_000,
  mev: 2 * 3_600_000,
  yield: 3 * 3_600_000,
  // Published once a day.
  sentiment: 36 * 3_600_000,
};
const PATHS = {
  whale: "/whale-alert",
  launch: "/launch-risk",
  smart: "/smart-money",
  mev: "/mev-flow",
  yield: "/defi-yield",
  sentiment: "/fear-greed",
} as const;
const SECTIONS_MIN = 2;

/** @throws NodeError upstream_unavailable when fewer than two sections (or not the one asked for) have fresh data. */
export async function fetchTgPremium(
  context: FetchContext,
  sections: readonly PremiumSection[],
): Promise<TgPremiumInputs> {
  const ask = async <S extends TSchema>(section: PremiumSection, schema: S): Promise<Dated<Static<S>> | null> => {
    if (!sections.includes(section)) return null;
    const asked = await outcomeOf(context.ask(PATHS[section], {}, schema));
    if (!asked.ok || context.now_ms - asked.value.as_of_ms > AGE_MAX_MS[section]) return null;
    return { data: asked.value.data, as_of_ms: asked.value.as_of_ms };
  };
  const [whale, launch, smart, mev, earned, sentiment] = await Promise.all([
    ask("whale", Whale),
    ask("launch", Launch),
    ask("smart", Smart),
    ask("mev", Mev),
    ask("yield", Yield),
    ask("sentiment", Sentiment),
  ]);
  const filled = [whale, launch, smart, mev, earned, sentiment].filter((one) => one !== null).length;
  if (filled < Math.min(SECTIONS_MIN, sections.length)) {
    throw new NodeError("upstream_unavailable", "Too few sections have fresh data. Nothing was charged.");
  }
  const { public_url } = context.node;
  const receipts_url = public_url === null ? null : `${public_url.replace(/\/$/, "")}/receipts`;
  return { read_at_ms: context.now_ms, receipts_url, whale, launch, smart, mev, yield: earned, sentiment };
}
