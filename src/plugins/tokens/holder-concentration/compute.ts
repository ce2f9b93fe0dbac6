import { type Computed, type Draft, missing, missingIn } from "intel-node";
import { isEVM } from "../facts/subject.ts";
import { SCOPE_NOTE, warnOf } from "../judge/assess.ts";
import { describeToken } from "../written/describe.ts";
import { NO_SOURCE } from "../written/words.ts";
import { measureConcentration } from "./concentration.ts";
import type { HolderInputs } from "./fetch.ts";
import type { HolderConcentrationData } from "./schema.ts";

const ROWS_SHOWN = 20;
const EXCLUDED_SHOWN = 10;
const NOTHING_HELD = "nobody is known to hold any";

export function computeHolders(inputs: HolderInputs): Computed<Draft<HolderConcentrationData>> {
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
      token: missingIn(describeToken(profile), NO_SOURCE),
      supply: supply === null ? missing("the chain did not answer") : String(supply),
      holders_count: counted || counted_too || missing("neither RugCheck nor GoPlus counts them"),
      ...missingIn(measured, `only ${list.rows.length} holders are listed`),
      effective_holders_min: 10_000 / measured.hhi_upper,
      effective_holders_max: measured.hhi_lower > 0 ? 10_000 / measured.hhi_lower : missing(NOTHING_HELD),
      gini_known: gini ?? missing(NOTHING_HELD),
      rows: list.rows.slice(0, ROWS_SHOWN).map((row) => ({
        ...row,
        account: row.account ?? (isEVM(profile.subject) ? null : missing(`${list.source} does not name it`)),
        is_insider: row.is_insider ?? missing("RugCheck does not say"),
      })),
      excluded: list.excluded.slice(0, EXCLUDED_SHOWN).map((row) => ({ ...row })),
      insider_pct: facts.insider_pct.value ?? missing(NO_SOURCE),
      creator_pct: facts.creator_pct.value ?? missing(NO_SOURCE),
      source: list.source,
      source_depth: list.rows.length,
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      ...warnOf(profile),
      ...(is_default ? ["token: none was named; this is the newest launch this node saw"] : []),
    ],
  };
}
