import { join } from "node:path";
import { leftOf } from "../buyer/own-channels/own-channels.ts";
import { parseUSD, renderUSD } from "../core/money.ts";
import { CHANNEL_ABI } from "../payments/channels/abi.ts";
import { type ChannelConfig, CONTRACT } from "../payments/channels/contract.ts";
import { type OwnChannel, readOwnChannel } from "../stores/own-channel-rows.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";

/** A contract call for the wallet that pays peers to send. */
interface WalletCall {
  readonly call: "initiateWithdraw" | "finalizeWithdraw";
  readonly to: string;
  readonly data: string;
  readonly when: string;
}

export interface ChannelWithdrawal {
  readonly channel: string;
  readonly network: string;
  /** The wallet that sends both calls. */
  readonly from: string;
  readonly amount_atomic: string;
  readonly calls: readonly WalletCall[];
}

/**
 * The two calls that bring home what is left in a channel. No key is needed to make them.
 * @param amount atomic USDC, above 0 and no more than what is left; left out: all of that.
 */
export async function renderWithdrawal(channel: OwnChannel, amount = leftOf(channel)): Promise<ChannelWithdrawal> {
  const { encodeFunctionData, parseAbi } = await import("viem");
  const config = JSON.parse(channel.config) as ChannelConfig;
  const abi = parseAbi(CHANNEL_ABI);
  const encode = (functionName: WalletCall["call"], args: readonly unknown[]) =>
    encodeFunctionData({ abi, functionName, args: args as never });
  return {
    channel: channel.id,
    network: channel.network,
    from: channel.payer,
    amount_atomic: amount.toString(),
    calls: [
      { call: "initiateWithdraw", to: CONTRACT, data: encode("initiateWithdraw", [config, amount]), when: "now" },
      {
        call: "finalizeWithdraw",
        to: CONTRACT,
        data: encode("finalizeWithdraw", [config]),
        when: `${config.withdrawDelay} s after the first is on the chain, or later`,
      },
    ],
  };
}

interface WithdrawOptions {
  readonly config: string;
  readonly json: boolean;
  /** USDC, decimal; left out: all that is left. */
  readonly amount?: string;
}

/** Prints how to withdraw what is left in a payment channel with a peer. Sends nothing. */
export async function withdrawChannelCommand(id: string, options: WithdrawOptions): Promise<number> {
  const { config: file, json } = options;
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const channel = readOwnChannel(join(loaded.config.data.dir, "kept.db"), id.toLowerCase());
  if (channel === null || leftOf(channel) <= 0n) {
    printError(channel === null ? `this node has no channel ${id}` : "nothing of yours is left in this channel");
    return EXIT.failed;
  }
  const left = leftOf(channel);
  const amount = readAmount(options.amount, left);
  if (amount === null) {
    printError(`--amount is USDC above 0 and at most ${renderUSD(left)}, which is what is left in this channel`);
    return EXIT.config;
  }
  const withdrawal = await renderWithdrawal(channel, amount);
  if (json) {
    print(JSON.stringify(withdrawal));
    return EXIT.ok;
  }
  const sum = amount === left ? `Up to ${renderUSD(left)} USDC` : `${renderUSD(amount)} of ${renderUSD(left)} USDC`;
  print(`${sum}. Send both calls from ${channel.payer} on ${channel.network}:`);
  for (const { call, to, data, when } of withdrawal.calls) print(`\n${call}, ${when}\n  to    ${to}\n  data  ${data}`);
  return EXIT.ok;
}

/** @returns null for what is no amount, and for more than is left. */
function readAmount(text: string | undefined, left: bigint): bigint | null {
  if (text === undefined) return left;
  try {
    const amount = parseUSD(text);
    return amount > 0n && amount <= left ? amount : null;
  } catch {
    return null;
  }
}
