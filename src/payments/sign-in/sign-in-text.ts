import type { TextSigning } from "../types.ts";

/** The extension's name, and that of the header a signed text comes in. */
export const SIGN_IN_EXTENSION = "sign-in-with-x";

/** What a wallet is asked to sign, as the extension spells it. */
export interface SignInInfo {
  readonly domain: string;
  readonly uri: string;
  readonly version: "1";
  readonly nonce: string;
  readonly issuedAt: string;
  readonly expirationTime: string;
  readonly statement: string;
  readonly resources: readonly string[];
}

/** Where it is signed, and by whom. */
export interface SignInWith {
  readonly signing: TextSigning;
  /** The network as the text names it. */
  readonly chain: string;
  /** As the signer spelled it. */
  readonly address: string;
}

/**
 * The text as both chains' wallets show it.
 * Source: EIP-4361, and Sign-In With Solana, which words it in the same way.
 */
export const renderSignInText = (info: SignInInfo, { signing, chain, address }: SignInWith): string =>
  [
    `${info.domain} wants you to sign in with your ${signing.account} account:`,
    address,
    "",
    info.statement,
    "",
    `URI: ${info.uri}`,
    `Version: ${info.version}`,
    `Chain ID: ${chain}`,
    `Nonce: ${info.nonce}`,
    `Issued At: ${info.issuedAt}`,
    `Expiration Time: ${info.expirationTime}`,
    "Resources:",
    ...info.resources.map((uri) => `- ${uri}`),
  ].join("\n");

const text = { type: "string" };
const time = { type: "string", format: "date-time" };
const uri = { type: "string", format: "uri" };

/** What a client sends, as the extension describes it to clients. */
export const SIGN_IN_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    domain: text,
    address: text,
    statement: text,
    uri,
    version: text,
    chainId: text,
    type: text,
    nonce: text,
    issuedAt: time,
    expirationTime: time,
    resources: { type: "array", items: uri },
    signature: text,
  },
  required: ["domain", "address", "uri", "version", "chainId", "type", "nonce", "issuedAt", "signature"],
} as const;
