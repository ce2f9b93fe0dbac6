import { type Computed, type Draft, missing, missingIn } from "intel-node";
import { readFlag } from "intel-node/providers/goplus/token-security";
import { listCreators } from "../facts/creators.ts";
import type { FactId } from "../facts/fact.ts";
import { listHolders } from "../facts/holders.ts";
import { SCOPE_NOTE, warnOf } from "../judge/assess.ts";
import type { Judgement } from "../judge/judge.ts";
import { cleanName } from "../text/clean-text.ts";
import { describeJudgement, describeToken } from "../written/describe.ts";
import { NO_SOURCE } from "../written/words.ts";
import type { RugcheckInputs } from "./fetch.ts";
import type { RugcheckData } from "./schema.ts";

const RISKS_SHOWN = 10;
const EXCLUDED_SHOWN = 10;

export function getRiskLevel({ hard_fails, risk, coverage, basis }: Judgement): RugcheckData["risk_level"] {
  if (hard_fails.length > 0) return "critical";
  if (risk >= 60 || basis === "insufficient_evidence" || (basis === "capped" && risk > 25)) return "high";
  return risk > 25 || coverage < 0.9 || basis === "capped" || basis === "partial_evidence" ? "medium" : "low";
}

function describeAuthorities({ profile, facts }: RugcheckInputs): RugcheckData["authorities"] {
  const { mint, rugcheck } = profile;
  const powers = mint?.ok && mint.value.kind === "mint" ? mint.value.powers : null;
  const token = rugcheck?.ok ? rugcheck.value.token : null;
  const meta = rugcheck?.ok ? rugcheck.value.tokenMeta : null;
  return {
    mint: {
      address: powers ? powers.mint_authority : (token?.mintAuthority ?? null),
      known: facts.mint_active.is_known,
    },
    freeze: {
      address: powers ? powers.freeze_authority : (token?.freezeAuthority ?? null),
      known: facts.freeze_active.is_known,
    },
    update: { address: meta?.updateAuthority ? meta.updateAuthority : null, known: meta?.updateAuthority != null },
  };
}

/** The two services' own verdicts. */
function describeOpinions({ profile }: RugcheckInputs): Draft<RugcheckData["provider"]> {
  const report = profile.rugcheck?.ok ? profile.rugcheck.value : null;
  const row = profile.goplus?.ok ? profile.goplus.value : null;
  const opinions = {
    rugcheck_score: report?.score ?? null,
    rugcheck_score_normalised: report?.score_normalised ?? null,
    rugcheck_risks:
      report?.risks?.slice(0, RISKS_SHOWN).map(({ name, level, score }) => ({
        name: cleanName(name),
        level: cleanName(level ?? "unstated"),
        score: score ?? 0,
      })) ?? null,
    goplus_trusted: (row ? readFlag(row.trusted_token) : null) ?? missing("GoPlus does not say"),
  };
  return missingIn(opinions, "RugCheck has no report of it");
}

export function computeRugcheck(inputs: RugcheckInputs): Computed<Draft<RugcheckData>> {
  const { profile, facts, judgement, is_default } = inputs;
  const value = (fact: FactId): number | null => facts[fact].value;
  const flag = (fact: FactId): boolean | null => (value(fact) === null ? null : value(fact) === 1);
  const report = profile.rugcheck?.ok ? profile.rugcheck.value : null;
  const row = profile.goplus?.ok ? profile.goplus.value : null;
  const holder_count = report?.totalHolders || Number(row?.holder_count ?? 0) || null;
  const networks = report?.insiderNetworks?.filter(({ size }) => (size ?? 0) >= 2).length;
  return {
    as_of_ms: profile.read_at_ms,
    data: {
      token: missingIn(describeToken(profile), NO_SOURCE),
      authorities: describeAuthorities(inputs),
      extensions: missingIn(
        {
          permanent_delegate: flag("permanent_delegate"),
          transfers_blocked: flag("transfers_blocked"),
          transfer_hook: flag("hook_live"),
          fee_bps: value("fee_bps"),
          metadata_mutable: flag("metadata_mutable"),
        },
        NO_SOURCE,
      ),
      holders: missingIn(
        {
          top1_pct: value("top1_pct"),
          top10_pct: value("top10_pct"),
          count: holder_count,
          excluded: (listHolders(profile)[0]?.excluded ?? []).slice(0, EXCLUDED_SHOWN).map((one) => ({ ...one })),
        },
        NO_SOURCE,
      ),
      creator: missingIn(
        {
          address: listCreators(profile)[0]?.address ?? null,
          pct: value("creator_pct"),
          prior_launches: value("prior_launches"),
          prior_rug: flag("prior_rug"),
        },
        NO_SOURCE,
      ),
      insiders: missingIn(
        {
          networks: networks ?? null,
          pct: value("insider_pct"),
          detected: report?.graphInsidersDetected ?? null,
        },
        NO_SOURCE,
      ),
      liquidity: missingIn(
        {
          usd: value("liquidity_usd"),
          lp_locked_pct: value("lp_locked_pct"),
          venue: value("on_curve") === null ? null : value("on_curve") === 1 ? "curve" : "amm",
        },
        NO_SOURCE,
      ),
      provider: describeOpinions(inputs),
      ...missingIn(describeJudgement(judgement), NO_SOURCE),
      risk_level: getRiskLevel(judgement),
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      ...warnOf(profile),
      ...(is_default ? ["mint: none was named; this is the newest launch this node saw"] : []),
    ],
  };
}
