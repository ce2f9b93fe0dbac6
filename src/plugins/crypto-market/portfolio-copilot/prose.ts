import { createPack, getOwn, type SentenceWriter, type WritingPlan } from "intel-node";
import { type CopilotData, RISKY } from "./schema.ts";

type Figures = Omit<CopilotData, "blocks" | "facts" | "written_by">;

const STATES: Readonly<Record<CopilotData["regime"], string>> = {
  bull: "a bull market",
  bear: "a bear market",
  chop: "a sideways market",
};

function createFacts({ assets, sigma_risky_pct, profiles, changes_since_yesterday }: Figures, as_of: string) {
  const own = { from: "/portfolio-copilot", as_of };
  const subjects = [...RISKY, ...profiles.map(({ id }) => id)].map((name) => [name, []] as const);
  const builder = createPack({ windows: ["1d", "30d"], identifiers: ["USDC"], subjects: Object.fromEntries(subjects) });
  const pct = { ...own, unit: "pct" } as const;
  builder.add({ ...pct, name: "sigma", label: "volatility of BTC, ETH and SOL together", value: sigma_risky_pct });
  for (const { symbol: about, vol_pct } of assets) {
    builder.add({ ...pct, name: `${about}_vol`, label: `${about} volatility`, value: vol_pct, about });
  }
  for (const one of profiles) {
    const of = { ...pct, about: one.id } as const;
    builder.addAll([
      { ...of, name: `${one.id}_gross`, label: "part in risky assets", unit: "ratio", value: one.gross_frac },
      { ...of, name: `${one.id}_vol`, label: "volatility of the portfolio", value: one.expected_vol_pct },
      {
        ...of,
        name: `${one.id}_var`,
        label: "loss of a day not exceeded with 95 %",
        value: one.var95_1d_pct,
        window: "1d",
      },
      { ...of, name: `${one.id}_worst`, label: "worst scenario", value: one.worst_scenario_pct, kind: "change" },
    ]);
  }
  const steps = changes_since_yesterday?.filter(({ rebalance }) => rebalance).length;
  builder.addAll([
    {
      ...own,
      name: "changes",
      label: "weights that differ from a day before",
      unit: "count",
      value: changes_since_yesterday?.length,
    },
    { ...own, name: "steps", label: "weights past the rebalance rule", unit: "count", value: steps },
  ]);
  return builder.build();
}

/** Conditional sentences only: what a rule gives, never what to do. */
function sayProfile({ say, show }: SentenceWriter, id: string): void {
  say`If volatility were aimed at by the ${id} rule, a share of ${show(`${id}_gross`)} would stand in risky
    assets and the
    rest in USDC.`;
  say`For the ${id} weights, the expected volatility would be ${show(`${id}_vol`)} a year and the loss of 1 day
    that is
    not exceeded with the usual confidence ${show(`${id}_var`)}.`;
}

/** The words of an allocation. */
export function planCopilot(figures: Figures, as_of: string): WritingPlan {
  const { regime, volatility_state, profiles } = figures;
  return {
    pack: createFacts(figures, as_of),
    locale: "en",
    task: "You explain allocations that fixed rules computed. Conditional language only; no advice.",
    blocks: [
      {
        id: "regime",
        about: "state of the market and volatility",
        words_max: 60,
        template: ({ say, show }) => {
          say`This is ${getOwn(STATES, regime)} with ${volatility_state} volatility.`;
          say`Weighted by inverse volatility, BTC, ETH and SOL together move by ${show("sigma")} a year.`;
          say`By itself, BTC would move by ${show("BTC_vol")}, ETH by ${show("ETH_vol")} and SOL by
            ${show("SOL_vol")}.`;
        },
      },
      ...profiles.map(({ id }) => ({
        id,
        about: `what the ${id} rule gives`,
        words_max: 60,
        template: (write: SentenceWriter) => sayProfile(write, id),
      })),
      {
        id: "changes",
        about: "what differs from a day before",
        words_max: 60,
        template: ({ say, show }) => {
          say`Against the weights of a day before, ${show("changes")} differ, and ${show("steps")} would pass
            the rebalance rule.`;
        },
      },
      {
        id: "risks",
        about: "the worst scenarios",
        words_max: 60,
        template: ({ say, show }) => {
          for (const { id } of profiles)
            say`In its worst scenario, the ${id} portfolio would change by
            ${show(`${id}_worst`)}.`;
          say`These are results of fixed rules.`;
        },
      },
    ],
  };
}
