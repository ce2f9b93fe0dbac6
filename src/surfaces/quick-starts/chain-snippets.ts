import { findNetwork, priceNote, walletNote } from "./shop.ts";
import type { SnippetMaker } from "./types.ts";

/** The sandbox answers for the chains it simulates; on real ones the packages know public endpoints. */
const sandboxAddress = (name: "solana_rpc" | "algod", origin: string): string =>
  `const { ${name} } = await (await fetch("${origin}/__sandbox")).json(); // the sandbox's own chain\n`;

export const x402Solana: SnippetMaker = (shop) => {
  if (!findNetwork(shop, "solana")) return null;
  const { sandbox, origin } = shop;
  return {
    id: "x402-solana",
    title: "@x402/fetch with Solana",
    language: "js",
    requires: ["@x402/fetch", "@x402/svm", "@solana/kit"],
    environment: {
      SOLANA_PRIVATE_KEY: `64 hex digits, a wallet's seed; ${walletNote(shop, "solana")} and needs no SOL`,
    },
    runs: true,
    pays: priceNote(shop),
    note: "The seller's facilitator pays the network fee. A signed payment lives for about a minute.",
    code: `import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { ExactSvmScheme } from "@x402/svm/exact/client";

${sandbox ? sandboxAddress("solana_rpc", origin) : ""}const seed = Buffer.from(process.env.SOLANA_PRIVATE_KEY, "hex");
const signer = await createKeyPairSignerFromPrivateKeyBytes(seed);
const scheme = new ExactSvmScheme(signer${sandbox ? ", { rpcUrl: solana_rpc }" : ""});
const pay = wrapFetchWithPayment(fetch, new x402Client().register("solana:*", scheme));
const answer = await pay("${shop.call_url}"); // ${priceNote(shop)}
console.log(await answer.json());
`,
  };
};

export const x402Algorand: SnippetMaker = (shop) => {
  if (!findNetwork(shop, "algorand")) return null;
  const { sandbox, origin } = shop;
  return {
    id: "x402-algorand",
    title: "@x402/fetch with Algorand",
    language: "js",
    requires: ["@x402/fetch", "@x402/avm"],
    environment: {
      ALGORAND_PRIVATE_KEY:
        "base64 of 64 bytes, seed and public key; the account holds USDC and needs no Algo for fees",
    },
    runs: true,
    pays: priceNote(shop),
    note: "The fee is paid in the same group by the seller's facilitator. A signed payment lives for half a minute.",
    code: `import { toClientAvmSigner } from "@x402/avm";
import { ExactAvmScheme } from "@x402/avm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";

${sandbox ? sandboxAddress("algod", origin) : ""}const signer = toClientAvmSigner(process.env.ALGORAND_PRIVATE_KEY);
const scheme = new ExactAvmScheme(signer${sandbox ? ", { algodUrl: algod }" : ""});
const pay = wrapFetchWithPayment(fetch, new x402Client().register("algorand:*", scheme));
const answer = await pay("${shop.call_url}"); // ${priceNote(shop)}
console.log(await answer.json());
`,
  };
};
