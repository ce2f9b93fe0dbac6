import {
  type Computed,
  type FactDraft,
  keepShown,
  renderMarkdown,
  type SentenceWriter,
  type Write,
  type WritingPlan,
  writeByTemplates,
} from "intel-node";
import type { CurveData } from "../br-curve/schema.ts";
import type { MacroData } from "../br-macro/schema.ts";
import { listMeetings } from "../curve/copom.ts";
import { listEnglishBlocks } from "../written/english.ts";
import { createBrazilFacts } from "../written/facts.ts";
import { assertParts, type BrazilParts, dataOf, newestOf, relayWarnings, warnOfParts } from "../written/parts.ts";
import { listEvents } from "../written/schema.ts";
import { listScenarios } from "./scenarios.ts";
import type { BrBriefData } from "./schema.ts";

type Figures = Pick<BrBriefData, "policy_gap" | "breakeven_gap" | "scenarios" | "regime">;

/** A year's meetings are known by their places only when all of them are. */
const MEETINGS_PER_YEAR = 8;

/** Terms whose breakeven is set against the target. */
const BREAKEVEN_TENORS = ["1y", "2y", "5y", "5y5y"] as const;

/** What the survey calls a meeting: R1/2027 is the first of 2027; null when the year's list is not whole. */
function nameMeeting(date: string): string | null {
  const year = date.slice(0, 4);
  const meetings = listMeetings([]).filter((one) => one.startsWith(year));
  const place = meetings.indexOf(date);
  return place < 0 || meetings.length !== MEETINGS_PER_YEAR ? null : `R${place + 1}/${year}`;
}

function listPolicyGaps(curve: CurveData | null, macro: MacroData | null): Figures["policy_gap"] {
  const survey = new Map(macro?.focus_selic?.map(({ meeting, median }) => [meeting, median]));
  return (curve?.copom_path ?? []).flatMap(({ meeting_date, implied_rate }) => {
    const survey_median = survey.get(nameMeeting(meeting_date) ?? "");
    if (survey_median === undefined) return [];
    return [{ meeting_date, implied_rate, survey_median, gap_bps: 100 * (implied_rate - survey_median) }];
  });
}

function listBreakevenGaps(curve: CurveData | null, macro: MacroData | null): Figures["breakeven_gap"] {
  const target = macro?.inflation.target;
  if (!curve || target === undefined) return [];
  const of = (tenor: string) => curve.curve.find((one) => one.tenor === tenor)?.breakeven ?? null;
  const focus = macro?.focus_ipca_12m ?? null;
  return BREAKEVEN_TENORS.flatMap((tenor) => {
    const breakeven_pct = tenor === "5y5y" ? curve.forwards.breakeven_5y5y : of(tenor);
    if (breakeven_pct === null) return [];
    const minus_focus_pp = tenor === "1y" && focus !== null ? breakeven_pct - focus : null;
    return [{ tenor, breakeven_pct, minus_target_pp: breakeven_pct - target, minus_focus_pp }];
  });
}

/** Two by two: growth above 0 or not, inflation gaining or not. */
function readRegime(macro: MacroData | null): Figures["regime"] {
  const growth = macro?.activity.ibc_br_3m3m ?? null;
  const [quick, slow] = [macro?.inflation.ipca_3m_saar ?? null, macro?.inflation.ipca_12m ?? null];
  if (growth === null || quick === null || slow === null) return null;
  const gains = quick > slow;
  const name = growth > 0 ? (gains ? "reflation" : "goldilocks") : gains ? "stagflation" : "slowdown";
  return { name, growth_3m3m_pct: growth, ipca_3m_saar_pct: quick, ipca_12m_pct: slow };
}

export const readFigures = (parts: BrazilParts): Figures => {
  const [macro, curve] = [dataOf(parts, "macro"), dataOf(parts, "curve")];
  return {
    policy_gap: listPolicyGaps(curve, macro),
    breakeven_gap: listBreakevenGaps(curve, macro),
    scenarios: listScenarios(curve, macro),
    regime: readRegime(macro),
  };
};

function listOwnFacts({ policy_gap, breakeven_gap, scenarios }: Figures, as_of: string): readonly FactDraft[] {
  const own = { from: "/br-brief", as_of } as const;
  const steep = scenarios.find(({ id }) => id === "bear_steepener");
  const weak = scenarios.find(({ id }) => id === "brl_weaker");
  const far = breakeven_gap.find(({ tenor }) => tenor === "5y");
  const change = { ...own, kind: "change" } as const;
  return [
    {
      ...change,
      name: "policy_gap",
      label: "next implied rate minus survey",
      unit: "bps",
      value: policy_gap[0]?.gap_bps,
    },
    {
      ...change,
      name: "breakeven_gap",
      label: "5-year breakeven minus target",
      unit: "pp",
      value: far?.minus_target_pp,
    },
    { ...change, name: "steep_5y", label: "shift of the 5-year rate", unit: "bps", value: steep?.shift_5y_bps },
    { ...change, name: "steep_pu", label: "price of a 5-year zero", unit: "pct", value: steep?.pu_change_5y_pct },
    { ...own, name: "ptax_weak", label: "PTAX a standard deviation weaker", unit: "brl", value: weak?.ptax },
  ];
}

const sayThesis =
  ({ regime }: Figures) =>
  ({ say, show }: SentenceWriter): void => {
    if (regime) {
      say`By growth and inflation, the regime is ${regime.name}: activity changed by ${show("ibc_3m3m")} in 3
      months, and the
      IPCA of 3 months runs at ${show("ipca_3m")} a year against ${show("ipca_12m")} over 12 months.`;
    }
  };
const sayPolicy =
  ({ policy_gap }: Figures) =>
  ({ say, show, day }: SentenceWriter): void => {
    say`For the decision of ${day(policy_gap[0]?.meeting_date)}, futures and survey differ by ${show("policy_gap")}.`;
    say`Against the target, breakeven inflation of 5 years differs by ${show("breakeven_gap")}.`;
  };
const sayScenarios = ({ say, show }: SentenceWriter): void => {
  say`A bear steepener that adds ${show("steep_5y")} to the rate of 5 years would change the price of such a bond by
    ${show("steep_pu")}.`;
  say`A real weaker by a standard deviation of a month would bring the dollar to ${show("ptax_weak")}.`;
};

/** The narrative to be written. */
export function planBrBrief(parts: BrazilParts, figures: Figures): WritingPlan {
  const { rates, inflation, fx_equity, agro, fiscal, external, watch } = listEnglishBlocks(parts);
  const builder = createBrazilFacts(parts, {
    days: figures.policy_gap.slice(0, 1).map((one) => ({
      name: "policy_gap_meeting",
      label: "decision of the Copom the policy gap is of",
      from: "/br-curve",
      date: one.meeting_date,
    })),
  });
  builder.addAll(listOwnFacts(figures, new Date(newestOf(parts)).toISOString().slice(0, 10)));
  const own = (id: string, about: string, template: (write: SentenceWriter) => void) => ({
    id,
    about,
    words_max: 90,
    template,
  });
  return {
    pack: builder.build(),
    locale: "en",
    task: "You write an institutional brief on Brazil.",
    blocks: [
      own("thesis", "growth and inflation", sayThesis(figures)),
      own("policy", "market against survey and target", sayPolicy(figures)),
      ...[inflation, { ...rates, id: "curve" }, fiscal, external, { ...fx_equity, id: "equities" }, agro],
      own("scenarios", "deterministic shifts", sayScenarios),
      { ...watch, id: "what_would_change_this" },
    ],
  };
}

/**
 * All numbers on Brazil, market against survey, scenarios, and a narrative of nothing but them.
 * @throws NodeError when macro or curve are missing.
 */
export function computeBrBrief(
  parts: BrazilParts,
  { write = writeByTemplates }: { readonly write?: Write } = {},
): Computed<BrBriefData> {
  assertParts(parts, ["macro", "curve"], "br-brief");
  const [macro, curve] = [dataOf(parts, "macro"), dataOf(parts, "curve")];
  const figures = readFigures(parts);
  const { written, warnings } = write(planBrBrief(parts, figures));
  const title = `Brazil, ${curve?.reference_date ?? ""}`;
  const calendar = listEvents(macro);
  const untold = BREAKEVEN_TENORS.filter((tenor) => !figures.breakeven_gap.some((one) => one.tenor === tenor));
  const gaps = [
    ...(untold.length > 0 ? [`breakeven_gap: there is no breakeven or no target of ${untold.join(", ")}`] : []),
    ...(figures.policy_gap.length > 0 ? [] : ["policy_gap: path or survey of its meetings is not known"]),
    ...(figures.regime ? [] : ["regime: growth or inflation is unknown"]),
    ...(calendar ? [] : ["calendar: the calendar is missing"]),
  ];
  return {
    as_of_ms: newestOf(parts),
    warnings: [
      ...warnOfParts(parts, { equity: "equity", agro: "agro" }),
      ...gaps,
      ...warnings,
      ...relayWarnings(parts),
    ],
    data: {
      macro,
      curve,
      equity: dataOf(parts, "equity"),
      agro: dataOf(parts, "agro"),
      ...figures,
      calendar,
      title,
      markdown: renderMarkdown(
        title,
        written.blocks.map(({ id, text }) => ({ heading: id.replaceAll("_", " "), text })),
      ),
      ...keepShown(written),
    },
  };
}
