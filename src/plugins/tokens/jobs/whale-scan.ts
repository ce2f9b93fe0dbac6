import { defineJob, isWanted, type JobContext, outcomeOf, type ProviderDefinition } from "intel-node";
import { blockstream } from "intel-node/providers/blockstream/provider";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { mempoolSpace } from "intel-node/providers/mempool-space/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { describeScanFault, note } from "../whales/blocks.ts";
import { SCANNED_CHAINS, WHALE_CHAINS, type WhaleChain } from "../whales/chains.ts";
import { scanChain } from "../whales/scan.ts";
import { scanBitcoin } from "../whales/scan-bitcoin.ts";
import { NATIVE_EVERY, scanNative } from "../whales/scan-native.ts";
import { scanSolana } from "../whales/scan-solana.ts";

const SCANS: Readonly<Record<WhaleChain, (context: JobContext) => Promise<void>>> = {
  ethereum: (context) => scanChain(context, "ethereum"),
  base: (context) => scanChain(context, "base"),
  bitcoin: scanBitcoin,
  solana: scanSolana,
};
const PROVIDERS: Readonly<Record<WhaleChain, readonly ProviderDefinition[]>> = {
  ethereum: [evmRpc],
  base: [evmRpc],
  bitcoin: [blockstream, mempoolSpace],
  solana: [solanaRpc],
};

/** Products about ether itself: without calls for them a sample of its blocks is enough. */
const TELLING = ["whale-alert", "tg-premium"] as const;

/** Whole blocks are large: chain after chain, after everything else. */
async function scanEther(context: JobContext): Promise<void> {
  if (!context.usable(evmRpc)) return;
  const wanted = await Promise.all(TELLING.map((id) => isWanted(context, id)));
  const every = NATIVE_EVERY[wanted.includes(true) ? "wanted" : "idle"];
  for (const chain of SCANNED_CHAINS) {
    const done = await outcomeOf(scanNative(context, chain, every[chain]));
    if (!done.ok) await note(context, chain, `of ether: ${describeScanFault(done.error)}`);
  }
}

/**
 * Reads large movements: transfers of stablecoins and wrapped coins, what transactions move of ether itself, whole
 * blocks of Bitcoin once they are deep enough, a sample of trades on Solana. A chain that fails leaves a note and
 * disturbs no other.
 */
export const job = defineJob({
  id: "whale-scan",
  schedule: "*/5 * * * *",
  providers: [evmRpc, dexscreener, blockstream, mempoolSpace, solanaRpc],
  at_start: true,
  deadline_ms: 90_000,
  runs_kept: 3,
  async run(context) {
    const chains = WHALE_CHAINS.filter((chain) => PROVIDERS[chain].some(context.usable));
    const done = await Promise.all(chains.map((chain) => outcomeOf(SCANS[chain](context))));
    for (const [index, one] of done.entries()) {
      const chain = chains[index];
      if (chain && !one.ok) await note(context, chain, describeScanFault(one.error));
    }
    await scanEther(context);
    const [failed] = done;
    if (failed && !failed.ok && done.every((one) => !one.ok)) throw failed.error;
  },
});
