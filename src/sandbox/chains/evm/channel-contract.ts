import type { Hex } from "viem";
import { sha256Hex } from "../../../core/hash.ts";
import { CHANNEL_ABI } from "../../../payments/channels/abi.ts";
import {
  CHANNEL_TYPES,
  COLLECTOR,
  CONTRACT,
  channelDomain,
  NO_ADDRESS,
  RECEIVE_WITH_AUTHORIZATION,
} from "../../../payments/channels/contract.ts";
import { usdcDomain } from "../../../payments/networks/evm/check-signature.ts";
import type { Network } from "../../../payments/networks/table.ts";
import type { Journal } from "../../journal.ts";
import { type ChannelStateParts, createChannelState, Revert, type TokenMove } from "./channel-state.ts";
import type { Usdc } from "./usdc.ts";

const CONTRACT_KEY = CONTRACT.toLowerCase();
/** The most channels of this chain; further ones are refused, because none is forgotten. */
const CALLS_MAX = 1_000_000;

interface Config {
  readonly payer: Hex;
  readonly payerAuthorizer: Hex;
  readonly receiver: Hex;
  readonly receiverAuthorizer: Hex;
  readonly token: Hex;
  readonly withdrawDelay: number;
  readonly salt: Hex;
}
interface Claim {
  readonly voucher: { readonly channel: Config; readonly maxClaimableAmount: bigint };
  readonly signature: Hex;
  readonly totalClaimed: bigint;
}

/** One function call whose signatures are checked, ready to run. */
type Change = (now_s: number) => readonly TokenMove[];

export interface ChannelContractOptions {
  readonly network: Network;
  readonly usdc: Usdc;
  readonly journal: Journal;
  readonly now_ms: () => number;
}

/** The channel contract of the simulated chain: real EIP-712 signatures, the published rules, no gas. */
export interface ChannelContract {
  /** Answers a call, given its data, and changes nothing. Throws Revert. */
  call(data: Hex, sender?: string): Promise<Hex>;
  /** Runs a call. @returns its transaction. Throws Revert. */
  send(data: Hex, sender?: string): Promise<{ readonly transaction: Hex; readonly moves: readonly TokenMove[] }>;
}

export async function createChannelContract(options: ChannelContractOptions): Promise<ChannelContract> {
  const viem = await import("viem");
  const { network, usdc, journal, now_ms } = options;
  const abi = viem.parseAbi(CHANNEL_ABI);
  const domain = channelDomain(network.eip712?.chain_id ?? 0);
  const state = createChannelState();
  let calls = 0;

  const idOf = (config: Config): Hex =>
    viem
      .hashTypedData({ domain, types: CHANNEL_TYPES, primaryType: "ChannelConfig", message: config })
      .toLowerCase() as Hex;
  const partsOf = (config: Config): ChannelStateParts => ({ ...config, id: idOf(config) });
  const assertSigner = async (digest: Hex, signature: Hex, signer: string) => {
    const recovered = await viem.recoverAddress({ hash: digest, signature }).catch(() => NO_ADDRESS);
    if (recovered.toLowerCase() !== signer.toLowerCase()) throw new Revert("InvalidSignature");
  };
  const digestOf = (primaryType: "Voucher" | "Refund" | "ClaimBatch", message: object): Hex =>
    viem.hashTypedData({ domain, types: CHANNEL_TYPES, primaryType, message } as Parameters<
      typeof viem.hashTypedData
    >[0]);

  /** Checks signatures before anything changes, so that only the rest has to run without a pause. */
  async function prepareDeposit(
    [config, amount, collector, data]: readonly [Config, bigint, Hex, Hex],
    checks: boolean,
  ): Promise<Change> {
    const parts = partsOf(config);
    if (collector.toLowerCase() !== COLLECTOR.toLowerCase()) throw new Revert("UnknownCollector");
    if (config.token.toLowerCase() !== network.asset.toLowerCase()) throw new Revert("UnknownToken");
    if (config.receiverAuthorizer === NO_ADDRESS) throw new Revert("InvalidChannel");
    const [after, before, salt, signature] = viem.decodeAbiParameters(
      viem.parseAbiParameters("uint256, uint256, uint256, bytes"),
      data,
    );
    const nonce = viem.keccak256(
      viem.encodeAbiParameters(viem.parseAbiParameters("bytes32, uint256"), [parts.id as Hex, salt]),
    );
    if (checks) {
      const digest = viem.hashTypedData({
        domain: usdcDomain(network),
        types: RECEIVE_WITH_AUTHORIZATION,
        primaryType: "ReceiveWithAuthorization",
        message: { from: config.payer, to: COLLECTOR, value: amount, validAfter: after, validBefore: before, nonce },
      });
      await assertSigner(digest, signature, config.payer);
    }
    return (now_s) => {
      if (checks && !(BigInt(now_s) > after && BigInt(now_s) < before))
        throw new Revert("authorization is not valid now");
      if (checks && usdc.isUsed(config.payer, nonce))
        throw new Revert("FiatTokenV2: authorization is used or canceled");
      if (checks && usdc.balanceOf(config.payer) < amount) throw new Revert("ERC20: transfer amount exceeds balance");
      return state.deposit(parts, amount, nonce);
    };
  }

  async function prepareClaim(claims: readonly Claim[], signature: Hex, checks: boolean): Promise<Change> {
    const authorizer = claims[0]?.voucher.channel.receiverAuthorizer;
    if (authorizer === undefined) throw new Revert("EmptyBatch");
    const rows = claims.map((claim) => ({ claim, parts: partsOf(claim.voucher.channel) }));
    if (checks) {
      const entries = rows.map(({ claim, parts }) => ({
        channelId: parts.id,
        maxClaimableAmount: claim.voucher.maxClaimableAmount,
        totalClaimed: claim.totalClaimed,
      }));
      await assertSigner(digestOf("ClaimBatch", { claims: entries }), signature, authorizer);
      for (const { claim, parts } of rows) {
        const { channel, maxClaimableAmount } = claim.voucher;
        if (channel.receiverAuthorizer !== authorizer) throw new Revert("MixedReceiverAuthorizers");
        const signer = channel.payerAuthorizer === NO_ADDRESS ? channel.payer : channel.payerAuthorizer;
        const digest = digestOf("Voucher", { channelId: parts.id, maxClaimableAmount });
        await assertSigner(digest, claim.signature, signer);
      }
    }
    return () =>
      rows.flatMap(({ claim, parts }) =>
        state.claim(parts, { signed: claim.voucher.maxClaimableAmount, total: claim.totalClaimed }),
      );
  }

  async function prepareRefund(
    [config, amount, nonce, signature]: readonly [Config, bigint, bigint, Hex],
    checks: boolean,
  ): Promise<Change> {
    const parts = partsOf(config);
    const digest = digestOf("Refund", { channelId: parts.id, nonce, amount });
    if (checks) await assertSigner(digest, signature, config.receiverAuthorizer);
    return () => state.refund(parts, amount, nonce);
  }

  const assertPayer = ({ payer, payerAuthorizer }: Config, sender: string | undefined, checks: boolean) => {
    const is_payer = [payer, payerAuthorizer].some((one) => one.toLowerCase() === sender?.toLowerCase());
    if (checks && !is_payer) throw new Revert("NotPayer");
  };

  /** @param checks left out when a call is replayed from the journal. */
  async function prepare(data: Hex, sender: string | undefined, checks: boolean): Promise<Change> {
    const { functionName, args } = viem.decodeFunctionData({ abi, data });
    switch (functionName) {
      case "deposit":
        return prepareDeposit(args as readonly [Config, bigint, Hex, Hex], checks);
      case "claimWithSignature":
        return prepareClaim(...(args as readonly [readonly Claim[], Hex]), checks);
      case "refundWithSignature":
        return prepareRefund(args as readonly [Config, bigint, bigint, Hex], checks);
      case "settle":
        return () => state.settle(...(args as readonly [Hex, Hex]));
      case "initiateWithdraw": {
        const [config, amount] = args as readonly [Config, bigint];
        assertPayer(config, sender, checks);
        return (now_s) => state.initiateWithdraw(partsOf(config), amount, now_s);
      }
      case "finalizeWithdraw": {
        const [config] = args as readonly [Config];
        assertPayer(config, sender, checks);
        return (now_s) => state.finalizeWithdraw(partsOf(config), now_s);
      }
      case "multicall": {
        const changes: Change[] = [];
        for (const one of args[0]) changes.push(await prepare(one, sender, checks));
        return (now_s) => changes.flatMap((change) => change(now_s));
      }
      default:
        throw new Revert(`${functionName} changes nothing`);
    }
  }

  function view(data: Hex): Hex | null {
    const { functionName, args } = viem.decodeFunctionData({ abi, data });
    const encode = (result: unknown): Hex =>
      viem.encodeFunctionResult({ abi, functionName, result } as Parameters<typeof viem.encodeFunctionResult>[0]);
    switch (functionName) {
      case "channels": {
        const { balance, total_claimed } = state.channel(args[0]);
        return encode([balance, total_claimed]);
      }
      case "pendingWithdrawals": {
        const { withdrawal } = state.channel(args[0]);
        return encode([withdrawal?.amount ?? 0n, withdrawal?.initiated_at ?? 0]);
      }
      case "refundNonce":
        return encode(state.channel(args[0]).refund_nonce);
      case "receivers": {
        const { total_claimed, total_settled } = state.receiver(args[0], args[1]);
        return encode([total_claimed, total_settled]);
      }
      default:
        return null;
    }
  }

  /** All of it, or nothing. */
  const doAll = (change: Change, now_s: number): readonly TokenMove[] => {
    const saved = state.save();
    try {
      return change(now_s);
    } catch (error) {
      state.restore(saved);
      throw error;
    }
  };

  for (const { kind, network: on, data, at_ms } of journal.entries) {
    if (kind !== "contract" || on !== network.id || typeof data !== "string" || typeof at_ms !== "number") continue;
    // Damaged entries are skipped: test money is not worth a failed start.
    await prepare(data as Hex, undefined, false)
      .then((change) => doAll(change, Math.floor(at_ms / 1000)))
      .catch(() => undefined);
  }

  return {
    async call(data, sender) {
      const seen = view(data);
      if (seen !== null) return seen;
      const change = await prepare(data, sender, true);
      const saved = state.save();
      try {
        change(Math.floor(now_ms() / 1000));
        return "0x";
      } finally {
        state.restore(saved);
      }
    },
    async send(data, sender) {
      const change = await prepare(data, sender, true);
      if (calls >= CALLS_MAX) throw new Revert("the sandbox takes no more calls");
      const at_ms = now_ms();
      const moves = doAll(change, Math.floor(at_ms / 1000));
      calls += 1;
      const told = moves.map(({ amount, ...move }) => ({ ...move, amount: amount.toString() }));
      journal.append({ kind: "contract", network: network.id, data, at_ms, moves: told });
      for (const move of moves) usdc.move(CONTRACT_KEY, move);
      return { transaction: `0x${sha256Hex(`contract ${calls} ${at_ms} ${data}`)}`, moves };
    },
  };
}
