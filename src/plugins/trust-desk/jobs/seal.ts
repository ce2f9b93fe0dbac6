import { Type } from "@sinclair/typebox";
import { canonicalJSON, defineJob, outcomeOf, renderTime } from "intel-node";
import {
  hashItem,
  rootOf,
  SEALED_PRODUCTS,
  SEALS,
  type SealLeaf,
  SIGNED_SEAL,
  toRecordValue,
} from "../seals/seal-records.ts";

const Data = Type.Unknown();

/** Seals what the node answers now: one leaf per product, one root, chained to the seal before it and signed. */
export const job = defineJob({
  id: "trust-seal",
  schedule: "3 * * * *",
  providers: [],
  asks: Object.fromEntries(SEALED_PRODUCTS.map((path) => [path, "optional" as const])),
  at_start: true,
  deadline_ms: 60_000,
  writes_records: true,
  sandbox_days: 1,
  runs_kept: 24,
  async run(context) {
    const asked = await Promise.all(
      SEALED_PRODUCTS.map(async (product) => {
        const params = product === "/sanctions" ? { type: "any", threshold: 0.82 } : {};
        const answer = await outcomeOf(context.ask(product, params, Data));
        if (!answer.ok) return [];
        const as_of = renderTime(answer.value.as_of_ms);
        return [{ product, as_of, leaf_hash: hashItem({ product, as_of, data: answer.value.data }) }];
      }),
    );
    const leaves: readonly SealLeaf[] = asked.flat();
    // Without anything to seal there is no seal: the next hour has one.
    if (leaves.length === 0) return;
    const root = rootOf(leaves);
    const sealed_at = renderTime(context.now_ms);
    const statement = canonicalJSON({ leaf_count: leaves.length, root, sealed_at });
    await context.records.append(SEALS, (link) => ({ v: 1, ...link, root, leaf_count: leaves.length, sealed_at }), {
      signature: context.signer.sign(SIGNED_SEAL, statement),
      leaves: toRecordValue(leaves),
    });
  },
});
