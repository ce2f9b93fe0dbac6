import { networkById } from "../../src/payments/networks/table.ts";
import { createAlgod } from "../../src/sandbox/chains/algorand/algod.ts";
import { createBank } from "../../src/sandbox/chains/algorand/bank.ts";
import { createAlgorandLedger } from "../../src/sandbox/chains/algorand/ledger.ts";
import { ROUND_MS } from "../../src/sandbox/chains/algorand/rounds.ts";
import { createJournal } from "../../src/sandbox/journal.ts";
import { createStillClock } from "./still-clock.ts";

export const ALGORAND = "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k";
const asset = BigInt(networkById(ALGORAND)?.asset ?? 0);
export const RULES = {
  genesis_hash: "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=",
  genesis_id: "mainnet-v1.0",
  asset,
};

/**
 * A strict Algorand main network behind algod's and the indexer's REST interfaces: nobody has opted in to USDC, and
 * nobody holds any, until a test says so.
 */
export function startFakeAlgod() {
  const clock = createStillClock();
  const bank = createBank({ network: ALGORAND, journal: createJournal(null), newcomer: null });
  const ledger = createAlgorandLedger({ rules: RULES, bank, now_ms: clock.now, groups_max: 100_000 });
  const algod = createAlgod(ledger);
  /**
   * `archive`: keeps old blocks. `token`: asked of everybody. `indexer_lag`: rounds the indexer is behind. `coins`:
   * micro-ALGO every account holds.
   */
  const state = { archive: false, token: "", indexer_lag: 0, coins: 10_000_000 };
  const asked: string[] = [];

  const respond = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname}`);
    if (state.token !== "" && request.headers.get("x-algo-api-token") !== state.token) {
      return Response.json({ message: "Invalid API Token" }, { status: 401 });
    }
    if (!state.archive && pathname.startsWith("/v2/blocks/")) {
      return Response.json({ message: "failed to retrieve information from the ledger" }, { status: 404 });
    }
    if (search === "?exclude=all") return Response.json({ amount: state.coins, "min-balance": 100_000 });
    return algod(request);
  };
  const index = (request: Request): Response => {
    const { pathname } = new URL(request.url);
    asked.push(`indexer ${pathname}`);
    const round = ledger.lastRound() - state.indexer_lag;
    const block = Number(/^\/v2\/blocks\/([0-9]{1,12})$/.exec(pathname)?.[1] ?? Number.NaN);
    if (block <= round) return Response.json({ round: block, "genesis-hash": RULES.genesis_hash, transactions: [] });
    const id = /^\/v2\/transactions\/([A-Z2-7]{52})$/.exec(pathname)?.[1] ?? "";
    const group = bank.find(id);
    const moved = group?.transfers.find(({ transaction }) => transaction === id);
    if (!group || !moved || group.round > round) {
      return Response.json({ message: "no transaction found" }, { status: 404 });
    }
    const transfer = { amount: Number(moved.amount), "asset-id": Number(asset), receiver: moved.to };
    const transaction = {
      id,
      sender: moved.from,
      "confirmed-round": group.round,
      "asset-transfer-transaction": transfer,
    };
    return Response.json({ "current-round": round, transaction });
  };
  const serve = (fetch: (request: Request) => Response | Promise<Response>) =>
    Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  const [node, indexer] = [serve(respond), serve(index)];

  return {
    url: `http://127.0.0.1:${node.port}`,
    indexer_url: `http://127.0.0.1:${indexer.port}`,
    state,
    asked,
    bank,
    lastRound: ledger.lastRound,
    /** Opts an account in, with some USDC. */
    hold: (address: string, amount: bigint) => bank.fund(address, amount),
    balanceOf: (address: string) => bank.holdingOf(address),
    skipRounds: (count: number) => clock.set(clock.now() + count * ROUND_MS),
    stop: () => Promise.all([node.stop(true), indexer.stop(true)]),
  };
}
export type FakeAlgod = ReturnType<typeof startFakeAlgod>;
