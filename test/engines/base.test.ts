import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { type Address, encodeFunctionData, type Hex, parseAbi, serializeErc6492Signature } from "viem";
import { wrapFetchWithPayment as wrapFetchV1 } from "x402-fetch";
import { explainNoAnvil, hasAnvil, USDC, USDC_ABI } from "../helpers/anvil.ts";
import {
  cancel,
  NETWORK,
  newBuyer,
  pay,
  type Signer,
  send,
  sendUntilKnown,
  sign,
  split,
  startWorld,
  submit,
  type Whole,
  type World,
  walletOf,
} from "../helpers/anvil-world.ts";

/** Official clients on one side, a real EVM on the other, the node between; settled by others and by itself. */
const PRICE = 10_000n;
const FACTORY_ABI = parseAbi([
  "function create(address owner, bytes32 salt) returns (address)",
  "function addressOf(address owner, bytes32 salt) view returns (address)",
]);
const SALT: Hex = `0x${"5a".repeat(32)}`;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

explainNoAnvil();

describe.skipIf(!hasAnvil()).each(["remote", "embedded"] as const)("settled by a facilitator that is %s", (kind) => {
  const starting = hasAnvil() ? startWorld({ kind, entry: 'gas_cap_per_hour = "1"' }) : null;
  const world = async (): Promise<World> => {
    if (!starting) throw new Error("no Anvil");
    return starting;
  };
  afterAll(async () => {
    await (await starting)?.stop();
  });
  afterEach(async () => {
    const { facilitator, anvil } = await world();
    if (facilitator) facilitator.script.settle = (forward) => forward();
    await anvil.setAutomine(true);
  });

  test("a call is paid by the official client of version 2", async () => {
    const { anvil, seller, url } = await world();
    const buyer = await newBuyer((await world()).anvil);
    const before = await anvil.balanceOf(seller);
    const response = await pay(buyer)(url);
    expect(response.status).toBe(200);
    const settled = JSON.parse(atob(response.headers.get("PAYMENT-RESPONSE") ?? ""));
    expect(settled).toMatchObject({ success: true, network: NETWORK });
    expect(await anvil.balanceOf(seller)).toBe(before + PRICE);
    const [transfer] = await anvil.transfers(buyer.address, seller);
    expect(transfer?.transactionHash).toBe(settled.transaction);
  });

  test("a call is paid by the official client of version 1", async () => {
    const { anvil, seller, url } = await world();
    const buyer = await newBuyer((await world()).anvil);
    const account = buyer as unknown as Parameters<typeof wrapFetchV1>[1];
    const response = await wrapFetchV1(fetch, account)(`${url}?x402Version=1`);
    expect(response.status).toBe(200);
    expect(await anvil.transfers(buyer.address, seller)).toHaveLength(1);
  });

  test("a payment that is sent again, or in copies, is taken once", async () => {
    const { anvil, seller, url } = await world();
    const buyer = await newBuyer((await world()).anvil);
    const whole = await sign(await world(), buyer);
    const copies = await Promise.all([1, 2, 3, 4].map(() => send(url, whole)));
    expect(copies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const again = await send(url, whole);
    expect(again.headers.get("X-Idempotent-Replay")).toBe("true");
    expect(await anvil.transfers(buyer.address, seller)).toHaveLength(1);
  });

  test("a signature with v of 0 or 1, which the token refuses, is settled in the token's spelling", async () => {
    const { anvil, seller, url } = await world();
    const buyer = await newBuyer((await world()).anvil);
    const whole = await sign(await world(), buyer);
    const { r, s, v } = split(whole.payload.signature);
    const response = await send(url, { ...whole, payload: { ...whole.payload, signature: `0x${r}${s}0${v - 27}` } });
    expect(response.status).toBe(200);
    expect(await anvil.transfers(buyer.address, seller)).toHaveLength(1);
    // The same payment, in whichever spelling it comes again.
    expect((await send(url, whole)).headers.get("X-Idempotent-Replay")).toBe("true");
    expect(await anvil.transfers(buyer.address, seller)).toHaveLength(1);
  });

  describe("nothing is sold or settled for", () => {
    const refuse = async (change: (whole: Whole) => object, code?: string) => {
      const { anvil, seller, url, facilitator } = await world();
      const buyer = await newBuyer((await world()).anvil);
      const asked = { ...facilitator?.calls };
      const response = await send(url, await change(await sign(await world(), buyer)));
      expect(response.status).toBe(402);
      expect(await response.json()).toMatchObject({ charged: false, ...(code ? { code } : {}) });
      expect(await anvil.transfers(buyer.address, seller)).toEqual([]);
      return { asked, calls: { ...facilitator?.calls } };
    };
    const withValue = (by: bigint) => (whole: Whole) => {
      const { signature, authorization } = whole.payload;
      const value = (BigInt(authorization.value) + by).toString();
      return { ...whole, payload: { signature, authorization: { ...authorization, value } } };
    };
    const withSignature = (change: (parts: ReturnType<typeof split>) => string) => (whole: Whole) => ({
      ...whole,
      payload: { ...whole.payload, signature: change(split(whole.payload.signature)) },
    });

    test.each([1n, -1n])("an amount that is off by %d", async (by) => {
      const { asked, calls } = await refuse(withValue(by), "amount_mismatch");
      expect(calls).toEqual(asked);
    });

    test("a signature under the name that the token has on the test network", async () => {
      const { url } = await world();
      const buyer = await newBuyer((await world()).anvil);
      const renamed: Signer = {
        address: buyer.address,
        signTypedData: (typed) => {
          const domain = Object.assign({}, typed.domain, { name: "USDC" });
          return buyer.signTypedData(Object.assign({}, typed, { domain }) as typeof typed);
        },
      };
      const response = await pay(renamed)(url);
      expect(response.status).toBe(402);
      expect(await response.json()).toMatchObject({ charged: false });
    });

    test("a signature with the upper half of s, which the token refuses: no facilitator is asked", async () => {
      const { asked, calls } = await refuse(
        withSignature(
          ({ r, s, v }) =>
            `0x${r}${(ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, "0")}${v === 27 ? "1c" : "1b"}`,
        ),
      );
      expect(calls).toEqual(asked);
    });

    test("a payment of another kind (Permit2), which nobody offered: no facilitator is asked", async () => {
      const { asked, calls } = await refuse((whole) => {
        const { from, to, value, nonce, validBefore } = whole.payload.authorization;
        const permit2Authorization = {
          from,
          permitted: { token: USDC, amount: value },
          spender: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
          nonce: BigInt(nonce).toString(),
          deadline: validBefore,
          witness: { to, validAfter: "0" },
        };
        return { ...whole, payload: { signature: whole.payload.signature, permit2Authorization } };
      }, "invalid_payment");
      expect(calls).toEqual(asked);
    });

    test("an empty wallet, with that reason", async () => {
      const { url } = await world();
      const response = await pay(await newBuyer((await world()).anvil, PRICE - 1n))(url);
      expect(response.status).toBe(402);
      expect(await response.json()).toMatchObject({ charged: false });
    });
  });

  describe("a contract wallet", () => {
    test("that is there pays with its own kind of signature (ERC-1271)", async () => {
      const { anvil, seller, url } = await world();
      const owner = await newBuyer((await world()).anvil);
      const address = await anvil.deploy("TestWallet", [owner.address]);
      await anvil.mint(address, PRICE);
      expect((await pay(walletOf(address, owner))(url)).status).toBe(200);
      expect(await anvil.transfers(address, seller)).toHaveLength(1);
    });

    test("that is there is not paid for by a stranger", async () => {
      const { anvil, seller, url } = await world();
      const [owner, stranger] = [await newBuyer((await world()).anvil), await newBuyer((await world()).anvil)];
      const address = await anvil.deploy("TestWallet", [owner.address]);
      await anvil.mint(address, PRICE);
      expect((await pay(walletOf(address, stranger))(url)).status).toBe(402);
      expect(await anvil.transfers(address, seller)).toEqual([]);
    });

    const undeployed = async (factory: Address) => {
      const { anvil } = await world();
      const owner = await newBuyer((await world()).anvil);
      const args = [owner.address, SALT] as const;
      const call = { address: factory, abi: FACTORY_ABI, functionName: "addressOf", args } as const;
      const address = await anvil.reader.readContract(call);
      await anvil.mint(address, PRICE);
      const data = encodeFunctionData({ abi: FACTORY_ABI, functionName: "create", args });
      return walletOf(address, owner, (signature) => serializeErc6492Signature({ address: factory, data, signature }));
    };

    test("that is not there yet is created by an allowed factory, and pays (ERC-6492)", async () => {
      const { anvil, seller, url, factories } = await world();
      const signer = await undeployed(factories.allowed);
      expect((await pay(signer)(url)).status).toBe(200);
      expect(await anvil.transfers(signer.address, seller)).toHaveLength(1);
      expect((await anvil.reader.getCode({ address: signer.address }))?.length).toBeGreaterThan(2);
    });

    test("of any other factory is neither created nor paid by", async () => {
      const { anvil, seller, url, factories } = await world();
      const signer = await undeployed(factories.other);
      const response = await pay(signer)(url);
      expect(response.status).toBe(402);
      expect(await response.json()).toMatchObject({ charged: false });
      expect(await anvil.transfers(signer.address, seller)).toEqual([]);
      expect(await anvil.reader.getCode({ address: signer.address })).toBeUndefined();
    });
  });

  describe("between verify and settle", () => {
    test("the buyer cancels: he is not charged and gets nothing", async () => {
      const here = await world();
      const buyer = await newBuyer(here.anvil);
      const whole = await sign(here, buyer);
      here.setBetween(() => cancel(here.anvil, buyer, whole.payload.authorization.nonce));
      const response = await sendUntilKnown(here, whole);
      expect(response.status).toBe(402);
      expect(await response.json()).toMatchObject({ charged: false });
      expect(await here.anvil.balanceOf(buyer.address)).toBe(1_000_000n);
    });

    test("the buyer's money leaves: he is not charged and gets nothing", async () => {
      const here = await world();
      const buyer = await newBuyer(here.anvil, PRICE);
      const whole = await sign(here, buyer);
      here.setBetween(async () => {
        const { anvil } = here;
        const args = [anvil.wallet.account.address, PRICE] as const;
        const call = { address: USDC, abi: USDC_ABI, functionName: "transfer", args } as const;
        await anvil.mined(await anvil.wallet.writeContract({ ...call, account: buyer }));
      });
      const response = await sendUntilKnown(here, whole);
      expect(response.status).toBe(402);
      expect(await response.json()).toMatchObject({ charged: false });
      expect(await here.anvil.transfers(buyer.address, here.seller)).toEqual([]);
    });

    test("somebody else submits the buyer's authorization: he gets what he paid for, once", async () => {
      const here = await world();
      const buyer = await newBuyer(here.anvil);
      const whole = await sign(here, buyer);
      here.setBetween(() => submit(here.anvil, whole));
      const response = await sendUntilKnown(here, whole);
      expect(response.status).toBe(200);
      const [transfer, ...others] = await here.anvil.transfers(buyer.address, here.seller);
      expect(others).toEqual([]);
      expect(JSON.parse(atob(response.headers.get("PAYMENT-RESPONSE") ?? "")).transaction).toBe(
        transfer?.transactionHash ?? "",
      );
    });
  });

  test("a settlement that is not confirmed in time is unknown, and sold when the chain has it", async () => {
    const here = await world();
    const buyer = await newBuyer(here.anvil);
    const whole = await sign(here, buyer);
    if (here.facilitator) {
      here.facilitator.script.settle = async (forward) => {
        const answer = await forward();
        await Bun.sleep(6_000);
        return answer;
      };
    } else {
      here.setBetween(() => here.anvil.setAutomine(false));
    }
    const first = await send(here.url, whole);
    expect(first.status).toBe(503);
    expect(first.headers.get("PAYMENT-REQUIRED")).toBeNull();
    expect(await first.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
    await here.anvil.setAutomine(true);
    await here.anvil.mine();
    expect((await sendUntilKnown(here, whole)).status).toBe(200);
    expect(await here.anvil.transfers(buyer.address, here.seller)).toHaveLength(1);
  });

  test("the books agree with all of it, and no secret is in the log", async () => {
    const here = await world();
    expect(await here.node.node.audit()).toMatchObject({ ok: true });
    expect(here.log()).not.toBe("");
    expect(here.log().toLowerCase()).not.toContain(here.gas.key.slice(2));
  });
});
