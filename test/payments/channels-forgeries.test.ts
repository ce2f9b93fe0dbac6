import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PaymentPayload } from "@x402/core/types";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { CHANNEL_TYPES, type ChannelConfig, channelDomain } from "../../src/payments/channels/contract.ts";
import { channelIdOf } from "../../src/payments/networks/evm/channel-signing.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import { createBuyer, errorOf, NETWORK, send, sign, startChannelNode } from "../helpers/channel-buyers.ts";
import { repeat } from "../helpers/effort.ts";
import { createRandom } from "../helpers/json-edits.ts";
import type { MoneyNode } from "../helpers/money-node.ts";
import { TEST_SEED } from "../helpers/seed.ts";

const FORGERIES = repeat({ quick: 96, full: 192, long: 1_000 });
const PRICE = 10_000n;
const TERMS = "invalid_batch_settlement_evm_";
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const CHAIN_ID = 84_532;

let node: MoneyNode;
beforeAll(async () => {
  node = await startChannelNode();
});
afterAll(() => node.stop());

interface Parts {
  readonly type: string;
  readonly channelConfig: ChannelConfig;
  readonly voucher: { readonly channelId: string; readonly maxClaimableAmount: string; readonly signature: string };
}
type Account = ReturnType<typeof privateKeyToAccount>;
const partsOf = ({ payload }: PaymentPayload) => payload as unknown as Parts;

async function signVoucher(account: Account, channelId: string, amount: bigint, chain_id = CHAIN_ID) {
  const signature = await account.signTypedData({
    domain: channelDomain(chain_id),
    types: CHANNEL_TYPES,
    primaryType: "Voucher",
    message: { channelId: channelId as `0x${string}`, maxClaimableAmount: amount },
  });
  return { channelId, maxClaimableAmount: amount.toString(), signature };
}

/** The other signature that recovers to the same account. */
const twinOf = (signature: string): string => {
  const s = (ORDER - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0");
  return `${signature.slice(0, 66)}${s}${signature.endsWith("1b") ? "1c" : "1b"}`;
};

/** A buyer with two calls behind it, the vouchers of those, and its next one, unsent. */
async function createTarget() {
  const buyer = createBuyer(node);
  const { account } = buyer;
  const first = await sign(buyer, `${node.url}/one?q=a`);
  expect((await send(`${node.url}/one?q=a`, first)).status).toBe(200);
  const { channelConfig, voucher } = partsOf(first);
  const payOf = async (amount: bigint) => {
    const payload = { type: "voucher", channelConfig, voucher: await signVoucher(account, voucher.channelId, amount) };
    return { ...first, payload };
  };
  const second = await payOf(2n * PRICE);
  expect((await send(`${node.url}/one?q=b`, second)).status).toBe(200);
  const next = await payOf(3n * PRICE);
  return { account, past: [partsOf(first), partsOf(second)], next, parts: partsOf(next) };
}

test(`of ${FORGERIES} forged, replayed and rolled back vouchers none buys, charges or refunds anything`, async () => {
  const [own, other] = [await createTarget(), await createTarget()];
  const { account, parts, next } = own;
  const { voucher, channelConfig } = parts;
  const signed = BigInt(voucher.maxClaimableAmount);
  const random = createRandom(TEST_SEED);
  const upTo = (n: number) => Math.floor(random() * n);
  const stranger = privateKeyToAccount(generatePrivateKey());
  const network = networkById(NETWORK) as NonNullable<ReturnType<typeof networkById>>;

  /** The voucher with its channel's terms changed, and everything that follows from them right. */
  const anew = async (change: Partial<ChannelConfig>, by: Account = account): Promise<Parts> => {
    const config = { ...channelConfig, ...change };
    const id = await channelIdOf(config, network);
    return { ...parts, channelConfig: config, voucher: await signVoucher(by, id, signed) };
  };
  const withVoucher = async (made: Promise<Parts["voucher"]>): Promise<Parts> => ({ ...parts, voucher: await made });
  const withSignature = (signature: string): Parts => ({ ...parts, voucher: { ...voucher, signature } });
  const flip = (): string => {
    const at = 2 + upTo(128);
    const digit = Number.parseInt(voucher.signature[at] ?? "0", 16) ^ (1 + upTo(15));
    return `${voucher.signature.slice(0, at)}${digit.toString(16)}${voucher.signature.slice(at + 1)}`;
  };
  const old = () => own.past[upTo(own.past.length)] ?? parts;
  const refund = (made: Parts): Parts => ({ ...made, type: "refund" });

  const kinds: readonly (readonly [string, () => Parts | Promise<Parts>])[] = [
    ["voucher_signature", () => withSignature(flip())],
    ["voucher_signature", () => withSignature(twinOf(voucher.signature))],
    ["voucher_signature", () => withVoucher(signVoucher(stranger, voucher.channelId, signed))],
    ["voucher_signature", () => withVoucher(signVoucher(account, voucher.channelId, signed, 8_453))],
    ["voucher_signature", () => withSignature(other.parts.voucher.signature)],
    ["voucher_signature", () => refund(withSignature(flip()))],
    ["cumulative_amount_mismatch", () => ({ ...parts, voucher: old().voucher })],
    ["cumulative_amount_mismatch", () => refund({ ...parts, voucher: own.past[0]?.voucher ?? voucher })],
    [
      "cumulative_amount_mismatch",
      () => withVoucher(signVoucher(account, voucher.channelId, signed + 1n + BigInt(upTo(1_000_000)))),
    ],
    [
      "cumulative_amount_mismatch",
      () => withVoucher(signVoucher(account, voucher.channelId, signed - 1n - BigInt(upTo(Number(PRICE) - 2)))),
    ],
    ["channel_id_mismatch", () => ({ ...parts, channelConfig: other.parts.channelConfig })],
    [
      "channel_id_mismatch",
      () => ({ ...parts, channelConfig: { ...channelConfig, receiverAuthorizer: stranger.address } }),
    ],
    ["receiver_mismatch", () => anew({ receiver: stranger.address })],
    ["receiver_authorizer_mismatch", () => anew({ receiverAuthorizer: stranger.address })],
    ["withdraw_delay_mismatch", () => anew({ withdrawDelay: [0, 900, 86_399, 2_592_000][upTo(4)] ?? 0 })],
    ["token_mismatch", () => anew({ token: stranger.address })],
    // Another channel, which has no money: the facilitator's word.
    ["[a-z_]+", () => anew({ payerAuthorizer: stranger.address }, stranger)],
    [
      "[a-z_]+",
      () =>
        anew({
          salt: `0x${upTo(2 ** 31)
            .toString(16)
            .padStart(64, "0")}`,
        }),
    ],
  ];

  const before = await node.node.channelTotals();
  const [produced, settled] = [node.work.produced, node.facilitator.calls.settle];
  for (let n = 0; n < FORGERIES; n += 1) {
    const [word, make] = kinds[n % kinds.length] ?? ["", () => parts];
    const payload = await make();
    const url = `${node.url}/${random() < 0.5 ? "two" : `one?q=forged${n}`}`;
    const response = await send(url, { ...next, payload });
    expect([n, response.status]).toEqual([n, 402]);
    expect(errorOf(response)).toMatch(new RegExp(`^${TERMS}${word}$`));
  }
  expect(await node.node.channelTotals()).toEqual(before);
  expect([node.work.produced, node.facilitator.calls.settle]).toEqual([produced, settled]);
  expect((await send(`${node.url}/one?q=next`, next)).status).toBe(200);
  expect((await node.node.audit()).findings).toEqual([]);
});
