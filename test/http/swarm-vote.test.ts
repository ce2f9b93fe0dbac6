import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderTime, type SettableClock } from "../../src/core/clock.ts";
import { createIdentity, type NodeIdentity } from "../../src/core/identity.ts";
import { loadPlugins } from "../../src/node/compose-catalog.ts";
import type { RunningNode } from "../../src/node/parts.ts";
import { startNode } from "../../src/node/start-node.ts";
import type { SwarmVoteData } from "../../src/plugins/crypto-market/swarm-vote/schema.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { simulators } from "../../src/sandbox/simulators.gen.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { renderDIDDocument } from "../../src/trust/did.ts";
import { createNodeSigner } from "../../src/trust/node-signer.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { loadSandboxConfig, onlyDomains } from "../helpers/sandbox-config.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";
import { createStillClock } from "../helpers/still-clock.ts";

/** Two nodes of their own: each with its key, its books, its market and its listener; one names the other as a peer. */
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A midnight: votes are written right after it. */
const MIDNIGHT_MS = Date.UTC(2026, 9, 2);
const PATH = "/swarm-vote";
const KIND = "swarm-votes";

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

interface World {
  readonly clock: SettableClock;
  readonly sandbox: Sandbox;
  readonly data: string;
}

async function createNodeWorld(now_ms: number): Promise<World> {
  const clock = createStillClock(now_ms);
  const sandbox = await createSandbox({ seed: "test", clock, simulators });
  const data = mkdtempSync(join(tmpdir(), "swarm-"));
  closers.push(async () => {
    await sandbox.stop();
    rmSync(data, { recursive: true, force: true });
  });
  return { clock, sandbox, data };
}

/** One life of a node, which writes the day's votes as soon as it is up. */
async function start({ clock, sandbox, data }: World, peers: readonly string[]): Promise<RunningNode> {
  const more = `${onlyDomains("crypto-market")}[peers]\nurls = ${JSON.stringify(peers)}`;
  const config = loadSandboxConfig({ data, facilitator_url: sandbox.facilitatorUrl(), more });
  const built_in = await loadPlugins(config);
  const plugins = {
    ...built_in,
    plugins: built_in.plugins.map((plugin) => ({
      ...plugin,
      jobs: plugin.jobs.map((job) => (job.id === "votes-emit" ? { ...job, at_start: true } : job)),
    })),
  };
  const node = await startNode({
    config,
    data_dir: data,
    clock,
    log: createLog({ level: "silent", format: "json", secrets: [] }),
    version: "0.0.0-test",
    sandbox: { world: sandbox, clock, live_data: false, seed_history: false },
    plugins,
  });
  await node.settled;
  return node;
}

interface Answer {
  readonly data: SwarmVoteData;
  readonly warnings: readonly string[];
}

/** The live answer, paid for. */
async function buy({ url }: RunningNode): Promise<Answer> {
  const payment = await createPaymentPayload(await fetch(`${url}${PATH}`), newPayer());
  const response = await fetch(`${url}${PATH}`, { headers: { "PAYMENT-SIGNATURE": payment } });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

const preview = async (url: string): Promise<Answer> =>
  (await (await fetch(`${url}${PATH}?preview=1`)).json()) as Answer;

/** What an address that is no node of ours shows. */
interface Shown {
  readonly signer?: NodeIdentity;
  /** Whose key its DID document lists; default: the signer's. */
  readonly listed?: NodeIdentity;
  readonly text: (own: string) => string;
  /** What was signed instead of the text. */
  readonly signed_text?: string;
}

const serve = (respond: (path: string, origin: string) => Response | Promise<Response>): string => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => respond(new URL(request.url).pathname, new URL(request.url).origin),
  });
  closers.push(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
};

function serveVotes({ signer = createIdentity(), listed = signer, text, signed_text }: Shown): string {
  return serve((path, origin) => {
    if (path === "/.well-known/did.json") {
      return Response.json(renderDIDDocument(origin, { name: listed.key_name, public_key: listed.public_key }));
    }
    const said = text(signer.node_id);
    const signature = createNodeSigner(signer).sign(KIND, signed_text ?? said);
    return Response.json({ data: { signed: { text: said, signature, public_key: signer.public_key } } });
  });
}

const votesOf = (bar_close_ms: number) => (node_id: string) =>
  JSON.stringify({
    v: 1,
    kind: KIND,
    node_id,
    bar_close_at: renderTime(bar_close_ms),
    rows: [{ symbol: "BTC", verdict: "long" }],
  });

/** An address where nobody listens any more. */
async function newClosedAddress(): Promise<string> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const url = `http://127.0.0.1:${server.port}`;
  await server.stop(true);
  return url;
}

describe("two nodes over HTTP", () => {
  let voter: RunningNode;
  let asker: RunningNode;
  let refused: Record<string, string>;
  let answer: Answer;

  beforeAll(async () => {
    const first = await createNodeWorld(MIDNIGHT_MS - DAY_MS + 7 * MINUTE_MS);
    const yesterday = await start(first, []);
    await yesterday.stop(() => undefined);
    first.clock.set(MIDNIGHT_MS + 10 * MINUTE_MS);
    voter = await start(first, []);
    closers.push(() => voter.stop(() => undefined));
    const yesterdays = votesOf(MIDNIGHT_MS - DAY_MS);
    refused = {
      wrong: serveVotes({ text: yesterdays, signed_text: "something else" }),
      stale: serveVotes({ text: votesOf(MIDNIGHT_MS - 4 * DAY_MS) }),
      down: await newClosedAddress(),
      html: serve(
        () => new Response("<!doctype html><title>A page</title>", { headers: { "content-type": "text/html" } }),
      ),
      unlisted: serveVotes({ text: yesterdays, listed: createIdentity() }),
      // Shows all that the voter shows, at another address.
      relay: serve(async (path) => fetch(`${voter.url}${path}${path === PATH ? "?preview=1" : ""}`)),
      impostor: serveVotes({ text: () => yesterdays("in1somebodyelse") }),
    };
    const second = await createNodeWorld(MIDNIGHT_MS + 11 * MINUTE_MS);
    asker = await start(second, [voter.url, ...Object.values(refused)]);
    closers.push(() => asker.stop(() => undefined));
    answer = await buy(asker);
  });

  test("the other's signed votes are verified and counted, as it shows them itself", async () => {
    const shown = (await preview(voter.url)).data;
    const said = JSON.parse(shown.signed?.text ?? "null") as {
      bar_close_at: string;
      rows: { symbol: string; verdict: string }[];
    };
    expect(said.bar_close_at).toBe(renderTime(MIDNIGHT_MS - DAY_MS));
    const rows = said.rows.map(({ symbol, verdict }) => ({ symbol, verdict }));
    expect(rows.map(({ symbol }) => symbol)).toEqual(["BTC", "ETH", "SOL"]);
    const { asked, verified, nodes, tally } = answer.data.peers;
    expect({ asked, verified }).toEqual({ asked: 1 + Object.keys(refused).length, verified: 1 });
    const { node_id } = voter.identity;
    expect(nodes).toEqual([{ url: voter.url, node_id, bar_close_at: said.bar_close_at, rows }] as never);
    for (const [index, { verdict }] of rows.entries()) {
      const counted = { n_long: 0, n_short: 0, n_undecided: 0 };
      counted[verdict === "long" ? "n_long" : verdict === "short" ? "n_short" : "n_undecided"] = 1;
      expect(tally[index]).toMatchObject(counted);
    }
    expect(answer.warnings.filter((text) => text.startsWith("peers"))).toEqual([]);
  });

  test.each([
    ["wrong", "the signature is not of its key over the text"],
    ["stale", "its votes are not of the last three days"],
    ["down", "does not answer"],
    ["html", "it shows no signed statement"],
    ["unlisted", "its address does not vouch for the key"],
    ["relay", "there is no DID document of"],
    ["impostor", "it signed in another node's name"],
  ])("an address that is %s is not counted, and the answer says why", (name, why) => {
    const found = answer.data.peers.refused.find(({ url }) => url === refused[name]);
    expect(found?.why).toContain(why);
  });

  test("the votes of this node are its own, whatever others say", () => {
    expect(answer.data.rows.map(({ symbol }) => symbol)).toEqual(["BTC", "ETH", "SOL"]);
    expect(JSON.parse(answer.data.signed?.text ?? "null")).toMatchObject({ node_id: asker.identity.node_id });
  });

  test("a node without peers says that it is alone", async () => {
    const alone = await buy(voter);
    expect(alone.data.peers).toEqual({ asked: 0, verified: 0, nodes: [], tally: [], refused: [] });
    expect(alone.warnings).toContain("peers: no other node was asked; these are this node's votes alone");
  });
});
