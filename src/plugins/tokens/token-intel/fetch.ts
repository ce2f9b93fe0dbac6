import { type Static, Type } from "@sinclair/typebox";
import { type FetchContext, NodeError, outcomeOf } from "intel-node";
import { isIssuerToken, type TokenChain } from "intel-node/providers/issuer-tokens";
import { ownPairs } from "../facts/profile.ts";
import { type Assessment, fetchAssessment } from "../judge/assess.ts";
import { readStored } from "../launches/store.ts";
import { type Resolution, resolveToken } from "../markets/resolve.ts";

/** What is read of /smart-money. */
const SmartMoney = Type.Object({
  accumulating: Type.Array(Type.Object({ chain: Type.String(), token: Type.String(), net_usd_24h: Type.Number() })),
  distributing: Type.Array(Type.Object({ chain: Type.String(), token: Type.String(), net_usd_24h: Type.Number() })),
});

export interface TokenIntelInputs extends Assessment {
  readonly resolution: Resolution;
  readonly smart_net_usd: number | null;
  readonly is_default: boolean;
}

const DEFAULT_TOKEN = "SOL";

async function readSmartNet(context: FetchContext, { chain, address }: Resolution["subject"]): Promise<number | null> {
  const asked = await outcomeOf(context.ask("/smart-money", {}, SmartMoney));
  if (!asked.ok) return null;
  const { accumulating, distributing }: Static<typeof SmartMoney> = asked.value.data;
  const row = [...accumulating, ...distributing].find((one) => one.chain === chain && one.token === address);
  return row?.net_usd_24h ?? null;
}

/** @throws NodeError subject_not_found when no pool has it; upstream_unavailable when the pool tables are silent. */
export async function fetchTokenIntel(
  context: FetchContext,
  { token, chain }: { readonly token?: string; readonly chain?: TokenChain },
): Promise<TokenIntelInputs> {
  const resolution = await resolveToken(context, token ?? DEFAULT_TOKEN, token === undefined ? "solana" : chain);
  const { subject } = resolution;
  const [assessment, smart_net_usd] = await Promise.all([
    readStored(context, subject).then((stored) => fetchAssessment(context, subject, stored)),
    readSmartNet(context, subject),
  ]);
  const { pairs } = assessment.profile;
  if (!pairs?.ok)
    throw new NodeError("upstream_unavailable", "The tables of pools do not answer. Nothing was charged.");
  if (ownPairs(pairs.value, subject).length === 0) {
    const message = `No pool on ${subject.chain} trades ${subject.address}.`;
    // Issuers' own tokens are traded: a list without them is not usable.
    throw new NodeError(
      isIssuerToken(subject.chain, subject.address) ? "upstream_bad_response" : "subject_not_found",
      message,
    );
  }
  return { ...assessment, resolution, smart_net_usd, is_default: token === undefined };
}
