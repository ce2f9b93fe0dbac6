import type { Database } from "bun:sqlite";
import { type StoredKey, toKeyRow } from "../key-rows.ts";
import {
  renderKeys,
  renderOpen,
  renderPurchases,
  type StoredOpenPayment,
  type StoredWalletPurchase,
  toOpenPayment,
  toPurchase,
  toPurchaseValues,
  type WalletCommands,
  type WalletQueries,
} from "../wallets.ts";
import type { Writer } from "../writer.ts";

/** A clock set back by less than this brings no used nonce back. */
const NONCE_KEPT_MS = 3_600_000;

/** Each nonce that comes takes some with it that have ended, so that there are never many. */
const FORGOTTEN_AT_ONCE = 4;

export function createWalletQueries(db: Database): WalletQueries {
  // A bare parameter beside a join has SQLite prepare the statement anew each time it is bound.
  const asked = { address: "+$address", network: "+$network", limit: "$limit" };
  const purchases = db.query<StoredWalletPurchase, Record<string, string | number>>(
    renderPurchases({ ...asked, before: "+$before", from: "+$from", until: "+$until" }),
  );
  const open = db.query<StoredOpenPayment, Record<string, string | number>>(renderOpen(asked));
  const keys = db.query<StoredKey, Record<string, string | number>>(renderKeys(asked));
  const bind = (values: object): Record<string, string | number> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`$${name}`, value]));
  return {
    purchases: (wanted) => purchases.all(bind(toPurchaseValues(wanted))).map(toPurchase),
    openPayments: ({ address, network }, limit) => open.all(bind({ address, network, limit })).map(toOpenPayment),
    keys: ({ address, network }, limit) => keys.all(bind({ address, network, limit })).map(toKeyRow),
  };
}

export function createWalletCommands({
  db,
  writer,
}: {
  readonly db: Database;
  readonly writer: Writer;
}): WalletCommands {
  const forget = db.query(
    `DELETE FROM used_nonces WHERE nonce IN (
       SELECT nonce FROM used_nonces WHERE until < ? ORDER BY until LIMIT ${FORGOTTEN_AT_ONCE})`,
  );
  const insert = db.query("INSERT INTO used_nonces (nonce, until) VALUES (?, ?) ON CONFLICT DO NOTHING");
  return {
    useNonce: (nonce, { until_ms, now_ms }) =>
      writer.write(() => {
        forget.run(now_ms - NONCE_KEPT_MS);
        return insert.run(nonce, until_ms).changes === 1;
      }),
  };
}
