import { VERSION } from "../releases/version.ts";
import { renderServerJson } from "../surfaces/mcp.surface.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";

/** Prints the `server.json` that the official MCP registry takes for this node. */
export async function registryMCPCommand({ config: file }: { readonly config: string }): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const { name, public_url } = loaded.config.node;
  if (public_url === undefined) {
    printError(`${file}: "node.public_url" is needed: a registry lists the address agents reach the node under.`);
    return EXIT.config;
  }
  print(JSON.stringify(renderServerJson({ name, public_url, version: VERSION }), null, 2));
  return EXIT.ok;
}
