import { expect, test } from "bun:test";
import { privateKeyToAccount } from "viem/accounts";
import { spellSignature } from "../../../../test/helpers/signature-spellings.ts";
import { CHANNEL_TYPES, channelDomain, NO_ADDRESS } from "../../channels/contract.ts";
import { networkById } from "../table.ts";
import { checkVoucher } from "./channel-signing.ts";

const NETWORK = networkById("eip155:8453") as NonNullable<ReturnType<typeof networkById>>;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const account = privateKeyToAccount(`0x${"7".repeat(64)}`);
const message = { channelId: `0x${"5".repeat(64)}`, maxClaimableAmount: 30_000n } as const;
const signed = account.signTypedData({
  domain: channelDomain(8453),
  types: CHANNEL_TYPES,
  primaryType: "Voucher",
  message,
});
const voucher = { ...message, maxClaimableAmount: "30000" };

test("a voucher that the chain would not take to be its payer's own is not taken here", async () => {
  const good = await signed;
  const [r, s, v] = [good.slice(2, 66), good.slice(66, 130), good.slice(130)];
  const other_s = (ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, "0");
  const other_v = v === "1b" ? "1c" : "1b";
  for (const [payer, payerAuthorizer] of [
    [account.address, NO_ADDRESS],
    [`0x${"1".repeat(40)}`, account.address],
  ] as const) {
    const check = (signature: string) => checkVoucher({ ...voucher, signature }, { payer, payerAuthorizer }, NETWORK);
    expect(await check(good)).toBe("yes");
    expect(await check(`0x${r}${other_s}${other_v}`)).toBe("no");
    for (const spelled of Object.values(spellSignature(good))) expect(await check(spelled)).toBe("yes");
    expect(await check(`0x${r}${other_s}${v === "1b" ? "01" : "00"}`)).toBe("no");
  }
});

test("the payer's voucher is good for its own channel, amount and chain, and for no other", async () => {
  for (const [id, amount] of [
    [`0x${"0".repeat(64)}`, "0"],
    [`0x${"F".repeat(64)}`, "999999999999999999"],
    [`0x${"0a".repeat(32)}`, "4096"],
  ] as const) {
    const said = { channelId: id as `0x${string}`, maxClaimableAmount: BigInt(amount) };
    const domain = channelDomain(8453);
    const signature = await account.signTypedData({
      domain,
      types: CHANNEL_TYPES,
      primaryType: "Voucher",
      message: said,
    });
    const by = { payer: account.address, payerAuthorizer: account.address };
    const own = { channelId: id, maxClaimableAmount: amount, signature };
    expect(await checkVoucher(own, by, NETWORK)).toBe("yes");
    expect(await checkVoucher({ ...own, maxClaimableAmount: `${amount}1` }, by, NETWORK)).toBe("no");
    expect(await checkVoucher({ ...own, channelId: message.channelId }, by, NETWORK)).toBe("no");
    const sepolia = networkById("eip155:84532") as NonNullable<ReturnType<typeof networkById>>;
    expect(await checkVoucher(own, by, sepolia)).toBe("no");
  }
});
