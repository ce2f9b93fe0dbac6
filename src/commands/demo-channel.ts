import type { Buyer } from "../buyer/buyer.ts";

/** The parts of the tour that this step needs. */
interface ChannelTour {
  readonly url: string;
  readonly buyer: Pick<Buyer, "address" | "offerChannel">;
  readonly chain: () => { readonly balance: (address: string) => string };
  /** Claims and sweeps the income of channels, as the node's job does. */
  readonly claimChannels: () => Promise<void>;
  readonly tell: (title: string, lines: readonly string[], checks: Readonly<Record<string, boolean>>) => void;
}

const CALLS = 25;
/** Deposited beyond the price of the calls, so that the buyer has a remaining balance. */
const MORE_CALLS = 5;

/** The buyer's remaining balance according to the last answer's PAYMENT-RESPONSE header. */
function readLeft(header: string): bigint {
  const { extra } = JSON.parse(Buffer.from(header, "base64").toString("utf8") || "{}") as {
    readonly extra?: { readonly channelState?: { readonly balance: string; readonly chargedCumulativeAmount: string } };
  };
  return BigInt(extra?.channelState?.balance ?? 0) - BigInt(extra?.channelState?.chargedCumulativeAmount ?? 0);
}

/** One deposit, many calls without a chain transaction, one claim. Does nothing if the node offers no channels. */
export async function showChannel(tour: ChannelTour, path: string): Promise<void> {
  const { url, buyer, chain, claimChannels, tell } = tour;
  const channel = await buyer.offerChannel(await fetch(`${url}${path}`));
  if (channel === null) return;
  const { price, pay_to } = channel;
  const name = `${channel.id.slice(0, 14)}…`;
  const held = (address: string): bigint => BigInt(chain().balance(address));
  const before = { buyer: held(buyer.address), seller: held(pay_to) };
  const deposit = price * BigInt(CALLS + MORE_CALLS);
  let told = "";
  const call = async (payment: string): Promise<boolean> => {
    const response = await fetch(`${url}${path}`, { headers: { "PAYMENT-SIGNATURE": payment } });
    await response.arrayBuffer();
    told = response.headers.get("PAYMENT-RESPONSE") ?? "";
    return response.status === 200;
  };
  const opened = await call(await channel.deposit(deposit, price));
  const started = performance.now();
  let served = opened ? 1 : 0;
  for (let n = 2; n <= CALLS; n += 1) if (await call(await channel.pay(price * BigInt(n)))) served += 1;
  const each = ((performance.now() - started) / (CALLS - 1)).toFixed(1);
  const untouched = held(pay_to) === before.seller;
  await claimChannels();
  const earned = held(pay_to) - before.seller;
  const left = readLeft(told);
  tell(
    "It opens a payment channel: one deposit, then every call is paid by a signature alone",
    [
      `GET ${path} + deposit of ${deposit} atomic USDC -> ${opened ? 200 : "refused"}, channel ${name}`,
      `GET ${path} + voucher, ${CALLS - 1} times -> ${served - 1} answers, ${each} ms each with signing`,
      `one claim for all of them: ${earned} atomic USDC to the seller, ${left} left in the channel`,
    ],
    {
      "every call was served": served === CALLS,
      "one deposit left the buyer, and nothing else": before.buyer - held(buyer.address) === deposit,
      "no call touched the seller's account": untouched,
      "the claim brought the price of each": earned === price * BigInt(CALLS) && left === deposit - earned,
    },
  );
}
