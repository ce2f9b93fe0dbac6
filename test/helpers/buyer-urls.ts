import { cleanUp, newPayer } from "./demo-node.ts";
import { answer, redirect } from "./hostile-network.ts";
import { startRelayNodes } from "./relay-nodes.ts";
import { createPaymentPayload } from "./sign-for.ts";

/**
 * A program of its own, to be watched from outside: a node whose buyers name addresses, good and bad ones. It says in
 * the end which ports may have been reached, how often strangers were, and how each call ended.
 */
const net = await startRelayNodes(["a"]);
const [node] = net.nodes;
if (node === undefined) throw new Error("no node");
const { internal } = net;
const peer = await net.startPeer("peer", (request) => {
  if (request.includes("/metadata")) return redirect("http://169.254.169.254/latest/meta-data/");
  if (request.includes("/inside")) return redirect(`https://127.0.0.1:${internal.port}/`);
  return answer("{}", ["Content-Type: application/json"]);
});
net.setName("rebinds", [["127.0.0.1"], ["127.0.0.2"]]);
net.setName("both", [["127.0.0.2", "127.0.0.1"]]);

async function buy(path: string): Promise<number> {
  const url = `${node?.url}${path}`;
  const payment = await createPaymentPayload(await fetch(url), newPayer());
  return (await fetch(url, { headers: { "PAYMENT-SIGNATURE": payment } })).status;
}

const urls = [
  ...["/live", "/metadata", "/inside"].map((path) => `${peer.url}${path}`),
  ...["rebinds.wide.net", "both.wide.net"].map((host) => `https://${host}:${peer.host.port}/`),
  ...["127.0.0.1", "localhost", "[::1]"].map((host) => `https://${host}:${internal.port}/`),
  "https://169.254.169.254/latest/",
  "https://nobody.wide.net/",
];
const statuses: Record<string, readonly number[]> = {};
for (const url of urls) {
  const asked = encodeURIComponent(url);
  statuses[new URL(url).host + new URL(url).pathname] = [
    await buy(`/agent-call?target=${asked}`),
    await buy(`/x402-audit?url=${asked}`),
  ];
}
await net.stop();
await cleanUp();
const said = { peer_port: peer.host.port, peer_connections: peer.host.connections, internal_port: internal.port };
console.log(JSON.stringify({ ...said, internal_connections: internal.connections, statuses }));
process.exit(0);
