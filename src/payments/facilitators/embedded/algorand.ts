import { Type } from "@sinclair/typebox";
import { messageOf } from "../../../core/errors.ts";
import { createReader } from "../../codec.ts";
import { getJSON } from "../../networks/algorand/http.ts";
import { readAlgorandPayment } from "../../networks/algorand/read.ts";
import { numberOf } from "../../networks/algorand/transaction.ts";
import { pickEndpoint } from "./endpoints.ts";
import { toScheme } from "./to-scheme.ts";
import type { ChainEngine, CreateEngine, SendWatch } from "./types.ts";

/** The official client's group costs 2,000 micro-ALGO. The buyer chooses the fee, within the scheme's own limit. */
const FEE_MAX = 20_000n;
const SETTLE_COST = 10_000n;
const TOKEN_HEADER = "x-algo-api-token";

const readParams = createReader(Type.Object({ "genesis-hash": Type.String({ maxLength: 100 }) }));
const readAccount = createReader(
  Type.Object({ amount: Type.Integer({ minimum: 0 }), "min-balance": Type.Integer({ minimum: 0 }) }),
);
const readWhole = createReader(Type.Object({ payload: Type.Record(Type.String(), Type.Unknown()) }));

/** Settles on Algorand with the official scheme; the gas account is the payments' fee payer. */
export const createAlgorandEngine: CreateEngine = async (options): Promise<ChainEngine> => {
  const [avm, { ExactAvmScheme }] = await Promise.all([import("@x402/avm"), import("@x402/avm/exact/facilitator")]);
  const { network, rpc_urls, headers } = options;
  const key = await readKey(options.key);
  const algodToken = Object.entries(headers).find(([name]) => name.toLowerCase() === TOKEN_HEADER)?.[1] ?? "";
  const create = (url: string) =>
    avm.toFacilitatorAvmSigner(
      key,
      network.testnet ? { testnetUrl: url, algodToken } : { mainnetUrl: url, algodToken },
    );
  const endpoints = pickEndpoint(rpc_urls, create);
  const account = endpoints.current().getAddresses()[0] ?? "";

  return {
    account,
    extra: { feePayer: account },
    async check() {
      const found = await endpoints.find(async (url) => {
        const params = readParams(await getJSON({ url, headers }, "/v2/transactions/params"));
        const genesis = (params?.["genesis-hash"] ?? "").replaceAll("+", "-").replaceAll("/", "_");
        if (`algorand:${genesis.slice(0, 32)}` !== network.id) throw new Error("the algod is of another network");
        const state = readAccount(await getJSON({ url, headers }, `/v2/accounts/${account}?exclude=all`));
        if (!state) throw new Error("no balance was given");
        return state;
      });
      const spare = BigInt(found.amount) - BigInt(found["min-balance"]);
      return { balance: spare > 0n ? spare : 0n, cost: SETTLE_COST };
    },
    open: (watch) => {
      const signer = endpoints.current();
      const create = (sending: Sending | null) => toScheme(new ExactAvmScheme(watched(signer, watch, sending)));
      return {
        verify: (payload, requirement) => create(null).verify(payload, requirement),
        settle: async (payload, requirement) => create(readSending(payload)).settle(payload, requirement),
      };
    },
  };
};

/** What a group costs us, and what it is called by. */
interface Sending {
  readonly fee: bigint;
  readonly transaction: string;
}

/** @throws PaymentRefusal for a payload the gate would not have let through. */
function readSending(payload: unknown): Sending {
  const { payload: signed } = readWhole(payload) ?? {};
  const { fee_member, transaction_id } = readAlgorandPayment(signed ?? {});
  return { fee: fee_member ? (numberOf(fee_member.fields, "fee") ?? 0n) : 0n, transaction: transaction_id };
}

type Signer = ReturnType<Awaited<typeof import("@x402/avm")>["toFacilitatorAvmSigner"]>;

/** Errors go on without addresses in them: they end up in the log. */
const plain = (error: unknown): Error =>
  new Error(
    messageOf(error)
      .replace(/https?:\/\/\S+/g, "(address)")
      .slice(0, 200),
  );

/** What algod refused with a 4xx is its word on the group; all else says nothing about it. */
const isWord = (error: unknown): boolean => {
  const status = typeof error === "object" && error !== null && "status" in error ? Number(error.status) : 0;
  return status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429;
};

function watched(signer: Signer, watch: SendWatch, sending: Sending | null): Signer {
  return {
    ...signer,
    async simulateTransactions(group, network) {
      try {
        return await signer.simulateTransactions(group, network);
      } catch (error) {
        if (!isWord(error)) watch.noteFault(plain(error));
        throw plain(error);
      }
    },
    async sendTransactions(group, network) {
      if (!sending) throw new Error("nothing is to be sent");
      const { fee, transaction } = sending;
      if (fee > FEE_MAX) throw new Error(`a fee of ${fee} micro-ALGO is too much`);
      await watch.beforeSend({ cost_max: fee, transaction });
      try {
        return await signer.sendTransactions(group, network);
      } catch (error) {
        throw plain(error);
      }
    },
    async waitForConfirmation(id, network, rounds) {
      try {
        return await signer.waitForConfirmation(id, network, rounds);
      } catch (error) {
        throw plain(error);
      }
    },
  };
}

/** As base64 of the 64 bytes, whichever form it has. */
async function readKey(text: string): Promise<string> {
  if (!/\s/.test(text)) return text;
  const { mnemonicToSecretKey } = await import("./mnemonic.ts");
  try {
    return Buffer.from(mnemonicToSecretKey(text.replace(/\s+/g, " ")).sk).toString("base64");
  } catch {
    throw new Error("the gas key is no Algorand mnemonic");
  }
}
