import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { FetchContext } from "../../../catalog/context.ts";
import { isUnusable, unusable } from "../../../catalog/unusable.ts";
import { DecimalText } from "../quote.ts";
import { Listed, readListed } from "./listed.ts";
import { hyperliquid } from "./provider.ts";

/** Price and trade of one coin's perpetual future. */
export interface Mid {
  /** Middle of the book, US dollars per coin. */
  readonly price_usd: number;
  /** Traded in the last 24 hours, US dollars. */
  readonly volume_usd: number;
}

const TTL_MS = 30_000;
/** Coins of a tiny price are listed by the thousand: kPEPE is 1,000 PEPE. */
const THOUSAND = /^k([A-Z0-9]{1,19})$/;

const Entry = Type.Object({ midPx: DecimalText, dayNtlVlm: DecimalText });

/**
 * Every coin that trades there, by its ticker: "PEPE" also where the venue lists kPEPE. Coins without a middle price
 * are left out.
 * @throws UpstreamError
 */
export function fetchHyperliquidMids(context: Pick<FetchContext, "get">): Promise<ReadonlyMap<string, Mid>> {
  return context.get(hyperliquid, {
    path: "/info",
    body: { type: "metaAndAssetCtxs" },
    schema: Listed,
    ttl_ms: TTL_MS,
    read(answer, _, eachRow) {
      const coins = readListed(answer, eachRow);
      if (isUnusable(coins)) return coins;
      const mids = new Map<string, Mid>();
      for (const { name, is_delisted, entry } of coins) {
        if (is_delisted || !Value.Check(Entry, entry)) continue;
        const base = THOUSAND.exec(name)?.[1];
        const price_usd = Number(entry.midPx) / (base === undefined ? 1 : 1_000);
        if (price_usd > 0) mids.set(base ?? name, { price_usd, volume_usd: Number(entry.dayNtlVlm) });
      }
      return mids.size > 0 ? mids : unusable("no coin has a price");
    },
  });
}
