import { describe, expect, test } from "bun:test";
import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { toKeySignature } from "./key-signature.ts";

const account = privateKeyToAccount(`0x${"7".repeat(64)}`);

describe("a key's signature", () => {
  test("is one text in every spelling, whichever point r denotes", async () => {
    const seen = new Set<string>();
    for (let at = 0; seen.size < 2; at++) {
      const signature = await account.signMessage({ message: `text ${at}` });
      const v = signature.slice(130);
      seen.add(v);
      const bare = signature.slice(0, 130);
      const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)));
      expect(compact).toHaveLength(130);
      for (const spelling of [signature, `${bare}${v === "1b" ? "00" : "01"}`, compact]) {
        expect(toKeySignature(spelling)).toBe(signature);
      }
    }
  });

  test("stays the very text that it was where contracts take it already", () => {
    for (const end of ["1b", "1B", "1c", "1C"]) {
      const signature = `0x${"Ab".repeat(64)}${end}`;
      expect(toKeySignature(signature)).toBe(signature);
    }
  });
});

test.each([
  ["nothing", ""],
  ["no hex", `0x${"zz".repeat(64)}1b`],
  ["without 0x", `${"11".repeat(64)}1b`],
  ["v of 2", `0x${"11".repeat(64)}02`],
  ["v of 29", `0x${"11".repeat(64)}1d`],
  ["v of 37 (EIP-155)", `0x${"11".repeat(64)}25`],
  ["63 bytes", `0x${"11".repeat(63)}`],
  ["66 bytes", `0x00${"11".repeat(64)}1b`],
  ["a line after it", `0x${"11".repeat(64)}1b\n`],
  ["a wallet's that does not exist yet", `0x${"11".repeat(96)}${"6492".repeat(16)}`],
])("what is not a key's signature by its form has no such text: %s", (_what, signature) => {
  expect(toKeySignature(signature)).toBeNull();
});
