import { type Computed, type Draft, missing, missingIn, renderTime } from "intel-node";
import type { FactId } from "../facts/fact.ts";
import { SCOPE_NOTE, UNDATED } from "../judge/assess.ts";
import { NO_SOURCE } from "../written/words.ts";
import type { InsiderRow, InsiderTrackInputs } from "./fetch.ts";
import type { InsiderTrackData } from "./schema.ts";
import { scoreInsiders } from "./score.ts";

const EARLY_SHOWN = 5;
const UNTOLD = "RugCheck or the tape does not say; the score is then a lower bound";

function describeRow({
  token,
  created_at_ms,
  at_ms,
  facts,
  bundle,
  creator_sold,
}: InsiderRow): Draft<InsiderTrackData["items"][number]> {
  const value = (fact: FactId): number | null => facts[fact].value;
  const [network_pct, creator_pct] = [value("insider_pct"), value("creator_pct")];
  const creator = { pct: creator_pct, sold_share: creator_sold, prior_launches: value("prior_launches") };
  const rug = value("prior_rug");
  const is_known = Object.values(creator).some((one) => one !== null) || rug !== null;
  return {
    token: missingIn(token, NO_SOURCE),
    created_at: created_at_ms === null ? missing(NO_SOURCE) : renderTime(created_at_ms),
    ...scoreInsiders({ network_pct, creator_pct, bundle_pct: bundle?.pct ?? null, creator_sold }),
    network: network_pct === null ? missing(UNTOLD) : { pct: network_pct },
    creator: missingIn(is_known ? { ...creator, prior_rug: rug === null ? null : rug === 1 } : null, UNTOLD),
    bundle: bundle ? { wallets: bundle.wallets, pct: bundle.pct, slots: bundle.slots } : missing(UNTOLD),
    early_wallets: [...(bundle?.early ?? [])]
      .sort((a, b) => b.pct - a.pct)
      .slice(0, EARLY_SHOWN)
      .map((one) => ({ ...one })),
    assessed_at: renderTime(at_ms),
  };
}

export function computeInsiderTrack(inputs: InsiderTrackInputs, limit: number): Computed<Draft<InsiderTrackData>> {
  const items = inputs.rows.map(describeRow).sort((a, b) => b.insider_score - a.insider_score);
  return {
    as_of_ms: Math.min(...inputs.rows.map(({ at_ms }) => at_ms)),
    data: { items: items.slice(0, limit), scope_note: SCOPE_NOTE, not_advice: true },
    warnings: inputs.warnings.length > 0 ? inputs.warnings : [UNDATED],
  };
}
