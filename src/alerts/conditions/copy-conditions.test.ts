import { expect, test } from "bun:test";
import { whyNotCopied } from "../../files/copy-order.ts";
import type { CopyState } from "../../ledger/copy/copy-state.ts";
import { findLateCopy } from "./copy-conditions.ts";

const NOW_MS = Date.parse("2026-11-29T10:15:00Z");
const state = (more: Partial<CopyState>): CopyState => ({
  to: "s3://bucket/node",
  waiting_since_ms: null,
  copied_ms: NOW_MS,
  snapshot_ms: NOW_MS - 3_600_000,
  failing: null,
  ...more,
});

test("a copy that lacks more than five minutes is reported, with the time and the reason", () => {
  expect(findLateCopy(null, NOW_MS)).toEqual([]);
  expect(findLateCopy(state({}), NOW_MS)).toEqual([]);
  expect(findLateCopy(state({ waiting_since_ms: NOW_MS - 300_000 }), NOW_MS)).toEqual([]);
  const failing = "writing to bucket at http://store: InternalError";
  const [late] = findLateCopy(state({ waiting_since_ms: NOW_MS - 481_000, failing }), NOW_MS);
  expect(late).toMatchObject({
    id: "backup:copy",
    severity: "critical",
    title: "the copy of the ledger is 8 minutes behind",
    text: `s3://bucket/node lacks what was written since 2026-11-29T10:06:59Z. ${failing}. Sales go on.`,
  });
});

test("an image that is two days old is reported: a restore would need every segment since", () => {
  expect(findLateCopy(state({ snapshot_ms: NOW_MS - 172_800_000 }), NOW_MS)).toEqual([]);
  expect(findLateCopy(state({ snapshot_ms: NOW_MS - 172_800_001 }), NOW_MS)[0]?.title).toBe(
    "the copy of the ledger has no new image",
  );
});

test("books in PostgreSQL are left to its own tools, in words", () => {
  const copy = { to: "/mnt/nas", every: "1s", keep: "7d" };
  const lease = "20s";
  expect(whyNotCopied({ copy, ledger: { lease } })).toBeNull();
  expect(whyNotCopied({ copy: { every: "1s", keep: "7d" }, ledger: { lease, url: "postgres://a@b/c" } })).toBeNull();
  expect(whyNotCopied({ copy, ledger: { lease, url: "postgres://a@b/c" } })).toContain("with its own tools");
});
