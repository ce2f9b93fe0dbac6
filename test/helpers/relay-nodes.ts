import type net from "node:net";
import { createGuardedFetch } from "../../src/guarded-fetch/guarded-fetch.ts";
import type { GuardedFetch } from "../../src/guarded-fetch/types.ts";
import type { RunningNode } from "../../src/node/parts.ts";
import { startNode } from "../../src/node/start-node.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { newFolder } from "./demo-node.ts";
import { type Host, PUBLIC, type Script, startHostileNetwork } from "./hostile-network.ts";
import { loadSandboxConfig } from "./sandbox-config.ts";
import { createStillClock } from "./still-clock.ts";

/** A real node behind a certificate and a name, as its peers reach it. */
export interface NamedNode {
  /** Where its buyers are: on this machine. */
  readonly url: string;
  /** Where its peers find it: over name service and TLS. */
  readonly public_url: string;
  /** Every request that came over its public address, as it was sent. */
  readonly requests: readonly string[];
}

export interface RelayNodes {
  readonly nodes: readonly NamedNode[];
  readonly sandbox: Sandbox;
  /** A service of this machine that nobody may be led to. */
  readonly internal: Host;
  /** Lets a name mean these addresses, one list each time it is asked. */
  setName(name: string, addresses: readonly (readonly string[])[]): void;
  /** A host under a name of its own, such as a peer that lies; the script answers. One named "silent…" never does. */
  startPeer(name: string, script: Script): Promise<{ readonly url: string; readonly host: Host }>;
  /** Another name for one of the nodes, which it does not know of. */
  startAlias(name: string, of: NamedNode): Promise<string>;
  stop(): Promise<void>;
}

/** The relay and something cheap to buy: nodes without anything else start at once. */
const SOLD: readonly string[] = ["trust-desk", "trust"];
const OTHER_DOMAINS = registry.map(({ id }) => id).filter((id) => !SOLD.includes(id));
/** A peer that is silent is silent for ever: nothing is learnt by waiting longer. */
const SILENCE_MS = 100;

const isSilent = (url: string): boolean => new URL(url).hostname.startsWith("silent");

/** Hands a request to a node that listens on this machine, and its answer back, as a proxy with TLS does. */
const forwardTo =
  (find: () => string): Script =>
  (text: string, socket: net.Socket) => {
    const [head = "", ...lines] = text.slice(0, text.indexOf("\r\n\r\n")).split("\r\n");
    const headers = new Headers(
      lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
    );
    headers.delete("host");
    headers.delete("connection");
    void fetch(`${find()}${head.split(" ")[1]}`, { headers, redirect: "manual" }).then(async (response) => {
      const body = Buffer.from(await response.arrayBuffer());
      response.headers.delete("content-encoding");
      response.headers.delete("content-length");
      const sent = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
      socket.write(`HTTP/1.1 ${response.status} x\r\n${sent}Content-Length: ${body.length}\r\n\r\n`);
      socket.end(body);
    });
    return undefined;
  };

/** Real nodes on one simulated chain that reach each other over name service, TLS and the guarded fetch. */
export async function startRelayNodes(names: readonly string[]): Promise<RelayNodes> {
  const network = await startHostileNetwork();
  // Buyers sign by the system's clock.
  const clock = createStillClock(Date.now());
  const sandbox = await createSandbox({ seed: "test", clock, simulators: [] });
  const running: RunningNode[] = [];
  const known: Record<string, readonly (readonly string[])[]> = {};
  const setName: RelayNodes["setName"] = (name, addresses) => {
    known[`${name}.wide.net`] = addresses;
    network.names(known);
  };
  const startPeer: RelayNodes["startPeer"] = async (name, script) => {
    const host = await network.start(script, "good");
    setName(name, [[PUBLIC]]);
    return { url: `https://${name}.wide.net:${host.port}`, host };
  };
  const start = async (name: string): Promise<NamedNode> => {
    let url = "";
    const { url: public_url, host } = await startPeer(
      name,
      forwardTo(() => url),
    );
    const guarded = createGuardedFetch({ ...network.options, own_hosts: [new URL(public_url).hostname] });
    const data = newFolder();
    const more = `[node]\npublic_url = "${public_url}"\n[plugins]\ndisabled = ${JSON.stringify(OTHER_DOMAINS)}\n`;
    // The world plays no stranger: all of them are asked over the guarded network.
    const strangersAt: Sandbox["strangersAt"] = (now) => {
      const ask: GuardedFetch = (request) =>
        guarded({ ...request, ports: null, ...(isSilent(request.url) ? { timeout_ms: SILENCE_MS } : {}) });
      return { ...sandbox.strangersAt(now), hosts: listHosts(), ask };
    };
    const node = await startNode({
      config: loadSandboxConfig({ data, facilitator_url: sandbox.facilitatorUrl(), more }),
      data_dir: data,
      clock,
      log: createLog({ level: "silent", format: "json", secrets: [] }),
      version: "0.0.0-test",
      sandbox: {
        world: { ...sandbox, strangersAt },
        clock,
        live_data: false,
        history_days: 1,
        seed_history: false,
        is_idle: true,
      },
    });
    running.push(node);
    await node.settled;
    url = node.url;
    return { url, public_url, requests: host.requests };
  };
  /** Every host of the network, whenever it started: a proxy for a list, so that later ones are asked as well. */
  const listHosts = (): readonly string[] => ({ includes: (host: string) => host.includes(".wide.net") }) as never;
  const nodes: NamedNode[] = [];
  for (const name of names) nodes.push(await start(name));
  return {
    nodes,
    sandbox,
    internal: network.internal,
    setName,
    startPeer,
    startAlias: async (name, { url }) =>
      (
        await startPeer(
          name,
          forwardTo(() => url),
        )
      ).url,
    async stop() {
      for (const node of running) await node.stop(() => undefined);
      await sandbox.stop();
      network.close();
    },
  };
}
