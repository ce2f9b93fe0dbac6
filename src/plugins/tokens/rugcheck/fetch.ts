import { type FetchContext, NodeError } from "intel-node";
import { type Assessment, fetchAssessment } from "../judge/assess.ts";
import { findFreshLaunch, readStored } from "../launches/store.ts";

export interface RugcheckInputs extends Assessment {
  /** Whether the buyer named no token. */
  readonly is_default: boolean;
}

/** @throws NodeError subject_not_found; upstream_unavailable when no source knows who has power over it. */
export async function fetchRugcheck(context: FetchContext, mint: string | undefined): Promise<RugcheckInputs> {
  const fresh = mint === undefined ? await findFreshLaunch(context) : null;
  const address = mint ?? fresh?.token;
  if (address === undefined) {
    throw new NodeError(
      "upstream_unavailable",
      "No launch of the last hours is stored; name a mint. Nothing was charged.",
    );
  }
  const subject = { chain: "solana", address } as const;
  const assessment = await fetchAssessment(context, subject, await readStored(context, subject));
  const { mint_active, freeze_active } = assessment.facts;
  if (!mint_active.is_known || !freeze_active.is_known) {
    throw new NodeError("upstream_unavailable", "Nobody says who has power over this mint. Nothing was charged.");
  }
  return { ...assessment, is_default: mint === undefined };
}
