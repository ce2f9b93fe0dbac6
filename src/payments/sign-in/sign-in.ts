import type { Clock } from "../../core/clock.ts";
import { messageOf, NodeError } from "../../core/errors.ts";
import { createLRU } from "../../core/lru.ts";
import type { WalletBooks } from "../../ledger/wallets.ts";
import type { SignatureChecks } from "../gate/signature-checks.ts";
import { familyOf } from "../networks/families.ts";
import type { Network } from "../networks/table.ts";
import type { TextSigning } from "../types.ts";
import { createNonces } from "./nonces.ts";
import { readSignIn, type SentSignIn } from "./read-sign-in.ts";
import { renderSignInText, SIGN_IN_EXTENSION, SIGN_IN_SCHEMA, type SignInInfo } from "./sign-in-text.ts";

/** Who holds its key, on which network. */
export interface SignedInWallet {
  /** In the canonical form of its network, as payments name their payer. */
  readonly address: string;
  /** CAIP-2. */
  readonly network: string;
}

export interface SignInRequest {
  readonly headers: Headers;
  /** Without a query. What is signed names it alone, so a door that changes something says all of it there. */
  readonly path: string;
  /** The address it came from. */
  readonly client: string;
}

/** Wallets that show who they are by a signed text, one request at a time: there is no session. */
export interface SignIn {
  /**
   * Whose wallet a request comes from.
   * @throws NodeError sign_in_required or invalid_sign_in, with the text to sign; rate_limited, overloaded,
   *   ledger_unavailable
   */
  signedInWallet(request: SignInRequest): Promise<SignedInWallet>;
  /** Networks whose wallets can sign in. */
  readonly networks: readonly Network[];
}

export interface SignInOptions {
  /** As configured: never what a request says of its host. */
  readonly public_url: string;
  /** Those the node is paid on. */
  readonly networks: readonly Network[];
  /** Bytes only this node knows, and those that share its key. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
  readonly wallets: Pick<WalletBooks, "useNonce">;
  readonly signatures: Pick<SignatureChecks, "spend">;
  /** RPC endpoints by chain name. */
  readonly rpc_urls: (chain: string) => readonly string[];
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

const VALID_MS = 300_000;
/** Nodes that share a ledger may differ by so much. */
const CLOCKS_DIFFER_MS = 5_000;
const TRIED_MAX = 20_000;
const STATEMENT = "Sign in to see what this wallet bought here. It is no payment and costs nothing.";

/** Why a sign-in is refused: the extension's own words, where it has one. */
export type SignInFault =
  | "invalid_siwx_header"
  | "invalid_siwx_version"
  | "invalid_siwx_domain_mismatch"
  | "invalid_siwx_uri_mismatch"
  | "invalid_siwx_statement"
  | "invalid_siwx_resources"
  | "invalid_siwx_not_before"
  | "invalid_siwx_request_id"
  | "invalid_siwx_issued_at"
  | "invalid_siwx_issued_at_in_future"
  | "invalid_siwx_issued_at_too_old"
  | "invalid_siwx_expiration_time"
  | "invalid_siwx_nonce"
  | "invalid_siwx_unsupported_chain"
  | "invalid_siwx_type"
  | "invalid_siwx_address"
  | "invalid_siwx_malformed_signature"
  | "invalid_siwx_signature"
  | "invalid_siwx_verifier_error";

interface Signer {
  readonly network: Network;
  readonly signing: TextSigning;
}

export function createSignIn(options: SignInOptions): SignIn {
  const { clock, public_url, rpc_urls } = options;
  const nonces = createNonces(options.secret);
  const domain = new URL(public_url).host;
  const signers = options.networks.flatMap((network): readonly Signer[] => {
    const { text_signing } = familyOf(network);
    return text_signing ? [{ network, signing: text_signing }] : [];
  });
  // A nonce whose signature was bad is of no more use: nobody tries signatures with it.
  const tried = createLRU<true>(TRIED_MAX);

  const infoOf = (uri: string, issued_at_ms: number, nonce: string): SignInInfo => ({
    domain,
    uri,
    version: "1",
    nonce,
    issuedAt: new Date(issued_at_ms).toISOString(),
    expirationTime: new Date(issued_at_ms + VALID_MS).toISOString(),
    statement: STATEMENT,
    resources: [uri],
  });

  /** What a refused caller signs next, in the form of a payment that asks for no money. */
  const demand = (path: string, error: string) => {
    const uri = `${public_url}${path}`;
    const now_ms = clock.now();
    const info = infoOf(uri, now_ms, nonces.make(new Date(now_ms).toISOString()));
    const supportedChains = signers.map(({ network, signing }) => ({ chainId: network.id, type: signing.type }));
    return {
      x402Version: 2,
      error,
      resource: { url: uri, description: "What this wallet bought here", mimeType: "application/json" },
      accepts: [],
      extensions: { [SIGN_IN_EXTENSION]: { info, supportedChains, schema: SIGN_IN_SCHEMA } },
    };
  };
  const refuse = (path: string, fault: SignInFault, hint: string): NodeError =>
    new NodeError("invalid_sign_in", hint, { details: demand(path, fault) });

  /** What is wrong with it before any cryptography; null when only the signature is left to check. */
  function findFault(sent: SentSignIn, uri: string): SignInFault | null {
    if (sent.version !== "1") return "invalid_siwx_version";
    if (sent.domain !== domain) return "invalid_siwx_domain_mismatch";
    if (sent.uri !== uri) return "invalid_siwx_uri_mismatch";
    if (sent.statement !== STATEMENT) return "invalid_siwx_statement";
    if (sent.resources?.length !== 1 || sent.resources[0] !== uri) return "invalid_siwx_resources";
    if (sent.notBefore !== undefined) return "invalid_siwx_not_before";
    if (sent.requestId !== undefined) return "invalid_siwx_request_id";
    const issued_at_ms = readTime(sent.issuedAt);
    if (issued_at_ms === null) return "invalid_siwx_issued_at";
    const age_ms = clock.now() - issued_at_ms;
    if (age_ms >= VALID_MS) return "invalid_siwx_issued_at_too_old";
    if (age_ms < -CLOCKS_DIFFER_MS) return "invalid_siwx_issued_at_in_future";
    if (readTime(sent.expirationTime ?? "") !== issued_at_ms + VALID_MS) return "invalid_siwx_expiration_time";
    return nonces.isOurs(sent.nonce, sent.issuedAt) ? null : "invalid_siwx_nonce";
  }

  function findSigner(sent: SentSignIn): Signer | SignInFault {
    const signer = signers.find(({ network }) => network.id === sent.chainId);
    if (!signer) return "invalid_siwx_unsupported_chain";
    if (sent.type !== signer.signing.type) return "invalid_siwx_type";
    if (!familyOf(signer.network).isAddress(sent.address)) return "invalid_siwx_address";
    return signer.signing.isSignature(sent.signature) ? signer : "invalid_siwx_malformed_signature";
  }

  async function checkSignature(sent: SentSignIn, signer: Signer, client: string): Promise<SignInFault | null> {
    const { network, signing } = signer;
    const { address, signature, uri, nonce } = sent;
    const chain = signing.chainOf(network);
    const info = infoOf(uri, Date.parse(sent.issuedAt), nonce);
    const signed = { address, signature, text: renderSignInText(info, { signing, chain, address }) };
    const verdict = await options.signatures.spend(client, () => signing.check(signed));
    if (verdict !== "ask") return verdict === "yes" ? null : "invalid_siwx_signature";
    const urls = rpc_urls(network.chain);
    if (urls.length === 0 || !signing.ask) return "invalid_siwx_signature";
    try {
      return (await signing.ask({ ...signed, rpc_urls: urls })) === true ? null : "invalid_siwx_signature";
    } catch (error) {
      options.log({ event: "wallet_not_asked", network: network.id, error: messageOf(error).slice(0, 200) });
      return "invalid_siwx_verifier_error";
    }
  }

  async function signedInWallet({ headers, path, client }: SignInRequest): Promise<SignedInWallet> {
    const header = headers.get(SIGN_IN_EXTENSION);
    if (header === null) {
      const hint = "Sign the text in extensions, and send it again with the header SIGN-IN-WITH-X. It costs nothing.";
      throw new NodeError("sign_in_required", hint, { details: demand(path, "sign_in_required") });
    }
    const sent = readSignIn(header);
    if (!sent) throw refuse(path, "invalid_siwx_header", "SIGN-IN-WITH-X must be base64 of the signed text as JSON.");
    const fault = findFault(sent, `${public_url}${path}`);
    if (fault) throw refuse(path, fault, "What was signed is not what this node asked for. Sign the text below.");
    const signer = findSigner(sent);
    if (typeof signer === "string") throw refuse(path, signer, "No wallet of a supported chain signed this.");
    const used = () => refuse(path, "invalid_siwx_nonce", "This nonce was used before. Sign the text below.");
    if (tried.get(sent.nonce)) throw used();
    tried.set(sent.nonce, true);
    const bad = await checkSignature(sent, signer, client);
    if (bad) throw refuse(path, bad, EXPLAINED[bad] ?? "The address did not sign this text.");
    const until_ms = Date.parse(sent.issuedAt) + VALID_MS;
    if (!(await options.wallets.useNonce(sent.nonce, { until_ms, now_ms: clock.now() }))) throw used();
    const { network } = signer;
    return { address: familyOf(network).canonicalAddress(sent.address), network: network.id };
  }

  return { signedInWallet, networks: signers.map(({ network }) => network) };
}

const EXPLAINED: Partial<Record<SignInFault, string>> = {
  invalid_siwx_verifier_error: "The wallet's chain did not answer whether its contract signed. Try again.",
};

/** A time exactly as this node writes it, ms; null for every other spelling. */
function readTime(text: string): number | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) || new Date(ms).toISOString() !== text ? null : ms;
}
