import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { closeBooksAfterEach, openBooks } from "../../../test/helpers/open-books.ts";
import { newLedgerFolder, removeLedgerFolders } from "../../../test/helpers/sample-ledger.ts";
import { spellSignature } from "../../../test/helpers/signature-spellings.ts";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { newEvmUser, renderSignInHeader, type SignedInfo, type WalletUser } from "../../../test/helpers/wallets.ts";
import { isNodeError } from "../../core/errors.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { networkById } from "../networks/table.ts";
import { createSignIn, type SignIn } from "./sign-in.ts";

closeBooksAfterEach();
afterAll(removeLedgerFolders);
const chains: { stop(): void }[] = [];
afterEach(() => {
  for (const chain of chains.splice(0)) chain.stop();
});

const PATH = "/wallet/purchases";
const SECRET = new Uint8Array(32).fill(7);
const BASE = networkById("eip155:84532");
if (!BASE) throw new Error("no network");

/** A chain on which one address is a contract that says what a test wants of every signature. */
function startChain(answer: "yes" | "no" | "reverts" | "silent" | "no contract") {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { method, params } = (await request.json()) as { method: string; params: [{ data: string }] };
      if (answer === "silent") return new Response("down", { status: 500 });
      if (method === "eth_getCode") return Response.json({ id: 1, result: answer === "no contract" ? "0x" : "0x6001" });
      asked.push(params[0].data);
      if (answer === "reverts") return Response.json({ id: 1, error: { code: 3, message: "execution reverted" } });
      const word = answer === "yes" ? "1626ba7e" : "ffffffff";
      return Response.json({ id: 1, result: `0x${word}${"00".repeat(28)}` });
    },
  });
  chains.push({ stop: () => void server.stop(true) });
  return { url: `http://127.0.0.1:${server.port}`, asked };
}

async function open(rpc_url?: string) {
  const clock = createStillClock();
  const ledger = await openBooks({ file: join(newLedgerFolder(), "ledger.db"), clock });
  const newNode = (own: Ledger = ledger): SignIn =>
    createSignIn({
      public_url: "https://node.example",
      networks: [BASE as NonNullable<typeof BASE>],
      secret: SECRET,
      clock,
      wallets: own.wallets,
      signatures: { spend: (_, check) => check() },
      rpc_urls: () => (rpc_url === undefined ? [] : [rpc_url]),
      log: () => undefined,
    });
  return { clock, ledger, newNode };
}

const enter = (node: SignIn, headers: Headers) => node.signedInWallet({ headers, path: PATH, client: "192.0.2.1" });
/** The error's own word, or null when the wallet is in. */
async function faultOf(node: SignIn, headers: Headers): Promise<string | null> {
  try {
    await enter(node, headers);
    return null;
  } catch (error) {
    if (isNodeError(error)) return String(error.options.details?.error ?? error.code);
    throw error;
  }
}
async function readInfo(node: SignIn): Promise<SignedInfo> {
  const error: unknown = await enter(node, new Headers()).catch((thrown: unknown) => thrown);
  if (!isNodeError(error)) throw new Error("nothing was asked for");
  const { extensions } = error.options.details as { extensions: Record<string, { info: SignedInfo }> };
  const { info } = extensions["sign-in-with-x"] ?? {};
  if (!info) throw new Error("no text to sign");
  return { ...info, chainId: "eip155:84532", type: "eip191" };
}
async function sign(node: SignIn, user: WalletUser, more: { address?: string; signature?: string } = {}) {
  const info = await readInfo(node);
  const signature = more.signature ?? (await user.signText(info));
  return new Headers({
    "SIGN-IN-WITH-X": renderSignInHeader({ ...info, address: more.address ?? user.address, signature }),
  });
}

describe("a signature", () => {
  test("opens one door once, also on another node of the same ledger, and after a restart", async () => {
    const { newNode } = await open();
    const [one, other] = [newNode(), newNode()];
    const user = newEvmUser();
    const headers = await sign(one, user);
    expect(await enter(other, headers)).toEqual({ address: user.address.toLowerCase(), network: "eip155:84532" });
    // Neither remembers what the other did; the books do.
    for (const node of [one, newNode()]) expect(await faultOf(node, headers)).toBe("invalid_siwx_nonce");
  });

  test.each(["v of 0 or 1", "64 bytes"] as const)("with %s opens a door without asking the chain", async (spelling) => {
    const { newNode } = await open();
    const user = newEvmUser();
    const signText: WalletUser["signText"] = async (info) => spellSignature(await user.signText(info))[spelling];
    expect(await faultOf(newNode(), await sign(newNode(), { ...user, signText }))).toBeNull();
  });

  test("of a wallet whose clock is behind ours is good: the time is the node's own", async () => {
    const { newNode, clock } = await open();
    const node = newNode();
    const headers = await sign(node, newEvmUser());
    // A node of the cluster whose clock is four seconds behind the one that made the challenge.
    clock.advance(-4_000);
    expect(await faultOf(node, headers)).toBeNull();
    const late = await sign(node, newEvmUser());
    clock.advance(-6_000);
    expect(await faultOf(node, late)).toBe("invalid_siwx_issued_at_in_future");
  });
});

describe("a contract wallet", () => {
  const CONTRACT = "0x00000000000000000000000000000000000000C1";
  const OWNER = newEvmUser(privateKeyToAccount(`0x${"11".repeat(32)}`));

  test("is in when its own chain says that it signed (ERC-1271), and what was asked is what was signed", async () => {
    const chain = startChain("yes");
    const node = (await open(chain.url)).newNode();
    const info = await readInfo(node);
    const signature = await OWNER.signText(info);
    const headers = new Headers({ "SIGN-IN-WITH-X": renderSignInHeader({ ...info, address: CONTRACT, signature }) });
    expect(await enter(node, headers)).toMatchObject({ address: CONTRACT.toLowerCase() });
    const { hashMessage } = await import("viem");
    const { createSIWxMessage } = await import("@x402/extensions/sign-in-with-x");
    const hash = hashMessage(createSIWxMessage(info, CONTRACT)).slice(2);
    expect(chain.asked.length).toBe(1);
    expect(chain.asked[0]).toStartWith(`0x1626ba7e${hash}`);
  });

  test.each([
    ["no", "invalid_siwx_signature"],
    ["reverts", "invalid_siwx_signature"],
    ["no contract", "invalid_siwx_signature"],
    ["silent", "invalid_siwx_verifier_error"],
  ] as const)("is refused when its chain says: %s", async (answer, fault) => {
    const node = (await open(startChain(answer).url)).newNode();
    expect(await faultOf(node, await sign(node, OWNER, { address: CONTRACT }))).toBe(fault);
  });

  test("is refused where the operator set no endpoint of its chain", async () => {
    const node = (await open()).newNode();
    expect(await faultOf(node, await sign(node, OWNER, { address: CONTRACT }))).toBe("invalid_siwx_signature");
  });

  test("signs by what a new wallet would be created with (ERC-6492) once it exists", async () => {
    const { encodeAbiParameters } = await import("viem");
    const inner = `0x${"22".repeat(65)}` as const;
    const types = [{ type: "address" }, { type: "bytes" }, { type: "bytes" }] as const;
    const wrapped = encodeAbiParameters(types, [CONTRACT, "0x1234", inner]) + "6492".repeat(16);
    const chain = startChain("yes");
    const node = (await open(chain.url)).newNode();
    const headers = await sign(node, OWNER, { address: CONTRACT, signature: wrapped });
    expect(await faultOf(node, headers)).toBeNull();
    expect(chain.asked[0]).toContain("22".repeat(65));
    expect(chain.asked[0]).not.toContain("6492".repeat(16));
    const none = (await open(startChain("no contract").url)).newNode();
    const early = await sign(none, OWNER, { address: CONTRACT, signature: wrapped });
    expect(await faultOf(none, early)).toBe("invalid_siwx_signature");
  });
});
