import { expect, test } from "bun:test";
import type { OfferedWallet } from "../../node/parts.ts";
import type { Facilitator } from "../../payments/facilitators/types.ts";
import { networkById } from "../../payments/networks/table.ts";
import { askFacilitators } from "./ask-facilitators.ts";

const base = networkById("eip155:84532");
if (!base) throw new Error("no Base Sepolia");
const WALLETS: readonly OfferedWallet[] = [{ network: base, pay_to: "0x0000000000000000000000000000000000000001" }];

const facilitator = (id: string, getSupported: Facilitator["getSupported"]) => ({
  facilitator: { id, kind: "remote", url: `https://${id}`, getSupported } as Facilitator,
  networks: null,
});
const away = facilitator("away.example.com", () => Promise.reject(new Error("/supported: connection refused")));
const other = facilitator("other.example.com", async () => ({ kinds: [], signers: {} }));
const adviceOf = async (asked: Parameters<typeof askFacilitators>[0]) =>
  (await askFacilitators(asked, WALLETS)).filter(({ subject }) => subject === base.title).map(({ todo }) => todo);

test("the advice on a network that no facilitator settles depends on the facilitators' answers", async () => {
  const entry = "a [[facilitators]] entry whose /supported lists eip155:84532 in version 2";
  expect(await adviceOf([])).toEqual([`add ${entry}`]);
  expect(await adviceOf([away, other])).toEqual([
    `mend the way to away.example.com, which did not answer, or add ${entry}`,
  ]);
  expect(await adviceOf([other])).toEqual([`add ${entry}`]);
  const [seen] = await askFacilitators([away], WALLETS);
  expect(seen?.says).toBe("no /supported: /supported: connection refused");
});
