import { createChannels } from "../alerts/channels.ts";
import { renderTime, systemClock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { alertEntries } from "../node/compose-alerts.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { VERSION } from "./version.ts";

/** Sends one message by every [[alerts]] entry, whatever it is told of otherwise, and says what came of it. */
export async function alertsTestCommand({ config: file }: { readonly config: string }): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    console.error(loaded.faults);
    return EXIT.config;
  }
  const { config } = loaded;
  const channels = createChannels(alertEntries(config), { node_name: config.node.name, version: VERSION });
  if (channels.length === 0) {
    console.error("There is no [[alerts]] entry in the configuration: `intel-node config example` shows one.");
    return EXIT.config;
  }
  const now_ms = systemClock.now();
  const title = "a test of your alerts";
  const text = "You asked for it with `intel-node alerts test`. Nothing is wrong.";
  let failed = 0;
  for (const channel of channels) {
    const id = newId("alert", now_ms);
    try {
      await channel.send(
        { id, event: "test", kind: "told", severity: "info", title, text, at: renderTime(now_ms) },
        now_ms,
      );
      console.log(`  sent    ${channel.name}`);
    } catch (error) {
      failed += 1;
      console.log(`  failed  ${channel.name}: ${messageOf(error)}`);
    }
  }
  return failed === 0 ? EXIT.ok : EXIT.failed;
}
