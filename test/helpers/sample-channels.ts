import type { Ledger } from "../../src/ledger/ledger.ts";

const NETWORK = "eip155:84532";
const TRANSACTION = `0x${"c".repeat(64)}`;
const idOf = (n: number) => `0x${String(n).padStart(64, "0")}`;

/** Two channels: one that was charged, claimed and swept, one whose deposit is still being sent. */
export async function addChannels({ channels }: Pick<Ledger, "channels">): Promise<void> {
  const stateOf = (balance: bigint) => ({
    balance,
    total_claimed: 0n,
    withdraw_requested_at: 0,
    refund_nonce: 0n,
  });
  const stepOf = (n: number, signed: bigint) => ({
    channel: idOf(n),
    signed,
    amount: 10n,
    signature: `0x${signed}`,
    product: "gas",
    fingerprint: "f",
    voucher_sha256: `sha${signed}`,
    identifier: null,
    proof: null,
  });
  const begin = async (n: number): Promise<number> => {
    const channel = {
      id: idOf(n),
      network: NETWORK,
      token: "0xusdc",
      payer: `0xpayer${n}`,
      receiver: "0xseller",
      config: JSON.stringify({ n }),
      label: "organic" as const,
    };
    const begun = await channels.begin({
      kind: "deposit" as const,
      channel: idOf(n),
      amount: 1_000n,
      facilitator: "main",
      valid_until_ms: 1,
      step: { ...stepOf(n, 10n), body: "{}" },
      opening: { channel, state: stateOf(0n) },
    });
    if (!begun.ok) throw new Error(begun.why);
    return begun.id;
  };
  const landed = { state: "done" as const, chain_transaction: TRANSACTION, now: stateOf(1_000n) };
  await channels.end(await begin(1), landed);
  await channels.claimed([{ channel: idOf(1), total: 10n }], TRANSACTION);
  await channels.swept(NETWORK, 4n, TRANSACTION);
  await channels.charge(stepOf(1, 20n), { body: "{}" });
  await begin(2);
}
