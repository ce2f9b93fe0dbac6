import { describe, expect, test } from "bun:test";
import { seededIdentity, statementOf, VECTOR } from "../../test/helpers/ownership-vector.ts";
import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import { rotateIdentity } from "../core/identity.ts";
import { networkById } from "../payments/networks/table.ts";
import { checkSignedText } from "../payments/wallet-proof.ts";
import { signManifest } from "../surfaces/ownership.ts";
import type { WalletClaimView } from "../surfaces/types.ts";
import { logNameOf } from "./checkpoints.ts";
import { renderDIDDocument } from "./did.ts";
import { LOG_ROWS } from "./log-rows.ts";
import type { PeerParts } from "./peer-types.ts";
import { cosign, renderWitnessKey, signNote } from "./signed-note.ts";
import { verifyPeer } from "./verify-peer.ts";
import { parsePolicy } from "./witness-policy.ts";

const { origin } = VECTOR;
const NODE = seededIdentity(1);
const NOW_MS = Date.parse("2026-12-01T00:00:00Z");
const [BASE] = VECTOR.wallets;

type Value = Record<string, unknown>;
const acceptsOf = (wallets: readonly { network: string; address: string }[]) =>
  wallets.map(({ network, address }) => ({ scheme: "exact", network, payTo: address, amount: "10000" }));

const manifestOf = (accepts: unknown, node_id = NODE.node_id) => ({
  node: { name: "intel-node", node_id, url: origin },
  resources: [{ url: `${origin}/fear-greed`, method: "GET", accepts }],
});

const claimed = VECTOR.wallets.map((one): WalletClaimView => {
  const { wallet, network, address, method, signature } = one;
  return { wallet, network, address, status: "proven", method, signature, statement: statementOf(one) };
});

/** Everything a node serves; a test changes what it likes. */
interface Served {
  manifest: string;
  claims: Value;
  did: unknown;
  challenge: Value;
  headers: Record<string, string>;
  /** By the name of the log. */
  checkpoints: Record<string, string | undefined>;
}

function serve(change: (served: Served) => void = () => undefined, manifest_value: unknown = null): Served {
  const accepts = acceptsOf(VECTOR.wallets);
  const manifest = canonicalJSON(manifest_value ?? manifestOf(accepts));
  const node = { ...NODE, public_url: origin, name: "", brand: "", version: "", retired_keys: [] };
  const model = { node: { ...node, contact_email: null, security_contact: null } };
  const served: Served = {
    manifest,
    claims: {
      v: 1,
      origin,
      node_id: NODE.node_id,
      node_key: `ed25519:${NODE.public_key}`,
      manifest: {
        url: `${origin}/.well-known/x402.json`,
        sha256: sha256Hex(manifest),
        jws: signManifest(model, { text: manifest, changed_at: NOW_MS / 1000 }),
      },
      wallets: claimed,
    },
    did: renderDIDDocument(origin, { name: "node-1", public_key: NODE.public_key }),
    challenge: { x402Version: 2, accepts },
    headers: {},
    checkpoints: {},
  };
  change(served);
  return served;
}

const partsOf = (served: Served, now_ms = NOW_MS): PeerParts => ({
  ask: async (url) => {
    const { pathname } = new URL(url);
    const row = LOG_ROWS.find(({ prefix }) => pathname === `${prefix}/checkpoint`);
    if (row) {
      const text = served.checkpoints[row.name];
      return { status: text === undefined ? 404 : 200, headers: new Headers(), text: text ?? "" };
    }
    const documents: Record<string, string> = {
      "/.well-known/x402.json": served.manifest,
      "/.well-known/verify-manifest": JSON.stringify(served.claims),
      "/.well-known/did.json": JSON.stringify(served.did),
    };
    const text = documents[pathname];
    if (text !== undefined) return { status: 200, headers: new Headers(served.headers), text };
    const header = Buffer.from(JSON.stringify(served.challenge)).toString("base64");
    return { status: 402, headers: new Headers({ "payment-required": header }), text: "{}" };
  },
  isSignedByWallet: async ({ network: id, ...signed }) => {
    const network = networkById(id);
    return network !== undefined && (await checkSignedText({ wallet: network.wallet, ...signed })) !== null;
  },
  networkOf: (id) => networkById(id)?.id ?? null,
  now_ms,
});

const verify = (served: Served, now_ms?: number) => verifyPeer(origin, partsOf(served, now_ms));
const wallet = (served: Served, index = 0): Value => (served.claims.wallets as Value[])[index] ?? {};
const changeWallet = (change: Value) => (served: Served) => {
  served.claims = {
    ...served.claims,
    wallets: [{ ...wallet(served), ...change }, wallet(served, 1), wallet(served, 2)],
  };
};

test("a node whose key vouches for its manifest and whose wallets named it is verified", async () => {
  const report = await verify(serve());
  expect(report.steps.filter(({ state }) => state !== "ok")).toEqual([]);
  expect(report).toMatchObject({ verdict: "verified", node_id: VECTOR.node_id, node_key: VECTOR.node_key });
  expect(report.payees.map(({ proven }) => proven)).toEqual([true, true, true]);
});

describe("a policy of witnesses", () => {
  const [ACME, BETA] = [seededIdentity(21), seededIdentity(22)];
  const nameOf = (witness: typeof ACME): string => `intel-node/${witness.node_id}`;
  const keyOf = (witness: typeof ACME): string => renderWitnessKey({ ...witness, name: nameOf(witness) });
  const POLICY = parsePolicy(
    `witness acme-1 ${keyOf(ACME)}\nwitness beta-1 ${keyOf(BETA)}\n` +
      "group acme any acme-1\ngroup beta any beta-1\ngroup both all acme beta\nquorum both\n",
  );
  /** A checkpoint of a history of so many entries, cosigned. */
  function checkpointOf(chain: string, size: number, by: readonly (typeof ACME)[], signer = NODE): string {
    const name = logNameOf(NODE.node_id, chain);
    const text = `${name}\n${size}\n${Buffer.alloc(32, 7).toString("base64")}\n`;
    const lines = by.map((witness) => cosign(text, { ...witness, name: nameOf(witness) }, NOW_MS / 1000));
    return signNote(text, { ...signer, name }) + lines.join("");
  }
  /** Logs without an entry; what a case names stands in their place, or is not there. */
  const EMPTY = Object.fromEntries(LOG_ROWS.map(({ name }) => [name, checkpointOf(name, 0, [])]));
  async function judge(checkpoints: Record<string, string | undefined>) {
    const served = serve();
    served.checkpoints = { ...EMPTY, ...checkpoints };
    const { verdict, outcome, steps } = await verifyPeer(origin, partsOf(served), POLICY);
    const witnesses = steps.filter(({ name }) => name.startsWith("witnesses"));
    return { verdict, outcome, states: witnesses.map(({ state }) => state), said: witnesses[0]?.detail };
  }

  test("is met by both organisations", async () => {
    expect(await judge({ signals: checkpointOf("signals", 9, [ACME, BETA]) })).toEqual({
      verdict: "verified",
      outcome: "verified",
      states: ["ok", "ok", "ok", "ok"],
      said:
        "the quorum is there; cosigned by acme-1, beta-1; acme: 1 of 1, needs 1; beta: 1 of 1, needs 1; " +
        "both: 2 of 2, needs 2; 9 entries",
    });
  });

  test.each([
    ["one organisation", { signals: checkpointOf("signals", 9, [ACME, ACME]) }, ["unproven", "ok", "ok", "ok"]],
    [
      "both for one log and nobody for another",
      {
        signals: checkpointOf("signals", 9, [ACME, BETA]),
        "signals/outcomes": checkpointOf("signals/outcomes", 9, []),
      },
      ["ok", "unproven", "ok", "ok"],
    ],
    [
      "a log that is not shown",
      { signals: checkpointOf("signals", 9, [ACME, BETA]), theses: undefined },
      ["ok", "ok", "unproven", "ok"],
    ],
    ["no entry at all", { signals: checkpointOf("signals", 0, [ACME, BETA]) }, ["ok", "ok", "ok", "ok", "unproven"]],
  ])("is not met by %s", async (_, checkpoints, states) => {
    expect(await judge(checkpoints)).toMatchObject({ verdict: "partial", outcome: "unverifiable", states });
  });

  test.each([
    ["of another log", { signals: checkpointOf("theses", 9, [ACME, BETA]) }],
    ["by another key", { signals: checkpointOf("signals", 9, [ACME, BETA], ACME) }],
    ["that is none", { signals: "quorum\n" }],
  ])("refuses a checkpoint %s", async (_, checkpoints) => {
    expect(await judge(checkpoints)).toMatchObject({
      verdict: "refused",
      outcome: "contradicted",
      states: ["failed", "ok", "ok", "ok"],
    });
  });
});

test("no documents are no claim, no answer is unverifiable, and other documents contradict", async () => {
  const outcomeOf = async (answer: { status: number; text: string } | { failed: string }) => {
    const ask: PeerParts["ask"] = async () => ("failed" in answer ? answer : { ...answer, headers: new Headers() });
    const { verdict, outcome } = await verifyPeer(origin, { ...partsOf(serve()), ask });
    return [verdict, outcome];
  };
  expect(await outcomeOf({ status: 404, text: "" })).toEqual(["refused", "no_claim"]);
  expect(await outcomeOf({ status: 503, text: "" })).toEqual(["refused", "unverifiable"]);
  expect(await outcomeOf({ failed: "no answer" })).toEqual(["refused", "unverifiable"]);
  expect(await outcomeOf({ status: 200, text: "{}" })).toEqual(["refused", "contradicted"]);
});

test("the digest in the header is compared too", async () => {
  const served = serve();
  served.headers["repr-digest"] = `sha-256=:${Buffer.from(sha256Hex(served.manifest), "hex").toString("base64")}:`;
  expect((await verify(served)).verdict).toBe("verified");
  served.headers["repr-digest"] = "sha-256=:AAAA:";
  expect((await verify(served)).verdict).toBe("refused");
  served.headers["content-encoding"] = "gzip";
  expect((await verify(served)).verdict).toBe("verified");
});

const other = rotateIdentity(NODE, seededIdentity(9), { now_ms: NOW_MS, compromised: false });
const REFUSED: readonly (readonly [string, (served: Served) => void, string])[] = [
  [
    "a manifest that is not canonical, though digest and claim fit it",
    (served) => {
      served.manifest = served.manifest.replace("{", "{ ");
    },
    "canonical",
  ],
  [
    "a manifest with another price",
    (served) => {
      served.manifest = served.manifest.replace("10000", "10001");
    },
    "digest",
  ],
  [
    "a claim with another digest beside it",
    (served) => {
      served.claims = {
        ...served.claims,
        manifest: { ...(served.claims.manifest as Value), sha256: "00".repeat(32) },
      };
    },
    "digest",
  ],
  [
    "a claim by a key that does not vouch any more",
    (served) => {
      const { key_name, public_key } = other;
      const retired = [{ name: "node-1", public_key: NODE.public_key }];
      served.did = renderDIDDocument(origin, { name: key_name, public_key }, retired);
    },
    "node key",
  ],
  [
    "a claim by another key",
    (served) => {
      served.did = renderDIDDocument(origin, { name: "node-1", public_key: other.public_key });
    },
    "node key",
  ],
  [
    "the document of another address",
    (served) => {
      served.did = renderDIDDocument("https://other.example", { name: "node-1", public_key: NODE.public_key });
    },
    "node key",
  ],
  [
    "another node's id",
    (served) => {
      served.claims = { ...served.claims, node_id: other.node_id };
    },
    "claim",
  ],
  [
    "another node's key beside the claim",
    (served) => {
      served.claims = { ...served.claims, node_key: `ed25519:${other.public_key}` };
    },
    "claim",
  ],
  [
    "documents copied to another address",
    (served) => {
      served.claims = { ...served.claims, origin: "https://copied.example" };
    },
    "claim",
  ],
  ["a wallet's statement with one changed character", changeWallet({ statement: `${statementOf(BASE)} ` }), "wallet"],
  [
    "a statement that was signed, but for another node",
    changeWallet({ statement: statementOf(BASE).replace(VECTOR.node_id, other.node_id) }),
    "wallet",
  ],
  ["a signature with one changed digit", changeWallet({ signature: BASE.signature.replace("0x47", "0x57") }), "wallet"],
  ["another wallet's signature", changeWallet({ signature: VECTOR.wallets[1].signature }), "wallet"],
  [
    "an address that is not the one in the statement",
    changeWallet({ address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }),
    "wallet",
  ],
  [
    "a live price that goes to another address",
    (served) => {
      const moved = { network: BASE.network, address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" };
      served.challenge = { accepts: acceptsOf([moved, ...VECTOR.wallets.slice(1)]) };
    },
    "payTo",
  ],
  [
    "a manifest that is none",
    (served) => {
      served.manifest = "[]";
    },
    "/.well-known/x402.json",
  ],
];

describe("refused is", () => {
  test.each(REFUSED)("%s", async (_, change, step) => {
    const report = await verify(serve(change));
    const failed = report.steps.filter(({ state }) => state === "failed");
    expect(report.verdict).toBe("refused");
    expect(failed.map(({ name }) => name.slice(0, step.length))).toContain(step);
  });

  test("one bit of any byte of the manifest", async () => {
    const { manifest } = serve();
    for (let at = 0; at < manifest.length; at += 7) {
      const bytes = Buffer.from(manifest);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      const report = await verify(
        serve((served) => {
          served.manifest = bytes.toString("latin1");
        }),
      );
      expect([at, report.verdict]).toEqual([at, "refused"]);
    }
  });
});

test("a manifest of bare addresses is enough: the live price tells where money goes", async () => {
  const bare = { ...manifestOf([]), resources: [`${origin}/fear-greed`, `${origin}/mempool`] };
  const report = await verify(serve(undefined, bare));
  expect(report).toMatchObject({ verdict: "verified", payees: [{ proven: true }, { proven: true }, { proven: true }] });
  expect(report.steps.filter(({ name }) => name.startsWith("402"))).toHaveLength(1);
});

describe("partly verified is", () => {
  test("a node that takes money at an address nobody signed for", async () => {
    const report = await verify(
      serve(changeWallet({ status: "unproven", statement: undefined, signature: undefined })),
    );
    expect(report.verdict).toBe("partial");
    expect(report.payees.filter(({ proven }) => !proven)).toEqual([
      { network: BASE.network, pay_to: BASE.address, proven: false },
    ]);
  });

  test.each([
    ["ended", "2027-11-20T00:00:00Z"],
    ["has not begun", "2026-11-19T23:59:59Z"],
  ])("one whose wallets' word %s", async (_, time) => {
    const report = await verify(serve(), Date.parse(time));
    expect([report.verdict, report.payees.some(({ proven }) => proven)]).toEqual(["partial", false]);
  });

  test("one that sells nothing, or nothing that can be asked for its price now", async () => {
    const nothing = { ...manifestOf([]), resources: [] };
    expect((await verify(serve(undefined, nothing))).verdict).toBe("partial");
    const served = serve((one) => {
      one.challenge = {};
    });
    const report = await verify(served);
    expect(report.verdict).toBe("partial");
    expect(report.steps.find(({ name }) => name.startsWith("402 on"))?.detail).toContain("without a price");
  });
});

test("an invalid answer is refused and never thrown", async () => {
  const texts = ["", "null", "[]", "{}", '{"v":1}', "\u0000", "9".repeat(1_000)];
  for (const text of texts) {
    const parts = { ...partsOf(serve()), ask: async () => ({ status: 200, headers: new Headers(), text }) };
    expect((await verifyPeer(origin, parts)).verdict).toBe("refused");
  }
  const silent = { ...partsOf(serve()), ask: async () => ({ failed: "nobody is there" }) };
  expect(await verifyPeer(origin, silent)).toMatchObject({ verdict: "refused", node_id: null, payees: [] });
});

test("a product that is said to be somewhere else is refused without being asked", async () => {
  const asked: string[] = [];
  const value = manifestOf(acceptsOf(VECTOR.wallets));
  const away = { ...value, resources: [{ ...value.resources[0], url: "https://elsewhere.example/x" }] };
  const parts = partsOf(serve(undefined, away));
  const ask = (url: string) => {
    asked.push(new URL(url).host);
    return parts.ask(url);
  };
  expect((await verifyPeer(origin, { ...parts, ask })).verdict).toBe("refused");
  expect([...new Set(asked)]).toEqual(["node.example.com"]);
});
