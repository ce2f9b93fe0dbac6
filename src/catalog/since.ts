import { NodeError } from "../core/errors.ts";
import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import { applyMergePatch, createMergePatch } from "../core/merge-patch.ts";
import type { Envelope } from "./envelope.ts";

/** An answer of which a buyer has an earlier one, and wants to know what changed. */
export interface SinceBase {
  /** As it was asked for: the id of a receipt, a call or a voucher. */
  readonly since: string;
  /** The whole earlier answer: as sold then, or as rebuilt from later changes. */
  readonly base: string;
  /** What this answer costs, decimal USD. */
  readonly charged_usd: string;
}

/** The fields of an answer that contains only changes. */
export interface AnswerChanges {
  readonly since: string;
  readonly unchanged: boolean;
  /** RFC 7396, from the earlier answer's data to the new one's; null where nothing changed, or it cannot say it. */
  readonly patch: unknown;
  /** SHA-256 of the canonical JSON (RFC 8785) of the data before the changes, and after them. */
  readonly base_sha256: string;
  readonly result_sha256: string;
  /** SHA-256 of the whole new answer as it would have been sold. */
  readonly answer_sha256: string;
  readonly charged_usd: string;
}

const RECEIPT = /^(rcp|call|voucher)_[A-Za-z0-9]{1,60}$/;

/** @throws NodeError invalid_parameter */
export function readSince(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && RECEIPT.test(value)) return value;
  throw new NodeError("invalid_parameter", 'Parameter "since" must be the X-Receipt-Id of an earlier answer.', {
    param: "since",
    details: { parameter: "since", allowed: RECEIPT.source },
  });
}

const dataOf = (body: string): unknown => (JSON.parse(body) as Envelope).data;
const hashOf = (data: unknown): string => sha256Hex(canonicalJSON(data));

/** Whether two whole answers hold the same data. */
export const isUnchanged = (base: string, whole: string): boolean =>
  base === whole || hashOf(dataOf(base)) === hashOf(dataOf(whole));

/**
 * The answer that contains only changes, as text: the envelope of the new one, with the changes since the earlier one
 * in place of its data. Pure, so that the same two answers give the same bytes again.
 * @param whole the new answer, whole.
 */
export function renderChanges(whole: string, { since, base, charged_usd }: SinceBase): string {
  const { data, ...envelope } = JSON.parse(whole) as Envelope;
  const before = dataOf(base);
  const result_sha256 = hashOf(data);
  const base_sha256 = hashOf(before);
  const unchanged = base_sha256 === result_sha256;
  const patch = unchanged ? null : findPatch(before, data, result_sha256);
  const changes: AnswerChanges = {
    since,
    unchanged,
    patch,
    base_sha256,
    result_sha256,
    answer_sha256: sha256Hex(whole),
    charged_usd,
  };
  return JSON.stringify({ ...envelope, changes, ...(unchanged || patch !== null ? {} : { data }) });
}

/** The patch, where it says all of it and is shorter than what it makes: else the buyer is better off with that. */
function findPatch(before: unknown, data: unknown, result_sha256: string): unknown {
  const patch = createMergePatch(before, data);
  // An object at the top: null as a patch would be no patch.
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return null;
  if (hashOf(applyMergePatch(before, patch)) !== result_sha256) return null;
  return JSON.stringify(patch).length < JSON.stringify(data).length ? patch : null;
}
