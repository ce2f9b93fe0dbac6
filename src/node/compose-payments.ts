import type { Config } from "../config/schema.ts";
import { EXPLAINED_MAX } from "../ledger/explained.ts";
import type { PaymentRow } from "../ledger/payment-row.ts";
import type { ReceiptLabel } from "../ledger/receipts.ts";
import { findNetwork } from "../networks/find.ts";
import { createExtensionAnswers } from "../payments/facilitators/extension-answers.ts";
import { layerPool } from "../payments/facilitators/layers.ts";
import { createFacilitatorPool } from "../payments/facilitators/pool.ts";
import { createIncomeWatch, type IncomeWatch } from "../payments/landing/watch-income.ts";
import { familyOf } from "../payments/networks/families.ts";
import { NETWORKS, type Network } from "../payments/networks/table.ts";
import { createReconciler } from "../payments/reconcile.ts";
import { withSeller } from "../payments/seller/with-seller.ts";
import { settleStored } from "../payments/settle-stored.ts";
import type { ChainAccess } from "../payments/types.ts";
import { composeFacilitators } from "./compose-facilitators.ts";
import { composeLanding } from "./compose-landing.ts";
import { composeSeller } from "./compose-seller.ts";
import type { ChannelSetup, Core, Money, OfferedWallet, StartOptions } from "./parts.ts";
import { tracePool } from "./traces.ts";

/** Whether the operator wants to be paid on a network at the address of that wallet. */
function isWanted({ id, wallet, opt_in }: Network, { wallets }: Config): boolean {
  const named = wallet === "base" ? (wallets.base?.networks ?? []) : [];
  return !opt_in || named.some((name) => findNetwork(name)?.id === id);
}

/**
 * Networks with a configured address, Base first. A sandbox node and a testnet node never see a main network. A network
 * that shares another one's address is there only where the operator names it: nothing else says that the address is
 * his there.
 */
export function walletsOf(
  config: Config,
  testnet: boolean,
  networks: readonly Network[] = NETWORKS,
): readonly OfferedWallet[] {
  return networks.flatMap((network) => {
    const pay_to = config.wallets[network.wallet]?.pay_to;
    if (!pay_to || network.testnet !== testnet || !isWanted(network, config)) return [];
    const tag = network.wallet === "algorand" ? config.payments.algorand_tag : "";
    return [{ network, pay_to, ...(tag === "" ? {} : { extra: { tag } }) }];
  });
}

/** What is named must be served, or the operator waits for money that never comes. @throws Error */
function assertPayable({ wallets }: Config): void {
  for (const name of wallets.base?.networks ?? []) {
    const id = findNetwork(name)?.id;
    if (NETWORKS.some((network) => network.id === id)) continue;
    throw new Error(`[wallets.base] networks: this version cannot be paid on ${name}`);
  }
}

/** Addresses, in canonical form, whose payments are the operator's own tests. */
const operatorAddresses = (config: Config, wallets: readonly OfferedWallet[]): Set<string> =>
  new Set(
    wallets.flatMap(({ network, pay_to }) => {
      const { operator_test = [] } = config.wallets[network.wallet] ?? {};
      return [pay_to, ...operator_test].map(familyOf(network).canonicalAddress);
    }),
  );

const composeIncome = (
  { clock, log }: StartOptions,
  { ledger, landing, wallets }: Pick<Core, "ledger"> & Pick<Money, "landing" | "wallets">,
): IncomeWatch =>
  createIncomeWatch({
    wallets,
    chain: landing.chain,
    readIncome: ledger.landings.listIncome,
    readExplained: () => ledger.explained.list(EXPLAINED_MAX),
    newest_sale_ms: async () => (await ledger.receipts.list({ limit: 1 }))[0]?.settled_at_ms ?? null,
    clock,
    log: log.info,
  });

/** @throws Error when a network or an embedded facilitator is one this node cannot work with. */
export function composeMoney(
  options: StartOptions,
  { ledger, in_force, tracer, clock_watch }: Core,
  channels: ChannelSetup | null,
): Money {
  const { config, clock, log, sandbox } = options;
  assertPayable(config);
  const wallets = walletsOf(config, sandbox !== null || config.payments.testnet);
  const own = operatorAddresses(config, wallets);
  const labelOf = (payer: string): ReceiptLabel => (own.has(payer) ? "operator-test" : "organic");
  const rpc_urls = (chain: string) =>
    sandbox ? [sandbox.world.rpcUrl(chain)] : (in_force.config.chains[chain]?.rpc ?? []);
  const access = (chain: string): ChainAccess => {
    const { indexer = [], headers = {} } = (sandbox ? null : in_force.config.chains[chain]) ?? {};
    return { indexer_urls: indexer, headers };
  };
  const networks = wallets.map(({ network }) => network);
  for (const network of networks) familyOf(network);
  const landing = composeLanding(options, { ledger, networks, rpc_urls, access });
  const parts = {
    config,
    data_dir: options.data_dir,
    clock,
    timers: options.timers,
    log,
    rpc_urls,
    access,
    chain: landing.chain,
    spendTogether: ledger.cluster?.spend,
  };
  const extension_answers = createExtensionAnswers(log.info);
  const facilitators = composeFacilitators({ ...parts, extension_answers, onHeaders: clock_watch?.note });
  const seller = composeSeller(options, { wallets, rpc_urls, access });
  const facilitator_pool = createFacilitatorPool({
    facilitators,
    wallets,
    clock,
    timers: options.timers,
    log: log.info,
    channels: channels?.terms,
    // What was taken of what was signed is looked up on the chain: without an endpoint nothing less is taken.
    mayTakeLess: ({ eip712, chain }) =>
      config.payments.upto.enabled && eip712 !== undefined && rpc_urls(chain).length > 0,
  });
  const pool = layerPool(facilitator_pool, {
    seller: (inner) => withSeller(inner, seller),
    confirmation: landing.confirm,
    traces: (inner) => tracePool(inner, tracer),
  });
  const settleAgain = (payment: PaymentRow) => settleStored(pool, payment);
  return {
    wallets,
    pool,
    reconciler: createReconciler({
      ledger,
      clock,
      rpc_urls,
      chain: landing.chain,
      labelOf,
      settleAgain,
      log: log.info,
    }),
    labelOf,
    markOwn: (address) => own.add(address.toLowerCase()),
    rpc_urls,
    access,
    landing,
    income: sandbox ? null : composeIncome(options, { ledger, landing, wallets }),
    seller,
    extension_answers,
    facilitators: facilitator_pool,
    channels,
  };
}
