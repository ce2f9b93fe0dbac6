import { renderTime } from "./clock.ts";

/** What the owner of a receiving wallet states about a node. */
export interface WalletStatement {
  /** Where agents reach the node: "https://node.example.com". */
  readonly origin: string;
  readonly node_id: string;
  /** Raw Ed25519 key, base64url. */
  readonly node_key: string;
  /** CAIP-2. */
  readonly network: string;
  readonly address: string;
  readonly issued_at_ms: number;
  readonly expires_at_ms: number;
}

const TITLE = "intel-node wallet authorization v1";
const TIME = "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ)";
const FORM = new RegExp(
  `^${TITLE}\\norigin: (https?://[^\\s/]{1,300})\\nnode_id: (in1[1-9A-HJ-NP-Za-km-z]{16,24})\\n` +
    "node_key: ed25519:([A-Za-z0-9_-]{43})\\nnetwork: ([\\x21-\\x7e]{3,100})\\naddress: ([A-Za-z0-9]{20,100})\\n" +
    `issued_at: ${TIME}\\nexpires_at: ${TIME}$`,
);

/** The text that is signed: eight lines, LF between them, none at the end. */
export const renderWalletStatement = (statement: WalletStatement): string =>
  [
    TITLE,
    `origin: ${statement.origin}`,
    `node_id: ${statement.node_id}`,
    `node_key: ed25519:${statement.node_key}`,
    `network: ${statement.network}`,
    `address: ${statement.address}`,
    `issued_at: ${renderTime(statement.issued_at_ms)}`,
    `expires_at: ${renderTime(statement.expires_at_ms)}`,
  ].join("\n");

/** The statement read from its own text; null when the text is not exactly of this form. */
export function parseWalletStatement(text: string): WalletStatement | null {
  const [, origin = "", node_id = "", node_key = "", network = "", address = "", issued = "", expires = ""] =
    FORM.exec(text) ?? [];
  const statement = {
    origin,
    node_id,
    node_key,
    network,
    address,
    issued_at_ms: Date.parse(issued),
    expires_at_ms: Date.parse(expires),
  };
  const { issued_at_ms, expires_at_ms } = statement;
  if (Number.isNaN(issued_at_ms) || Number.isNaN(expires_at_ms)) return null;
  // A day such as 31 February has no other spelling: what is shown must be what was signed.
  return renderWalletStatement(statement) === text ? statement : null;
}
