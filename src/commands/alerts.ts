import { createChannels } from "../alerts/channels.ts";
import { sendTest } from "../alerts/send-test.ts";
import { systemClock } from "../core/clock.ts";
import { alertEntries } from "../node/compose-alerts.ts";
import { VERSION } from "../releases/version.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";

/** Sends a test message through every [[alerts]] entry, whatever events it takes, and prints the results. */
export async function alertsTestCommand({ config: file }: { readonly config: string }): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const { config } = loaded;
  const channels = createChannels(alertEntries(config), { node_name: config.node.name, version: VERSION });
  if (channels.length === 0) {
    printError("There is no [[alerts]] entry in the configuration: `intel-node config example` shows one.");
    return EXIT.config;
  }
  const sent = await sendTest(channels, systemClock.now());
  for (const { channel, ok, error } of sent) print(ok ? `  sent    ${channel}` : `  failed  ${channel}: ${error}`);
  return sent.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
}
