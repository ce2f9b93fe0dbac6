import { type Static, Type } from "@sinclair/typebox";
import { type FetchContext, NodeError, outcomeOf } from "intel-node";
import type { TokenChain } from "intel-node/providers/issuer-tokens";
import { listCreators } from "../facts/creators.ts";
import { isIssuer } from "../facts/subject.ts";
import { type Assessment, fetchAssessment } from "../judge/assess.ts";
import { findFreshLaunch, readStored } from "../launches/store.ts";
import { type Resolution, resolveToken } from "../markets/resolve.ts";
import type { ResearchFacts } from "./decide.ts";

const Screen = Type.Object({
  verdict: Type.Union([
    ...(["hit", "possible", "clear", "incomplete"] as const).map((word) => Type.Literal(word)),
    Type.Null(),
  ]),
});

export interface TokenResearchInputs extends Assessment {
  readonly resolution: Resolution;
  readonly creator: string | null;
  readonly screen: ResearchFacts["creator_screen"];
  readonly is_default: boolean;
}

async function screenCreator(context: FetchContext, creator: string | null): Promise<ResearchFacts["creator_screen"]> {
  if (creator === null) return "unknown";
  const asked = await outcomeOf(context.ask("/sanctions", { name: creator }, Screen));
  if (!asked.ok) return "unknown";
  const { verdict }: Static<typeof Screen> = asked.value.data;
  return verdict ?? "unknown";
}

/** @throws NodeError subject_not_found; upstream_unavailable without authorities or markets. */
export async function fetchTokenResearch(
  context: FetchContext,
  { token, chain }: { readonly token?: string; readonly chain?: TokenChain },
): Promise<TokenResearchInputs> {
  const fresh = token === undefined ? await findFreshLaunch(context) : null;
  const asked = token ?? fresh?.token;
  if (asked === undefined) {
    throw new NodeError(
      "upstream_unavailable",
      "No launch of the last hours is stored; name a token. Nothing was charged.",
    );
  }
  const resolution = await resolveToken(context, asked, token === undefined ? "solana" : chain);
  const { subject } = resolution;
  const assessment = await fetchAssessment(context, subject, await readStored(context, subject));
  const { facts, profile } = assessment;
  if (!facts.mint_active.is_known || !profile.pairs?.ok) {
    throw new NodeError(
      "upstream_unavailable",
      "Authorities or markets of this token are unavailable now. Nothing was charged.",
    );
  }
  const creator = listCreators(assessment.profile)[0]?.address ?? null;
  const screen = isIssuer(subject) ? "unknown" : await screenCreator(context, creator);
  return { ...assessment, resolution, creator, screen, is_default: token === undefined };
}
