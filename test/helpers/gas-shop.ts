import type { PrivateKeyAccount } from "viem/accounts";
import { explainNoAnvil, hasAnvil } from "./anvil.ts";
import { deployBurning, newBuyer, pay, startWorld, walletOf } from "./anvil-world.ts";
import { drain } from "./hostile-visitors.ts";

/** A shop that settles by itself, and wallets whose code burns its gas. */
export interface GasShop {
  /** One wallet that burns gas, of one of two forms, and one honest buyer. @returns their statuses. */
  readonly turn: (n: number) => Promise<{ readonly burner: number; readonly honest: number }>;
  /** What the gas account sent so far, and which networks are off sale. */
  readonly look: () => Promise<{ readonly sent: number; readonly left_out: readonly unknown[] }>;
  readonly stop: () => Promise<void>;
}

/** Null where there is no Anvil. */
export async function openGasShop(): Promise<GasShop | null> {
  explainNoAnvil();
  if (!hasAnvil()) return null;
  const world = await startWorld({ kind: "embedded", entry: 'gas_cap_per_hour = "1"' });
  const { anvil, url, origin, gas } = world;
  const owner: PrivateKeyAccount = await newBuyer(anvil);
  const burners = [
    walletOf(await deployBurning(anvil, "a1"), owner),
    walletOf(await deployBurning(anvil, "a2"), owner, (signature) => `0x${signature.slice(4)}`),
  ] as const;
  return {
    async turn(n) {
      const burner = await drain(pay(burners[n % 2 === 0 ? 0 : 1])(url));
      return { burner, honest: await drain(pay(await newBuyer(anvil))(url)) };
    },
    async look() {
      const live = (await (await fetch(`${origin}/live`)).json()) as { networks_left_out: readonly unknown[] };
      return { sent: Number(await anvil.transactionCount(gas.address)), left_out: live.networks_left_out };
    },
    stop: world.stop,
  };
}
