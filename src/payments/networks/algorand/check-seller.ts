import { Type } from "@sinclair/typebox";
import { messageOf } from "../../../core/errors.ts";
import { createReader } from "../../codec.ts";
import type { NetworkFamily } from "../../types.ts";
import { type Endpoint, getJSON } from "./http.ts";

const readParams = createReader(Type.Object({ "genesis-hash": Type.String({ maxLength: 100 }) }));
const readHolding = createReader(
  Type.Object({
    "asset-holding": Type.Object({
      "asset-id": Type.Integer({ minimum: 0 }),
      "is-frozen": Type.Optional(Type.Boolean()),
    }),
  }),
);

type Check = NonNullable<NetworkFamily["checkSeller"]>;
type Question = Parameters<Check>[0];

async function askOne(endpoint: Endpoint, { network, pay_to }: Question): Promise<string | null> {
  const params = readParams(await getJSON(endpoint, "/v2/transactions/params"));
  const genesis = (params?.["genesis-hash"] ?? "").replaceAll("+", "-").replaceAll("/", "_");
  if (`algorand:${genesis.slice(0, 32)}` !== network.id) throw new Error("the algod is of another network");
  const answer = await getJSON(endpoint, `/v2/accounts/${pay_to}/assets/${network.asset}`);
  if (answer === undefined) return `the account has not opted in to USDC (asset ${network.asset})`;
  const holding = readHolding(answer)?.["asset-holding"];
  if (!holding || String(holding["asset-id"]) !== network.asset) throw new Error("unexpected answer to account asset");
  return holding["is-frozen"] === true ? `the account's USDC (asset ${network.asset}) is frozen by the issuer` : null;
}

/** An Algorand account receives only what it has opted in to. */
export const checkAlgorandSeller: Check = async (question) => {
  const { rpc_urls, headers = {} } = question;
  let last: unknown = new Error("no algod endpoint is configured");
  for (const url of rpc_urls) {
    try {
      return await askOne({ url, headers }, question);
    } catch (error) {
      last = error;
    }
  }
  throw new Error(messageOf(last), { cause: last });
};

/** algod names the account and the asset, and only our own of both count: a group may hold other transfers. */
export const algorandBlamesSeller: NonNullable<NetworkFamily["blamesSeller"]> = (refusal) => {
  const { reason, detail = "", requirement } = refusal;
  if (!/simulation_failed/.test(reason)) return "no";
  if (detail === "") return "maybe";
  const { asset, payTo } = requirement;
  return ["missing from", "frozen in"].some((what) => detail.includes(`asset ${asset} ${what} ${payTo}`))
    ? "yes"
    : "no";
};
