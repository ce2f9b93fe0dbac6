import { type FetchContext, NodeError } from "intel-node";
import type { TOKEN_CHAINS } from "intel-node/providers/issuer-tokens";
import { type HolderList, listHolders } from "../facts/holders.ts";
import { parseSubject } from "../facts/subject.ts";
import { type Assessment, fetchAssessment } from "../judge/assess.ts";
import { findFreshLaunch, readStored } from "../launches/store.ts";

export interface HolderInputs extends Assessment {
  readonly list: HolderList;
  readonly is_default: boolean;
}

interface Asked {
  readonly token?: string;
  readonly chain?: (typeof TOKEN_CHAINS)[number];
}

/** @throws NodeError subject_not_found; upstream_unavailable when no source lists its holders. */
export async function fetchHolders(context: FetchContext, { token, chain }: Asked): Promise<HolderInputs> {
  const fresh = token === undefined ? await findFreshLaunch(context) : null;
  const address = token ?? fresh?.token;
  if (address === undefined) {
    throw new NodeError(
      "upstream_unavailable",
      "No launch of the last hours is stored; name a token. Nothing was charged.",
    );
  }
  const subject = parseSubject("token", address, chain);
  const assessment = await fetchAssessment(context, subject, await readStored(context, subject));
  const [list] = listHolders(assessment.profile);
  if (!list || list.rows.length === 0) {
    throw new NodeError("upstream_unavailable", "Nobody lists the holders of this token now. Nothing was charged.");
  }
  return { ...assessment, list, is_default: token === undefined };
}
