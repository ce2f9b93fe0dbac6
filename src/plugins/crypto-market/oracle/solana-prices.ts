import { type FetchContext, isUnusable, type Outcome, UpstreamError, unusable } from "intel-node";
import { getNewest, type PythPrice } from "intel-node/providers/pyth-price";
import { type AccountsAtSlot, fetchAccounts } from "intel-node/providers/solana-rpc/accounts";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { parsePythAccount } from "intel-node/providers/solana-rpc/pyth-account";
import type { PythFeed } from "intel-node/providers/solana-rpc/pyth-feeds";
import { parseRedStoneAccount, type RedStonePrice } from "intel-node/providers/solana-rpc/redstone-account";
import { REDSTONE_FEEDS } from "intel-node/providers/solana-rpc/redstone-feeds";

export type RedStoneSymbol = keyof typeof REDSTONE_FEEDS;

const refuse = (what: string, reasons: readonly string[]): { ok: false; error: UpstreamError } => {
  const message = `${what}: ${reasons.join("; ")}`;
  return { ok: false, error: new UpstreamError("upstream_bad_response", solanaRpc.id, message) };
};

/** The newer of a feed's two accounts, of those that can be used at all. */
function readPyth(read: AccountsAtSlot, feed: PythFeed, now_ms: number): Outcome<PythPrice> {
  const accounts = read.accounts.filter(
    (account) => account?.address === feed.classic || account?.address === feed.upgraded,
  );
  const parsed = accounts.flatMap((account) =>
    account ? [parsePythAccount(account, { feed, slot: read.slot, now_ms })] : [],
  );
  const newest = getNewest(parsed.filter((one): one is PythPrice => !isUnusable(one)));
  if (newest) return { ok: true, value: newest };
  const reasons = parsed.filter(isUnusable).map(({ why }) => why);
  return refuse(`Pyth ${feed.symbol}`, reasons.length > 0 ? reasons : ["there is no such account"]);
}

function readRedStone(read: AccountsAtSlot, symbol: RedStoneSymbol, now_ms: number): Outcome<RedStonePrice> {
  const account = read.accounts.find((one) => one?.address === REDSTONE_FEEDS[symbol]);
  const parsed = account
    ? parseRedStoneAccount(account, { feed: symbol, now_ms })
    : unusable("there is no such account");
  return isUnusable(parsed) ? refuse(`RedStone ${symbol}`, [parsed.why]) : { ok: true, value: parsed };
}

export interface SolanaPrices {
  readonly pyth: readonly Outcome<PythPrice>[];
  readonly redstone: Outcome<RedStonePrice> | undefined;
}

/**
 * Reads Pyth feeds, and RedStone's of one symbol, in one call at one slot. A node that has nothing new enough for
 * `isUseful` is passed over for the next one.
 * @throws UpstreamError when no node answered, or none usefully.
 */
export async function fetchSolanaPrices(
  context: Pick<FetchContext, "get" | "now_ms">,
  options: {
    readonly feeds: readonly PythFeed[];
    readonly redstone?: RedStoneSymbol;
    readonly isUseful: (prices: SolanaPrices) => boolean;
  },
): Promise<SolanaPrices> {
  const { feeds, redstone, isUseful } = options;
  const addresses = feeds.flatMap(({ classic, upgraded }) => [classic, upgraded]);
  if (redstone !== undefined) addresses.push(REDSTONE_FEEDS[redstone]);
  const decode = (read: AccountsAtSlot): SolanaPrices => ({
    pyth: feeds.map((feed) => readPyth(read, feed, context.now_ms)),
    redstone: redstone === undefined ? undefined : readRedStone(read, redstone, context.now_ms),
  });
  const read = await fetchAccounts(context, addresses, {
    refuse: (found) => (isUseful(decode(found)) ? undefined : unusable("no price in it is usable and new enough")),
  });
  return decode(read);
}
