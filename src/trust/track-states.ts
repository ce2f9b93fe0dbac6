import type { ProvenanceOutcome } from "./peer-types.ts";

/** The chain a statement is of, and what its signature is for, by what the statement calls itself. */
export const TRACK_KINDS = {
  "win-rate-verified": { chain: "signals", statement: "win-rate" },
  theses: { chain: "theses", statement: "theses" },
} as const;

/** "unproven": nothing contradicts it, but no signature covers it. */
export type TrackState = "proven" | "unproven" | "broken";

/** Each state in the words of x402's proposed extension `response-provenance`, for readers that know those. */
export const OUTCOME_OF: Readonly<Record<TrackState, ProvenanceOutcome>> = {
  proven: "verified",
  unproven: "unverifiable",
  broken: "contradicted",
};

/** One thing a track record claims, and whether that is so. */
export interface TrackClaim {
  readonly name:
    | "form"
    | "signature"
    | "membership"
    | "order"
    | "completeness"
    | "grades"
    | "totals"
    | "kept head"
    | "witnesses";
  readonly state: TrackState;
  readonly detail: string;
}

export const proven = (name: TrackClaim["name"], detail: string): TrackClaim => ({ name, state: "proven", detail });
export const unproven = (name: TrackClaim["name"], detail: string): TrackClaim => ({ name, state: "unproven", detail });
export const broken = (name: TrackClaim["name"], detail: string): TrackClaim => ({ name, state: "broken", detail });
