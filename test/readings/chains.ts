import { fetchKyberQuote } from "../../src/plugins/tokens/providers/kyberswap/route.ts";
import { fetchPayloads } from "../../src/plugins/tokens/providers/mev-relays/payloads.ts";
import { fetchPumpCoins } from "../../src/plugins/tokens/providers/pump-fun/coins.ts";
import { fetchPumpTrades } from "../../src/plugins/tokens/providers/pump-fun/trades.ts";
import { drainPumpEvents } from "../../src/plugins/tokens/providers/pumpportal/launches.ts";
import { fetchVeloraQuote } from "../../src/plugins/tokens/providers/velora/prices.ts";
import { fetchSenders } from "../../src/plugins/tokens/trades/scan.ts";
import { fetchAddressTransactions } from "../../src/upstream/providers/blockscout/address-history.ts";
import { fetchTokenHolders } from "../../src/upstream/providers/blockscout/token-holders.ts";
import { fetchTokenReceipts } from "../../src/upstream/providers/blockscout/token-receipts.ts";
import { fetchEvmAccount } from "../../src/upstream/providers/evm-rpc/account.ts";
import { fetchContract } from "../../src/upstream/providers/evm-rpc/eth-call.ts";
import { fetchFullBlocks, fetchSucceeded } from "../../src/upstream/providers/evm-rpc/full-blocks.ts";
import { fetchHead } from "../../src/upstream/providers/evm-rpc/head.ts";
import { fetchLogs } from "../../src/upstream/providers/evm-rpc/logs.ts";
import { simulateTrade } from "../../src/upstream/providers/evm-rpc/simulate-trade.ts";
import { fetchTokenPowers } from "../../src/upstream/providers/evm-rpc/token-powers.ts";
import { fetchBridgeQuote } from "../../src/upstream/providers/lifi/quote.ts";
import { fetchAccounts } from "../../src/upstream/providers/solana-rpc/accounts.ts";
import { fetchPoolChanges, fetchSignatures } from "../../src/upstream/providers/solana-rpc/pool-trades.ts";
import { fetchPrioritizationFees } from "../../src/upstream/providers/solana-rpc/prioritization-fees.ts";
import { fetchSlotTime } from "../../src/upstream/providers/solana-rpc/slot-time.ts";
import type { Readings } from "../helpers/recorded.ts";

const STAKE = "8GbwASqdpw4dVcwbWUxbHXMrjyQx2aKkoBR5H1GJF8iD";
const TX = "0x205405746564cbcf1dd53fb5ac92c7622d3792d82f03c59d9baddf2443d91864";
const TX_BLOCK = "0xb82be38216daf4487ab4fcafe9413892e7140f6816276560ec10d94d039db1aa";
const EMITTER = "0x7dcd17433742f4c0ca53122ab541d0ba67fc27df";
const VAT = "0x35D1b3F3D7966A1DFe207aa4514C12a259A0492B";

/** Answers of nodes. Those of the specification's test chain are of a few minutes after 1970. */
export const chainReadings: Readings = {
  evm_rpc: [
    {
      files: ["block-latest.json"],
      at: "1970-01-01T00:09:01Z",
      read: (context) => fetchHead(context, "ethereum"),
      gives: { block: 54, at_ms: 540000 },
    },
    {
      files: ["balance.json", "code.json", "transaction-count.json", "block-latest.json"],
      at: "1970-01-01T00:09:01Z",
      read: (context) => fetchEvmAccount(context, { chain: "ethereum", address: EMITTER }),
      gives: { balance_wei: 118n, nonce: 1, type: "contract", block_number: 54 },
    },
    {
      files: ["block-latest.json"],
      at: "1970-01-01T00:09:01Z",
      read: (context) => fetchFullBlocks(context, { chain: "ethereum", blocks: [54], least: 0n, batch_max: 1 }),
      gives: [{ number: 54, at_ms: 540000, payments: [{ value: 0n, to: "" }, {}, {}, {}] }],
    },
    {
      files: ["transaction.json"],
      at: "1970-01-01T00:09:01Z",
      read: (context) => fetchSenders(context, "ethereum", [TX]),
      gives: { [TX]: "0x7435ed30a8b4aeb0877cef0c6e8cffe834eb865f" },
    },
    {
      files: ["receipt.json"],
      at: "1970-01-01T00:09:01Z",
      read: (context) => fetchSucceeded(context, { chain: "ethereum", hashes: [TX] }),
      gives: { [TX]: TX_BLOCK },
    },
    {
      files: ["block-number.json", "logs.json"],
      at: "1970-01-01T00:09:01Z",
      read: (context) =>
        fetchLogs(context, { chain: "ethereum", address: EMITTER, topics: [], from_block: 1, to_block: 4 }),
      gives: [{ address: EMITTER, block_number: 2 }, { block_number: 4 }],
    },
    {
      files: ["block-latest.json", "call.json", "code.json", "storage-at.json"],
      at: "1970-01-01T00:09:01Z",
      read: (context) => fetchTokenPowers(context, { chain: "ethereum", token: EMITTER }),
      gives: { block: 54, has_code: true, owner: null, proxy_admin: "0x0000000000000000000000000000000000000038" },
    },
    {
      files: ["call.json"],
      at: "2026-04-01T00:00:00Z",
      read: (context) =>
        fetchContract(context, {
          chain: "ethereum",
          to: VAT,
          data: "0xd9638d36",
          words: 5,
          ttl_ms: 0,
          timeout_ms: 1_000,
          read: (words) => ({ rate: BigInt(`0x${words[1]}`) }),
        }),
      gives: { rate: 1340832406760751768472749491n },
    },
    {
      // What it was asked: two balances and a payment. The third answer of a block is empty, so no tax is known.
      files: ["simulate.json"],
      at: "1970-01-01T00:09:13Z",
      read: (context) => simulateTrade(context, { chain: "ethereum", token: EMITTER, pool: VAT, amount: 1_000n }),
      gives: { can_buy: false, can_sell: null, buy_tax: null, sell_tax: null },
    },
  ],
  lifi: [
    {
      files: ["quote.json"],
      at: "2026-10-04T18:41:04Z",
      // 1e18 wei, where the reader means millionths of a dollar.
      read: (context) => fetchBridgeQuote(context, { from: "ethereum", to: "arbitrum", usdc: 1e12 }),
      gives: {
        tool: "CCTP + Celer (Standard)",
        amount_out: 2694.021249,
        amount_out_min: 2680.551143,
        amount_in_usd: 2700.87,
        amount_out_usd: 2695.3447,
        fees_usd: 6.8522,
        fees_extra_usd: 0,
        gas_usd: 0.2167,
        duration_s: 964,
      },
    },
  ],
  mev_relays: [
    {
      files: ["payload-delivered.json"],
      at: "2021-11-06T01:10:00Z",
      read: (context) => fetchPayloads(context, "titan"),
      gives: [{ slot: 2444741, block_number: 2269718, value_wei: 8397663820235682n, num_tx: 45 }],
    },
  ],
  velora: [
    {
      files: ["prices.json"],
      at: "2026-10-04T18:40:52Z",
      read: (context) =>
        fetchVeloraQuote(context, {
          chain: "ethereum",
          from: "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
          to: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
          amount: 1_000_000_000_000_000_000n,
          decimals_in: 18,
          decimals_out: 6,
        }),
      gives: {
        amount_out: 2_700_606_148n,
        gas_usd: 0.062,
        route: [{ venue: "uniswapv3", pool: "0xe0554a476a092703abdb3ef35c80e0d76d32939f", share_pct: 100 }],
      },
    },
  ],
  solana_rpc: [
    {
      files: ["prioritization-fees.json"],
      at: "2025-05-06T00:00:00Z",
      read: fetchPrioritizationFees,
      gives: [0, 203228, 110788, 395962],
    },
    {
      files: ["signatures.json"],
      at: "2023-03-27T07:00:00Z",
      read: (context) => fetchSignatures(context, { address: "9rB2Poc468mPpY9WMUmaqEPsvJah8SpPB8bKqAjjXp5H" }),
      gives: [{ slot: 184930610, failed: false, at_ms: 1679899845000 }],
    },
    {
      files: ["transaction.json"],
      at: "2026-09-30T01:00:00Z",
      read: (context) =>
        fetchPoolChanges(context, {
          pool: "4awAFycdK9Za3f1uYjvZN3d1S5RBqWjEyEbyFx2dxtep",
          signatures: ["4UuLLEbarehLjGTkSa5FCpof82ELpH5anbd2UtUSnAeFD8Wcmuab4pDyimatkmhTQaMRKYHHbJR1UbCe2SUDNATv"],
        }),
      gives: [{ ok: true, value: { signer: "4awAFycdK9Za3f1uYjvZN3d1S5RBqWjEyEbyFx2dxtep", slot: 451816484 } }],
    },
    {
      files: ["block-time.json"],
      at: "2019-11-25T22:40:00Z",
      read: (context) => fetchSlotTime(context, 5, 60_000),
      gives: 1574721591000,
    },
    {
      files: ["multiple-accounts.json"],
      at: "2026-07-01T00:00:00Z",
      read: async (context) => {
        const { slot, accounts } = await fetchAccounts(context, [STAKE]);
        return { slot, bytes: accounts.map((account) => account?.data.length), owner: accounts[0]?.owner };
      },
      gives: { slot: 431593310, bytes: [3762], owner: "Vote111111111111111111111111111111111111111" },
    },
  ],
  pump_fun: [
    {
      files: ["coins.json"],
      at: "2026-10-08T18:09:41Z",
      read: (context) => fetchPumpCoins(context, "created_timestamp"),
      gives: [
        {
          mint: "7NTBwYtL462kFCUgYdVCtHuwLk9Aa9twpwYJfMBf6mTH",
          name: "Help Míriam",
          symbol: "MIRIAM",
          created_at_ms: 1791482503000,
          is_complete: true,
          v_sol: 115.005360295,
          v_tokens: 279_900_000,
          last_trade_at_ms: 1791482980000,
          pool: "45C8rjEsrChwPV63Zk6ukUnGZbzHUmTgNCo9LSxEV98e",
        },
        { symbol: "PMX", v_sol: 0.227246046 },
      ],
    },
    {
      files: ["trades.json"],
      at: "2026-09-03T13:14:00Z",
      read: (context) => fetchPumpTrades(context, "5Jr9hGmJgxBRjjF8XGcGgQzXUdsbpZNNMpigEv8Wpump"),
      gives: {
        trades: [
          {
            slot: 443979880,
            at_ms: Date.UTC(2026, 8, 3, 13, 13, 44),
            is_buy: true,
            tokens: 10884.4176,
            wallet: "3i51cKbLbaKAqvRJdCUaq9hsnvf9kqCfMujNgFj7nRKt",
          },
        ],
        is_whole: false,
      },
    },
  ],
  pumpportal: [
    {
      files: ["frame-create.jsonl", "frames.jsonl"],
      at: "2026-08-17T13:39:00Z",
      read: async (context) => drainPumpEvents(context).messages.map(({ value }) => value),
      // A coin without a name and one of another launchpad are no launches of this one.
      gives: [
        { txType: "create", name: "The Unicorn", initialBuy: 96449438.144093, vSolInBondingCurve: 32.962962961 },
        { txType: "migrate", mint: "BzqYzBGydDrwjnYVtWfupr8GFoSxpCQdTkjRppBKpump", pool: "pump-amm" },
      ],
    },
  ],
  blockscout: [
    {
      files: ["holders.json"],
      at: "2026-09-04T00:00:00Z",
      read: (context) =>
        fetchTokenHolders(context, { chain: "base", token: "0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9" }),
      gives: [
        {
          address: "0x498752D5fa0600CBd613074C151Abe15B3FeC7CB",
          is_contract: true,
          name: "SafeProxy",
          value: 3_185_821_362_706_231_600_436n,
        },
        {
          address: "0x1A18a8b96eac3F980133A18402d04194f1FAA4E7",
          is_contract: false,
          name: null,
          value: 807_766_684_891_685_997_024n,
        },
      ],
    },
    {
      files: ["transactions.json"],
      at: "2026-08-19T22:00:00Z",
      read: (context) =>
        fetchAddressTransactions(context, {
          chain: "base",
          address: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
          order: "desc",
        }),
      gives: [
        {
          at_ms: Date.UTC(2026, 7, 19, 3, 42, 56),
          from: "0x2ca8329fc5903014260088088cf5313563fc67e5",
          to: "0xd8da6bf26964af9d7eed9e03e53415d37aa96045",
          value_wei: 144_780_455_207_785n,
        },
      ],
    },
    {
      files: ["token-transfers.json"],
      at: "2026-08-20T17:00:00Z",
      read: (context) =>
        fetchTokenReceipts(context, {
          chain: "base",
          address: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
          token: "0xB200000000000000000000De030AA4c5dFA19e01",
        }),
      gives: [
        {
          at_ms: Date.UTC(2026, 7, 20, 16, 9, 39),
          from: "0x85210dad60aafdc9345b1cf470a6608f0594acb5",
          value: 1_700_000_000_000_000_000_000n,
        },
      ],
    },
  ],
  kyberswap: [
    {
      files: ["routes.json"],
      at: "2026-01-01T00:00:00Z",
      read: (context) =>
        fetchKyberQuote(context, {
          chain: "polygon",
          from: "0x7ceb23fd6bc0add59e62ac25578270cff1b9f619",
          to: "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
          amount: 1_000_000_000_000_000_000n,
          decimals_in: 18,
          decimals_out: 6,
        }),
      gives: {
        amount_out: 1_666_243_758n,
        gas_usd: 0.06491355324609177,
        route: [{ venue: "dodo", pool: "0x4b543e89351faa242cb0172b2da0cdb52db699b4", share_pct: 100 }],
      },
    },
  ],
};
