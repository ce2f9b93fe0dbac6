import { join } from "node:path";
import { listAuthorNotes } from "../catalog/author-notes.ts";
import { CatalogError, type CatalogProduct, renderFault } from "../catalog/catalog.ts";
import { renderEndingTable } from "../catalog/dated-tables.ts";
import { renderWithheldValues } from "../catalog/offered-product.ts";
import { listTierPrices, renderTierPrices } from "../catalog/tiers.ts";
import { listUnusedProviders, type UnusedProvider } from "../catalog/unused-providers.ts";
import type { Config } from "../config/schema.ts";
import { renderTime, systemClock } from "../core/clock.ts";
import { composeCatalog, composeUpstream } from "../node/compose-catalog.ts";
import { findFacilitatorFaults } from "../node/compose-facilitators.ts";
import { createModelRule } from "../node/compose-models.ts";
import { findOwnershipFaults } from "../node/compose-ownership.ts";
import { walletsOf } from "../node/compose-payments.ts";
import { findEndingTables } from "../node/ending-tables.ts";
import type { Wallet } from "../node/parts.ts";
import { askSeller, type SellerWord } from "../payments/seller/ask-seller.ts";
import { readSpentQuotas } from "../stores/quota-rows.ts";
import { createLog } from "../telemetry/log.ts";
import type { QuotaStatus } from "../upstream/quotas.ts";
import { findLocal } from "./check-local.ts";
import { listModels, renderModel } from "./check-models.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { checkOnline } from "./online/check-online.ts";
import { renderFinding } from "./online/finding.ts";
import { VERSION } from "./version.ts";

interface Receives {
  readonly network: string;
  readonly can_be_paid: SellerWord["kind"];
  readonly why?: string;
}

/** Whether an address can be paid at all: asked of the chain where an endpoint is configured. */
async function askWallet({ chains }: Config, { network, pay_to }: Wallet): Promise<Receives> {
  const { rpc = [], headers = {} } = chains[network.chain] ?? {};
  const word = await askSeller({ network, pay_to, rpc_urls: rpc, headers });
  const why = word.kind === "yes" ? {} : { why: word.why };
  return { network: network.id, can_be_paid: word.kind, ...why };
}

/** One line of what a provider would add. */
function renderUnused({ provider, why, turns_on, read_by, jobs }: UnusedProvider): string {
  const adds = [
    ...(turns_on.length > 0 ? [`would sell ${turns_on.join(", ")}`] : []),
    ...(read_by.length > 0 ? [`one more source of ${read_by.join(", ")}`] : []),
    ...(jobs.length > 0 ? [`read by ${jobs.join(", ")}`] : []),
  ];
  return `  adds      ${provider} (${why}): ${adds.join("; ") || "nothing by itself"}`;
}

/** One line of what is spent of a publisher's quota. */
const renderQuota = ({ provider, period, spent, limit, resets_at_ms }: QuotaStatus): string =>
  `  quota     ${provider}: ${spent} of ${limit} calls this ${period}, anew at ${renderTime(resets_at_ms)}`;

const renderSold = ({ path, price_usd, tiers, file }: CatalogProduct) => ({
  ...{ path, price_usd, tiers: listTierPrices(tiers), file },
});

export interface CheckOptions {
  readonly config: string;
  readonly json: boolean;
  /** Also asks everybody the configuration names; buys nothing. */
  readonly online?: boolean;
}

/** Reads the configuration and the plugins, says what would be sold and what not, and starts nothing. */
export async function checkCommand({ config: file, json, online = false }: CheckOptions): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    console.error(loaded.faults);
    return EXIT.config;
  }
  const { config, plugins } = loaded;
  const local = findLocal(config, systemClock.now());
  const faults = [...findFacilitatorFaults(config), ...(await findOwnershipFaults(config)), ...local.faults];
  if (faults.length > 0) {
    console.error(faults.join("\n"));
    return EXIT.config;
  }
  const log = createLog({ level: "silent", format: "json", secrets: [] });
  const market = { quotas: readSpentQuotas(join(config.data.dir, "market.db")) };
  const upstream = composeUpstream({
    ...{ config, plugins: plugins.plugins, clock: systemClock, log },
    ...{ version: VERSION, sandbox: null, market },
  });
  try {
    const catalog = composeCatalog(config, plugins, { upstream, models: createModelRule(config) });
    const wallets = walletsOf(config, config.payments.testnet);
    const receives = await Promise.all(wallets.map((wallet) => askWallet(config, wallet)));
    const endings = findEndingTables(config, plugins.plugins, systemClock.now());
    const asked = online ? { online: await checkOnline({ config, plugins, catalog, upstream, log }) } : {};
    const report = {
      ...asked,
      products: catalog.products.map(renderSold),
      withheld: catalog.withheld,
      withheld_values: catalog.withheld_values,
      unused_providers: listUnusedProviders(catalog, upstream),
      quotas: catalog.providers.flatMap((provider) => upstream.quotas(provider)),
      models: listModels(config),
      faults: catalog.faults,
      notes: [...local.notes, ...endings.map(renderEndingTable), ...listAuthorNotes(plugins.plugins).map(renderFault)],
      networks: wallets.map(({ network, pay_to }) => ({ network: network.id, pay_to })),
      receives,
      facilitators: config.facilitators.map(({ kind, url, networks }) => ({
        kind,
        url: url ?? null,
        ...(kind === "embedded" ? { networks } : {}),
      })),
    };
    if (json) console.log(JSON.stringify(report, null, 2));
    else {
      console.log(`${file}: valid`);
      for (const { path, price_usd, tiers } of report.products) {
        console.log(`  sells     ${path} for ${price_usd} USD${renderTierPrices(tiers)}`);
      }
      for (const { path, why } of report.withheld) console.log(`  withholds ${path}: ${why}`);
      for (const line of renderWithheldValues(report.withheld_values)) console.log(`  withholds ${line}`);
      for (const line of report.unused_providers.map(renderUnused)) console.log(line);
      for (const line of report.quotas.map(renderQuota)) console.log(line);
      for (const line of report.models.flatMap(renderModel)) console.log(line);
      for (const { network, pay_to } of report.networks) console.log(`  paid on   ${network} -> ${pay_to}`);
      for (const { network, can_be_paid, why = "" } of receives) {
        if (can_be_paid === "no") console.log(`  left out  ${network} cannot be paid: ${why}`);
        if (can_be_paid === "unknown") console.log(`  unchecked ${network} may not be payable: ${why}`);
      }
      for (const line of asked.online?.map(renderFinding) ?? []) console.log(line);
      for (const note of report.notes) console.log(`  note      ${note}`);
      if (report.networks.length === 0) console.log("  paid on   nothing yet: set [wallets.base] pay_to");
      if (report.facilitators.length === 0) console.log("  settles   nothing yet: add a [[facilitators]] entry");
      // What has to be mended is the last thing on the screen.
      for (const fault of report.faults) console.log(`  refuses   ${renderFault(fault)}`);
    }
    if (report.faults.length > 0) return EXIT.config;
    return asked.online?.some(({ level }) => level === "fail") ? EXIT.failed : EXIT.ok;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    console.error(error.message);
    return EXIT.config;
  }
}
