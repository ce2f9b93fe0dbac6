import type { FetchContext } from "intel-node";
import { wantedAddress } from "../addresses/payer-address.ts";
import { screenWallet } from "../screens/screens.ts";
import { countCounterparties, readWallet } from "../wallets/wallet.ts";
import type { WalletInputs } from "./compute.ts";
import type { WalletParams } from "./schema.ts";

/** Wallet and screens side by side; the lists are asked about its counterparties as soon as these are known. */
export async function fetchWallet(context: FetchContext, { address }: WalletParams): Promise<WalletInputs> {
  const wallet = wantedAddress(context, address);
  const reading = readWallet(context, wallet);
  const counterparties = reading.then(
    (profile) => profile.transactions && countCounterparties(profile).map((one) => one.address),
    () => null,
  );
  const [profile, screens] = await Promise.all([reading, screenWallet(context, wallet, counterparties)]);
  return { read_at_ms: context.now_ms, profile, screens };
}
