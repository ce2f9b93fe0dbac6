import { CatalogError } from "../catalog/catalog.ts";
import { systemClock } from "../core/clock.ts";
import { createLog } from "../telemetry/log.ts";
import { composeCatalog, composeUpstream } from "./compose-catalog.ts";
import { walletsOf } from "./compose-payments.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { VERSION } from "./version.ts";

/** Reads the configuration and the plugins, says what would be sold and what not, and starts nothing. */
export async function checkCommand({ config: file, json }: { config: string; json: boolean }): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    console.error(loaded.faults);
    return EXIT.config;
  }
  const { config, plugins } = loaded;
  const log = createLog({ level: "silent", format: "json", secrets: [] });
  const upstream = composeUpstream({ config, clock: systemClock, log, version: VERSION, sandbox: null });
  try {
    const catalog = composeCatalog(config, plugins, { upstream });
    const wallets = walletsOf(config, config.payments.testnet);
    const report = {
      products: catalog.products.map(({ path, price_usd, file: origin }) => ({ path, price_usd, file: origin })),
      withheld: catalog.withheld,
      faults: catalog.faults,
      networks: wallets.map(({ network, pay_to }) => ({ network: network.id, pay_to })),
      facilitators: config.facilitators.map(({ kind, url }) => ({ kind, url: url ?? null })),
    };
    if (json) console.log(JSON.stringify(report, null, 2));
    else {
      console.log(`${file}: valid`);
      for (const { path, price_usd } of report.products) console.log(`  sells     ${path} for ${price_usd} USD`);
      for (const { path, why } of report.withheld) console.log(`  withholds ${path}: ${why}`);
      for (const { file: where, message } of report.faults) console.log(`  refuses   ${where}: ${message}`);
      for (const { network, pay_to } of report.networks) console.log(`  paid on   ${network} -> ${pay_to}`);
      if (report.networks.length === 0) console.log("  paid on   nothing yet: set [wallets.base] pay_to");
      if (report.facilitators.length === 0) console.log("  settles   nothing yet: add a [[facilitators]] entry");
    }
    return report.faults.length > 0 ? EXIT.config : EXIT.ok;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    console.error(error.message);
    return EXIT.config;
  }
}
