import { isAlgorandAddress } from "../../../core/algorand-address.ts";
import type { Clock } from "../../../core/clock.ts";
import { ALGORAND_GENESIS } from "../../../networks/rows.ts";
import { networkById } from "../../../payments/networks/table.ts";
import type { Journal } from "../../journal.ts";
import type { SandboxChain } from "../types.ts";
import { pickWords } from "../words.ts";
import { createAlgod } from "./algod.ts";
import { createBank } from "./bank.ts";
import { createOfficialFacilitator, FEE_PAYER } from "./facilitator.ts";
import { createAlgorandLedger } from "./ledger.ts";

const NETWORK = "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe";
const GENESIS = { genesis_hash: ALGORAND_GENESIS.test, genesis_id: "testnet-v1.0" };
/** The balance of every new payer, already opted in: 100 test USDC. */
const STARTING_BALANCE = 100_000_000n;

export interface AlgorandChainOptions {
  readonly clock: Clock;
  readonly journal: Journal;
  /** The most settlements of this chain; further ones are refused, because none is ever forgotten. */
  readonly settlements_max?: number;
}

/** Algorand testnet in memory: one asset, real signatures, rounds by the clock, the official facilitator on it. */
export function createAlgorandChain({ clock, journal, settlements_max = 100_000 }: AlgorandChainOptions): SandboxChain {
  const network = networkById(NETWORK);
  if (!network) throw new Error(`${NETWORK} is not in the network table`);
  const bank = createBank({ network: NETWORK, journal, newcomer: STARTING_BALANCE });
  const rules = { ...GENESIS, asset: BigInt(network.asset) };
  const ledger = createAlgorandLedger({ rules, bank, now_ms: clock.now, groups_max: settlements_max });
  const facilitator = createOfficialFacilitator(ledger);

  return {
    network: NETWORK,
    rpc_name: network.chain,
    fund: bank.fund,
    setAccount: bank.accounts.set,
    balances: bank.balances,
    balanceOf: (address) => (isAlgorandAddress(address) ? (bank.holdingOf(address) ?? 0n) : null),
    settlements: () =>
      bank.booked.flatMap(({ transfers, at_ms }) =>
        transfers.map(({ transaction, from, to, amount }) => ({
          network: NETWORK,
          payer: from,
          pay_to: to,
          amount_atomic: amount,
          transaction,
          replay_key: `avm:${NETWORK.slice("algorand:".length)}:${transaction}`,
          at: new Date(at_ms).toISOString(),
        })),
      ),
    async verify(payload, requirement) {
      const { isValid, payer, ...words } = await facilitator.verify(payload, requirement);
      return { isValid, ...pickWords(words), ...(payer ? { payer } : {}) };
    },
    async settle(payload, requirement) {
      const { success, transaction, payer, ...words } = await facilitator.settle(payload, requirement);
      return { success, transaction, network: NETWORK, ...pickWords(words), ...(payer ? { payer } : {}) };
    },
    rpc: () => ({ error: "Algorand nodes speak REST, at an address of their own" }),
    handle: createAlgod(ledger),
    supportedKinds: () => [{ x402Version: 2, scheme: "exact", network: NETWORK, extra: { feePayer: FEE_PAYER } }],
    signers: () => ({ "algorand:*": [FEE_PAYER] }),
  };
}
