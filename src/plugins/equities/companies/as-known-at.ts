import { Type } from "@sinclair/typebox";
import { day, NodeError } from "intel-node";
import type { Company } from "./load-company.ts";

/** The parameter of every product that can answer as of a past day. */
export const AsKnownAt = Type.Optional(
  day("Answer with nothing that was filed after this day, such as 2025-06-30; today when omitted."),
);

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** @throws NodeError invalid_parameter for a day that no calendar has, such as 2026-02-30. */
export function assertCalendarDay(date: string | undefined): void {
  if (date === undefined) return;
  const ms = Date.parse(date);
  if (Number.isFinite(ms) && dayOf(ms) === date) return;
  throw new NodeError("invalid_parameter", `There is no day ${date}.`, { param: "as_known_at" });
}

/**
 * The day whose knowledge is asked for: today, or one before it.
 * @throws NodeError invalid_parameter for a future day: its filings are unknown.
 */
export function readKnownDay(as_known_at: string | undefined, now_ms: number): string {
  const today = dayOf(now_ms);
  if (as_known_at === undefined || as_known_at <= today) return as_known_at ?? today;
  throw new NodeError("invalid_parameter", `as_known_at is a day up to today, ${today}.`, { param: "as_known_at" });
}

/** A company without what it filed after a day: numbers restated later are again those that were known. */
export function cutToKnown(company: Company, known_at: string): Company {
  const isKnown = ({ filed }: { readonly filed: string }): boolean => filed <= known_at;
  const registrant = { ...company.registrant, filings: company.registrant.filings.filter(isKnown) };
  return { ...company, registrant, facts: company.facts.filter(isKnown) };
}
