import { type StoredKey, toKeyRow } from "../key-rows.ts";
import type { Promised } from "../promised.ts";
import {
  renderKeys,
  renderOpen,
  renderPurchases,
  type StoredOpenPayment,
  type StoredWalletPurchase,
  toOpenPayment,
  toPurchase,
  toPurchaseValues,
  type WalletQueries,
} from "../wallets.ts";
import type { Reader } from "./reader.ts";

export function createWalletQueries({ all }: Reader): Promised<WalletQueries> {
  const asked = { address: "$1::text", network: "$2::text", limit: "$3::bigint" };
  return {
    async purchases(wanted) {
      const { address, network, limit, before, from, until } = toPurchaseValues(wanted);
      const sql = renderPurchases({ ...asked, before: "$4::bigint", from: "$5::bigint", until: "$6::bigint" });
      const rows = await all<StoredWalletPurchase>(sql, [address, network, limit, before, from, until]);
      return rows.map(toPurchase);
    },
    async openPayments({ address, network }, limit) {
      return (await all<StoredOpenPayment>(renderOpen(asked), [address, network, limit])).map(toOpenPayment);
    },
    async keys({ address, network }, limit) {
      return (await all<StoredKey>(renderKeys(asked), [address, network, limit])).map(toKeyRow);
    },
  };
}
