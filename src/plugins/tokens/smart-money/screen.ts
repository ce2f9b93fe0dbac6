import { Type } from "@sinclair/typebox";
import { type FetchContext, outcomeOf } from "intel-node";

const Screened = Type.Object({
  listed_wallets: Type.Array(Type.String()),
  lists: Type.Array(Type.Object({ id: Type.String(), fresh: Type.Boolean() })),
});

/** What the sanctions lists say of some wallets. */
export interface Screening {
  readonly listed: ReadonlySet<string>;
  /** Lists that are missing or old: wallets on them alone are not found. */
  readonly old: readonly string[];
}

/** Asks `/sanctions` about at most 50 wallets at once; null where it gives no answer. */
export async function screenWallets(
  context: Pick<FetchContext, "ask">,
  wallets: readonly string[],
): Promise<Screening | null> {
  if (wallets.length === 0) return { listed: new Set(), old: [] };
  const params = { wallets: wallets.join(","), type: "any", threshold: 0.82 };
  const asked = await outcomeOf(context.ask("/sanctions", params, Screened));
  if (!asked.ok) return null;
  const { listed_wallets, lists } = asked.value.data;
  return { listed: new Set(listed_wallets), old: lists.flatMap(({ id, fresh }) => (fresh ? [] : [id])) };
}
