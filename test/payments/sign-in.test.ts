import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { base58 } from "@scure/base";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import {
  newEvmUser,
  newSolanaUser,
  readDemand,
  renderSignInHeader,
  type SignedInfo,
  type WalletUser,
} from "../helpers/wallets.ts";

const PATH = "/wallet/purchases";
const MINUTE_MS = 60_000;
let shop: MoneyNode;
let evm: WalletUser;
let solana: WalletUser;

beforeAll(async () => {
  shop = await startMoneyNode();
  const { solana_rpc } = (await (await fetch(`${shop.url}/__sandbox`)).json()) as { solana_rpc: string };
  evm = newEvmUser();
  solana = await newSolanaUser(solana_rpc);
});
afterAll(() => shop.stop());

type Sent = SignedInfo & { address: string; signature: string };
const send = async (header: string, { node = shop, path = PATH } = {}) => {
  const response = await fetch(`${node.url}${path}`, { headers: { "SIGN-IN-WITH-X": header } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
/** Asks, lets somebody change what is signed and what is sent, and sends it. */
async function forge({ user = evm, signed = () => {}, sent = () => {} }: Forgery) {
  const info = await readDemand(`${shop.url}${PATH}`, user.network);
  const to_sign = structuredClone(info);
  await signed(to_sign);
  const signature = await user.signText(to_sign);
  const whole: Sent = { ...to_sign, address: user.address, signature };
  await sent(whole);
  return send(renderSignInHeader(whole));
}
interface Forgery {
  readonly user?: WalletUser;
  /** Before it is signed. */
  readonly signed?: (info: SignedInfo) => void | Promise<void>;
  /** After it was signed. */
  readonly sent?: (sent: Sent) => void | Promise<void>;
}
const at = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();
const moved = (ms: number) => (info: SignedInfo) => {
  info.issuedAt = at(info.issuedAt, ms);
  info.expirationTime = at(info.expirationTime ?? "", ms);
};
const flipped = (text: string): string => (text.startsWith("0") ? "1" : "0") + text.slice(1);
const set =
  <K extends keyof Sent>(name: K, value: (sent: Sent) => Sent[K]) =>
  (sent: SignedInfo | Sent): void => {
    (sent as Sent)[name] = value(sent as Sent);
  };

/** [what is wrong, what the node calls it, how]. Where it says "signed", the wallet itself signed the wrong thing. */
const FORGERIES: readonly (readonly [string, string, () => Forgery])[] = [
  ["a domain of somebody else, signed", "domain_mismatch", () => ({ signed: set("domain", () => "evil.example") })],
  ["a domain with another port, signed", "domain_mismatch", () => ({ signed: set("domain", () => "127.0.0.1:1") })],
  ["a URI of somebody else, signed", "uri_mismatch", () => ({ signed: set("uri", () => "https://evil.example/") })],
  [
    "a URI of another scheme, signed",
    "uri_mismatch",
    () => ({ signed: set("uri", ({ uri }) => uri.replace("http:", "https:")) }),
  ],
  [
    "the URI of another door, signed",
    "uri_mismatch",
    () => ({ signed: set("uri", ({ uri }) => uri.replace("purchases", "keys")) }),
  ],
  [
    "a URI that begins like ours, signed",
    "uri_mismatch",
    () => ({ signed: set("uri", ({ uri }) => `${uri}@evil.example/`) }),
  ],
  ["another version", "version", () => ({ sent: set("version", () => "2") })],
  ["other words, signed", "statement", () => ({ signed: set("statement", () => "Approve a payment of 100 USDC") })],
  ["no words, signed", "statement", () => ({ signed: (info) => void delete info.statement })],
  ["other resources, signed", "resources", () => ({ signed: set("resources", () => ["https://evil.example/"]) })],
  ["a resource more, signed", "resources", () => ({ signed: set("resources", ({ uri }) => [uri, uri]) })],
  [
    "a time before which it does not count, signed",
    "not_before",
    () => ({ signed: set("notBefore", ({ issuedAt }) => issuedAt) }),
  ],
  ["a request id nobody gave, signed", "request_id", () => ({ signed: set("requestId", () => "1") })],
  ["a time that is none", "issued_at", () => ({ sent: set("issuedAt", () => "yesterday") })],
  [
    "a time in another spelling",
    "issued_at",
    () => ({ sent: set("issuedAt", ({ issuedAt }) => issuedAt.replace("Z", "+00:00")) }),
  ],
  ["a time to come, signed", "issued_at_in_future", () => ({ signed: moved(MINUTE_MS) })],
  ["a time of five minutes ago, signed", "issued_at_too_old", () => ({ signed: moved(-5 * MINUTE_MS) })],
  [
    "a later end, signed",
    "expiration_time",
    () => ({ signed: set("expirationTime", ({ issuedAt }) => at(issuedAt, 60 * MINUTE_MS)) }),
  ],
  ["no end, signed", "expiration_time", () => ({ signed: (info) => void delete info.expirationTime })],
  [
    "a nonce of the signer's own, signed",
    "nonce",
    () => ({ signed: set("nonce", () => "0123456789abcdef0123456789abcdef") }),
  ],
  ["a nonce with a bit changed, signed", "nonce", () => ({ signed: set("nonce", ({ nonce }) => flipped(nonce)) })],
  ["a nonce of this node with a later time, signed", "nonce", () => ({ signed: moved(-1) })],
  [
    "the main network on a test node, signed",
    "unsupported_chain",
    () => ({ signed: set("chainId", () => "eip155:8453") }),
  ],
  ["another chain than was signed", "unsupported_chain", () => ({ sent: set("chainId", () => "eip155:1") })],
  ["a chain that is none", "unsupported_chain", () => ({ sent: set("chainId", () => "eip155:84532x") })],
  ["Solana's chain with a signature of Base", "type", () => ({ sent: set("chainId", () => solana.network) })],
  [
    "Base's chain with a signature of Solana",
    "type",
    () => ({ user: solana, sent: set("chainId", () => evm.network) }),
  ],
  ["another kind of signature", "type", () => ({ sent: set("type", () => "ed25519") })],
  ["another wallet on Base", "signature", () => ({ sent: set("address", () => newEvmUser().address) })],
  ["another wallet on Solana", "signature", () => ({ user: solana, sent: set("address", () => shopWallet) })],
  ["an address with a wrong checksum", "address", () => ({ sent: set("address", ({ address }) => swapCase(address)) })],
  ["an address of another chain", "address", () => ({ sent: set("address", () => solana.address) })],
  [
    "an address with a line of its own",
    "address",
    () => ({ sent: set("address", ({ address }) => `${address}\n\nhello`) }),
  ],
  ["no signature", "malformed_signature", () => ({ sent: set("signature", () => "") })],
  [
    "half a signature on Solana",
    "malformed_signature",
    () => ({ user: solana, sent: set("signature", ({ signature }) => signature.slice(0, 60)) }),
  ],
  [
    "a signature with a digit changed",
    "signature",
    () => ({ sent: set("signature", ({ signature }) => `0x${flipped(signature.slice(2))}`) }),
  ],
  ["a signature of zeros", "signature", () => ({ sent: set("signature", () => `0x${"00".repeat(65)}`) })],
  [
    "a signature that only ends like a new wallet's",
    "signature",
    () => ({ sent: set("signature", () => `0x${"6492".repeat(16)}`) }),
  ],
  [
    "a signature for a key of small order, which anybody can make",
    "signature",
    // R is the neutral point and s is 0: it holds for every text, by a key that is the neutral point.
    () => ({
      user: solana,
      sent: (sent) => {
        const neutral = new Uint8Array(32);
        neutral[0] = 1;
        sent.address = base58.encode(neutral);
        sent.signature = base58.encode(Buffer.concat([neutral, new Uint8Array(32)]));
      },
    }),
  ],
];
const shopWallet = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const swapCase = (address: string): string =>
  address.replace(/[a-f]/, (digit) => digit.toUpperCase()).replace(/[A-F](?=[^A-F]*$)/, (digit) => digit.toLowerCase());

describe("a forged sign-in is refused", () => {
  test.each(FORGERIES)("%s: %s", async (_, fault, forgery) => {
    const { status, body } = await forge(forgery());
    expect({ status, error: body.error }).toEqual({ status: 402, error: `invalid_siwx_${fault}` });
    expect(body).toMatchObject({ code: "invalid_sign_in", charged: false, accepts: [] });
    expect(body.items).toBeUndefined();
  });

  test("the same things unchanged are taken, so that each refusal is for what was changed", async () => {
    for (const user of [evm, solana]) expect((await forge({ user })).status).toBe(200);
  });

  test.each([
    ["nothing", ""],
    ["no base64", "{}"],
    ["no JSON", Buffer.from("hello").toString("base64")],
    ["a list", Buffer.from("[]").toString("base64")],
    ["members of other types", Buffer.from(JSON.stringify({ domain: 1, signature: {} })).toString("base64")],
    ["more than any signature takes", Buffer.from(JSON.stringify({ domain: "x".repeat(10_000) })).toString("base64")],
  ])("a header that holds %s", async (_, header) => {
    const { status, body } = await send(header === "" ? " " : header);
    expect(status).toBe(402);
    expect(String(body.error)).toBeOneOf(["invalid_siwx_header", "sign_in_required"]);
  });

  test("for one door what was signed for another", async () => {
    const info = await readDemand(`${shop.url}/wallet/keys`, evm.network);
    const header = renderSignInHeader({ ...info, address: evm.address, signature: await evm.signText(info) });
    expect((await send(header)).body.error).toBe("invalid_siwx_uri_mismatch");
    expect((await send(header, { path: "/wallet/keys" })).status).toBe(200);
  });

  test("a challenge of another node, whose key is another", async () => {
    const other = await startMoneyNode(`[node]\npublic_url = "${shop.url}"`);
    try {
      const info = await readDemand(`${other.url}${PATH}`, evm.network);
      expect(info.domain).toBe(new URL(shop.url).host);
      const header = renderSignInHeader({ ...info, address: evm.address, signature: await evm.signText(info) });
      expect((await send(header)).body.error).toBe("invalid_siwx_nonce");
    } finally {
      await other.stop();
    }
  });

  test("a signature from five minutes on", async () => {
    const signNow = async () => {
      const info = await readDemand(`${shop.url}${PATH}`, evm.network);
      return renderSignInHeader({ ...info, address: evm.address, signature: await evm.signText(info) });
    };
    const [first, second] = [await signNow(), await signNow()];
    shop.clock.advance(5 * MINUTE_MS - 1_000);
    expect((await send(first)).status).toBe(200);
    shop.clock.advance(1_000);
    expect((await send(second)).body.error).toBe("invalid_siwx_issued_at_too_old");
  });

  test("a second signature for a nonce whose first one was bad", async () => {
    const info = await readDemand(`${shop.url}${PATH}`, evm.network);
    const signature = await evm.signText(info);
    const bad = renderSignInHeader({ ...info, address: newEvmUser().address, signature });
    expect((await send(bad)).body.error).toBe("invalid_siwx_signature");
    const good = renderSignInHeader({ ...info, address: evm.address, signature });
    expect((await send(good)).body.error).toBe("invalid_siwx_nonce");
  });
});

describe("strangers at the doors", () => {
  test("are limited as at every free path", async () => {
    const small = await startMoneyNode("", undefined, { limits: "free_per_minute = 3" });
    try {
      small.node.setLimits(true);
      const statuses: number[] = [];
      for (let n = 0; n < 5; n++) statuses.push((await fetch(`${small.url}${PATH}`)).status);
      expect(statuses).toEqual([402, 402, 402, 429, 429]);
    } finally {
      await small.stop();
    }
  });

  test("are limited by their bad signatures, as those who send bad payments are", async () => {
    const limits = "free_per_minute = 1000\nsignature_checks_per_minute = 5";
    const small = await startMoneyNode("", undefined, { limits });
    try {
      small.node.setLimits(true);
      const answers: number[] = [];
      for (let n = 0; n < 7; n++) {
        const info = await readDemand(`${small.url}${PATH}`, evm.network);
        const header = renderSignInHeader({
          ...info,
          address: newEvmUser().address,
          signature: await evm.signText(info),
        });
        answers.push((await send(header, { node: small })).status);
      }
      expect(answers).toEqual([402, 402, 402, 402, 402, 429, 429]);
    } finally {
      await small.stop();
    }
  });
});
