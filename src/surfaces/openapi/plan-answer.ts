import { renderTime } from "../../core/clock.ts";
import { parseDuration } from "../../core/duration.ts";
import { parseUSD } from "../../core/money.ts";
import { PRIORITIES } from "../../core/priority.ts";
import type { SurfaceModel, SurfaceProduct } from "../types.ts";
import type { OpenAPIJson } from "./schemas.ts";

const text = (description: string): OpenAPIJson => ({ type: "string", description });

/** What a buyer of any plan gets; payments/purchases.ts writes it. */
export const PLAN_ANSWER: OpenAPIJson = {
  type: "object",
  description: "A plan that was bought. It is paid once; calls with its key need no payment of their own.",
  required: ["product", "node_id", "generated_at", "plan", "key_id", "expires_at", "priority"],
  properties: {
    product: text("Which plan's path was bought."),
    node_id: text("Which node answered."),
    generated_at: { type: "string", format: "date-time", description: "Time of this answer." },
    sandbox: { type: "boolean", description: "true: everything is simulated." },
    plan: text("Name of the plan."),
    api_key: text("The new key, shown once. Not there when X-API-Key came with the purchase: that key is topped up."),
    topped_up: { type: "boolean", description: "true: the key that was sent has the credit or time now." },
    key_id: text("Public name of the key."),
    granted_atomic: text("Credit granted, atomic USDC; not for a pass."),
    balance_atomic: text("What can be spent now, atomic USDC; not for a pass."),
    unlimited: { type: "boolean", description: "true for a pass: calls are not debited until it ends." },
    expires_at: { type: ["string", "null"], format: "date-time", description: "When it ends; null is never." },
    priority: { type: "string", enum: Object.keys(PRIORITIES), description: "Who is served first under load." },
    badge_url: text("Public page of the badge it brings, if it does."),
    receipt: text("Id of the receipt; of a voucher, X-Receipt-Id names it."),
    receipt_url: text("The receipt; not of a voucher."),
    use: { type: "object", description: "The header that takes the key, and where its balance is told." },
    recovery: text("What to do when this answer was lost."),
  },
};

/** A purchase as the answer shows it, for one that grants what the plan says; the ids are placeholders. */
export function renderPlanExample({ id, plan, example }: SurfaceProduct, { node, sandbox }: SurfaceModel): OpenAPIJson {
  const credit = plan?.credit_usd ?? null;
  const atomic = credit === null ? null : parseUSD(credit).toString();
  const ends_ms = plan?.duration == null ? null : Date.parse(example.as_of) + parseDuration(plan.duration);
  return {
    product: id,
    node_id: node.node_id,
    generated_at: example.as_of,
    ...(sandbox ? { sandbox: true } : {}),
    plan: plan?.name,
    api_key: "ink_YOUR_KEY",
    key_id: "key_ID",
    ...(atomic === null ? { unlimited: true } : { granted_atomic: atomic, balance_atomic: atomic }),
    expires_at: ends_ms === null ? null : renderTime(ends_ms),
    priority: plan?.priority,
    receipt: "rcp_…",
    receipt_url: `${node.public_url}/receipts/rcp_…`,
    use: { header: "X-API-Key", status: `${node.public_url}/credits-status` },
  };
}
