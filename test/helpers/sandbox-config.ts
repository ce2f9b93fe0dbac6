import { loadConfig } from "../../src/config/load.ts";
import { collectOwnTables } from "../../src/config/own-config.ts";
import type { Config } from "../../src/config/schema.ts";
import { registry } from "../../src/plugins/registry.gen.ts";

const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

export interface SandboxConfigOptions {
  /** The node's data folder. */
  readonly data: string;
  readonly facilitator_url: string;
  /** More configuration: whole tables. */
  readonly more?: string;
}

/** A table for `more`: the node sells these domains alone, so that no job of another one runs. */
export function onlyDomains(...domains: readonly string[]): string {
  const disabled = registry.map(({ id }) => id).filter((id) => !domains.includes(id));
  return `[plugins]\ndisabled = ${JSON.stringify(disabled)}\n`;
}

/** The configuration of a node that sells for sandbox money on Base; throws where it has a fault. */
export function loadSandboxConfig({ data, facilitator_url, more = "" }: SandboxConfigOptions): Config {
  const text = `
[wallets.base]
pay_to = "${SELLER}"
[server]
port = 0
[data]
dir = ${JSON.stringify(data)}
[[facilitators]]
kind = "sandbox"
url = "${facilitator_url}"
[limits]
loopback_exempt = true
${more}`;
  const loaded = loadConfig({ text, file: "test", env: {}, own: collectOwnTables(registry) });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return loaded.config;
}
