import { type Computed, type Draft, missingIn } from "intel-node";
import { getBundle, getCreatorSold } from "../facts/bundle.ts";
import { FACT_IDS } from "../facts/fact.ts";
import { listHolders } from "../facts/holders.ts";
import { listSilent } from "../facts/profile.ts";
import { isEVM, isIssuer } from "../facts/subject.ts";
import { measureConcentration } from "../holder-concentration/concentration.ts";
import { scoreInsiders } from "../insider-track/score.ts";
import { SCOPE_NOTE, warnOf } from "../judge/assess.ts";
import { describeMarkets, describeResolution } from "../token-intel/compute.ts";
import { describeJudgement, describeToken } from "../written/describe.ts";
import { NO_SOURCE } from "../written/words.ts";
import { decide } from "./decide.ts";
import type { TokenResearchInputs } from "./fetch.ts";
import type { TokenResearchData } from "./schema.ts";
import { summarise } from "./summarise.ts";

/** Sources that have nothing to say of every token: the tape of another launchpad, a route of other pools. */
const OPTIONAL_PARTS: readonly string[] = ["tape", "round_trip"];

function describeHolders(inputs: TokenResearchInputs): TokenResearchData["holders"] {
  const { facts, profile } = inputs;
  const [list] = listHolders(profile);
  const measured = list
    ? measureConcentration(
        list.rows.map(({ pct }) => pct),
        list.excluded.map(({ pct }) => pct),
      )
    : null;
  return {
    top1_pct: facts.top1_pct.value,
    top10_pct: facts.top10_pct.value,
    hhi_lower: measured?.hhi_lower ?? null,
    hhi_upper: measured?.hhi_upper ?? null,
    insider_pct: facts.insider_pct.value,
    creator_pct: facts.creator_pct.value,
    source: list?.source ?? null,
  };
}

export function computeTokenResearch(inputs: TokenResearchInputs): Computed<Draft<TokenResearchData>> {
  const { profile, facts, judgement, resolution, creator, screen, is_default } = inputs;
  const { markets } = describeMarkets(inputs);
  const tape = profile.tape?.ok ? profile.tape.value : null;
  const insiders = scoreInsiders({
    network_pct: facts.insider_pct.value,
    creator_pct: facts.creator_pct.value,
    bundle_pct: tape ? (getBundle(tape)?.pct ?? null) : null,
    creator_sold: tape && getCreatorSold(tape),
  });
  const is_evm = isEVM(profile.subject);
  const is_issuer = isIssuer(profile.subject);
  const insider_level = is_evm ? "unknown" : insiders.level;
  const resolved = describeResolution(resolution);
  const silent = listSilent(profile).flatMap(({ part }) => (OPTIONAL_PARTS.includes(part) ? [] : [part]));
  const dispersion_pct = markets.price_dispersion_pct;
  const { is_ambiguous } = resolved;
  const decision = decide({
    judgement,
    facts,
    is_evm,
    is_issuer,
    is_ambiguous,
    dispersion_pct,
    insider_level,
    creator_screen: screen,
    silent,
  });
  const holders = describeHolders(inputs);
  const answering = new Set(inputs.readings.map(({ source }) => source)).size;
  const powers = facts.mint_active.value === 1 || facts.freeze_active.value === 1 || facts.upgradable.value === 1;
  return {
    as_of_ms: profile.read_at_ms,
    data: {
      token: missingIn(describeToken(profile), NO_SOURCE),
      resolution: resolved,
      verdict: decision.verdict,
      basis: decision.basis,
      confidence: judgement.coverage * judgement.rules_known * Math.min(1, answering / 3),
      summary_points: [...summarise(inputs, { markets, holders, decision })],
      ...missingIn(
        {
          ...describeJudgement(judgement, true),
          market: markets,
          holders,
          creator: { address: creator, screen, insider_level },
        },
        NO_SOURCE,
      ),
      what_would_change_it: [...decision.blockers],
      info: is_issuer && powers ? ["issuer_controlled"] : [],
      evidence: FACT_IDS.flatMap((fact) => {
        const { value, sources } = facts[fact];
        return value === null || sources.length === 0 ? [] : [{ fact, value, sources: [...sources] }];
      }),
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      ...warnOf(profile),
      ...(screen === "unknown" ? ["creator.screen: the creator is not known, or was not screened"] : []),
      ...(is_default ? ["token: none was named; this is the newest launch this node saw"] : []),
    ],
  };
}
