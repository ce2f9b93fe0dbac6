import { describe, expect, test } from "bun:test";
import { networkById } from "./networks/table.ts";
import { checkOwnership, type NodeNames, type SignedWallet } from "./ownership.ts";
import { parseProof } from "./wallet-proof.ts";

const KEY = { node_id: "in17Uhoi7PPzLUax2JtMkKRop", node_key: "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w" };
const OTHER = { node_id: "in1QrnBZHc1vzkSWYJ9wzQ9hB", node_key: "gTl3Dqh9F19Wo1Rmw0x-zMuNipG07jeiXfYPW4_Js5Q" };
const NAMES: NodeNames = { origin: "https://node.example.com", present: KEY, others: [] };
const DATES = "2026-11-20T00:00:00Z 2027-11-20T00:00:00Z";

/** Made with viem, tweetnacl and algosdk from public test keys; the Algorand one over the long id of its network. */
const SIGNED = {
  base: {
    id: "eip155:8453",
    address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    method: "eip191",
    signature:
      "0x47cefff586f1ad23e47d8da24f77f7db9cf86873589abe05725c92819194580950036dcb5ea09bcd869d725fe84dc68ab81a82" +
      "45747f749a32bf23d990928b771c",
    origin_proof:
      "0x8f965c76bfc17fb5ec6673316afc49282fa193fc7d2fb577f27c8d65db915c3d2f57ee5a99d55830884cf32dfc22c87b163204" +
      "36c877c4b3ebed5c7f05adc2271b",
  },
  solana: {
    id: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    address: "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu",
    method: "ed25519",
    signature: "51MPWUtKFoP27ENo6DAYyGCLuCPSqHwfgZPdCLmpNhV2XfxFQKhgTUfGc1BqKqZB77d3ZgUfo5vXP8hMDPVsAJYF",
    origin_proof: "4t8Ez7kdptxafJhzoLDhMAMjuf6QNiFVR66pxcVyKP8bjJUEPBiLUKfNS3kEPkJwFn2zi2otYECSZW579xyrCeL3",
  },
  algorand: {
    id: "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k",
    address: "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M",
    method: "algorand-mx",
    signature: "eIwuHq+zelGXCy1jreoCvhaTsf6VqBuQGlMCM5Cp6FzlgWBtYP20w8Lmh8/z/dmQLNg5u0CGWGWc6lABk6JwBQ==",
    origin_proof: undefined,
  },
};
const NAMED = Object.entries(SIGNED);

function walletOf({ id, address, signature, origin_proof }: (typeof SIGNED)[keyof typeof SIGNED]): SignedWallet {
  const network = networkById(id);
  if (!network) throw new Error(`${id} is not in the table`);
  return { network, address, proofs: [`${DATES} ${signature}`], origin_proof };
}

describe.each(NAMED)("a wallet on %s", (_, signed) => {
  const wallet = walletOf(signed);

  test("that named this node is proven, with the text that was signed", async () => {
    const { proof, origin_signature, faults } = await checkOwnership(wallet, NAMES);
    expect(faults).toEqual([]);
    expect(proof).toMatchObject({
      method: signed.method,
      signature: signed.signature,
      issued_at_ms: Date.parse("2026-11-20T00:00:00Z"),
      expires_at_ms: Date.parse("2027-11-20T00:00:00Z"),
    });
    expect(proof?.statement).toContain(`network: ${proof?.network}\naddress: ${signed.address}`);
    expect(origin_signature).toBe(signed.origin_proof ?? null);
  });

  test("that named an earlier key is not proven, but no fault either", async () => {
    const names = { ...NAMES, present: OTHER, others: [KEY] };
    expect(await checkOwnership({ ...wallet, origin_proof: undefined }, names)).toMatchObject({
      proof: null,
      other_keys: 1,
      faults: [],
    });
  });

  test.each([
    ["another node", { present: OTHER }],
    ["another address of the node", { origin: "https://node.example.org" }],
  ])("that named %s is a fault", async (__, other) => {
    const { proof, faults } = await checkOwnership({ ...wallet, origin_proof: undefined }, { ...NAMES, ...other });
    expect(proof).toBeNull();
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`[wallets.${wallet.network.wallet}] proofs`);
  });

  test("with one changed character in its signature is a fault", async () => {
    const { signature } = signed;
    const changed = signature.slice(0, 40) + (signature[40] === "a" ? "b" : "a") + signature.slice(41);
    const { faults } = await checkOwnership({ ...wallet, proofs: [`${DATES} ${changed}`] }, NAMES);
    expect(faults).toHaveLength(1);
  });

  test("may have a proof that is not needed beside the one that is", async () => {
    const names = { ...NAMES, others: [OTHER] };
    const twice = { ...wallet, proofs: [...wallet.proofs, ...wallet.proofs] };
    expect(await checkOwnership(twice, names)).toMatchObject({ faults: [], proof: { method: signed.method } });
  });
});

test("a signature over the bare address that does not hold is a fault, and is not published", async () => {
  for (const signed of [SIGNED.base, SIGNED.solana]) {
    const wallet = { ...walletOf(signed), proofs: [] };
    for (const origin_proof of [signed.signature, "x", SIGNED.algorand.signature]) {
      const checked = await checkOwnership({ ...wallet, origin_proof }, NAMES);
      expect(checked.origin_signature).toBeNull();
      expect(checked.faults[0]).toContain("origin_proof");
    }
    const moved = await checkOwnership(
      { ...wallet, origin_proof: signed.origin_proof },
      { ...NAMES, origin: "https://x.y" },
    );
    expect(moved.faults).toHaveLength(1);
  }
});

test.each([
  "",
  "0xab",
  `${DATES}`,
  `2026-11-20T00:00:00Z 2036-11-20T00:00:00Z ${SIGNED.base.signature}`,
  `2026-11-20 2027-11-20 ${SIGNED.base.signature}`,
  `${DATES} ${SIGNED.base.signature} more`,
])("what is not two dates 365 days apart and a signature is no proof: %s", (text) => {
  expect(parseProof(text)).toBeNull();
});
