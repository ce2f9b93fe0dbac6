import { expect, test } from "bun:test";
import { NodeError, toNodeError, UpstreamError } from "../core/errors.ts";
import { isSourceDead } from "./stood-in.ts";

const upstream = (kind: UpstreamError["kind"], own_limit = false): NodeError =>
  toNodeError([new UpstreamError(kind, "exchange", "no", { own_limit })], "rate");

test("a peer is asked where a source is dead: shut off, its quota spent, without a key, or talking nonsense", () => {
  for (const kind of ["upstream_timeout", "upstream_rate_limited", "upstream_unavailable", "upstream_auth"] as const) {
    expect(isSourceDead(upstream(kind))).toBe(true);
  }
  expect(isSourceDead(upstream("upstream_bad_response"))).toBe(true);
});

test.each([
  ["an unknown subject", upstream("upstream_not_found")],
  ["this node's own rate limit", upstream("upstream_rate_limited", true)],
  ["whom the buyer named", new NodeError("upstream_unavailable", "no", { of_request: true })],
  ["money that went on", new NodeError("upstream_unavailable", "no", { passed_on: {} })],
  ["a parameter", new NodeError("invalid_parameter", "no")],
  ["a fault of the product", new NodeError("product_failed", "no")],
  ["records that do not exist yet", new NodeError("no_history", "no")],
  ["a full house", new NodeError("overloaded", "no")],
  ["a run that took too long", new NodeError("deadline_exceeded", "no")],
])("no peer is asked because of %s", (_, error) => {
  expect(isSourceDead(error)).toBe(false);
});
