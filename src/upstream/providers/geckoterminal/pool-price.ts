import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Rows } from "../../../catalog/rows.ts";
import type { DexChain } from "../dex-tokens.ts";
import { isSameToken, type PoolPrice, readDeepest } from "../pool-price.ts";
import { geckoterminal } from "./provider.ts";

/** Its own names of the chains. */
export const GECKOTERMINAL_NETWORKS: Readonly<Record<DexChain, string>> = {
  ethereum: "eth",
  base: "base",
  arbitrum: "arbitrum",
  optimism: "optimism",
  polygon: "polygon_pos",
  solana: "solana",
};

const Decimal = Type.String({ pattern: "^-?[0-9]{1,40}(\\.[0-9]{1,60})?$" });
const Maybe = Type.Optional(Type.Union([Decimal, Type.Null()]));
/** `<network>_<address>`. */
const Reference = Type.Object({ data: Type.Object({ id: Type.String({ maxLength: 120 }) }) });

const Pool = Type.Object({
  attributes: Type.Object({
    base_token_price_usd: Maybe,
    base_token_price_quote_token: Maybe,
    quote_token_price_usd: Maybe,
    reserve_in_usd: Maybe,
    price_change_percentage: Type.Optional(Type.Object({ h24: Maybe })),
  }),
  relationships: Type.Object({ base_token: Reference, quote_token: Reference }),
});
const Answer = Type.Object({ data: Rows(Pool, { maxItems: 100 }) });

const numberOf = (text: string | null | undefined): number => Number(text ?? Number.NaN);

/** Where it knows the dollar price of the quote token only, that of the base token follows from the pool's own. */
function getPrice(pool: Static<typeof Pool>["attributes"]): number {
  const { base_token_price_usd, base_token_price_quote_token, quote_token_price_usd } = pool;
  return base_token_price_usd == null
    ? numberOf(base_token_price_quote_token) * numberOf(quote_token_price_usd)
    : numberOf(base_token_price_usd);
}

/**
 * The price of a token in its deepest pool. The table states no time: it is as new as the call.
 * @throws UpstreamError
 */
export function fetchGeckoterminalPrice(
  context: Pick<FetchContext, "get">,
  { chain, token }: { readonly chain: DexChain; readonly token: string },
): Promise<PoolPrice> {
  const network = GECKOTERMINAL_NETWORKS[chain];
  // It writes hex addresses in lower case.
  const address = chain === "solana" ? token : token.toLowerCase();
  return context.get(geckoterminal, {
    path: `/networks/${network}/tokens/${address}/pools`,
    schema: Answer,
    ttl_ms: 60_000,
    read({ data }) {
      const pools = data
        .filter(({ relationships }) => {
          const { id } = relationships.base_token.data;
          return id.startsWith(`${network}_`) && isSameToken(chain, id.slice(network.length + 1), token);
        })
        .map(({ attributes }) => ({
          price: getPrice(attributes),
          liquidity_usd: numberOf(attributes.reserve_in_usd),
          change_24h_pct: Number(attributes.price_change_percentage?.h24 ?? 0),
        }));
      return readDeepest(pools);
    },
  });
}
