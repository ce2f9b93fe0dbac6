import { describe, expect, test } from "bun:test";
import { createIdentity, type NodeIdentity } from "../core/identity.ts";
import type { SignedStatement } from "../records/peer-statements.ts";
import { createPeers } from "./ask-peers.ts";
import { renderDIDDocument } from "./did.ts";
import { createNodeSigner } from "./node-signer.ts";
import type { AskPeer } from "./peer-types.ts";

const PATH = "/votes";
const KIND = "swarm-votes";
const TEXT = '{"v":1}';
const [OWN, FIRST, SECOND] = [createIdentity(), createIdentity(), createIdentity()];

interface FakeNode {
  /** Signs the statement. */
  readonly signer: NodeIdentity;
  /** Whose keys its address shows; default: the signer's. */
  readonly shown?: NodeIdentity;
  readonly text?: string;
  readonly kind?: string;
  readonly sandbox?: boolean;
}

/** Nodes by address: each shows a statement and a DID document. */
function createAsk(nodes: Readonly<Record<string, FakeNode>>): AskPeer {
  const render = (url: string): unknown => {
    const { origin, pathname } = new URL(url);
    const node = nodes[origin];
    if (!node) return undefined;
    const { signer, shown = signer, text = TEXT, kind = KIND, sandbox } = node;
    if (pathname === "/.well-known/did.json") {
      return renderDIDDocument(origin, { name: shown.key_name, public_key: shown.public_key });
    }
    const signature = createNodeSigner(signer).sign(kind, TEXT);
    return { text, signature, public_key: signer.public_key, ...(sandbox ? { sandbox } : {}) };
  };
  return async (url) => {
    const body = render(url);
    if (body === undefined) return { failed: `${url} does not answer` };
    return { status: 200, headers: new Headers(), text: JSON.stringify(body) };
  };
}

function pick(body: unknown): SignedStatement | null {
  return typeof body === "object" && body !== null && "text" in body ? (body as SignedStatement) : null;
}

async function ask(nodes: Readonly<Record<string, FakeNode>>, { sandbox = false, urls = Object.keys(nodes) } = {}) {
  const peers = createPeers({ urls, ask: createAsk(nodes), node_id: OWN.node_id, sandbox });
  const said = await peers.ask({ path: PATH, kind: KIND, pick });
  return said.map((one) =>
    "refused" in one ? one.refused : `${one.url} ${one.node_id === FIRST.node_id} ${one.text}`,
  );
}

describe("other nodes' statements", () => {
  test("count when the key their address shows signed them", async () => {
    const nodes = { "https://a.example": { signer: FIRST }, "https://b.example": { signer: SECOND } };
    expect(await ask(nodes)).toEqual([`https://a.example true ${TEXT}`, `https://b.example false ${TEXT}`]);
  });

  test.each([
    ["another text", { signer: FIRST, text: '{"v":2}' }, "the signature is not of its key"],
    ["another kind", { signer: FIRST, kind: "receipts" }, "the signature is not of its key"],
    ["a key the address does not show", { signer: FIRST, shown: SECOND }, "does not vouch for the key"],
    ["this node itself", { signer: OWN }, "it is this node"],
    ["a sandbox", { signer: FIRST, sandbox: true }, "it is a sandbox"],
  ])("of %s do not", async (_, node, why) => {
    expect((await ask({ "https://a.example": node }))[0]).toContain(why);
  });

  test("of one that signed two histories do not", async () => {
    const nodes = { "https://a.example": { signer: FIRST }, "https://b.example": { signer: SECOND } };
    const options = { urls: Object.keys(nodes), ask: createAsk(nodes), node_id: OWN.node_id, sandbox: false };
    const isInconsistent = async (node_id: string) => node_id === FIRST.node_id;
    const said = await createPeers({ ...options, isInconsistent }).ask({ path: PATH, kind: KIND, pick });
    expect(said).toMatchObject([
      { refused: "it signed two histories: see /track-record/heads" },
      { node_id: SECOND.node_id },
    ]);
  });

  test("of a sandbox count in a sandbox", async () => {
    expect((await ask({ "https://a.example": { signer: FIRST, sandbox: true } }, { sandbox: true }))[0]).toContain(
      TEXT,
    );
  });

  test("one node behind two addresses counts once; one address named twice is asked once", async () => {
    const nodes = { "https://a.example": { signer: FIRST }, "https://b.example": { signer: FIRST } };
    expect((await ask(nodes))[1]).toBe("another address showed the same node");
    expect(await ask(nodes, { urls: ["https://a.example", "https://a.example/", "https://a.example/x"] })).toHaveLength(
      1,
    );
  });

  test("a node that does not answer, or answers with something else, is refused with the reason", async () => {
    expect(await ask({}, { urls: ["https://gone.example"] })).toEqual([`https://gone.example${PATH} does not answer`]);
    const answers: AskPeer = async () => ({ status: 200, headers: new Headers(), text: "<html>" });
    const missing: AskPeer = async () => ({ status: 503, headers: new Headers(), text: "{}" });
    const options = { urls: ["https://a.example"], node_id: OWN.node_id, sandbox: false };
    const request = { path: PATH, kind: KIND, pick };
    expect(await createPeers({ ...options, ask: answers }).ask(request)).toMatchObject([
      { refused: "it shows no signed statement" },
    ]);
    expect(await createPeers({ ...options, ask: missing }).ask(request)).toMatchObject([
      { refused: `https://a.example${PATH} answers 503` },
    ]);
  });

  test("twenty nodes are asked, not more", () => {
    const urls = Array.from({ length: 30 }, (_, index) => `https://n${index}.example`);
    expect(createPeers({ urls, ask: createAsk({}), node_id: OWN.node_id, sandbox: false }).count).toBe(20);
  });
});
