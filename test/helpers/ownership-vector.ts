import { createPrivateKey } from "node:crypto";
import { type NodeIdentity, readIdentity } from "../../src/core/identity.ts";

/**
 * A node and its three wallets, made outside this program with viem, tweetnacl, algosdk and jose. Every key is public:
 * the node's seed is 32 bytes of 0x01, the Base key the first development account of Hardhat, the seeds of Solana and
 * Algorand 32 bytes of 0x02 and 0x03.
 */
export const VECTOR = {
  origin: "https://node.example.com",
  node_key: "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w",
  node_id: "in17Uhoi7PPzLUax2JtMkKRop",
  issued_at: "2026-11-20T00:00:00Z",
  expires_at: "2027-11-20T00:00:00Z",
  base_key: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  manifest:
    '{"node":{"name":"intel-node","node_id":"in17Uhoi7PPzLUax2JtMkKRop","url":"https://node.example.com"},' +
    '"ownershipProofs":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu"],' +
    '"resources":[{"maxAmountRequired":"10000","method":"GET","url":"https://node.example.com/fear-greed"}],' +
    '"x402Version":2}',
  manifest_sha256: "e2a7a3360299c86cffd646a5e903a3ec58aadd19a09fc31225f669cb904f4be0",
  repr_digest: "sha-256=:4qejNgKZyGz/1kal6QOj7Fiq3Rmgn8MSJfZpy5BPS+A=:",
  jws:
    "eyJhbGciOiJFZERTQSIsImtpZCI6ImRpZDp3ZWI6bm9kZS5leGFtcGxlLmNvbSNub2RlLTEifQ." +
    "eyJpc3N1ZWRfYXQiOiIyMDI2LTExLTIwVDAwOjAwOjAwWiIsIm1hbmlmZXN0X3NoYTI1NiI6ImUyYTdhMzM2MDI5OWM4NmNmZmQ2NDZh" +
    "NWU5MDNhM2VjNThhYWRkMTlhMDlmYzMxMjI1ZjY2OWNiOTA0ZjRiZTAiLCJtYW5pZmVzdF91cmwiOiJodHRwczovL25vZGUuZXhhbXBs" +
    "ZS5jb20vLndlbGwta25vd24veDQwMi5qc29uIiwibm9kZV9pZCI6ImluMTdVaG9pN1BQekxVYXgySnRNa0tSb3AiLCJvcmlnaW4iOiJo" +
    "dHRwczovL25vZGUuZXhhbXBsZS5jb20iLCJ2IjoxfQ." +
    "pFzI8YG4HRH2WzTRB0bAS5KSy7WMYeNNn8323hBR5D6HOuqHwmQRlEHV57YLKNJhvwEdE8gZIbh75pK308_jAg",
  wallets: [
    {
      wallet: "base",
      network: "eip155:8453",
      address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
      method: "eip191",
      sha256: "2db3bef14a452f07ab0967c34d05fe51f607e69609d535201288270f6a836bf4",
      signature:
        "0x47cefff586f1ad23e47d8da24f77f7db9cf86873589abe05725c92819194580950036dcb5ea09bcd869d725fe84dc68ab81a82" +
        "45747f749a32bf23d990928b771c",
      origin_signature:
        "0x8f965c76bfc17fb5ec6673316afc49282fa193fc7d2fb577f27c8d65db915c3d2f57ee5a99d55830884cf32dfc22c87b163204" +
        "36c877c4b3ebed5c7f05adc2271b",
    },
    {
      wallet: "solana",
      network: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
      address: "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu",
      method: "ed25519",
      sha256: "f0ec7faf56a2c51a8fb8884e6fb0b0d10818293c5d5d2fc003bf87f53f4ac0e3",
      signature: "51MPWUtKFoP27ENo6DAYyGCLuCPSqHwfgZPdCLmpNhV2XfxFQKhgTUfGc1BqKqZB77d3ZgUfo5vXP8hMDPVsAJYF",
      origin_signature: "4t8Ez7kdptxafJhzoLDhMAMjuf6QNiFVR66pxcVyKP8bjJUEPBiLUKfNS3kEPkJwFn2zi2otYECSZW579xyrCeL3",
    },
    {
      wallet: "algorand",
      network: "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=",
      address: "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M",
      method: "algorand-mx",
      sha256: "258976e174f83932bb36bd07fffeb6b2a9a715ac05826b075fa79c635c21de69",
      signature: "eIwuHq+zelGXCy1jreoCvhaTsf6VqBuQGlMCM5Cp6FzlgWBtYP20w8Lmh8/z/dmQLNg5u0CGWGWc6lABk6JwBQ==",
      origin_signature: null,
    },
  ],
} as const;

export type VectorWallet = (typeof VECTOR)["wallets"][number];

/** The node's key of 32 equal bytes. */
export function seededIdentity(byte: number): NodeIdentity {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, byte)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return readIdentity(key.export({ format: "pem", type: "pkcs8" }).toString());
}

/** The statement a wallet of the vector signed, written out. */
export const statementOf = ({ network, address }: VectorWallet): string =>
  [
    "intel-node wallet authorization v1",
    `origin: ${VECTOR.origin}`,
    `node_id: ${VECTOR.node_id}`,
    `node_key: ed25519:${VECTOR.node_key}`,
    `network: ${network}`,
    `address: ${address}`,
    `issued_at: ${VECTOR.issued_at}`,
    `expires_at: ${VECTOR.expires_at}`,
  ].join("\n");
