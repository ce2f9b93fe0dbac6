import { join } from "node:path";
import { findEndingTables } from "../alerts/conditions/ending-tables.ts";
import { listAuthorNotes } from "../catalog/author-notes.ts";
import { CatalogError, type CatalogProduct, renderFault } from "../catalog/catalog.ts";
import { renderEndingTable } from "../catalog/dated-tables.ts";
import { listTierPrices } from "../catalog/tiers.ts";
import { listUnusedProviders } from "../catalog/unused-providers.ts";
import type { Config } from "../config/schema.ts";
import { systemClock } from "../core/clock.ts";
import { readFolderSwitches } from "../files/switch-file.ts";
import { composeCatalog, composeUpstream } from "../node/compose-catalog.ts";
import { findFacilitatorFaults } from "../node/compose-facilitators.ts";
import { createModelRule } from "../node/compose-models.ts";
import { findOwnershipFaults } from "../node/compose-ownership.ts";
import { walletsOf } from "../node/compose-payments.ts";
import type { OfferedWallet } from "../node/parts.ts";
import { askSeller } from "../payments/seller/ask-seller.ts";
import { VERSION } from "../releases/version.ts";
import { readSpentQuotas } from "../stores/quota-rows.ts";
import { createLog } from "../telemetry/log.ts";
import { findLocal } from "./check-local.ts";
import { listModels } from "./check-models.ts";
import type { CheckReport, Receives } from "./check-report.ts";
import { renderSummary } from "./check-summary.ts";
import { renderWhole } from "./check-whole.ts";
import { EXIT } from "./exit-codes.ts";
import { type LoadedFile, loadConfigFile } from "./load-config-file.ts";
import { listSecrets } from "./node-secrets.ts";
import { checkOnline } from "./online/check-online.ts";
import { createRecorder, whyNotRecordInto } from "./online/record-answers.ts";
import { print, printError, terminalProgress } from "./print.ts";

/** Asks the chain whether an address can receive payments, if an endpoint is configured. */
async function askWallet({ chains }: Config, { network, pay_to }: OfferedWallet): Promise<Receives> {
  const { rpc = [], headers = {} } = chains[network.chain] ?? {};
  const word = await askSeller({ network, pay_to, rpc_urls: rpc, headers });
  const why = word.kind === "yes" ? {} : { why: word.why };
  return { network: network.id, can_be_paid: word.kind, ...why };
}

const toSold = ({ path, price_usd, tiers, file }: CatalogProduct) => ({
  path,
  price_usd,
  tiers: listTierPrices(tiers),
  file,
});

/** Contact addresses sent to publishers, which must not appear in the recorded answers. */
const recordingOf = (loaded: LoadedFile) => ({
  secrets: [...listSecrets(loaded), loaded.config.node.contact_email ?? ""],
  now_ms: systemClock.now(),
});

export interface CheckOptions {
  readonly config: string;
  readonly json: boolean;
  /** Also contacts everyone named in the configuration; buys nothing. */
  readonly online?: boolean;
  /** A folder to record the providers' answers in. */
  readonly record?: string | undefined;
  /** Prints every line instead of a summary. */
  readonly all?: boolean;
}

/** Loads configuration and plugins and prints what would be sold and what not. Starts nothing. */
export async function checkCommand(options: CheckOptions): Promise<number> {
  const { config: file, json, online = false, record, all = false } = options;
  const why_not = record === undefined ? null : online ? whyNotRecordInto(record) : "--record needs --online";
  if (why_not !== null) {
    printError(why_not);
    return EXIT.config;
  }
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const { config, plugins } = loaded;
  const local = findLocal(config, systemClock.now());
  const faults = [...findFacilitatorFaults(config), ...(await findOwnershipFaults(config)), ...local.faults];
  if (faults.length > 0) {
    printError(faults.join("\n"));
    return EXIT.config;
  }
  const log = createLog({ level: "silent", format: "json", secrets: [] });
  const market = { quotas: readSpentQuotas(join(config.data.dir, "market.db")) };
  const switches = readFolderSwitches(config, systemClock.now);
  const upstream = composeUpstream({
    config,
    plugins: plugins.plugins,
    clock: systemClock,
    log,
    version: VERSION,
    sandbox: null,
    market,
    switches: () => switches,
  });
  try {
    const catalog = composeCatalog(config, plugins, { upstream, models: createModelRule(config), switches });
    const wallets = walletsOf(config, config.payments.testnet);
    const receives = await Promise.all(wallets.map((wallet) => askWallet(config, wallet)));
    const endings = findEndingTables(config, plugins.plugins, systemClock.now());
    const recorder = record === undefined ? undefined : createRecorder(record, recordingOf(loaded));
    const onProgress = terminalProgress();
    const parts = { config, plugins, catalog, upstream, log, recorder, onProgress };
    const asked = online ? { online: await checkOnline(parts) } : {};
    const report: CheckReport = {
      ...asked,
      products: catalog.products.map(toSold),
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
    if (json) print(JSON.stringify(report, null, 2));
    else print((all ? renderWhole : renderSummary)(file, report).join("\n"));
    if (report.faults.length > 0) return EXIT.config;
    return asked.online?.some(({ level }) => level === "fail") ? EXIT.failed : EXIT.ok;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    printError(error.message);
    return EXIT.config;
  }
}
