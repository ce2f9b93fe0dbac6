import { Type } from "@sinclair/typebox";
import { messageOf } from "../../core/errors.ts";
import { findNetwork, findNetworkById } from "../../networks/find.ts";
import { createReader } from "../../payments/codec.ts";
import { getJSON } from "../../payments/networks/algorand/http.ts";
import { createJSONRPC } from "../../payments/networks/json-rpc.ts";
import { type CheckFinding, hostOf } from "./finding.ts";

export interface ChainEndpoints {
  readonly chain: string;
  readonly rpc: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Whether payments come on this chain: then it needs an endpoint, and better two. */
  readonly is_paid_on: boolean;
}

/** An endpoint's answer: its chain, and the time of its newest block. */
interface Head {
  readonly chain_id: string;
  readonly block_ms: number | null;
}

type ReadHead = (url: string, headers: Readonly<Record<string, string>>) => Promise<Head>;

const HEX = Type.String({ pattern: "^0x[0-9a-fA-F]{1,16}$" });
const readHex = createReader(HEX);
const readBlock = createReader(Type.Object({ timestamp: HEX }));
const readText = createReader(Type.String({ maxLength: 200 }));
const readWhole = createReader(Type.Integer({ minimum: 0 }));
const readStatus = createReader(Type.Object({ "time-since-last-round": Type.Number({ minimum: 0 }) }));
const readParams = createReader(Type.Object({ "genesis-hash": Type.String({ maxLength: 100 }) }));

const need = <T>(value: T | null, what: string): T => {
  if (value === null) throw new Error(`${what} has another shape`);
  return value;
};

/** Ethereum execution API: eth_chainId, eth_getBlockByNumber. */
const readEvmHead: ReadHead = async (url) => {
  const call = createJSONRPC([url]);
  const id = need(readHex(await call("eth_chainId", [])), "eth_chainId");
  const { timestamp } = need(readBlock(await call("eth_getBlockByNumber", ["latest", false])), "eth_getBlockByNumber");
  return { chain_id: `eip155:${Number(id)}`, block_ms: Number(timestamp) * 1000 };
};

/** CAIP-2 reference of Solana: the first 32 characters of the genesis hash. */
const SOLANA_ID_CHARS = 32;
const readSolanaHead: ReadHead = async (url) => {
  const call = createJSONRPC([url]);
  const hash = need(readText(await call("getGenesisHash", [])), "getGenesisHash");
  const slot = need(readWhole(await call("getSlot", [{ commitment: "finalized" }])), "getSlot");
  // Null for a slot without a block.
  const time_s = readWhole(await call("getBlockTime", [slot]));
  return { chain_id: `solana:${hash.slice(0, SOLANA_ID_CHARS)}`, block_ms: time_s === null ? null : time_s * 1000 };
};

const NS_PER_MS = 1e6;
const readAlgorandHead: ReadHead = async (url, headers) => {
  const endpoint = { url, headers };
  const params = need(readParams(await getJSON(endpoint, "/v2/transactions/params")), "/v2/transactions/params");
  const status = need(readStatus(await getJSON(endpoint, "/v2/status")), "/v2/status");
  return {
    chain_id: `algorand:${params["genesis-hash"]}`,
    block_ms: Date.now() - status["time-since-last-round"] / NS_PER_MS,
  };
};

const readerOf = (chain: string): ReadHead => {
  if (chain.startsWith("solana")) return readSolanaHead;
  return chain.startsWith("algorand") ? readAlgorandHead : readEvmHead;
};

/** Our slowest chain makes a block every 12 s, and finality takes some 15 s on Solana. */
const LAG_MS_MAX = 60_000;
/** Calls in a burst, as a product and the reconciler together make it. */
const BURST = 5;

async function askEndpoint({ chain, headers }: ChainEndpoints, url: string, now_ms: number): Promise<CheckFinding> {
  const base = { area: "rpc", subject: `${chain} ${hostOf(url)}` } as const;
  const readHead = readerOf(chain);
  const todo = `another endpoint in [chains.${chain}] rpc`;
  try {
    const head = await readHead(url, headers);
    const wanted = findNetwork(chain);
    if (wanted && findNetworkById(head.chain_id) !== wanted) {
      return { ...base, level: "fail", says: `is on ${head.chain_id}, not on ${wanted.id}`, todo };
    }
    const lag_ms = head.block_ms === null ? null : Math.max(0, now_ms - head.block_ms);
    const lag = lag_ms === null ? "its newest block has no time" : `newest block ${Math.round(lag_ms / 1000)} s old`;
    if (lag_ms !== null && lag_ms > LAG_MS_MAX) return { ...base, level: "fail", says: `lags: ${lag}`, todo };
    const burst = await Promise.allSettled(Array.from({ length: BURST }, () => readHead(url, headers)));
    const refused = burst.filter(({ status }) => status === "rejected").length;
    const says = `${head.chain_id}, ${lag}`;
    if (refused > 0) {
      const rate = `${refused} of ${BURST} calls at once were refused`;
      return { ...base, level: "warn", says: `${says}; ${rate}`, todo: `${todo}, or a plan that allows more calls` };
    }
    return { ...base, level: "ok", says: `${says}, ${BURST} calls at once answered` };
  } catch (error) {
    return { ...base, level: "fail", says: messageOf(error), todo };
  }
}

/** Checks for every endpoint its chain, its delay, and whether it answers a burst of calls. */
export async function askRPCs(chains: readonly ChainEndpoints[], now_ms: number): Promise<readonly CheckFinding[]> {
  const asked = await Promise.all(chains.flatMap((chain) => chain.rpc.map((url) => askEndpoint(chain, url, now_ms))));
  const missing = chains
    .filter(({ is_paid_on, rpc }) => is_paid_on && rpc.length < 2)
    .map(({ chain, rpc }): CheckFinding => {
      const says =
        rpc.length === 0
          ? "no endpoint: payments whose outcome is unclear stay open, and no settlement is looked up"
          : 'only one endpoint: "was never taken" needs the word of two';
      const todo = `name two endpoints of different companies in [chains.${chain}] rpc`;
      return { area: "rpc", subject: chain, level: "warn", says, todo };
    });
  return [...asked, ...missing];
}
