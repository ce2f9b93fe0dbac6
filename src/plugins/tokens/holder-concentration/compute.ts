import type { Computed } from "intel-node";
import { describeToken } from "../shared/describe.ts";
import { SCOPE_NOTE, warnOf } from "../shared/judge/assess.ts";
import { measureConcentration } from "./concentration.ts";
import type { HolderInputs } from "./fetch.ts";
import type { HolderConcentrationData } from "./schema.ts";

const ROWS_SHOWN = 20;
const EXCLUDED_SHOWN = 10;

export function computeHolders(inputs: HolderInputs): Computed<HolderConcentrationData> {
  const { profile, facts, list, is_default } = inputs;
  const { gini, ...measured } = measureConcentration(
    list.rows.map(({ pct }) => pct),
    list.excluded.map(({ pct }) => pct),
  );
  const { mint, powers } = profile;
  const supply =
    mint?.ok && mint.value.kind === "mint" ? mint.value.powers.supply : powers?.ok ? powers.value.supply : null;
  const counted = profile.rugcheck?.ok ? profile.rugcheck.value.totalHolders : null;
  const counted_too = profile.goplus?.ok ? Number(profile.goplus.value.holder_count ?? 0) : 0;
  return {
    as_of_ms: profile.read_at_ms,
    data: {
      token: describeToken(profile),
      supply: supply === null ? null : String(supply),
      holders_count: counted || counted_too || null,
      ...measured,
      effective_holders_min: 10_000 / measured.hhi_upper,
      effective_holders_max: measured.hhi_lower > 0 ? 10_000 / measured.hhi_lower : null,
      gini_known: gini,
      rows: list.rows.slice(0, ROWS_SHOWN).map((row) => ({ ...row })),
      excluded: list.excluded.slice(0, EXCLUDED_SHOWN).map((row) => ({ ...row })),
      insider_pct: facts.insider_pct.value,
      creator_pct: facts.creator_pct.value,
      source: list.source,
      source_depth: list.rows.length,
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      ...warnOf(profile),
      "token, supply, holders_count, top5_pct, top10_pct, nakamoto_33, insider_pct, " +
        "creator_pct: null where no source says",
      ...(is_default ? ["token: none was named; this is the newest launch this node saw"] : []),
    ],
  };
}
