import { describe, expect, test } from "bun:test";
import { spellSignature } from "../../test/helpers/signature-spellings.ts";
import { sha256Hex } from "../core/hash.ts";
import { type Network, networkById } from "./networks/table.ts";
import { checkWalletSignature, renderProof, renderStatement, startOfDay, type WalletClaim } from "./wallet-proof.ts";

const net = (id: string): Network => {
  const network = networkById(id);
  if (!network) throw new Error(`${id} is not in the table`);
  return network;
};
const claim = (network: Network, address: string): WalletClaim => ({
  origin: "https://node.example.com",
  node_id: "in17Uhoi7PPzLUax2JtMkKRop",
  node_key: "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w",
  network,
  address,
  issued_at_ms: Date.parse("2026-11-20T00:00:00Z"),
});

/** Made with viem, tweetnacl and algosdk and public test keys; the Algorand one with the long id of its network. */
const SOLANA_SIGNATURE = "51MPWUtKFoP27ENo6DAYyGCLuCPSqHwfgZPdCLmpNhV2XfxFQKhgTUfGc1BqKqZB77d3ZgUfo5vXP8hMDPVsAJYF";
const VECTORS = [
  {
    name: "Base",
    claim: claim(net("eip155:8453"), "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"),
    sha256: "2db3bef14a452f07ab0967c34d05fe51f607e69609d535201288270f6a836bf4",
    signature:
      "0x47cefff586f1ad23e47d8da24f77f7db9cf86873589abe05725c92819194580950036dcb5ea09bcd869d725fe84dc68ab81a82" +
      "45747f749a32bf23d990928b771c",
  },
  {
    name: "Solana",
    claim: claim(net("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"), "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu"),
    sha256: "f0ec7faf56a2c51a8fb8884e6fb0b0d10818293c5d5d2fc003bf87f53f4ac0e3",
    signature: SOLANA_SIGNATURE,
  },
  {
    name: "Algorand",
    claim: claim(
      {
        ...net("algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k"),
        id: "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=",
      },
      "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M",
    ),
    sha256: "258976e174f83932bb36bd07fffeb6b2a9a715ac05826b075fa79c635c21de69",
    signature: "eIwuHq+zelGXCy1jreoCvhaTsf6VqBuQGlMCM5Cp6FzlgWBtYP20w8Lmh8/z/dmQLNg5u0CGWGWc6lABk6JwBQ==",
  },
] as const;

describe.each(VECTORS)("the proof of a wallet on $name", ({ claim: signed, sha256, signature }) => {
  test("is over exactly the text that other tools sign", () => {
    expect(sha256Hex(renderStatement(signed))).toBe(sha256);
    expect(renderStatement(signed).split("\n")).toHaveLength(8);
  });

  test("holds for the signature those tools made", async () => {
    expect(await checkWalletSignature(signed, signature)).toBe(signature);
  });

  test.each([
    ["another node", { node_key: "AAAA3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w" }],
    ["another origin", { origin: "https://node.example.org" }],
    ["another day", { issued_at_ms: Date.parse("2026-11-21T00:00:00Z") }],
    ["another network", { network: { ...signed.network, id: "eip155:1" } }],
  ])("does not hold for %s", async (_, other) => {
    expect(await checkWalletSignature({ ...signed, ...other }, signature)).toBeNull();
  });

  test("does not hold for another address, a changed signature or any other text", async () => {
    const others = VECTORS.filter(({ claim: other }) => other.network.wallet !== signed.network.wallet);
    for (const text of ["", "x", "0x", `${signature}00`, signature.slice(1), ...others.map((one) => one.signature)]) {
      expect(await checkWalletSignature(signed, text)).toBeNull();
    }
    const digit = signature.at(-10) === "a" ? "b" : "a";
    const changed = signature.slice(0, -10) + digit + signature.slice(-9);
    expect(await checkWalletSignature(signed, changed)).toBeNull();
    for (const { claim: other } of others) {
      expect(await checkWalletSignature({ ...signed, address: other.address }, signature)).toBeNull();
    }
    const turned = signed.address.slice(0, -1) + (signed.address.endsWith("A") ? "B" : "A");
    expect(await checkWalletSignature({ ...signed, address: turned }, signature)).toBeNull();
  });
});

test("a wallet that hands its Solana signature out as base64 proves the same", async () => {
  const [, solana] = VECTORS;
  const { base58 } = await import("@scure/base");
  const base64 = Buffer.from(base58.decode(SOLANA_SIGNATURE)).toString("base64");
  expect(await checkWalletSignature(solana.claim, base64)).toBe(SOLANA_SIGNATURE);
});

test.each(["v of 0 or 1", "64 bytes"] as const)("a wallet that spells %s proves the same", async (spelling) => {
  const [base] = VECTORS;
  const spelled = spellSignature(base.signature)[spelling];
  expect(await checkWalletSignature(base.claim, spelled)).toBe(base.signature);
});

test("the configuration holds the dates and the signature", () => {
  const [base] = VECTORS;
  expect(renderProof(base.claim, "0xab")).toBe("2026-11-20T00:00:00Z 2027-11-20T00:00:00Z 0xab");
  expect(startOfDay(Date.parse("2026-11-20T23:59:59.999Z"))).toBe(base.claim.issued_at_ms);
});
