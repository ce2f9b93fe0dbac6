import { defineSimulator } from "../../../catalog/simulator.ts";
import { findTokenFacts, holderOf, poolAddressOf, poolPctOf } from "../simulated-tokens/find-token.ts";
import { answerAddress, answerReceipts } from "./simulated-addresses.ts";

const HOLDERS = /^\/tokens\/(0x[0-9a-fA-F]{40})\/holders$/;
const notFound = { status: 404, json: { message: "Not found" } };

export const simulator = defineSimulator({
  provider: "blockscout",
  respond({ path, query, host = "ethereum" }, world) {
    const asked = { path, query, host };
    const past = answerAddress(world, asked) ?? answerReceipts(world, asked);
    if (past) return past;
    const [, address = ""] = HOLDERS.exec(path) ?? [];
    const token = findTokenFacts(world, host, address);
    if (!token) return notFound;
    const amount = (pct: number) =>
      String(BigInt(Math.round((token.supply * pct) / 100)) * 10n ** BigInt(token.decimals));
    const person = (pct: number, rank: number) => ({
      address: { hash: holderOf(token, rank), is_contract: false, name: null },
      value: amount(pct),
    });
    const pool = {
      address: { hash: poolAddressOf(token), is_contract: true, name: "UniswapV2Pair" },
      value: amount(poolPctOf(token)),
    };
    return { json: { items: [pool, ...token.holders.map(person)] } };
  },
});
