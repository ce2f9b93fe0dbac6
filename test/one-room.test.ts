import { expect, test } from "bun:test";
import { KNOWN_NETWORKS } from "../src/networks/rows.ts";
import { listProjectFiles, readFiles } from "./helpers/source-files.ts";

/** Asset ids of Algorand are short numbers: they are looked for as a text or a number of their own. */
const ASSETS = [...new Set(KNOWN_NETWORKS.flatMap(({ assets }) => assets.map(({ asset }) => asset)))];
const ADDRESSES = new RegExp(`(?<![0-9A-Za-z])(?:${ASSETS.join("|")})(?![0-9A-Za-z])`, "i");
/** What is written where an address, a hash or a page of an explorer would be. */
const FACTS: readonly (readonly [string, RegExp])[] = [
  ["the address of an asset", ADDRESSES],
  ["the genesis hash of Algorand", /(wGHE2Pwdvd7S12BL5FaOP20EGYesN73k|SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe)[0-9A-Za-z]/],
  ["a page of an explorer", /(scan\.(org|io|com)|allo\.info|mempool\.space|perawallet\.app)\/tx\//],
];

/** Facts of networks in a source, by what they are. */
const findFacts = (text: string): readonly string[] =>
  FACTS.flatMap(([what, pattern]) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`${what}: ${found}`];
  });

test("addresses of assets, genesis hashes and explorers are only in src/networks", () => {
  const sources = listProjectFiles().filter(
    (path) => /^src\/(?!networks\/).*\.ts$/.test(path) && !/\.(test|gen)\.ts$|\/recorded\//.test(path),
  );
  const strays = [...readFiles(sources)].flatMap(([path, text]) => findFacts(text).map((one) => `${path}: ${one}`));
  expect(strays).toEqual([]);
});

test.each([
  ['const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";', "the address of an asset"],
  ["const asset = 31566704;", "the address of an asset"],
  ['"https://basescan.org/tx/"', "a page of an explorer"],
  ['"algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI="', "the genesis hash of Algorand"],
])("%p would be found", (text, what) => {
  expect(findFacts(text)).toEqual([expect.stringContaining(what)]);
});

/** The header of a 402 is decoded. What buyers are shown to copy is no code of ours. */
const DECODING = /(JSON\.parse|Buffer\.from|atob)\([^;]{0,80}payment-required/i;

test("the header of a 402 is decoded in src/challenge-reader, and nowhere else", () => {
  const sources = listProjectFiles().filter(
    (path) =>
      /^src\/(?!challenge-reader\/|surfaces\/quick-starts\/).*\.ts$/.test(path) && !/\.(test|gen)\.ts$/.test(path),
  );
  const strays = [...readFiles(sources)].filter(([, text]) => DECODING.test(text)).map(([path]) => path);
  expect(strays).toEqual([]);
  expect(DECODING.test('JSON.parse(Buffer.from(headers.get("PAYMENT-REQUIRED") ?? "", "base64").toString())')).toBe(
    true,
  );
});
