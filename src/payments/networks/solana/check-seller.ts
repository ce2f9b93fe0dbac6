import { base58 } from "@scure/base";
import { Type } from "@sinclair/typebox";
import { createReader } from "../../codec.ts";
import type { NetworkFamily } from "../../types.ts";
import { createJSONRPC } from "../json-rpc.ts";
import { TOKEN_PROGRAM } from "./programs.ts";
import { findTokenAccount } from "./token-account.ts";

const readGenesis = createReader(Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$" }));
const Account = Type.Object({
  owner: Type.String({ maxLength: 44 }),
  data: Type.Tuple([Type.String({ maxLength: 4_096 }), Type.Literal("base64")]),
});
const readAccount = createReader(Type.Object({ value: Type.Union([Type.Null(), Account]) }));

/** Layout of a token account of the SPL Token program: mint, owner, amount, delegate, state. */
const TOKEN_ACCOUNT_BYTES = 165;
const STATE_AT = 108;
const FROZEN = 2;

/** What keeps the token program from putting tokens into an account; null for nothing. */
function faultOf(data: Buffer, { mint, wallet }: { mint: string; wallet: string }): string | null {
  if (data.length !== TOKEN_ACCOUNT_BYTES || data[STATE_AT] === 0) return "is not set up as a token account";
  if (base58.encode(data.subarray(0, 32)) !== mint) return "is of another mint";
  // Its owner can give a token account away: what is sent to it is then somebody else's.
  if (base58.encode(data.subarray(32, 64)) !== wallet) return "belongs to another wallet";
  return data[STATE_AT] === FROZEN ? "is frozen by the issuer" : null;
}

/** The seller's associated USDC token account has to be there: no payment may make it. */
export const checkSolanaSeller: NonNullable<NetworkFamily["checkSeller"]> = async (question) => {
  const { network, pay_to, rpc_urls } = question;
  const rpc = createJSONRPC(rpc_urls);
  const genesis = readGenesis(await rpc("getGenesisHash", []));
  if (`solana:${genesis?.slice(0, 32)}` !== network.id) throw new Error("the RPC endpoint is on another cluster");
  const account = findTokenAccount(pay_to, network.asset);
  const options = { encoding: "base64", commitment: "confirmed" };
  const answer = readAccount(await rpc("getAccountInfo", [account, options]));
  if (!answer) throw new Error("unexpected answer to getAccountInfo");
  const { value } = answer;
  if (value === null) return `USDC token account ${account} does not exist: send the wallet some USDC`;
  const fault =
    value.owner === TOKEN_PROGRAM
      ? faultOf(Buffer.from(value.data[0], "base64"), { mint: network.asset, wallet: pay_to })
      : "is not the token program's";
  return fault === null ? null : `USDC token account ${account} ${fault}`;
};

/**
 * Trying a payment out fails in the same words whether our token account or the buyer's is missing or frozen (17): only
 * the chain can tell. Some facilitators give no detail at all.
 */
export const solanaBlamesSeller: NonNullable<NetworkFamily["blamesSeller"]> = ({ reason, detail = "" }) => {
  const words = `${reason} ${detail}`;
  if (!/simulation_?failed/i.test(words)) return "no";
  const names_account = /InvalidAccountData|UninitializedAccount|AccountNotFound|IncorrectProgramId/i.test(words);
  return names_account || /Custom\D{0,3}17\b/.test(words) || detail === "" ? "maybe" : "no";
};
