import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { findSimulatedToken } from "../simulated-dex.ts";
import { readCall } from "../simulated-rpc.ts";
import { findTokenFacts } from "../simulated-tokens/find-token.ts";
import { encodeTokenMint } from "../simulated-tokens/solana-mint.ts";
import { TOKEN_PROGRAM } from "./mint.ts";
import { PYTH_FEEDS, PYTH_RECEIVERS, type PythFeed } from "./pyth-feeds.ts";
import { REDSTONE_FEEDS, REDSTONE_PROGRAM } from "./redstone-feeds.ts";
import { encodeMint, encodePythAccount, encodeRedStoneAccount } from "./simulated-accounts.ts";
import { answerPool } from "./simulated-pools.ts";
import { getSimulatedStakePool } from "./simulated-stake-pools.ts";
import { answerWallet } from "./simulated-wallets.ts";

const SLOT_MS = 400;
/** A slot and its time to count from. */
const SLOT_ORIGIN = { slot: 370_000_000, at_ms: 1_790_000_000_000 };
const EXPONENT = -8;
const UNITS = 10 ** -EXPONENT;
const CONF_RATIO = 0.0005;
const EMA_LAG_MS = 1_800_000;
/** How often each account is written; the two generations at different times. */
const WRITES_S = { classic: 20, upgraded: 15, redstone: 12 } as const;
const ACCOUNTS_MAX = 100;
const FEE_SLOTS = 150;

const getSimulatedSlot = (at_ms: number): number =>
  Math.max(1, SLOT_ORIGIN.slot + Math.floor((at_ms - SLOT_ORIGIN.at_ms) / SLOT_MS));

const getSlotTime = (slot: number): number =>
  Math.floor((SLOT_ORIGIN.at_ms + (slot - SLOT_ORIGIN.slot) * SLOT_MS) / 1000);

const toUnits = (price: number): bigint => BigInt(Math.round(price * UNITS));

/** The last time before now at which something with this rhythm was written, s. */
const getWriteTime = (world: SimulatedWorld, every_s: number): number =>
  Math.floor((world.now() / 1000 - 1) / every_s) * every_s;

function getPythAccount(world: SimulatedWorld, name: string, feed: PythFeed & { generation: "classic" | "upgraded" }) {
  const time_s = getWriteTime(world, WRITES_S[feed.generation]);
  const price = world.price(name, time_s * 1000);
  const ema = world.price(name, time_s * 1000 - EMA_LAG_MS);
  const data = encodePythAccount({
    feed_id: feed.feed_id,
    price: toUnits(price),
    conf: toUnits(price * CONF_RATIO),
    exponent: EXPONENT,
    publish_time_s: BigInt(time_s),
    prev_publish_time_s: BigInt(time_s - 1),
    ema_price: toUnits(ema),
    ema_conf: toUnits(ema * CONF_RATIO),
    posted_slot: BigInt(getSimulatedSlot(time_s * 1000)),
  });
  return { data, owner: PYTH_RECEIVERS[feed.generation] };
}

function getRedStoneAccount(world: SimulatedWorld, name: string) {
  const time_ms = getWriteTime(world, WRITES_S.redstone) * 1000;
  const data = encodeRedStoneAccount({
    feed: name,
    value: toUnits(world.price(name, time_ms)),
    timestamp_ms: BigInt(time_ms),
    write_timestamp_ms: BigInt(time_ms + 900),
    write_slot: BigInt(getSimulatedSlot(time_ms + 900)),
    decimals: -EXPONENT,
  });
  return { data, owner: REDSTONE_PROGRAM };
}

function getAccount(world: SimulatedWorld, address: unknown) {
  for (const [name, feed] of Object.entries(PYTH_FEEDS)) {
    for (const generation of ["classic", "upgraded"] as const) {
      if (feed[generation] === address) return getPythAccount(world, name, { ...feed, generation });
    }
  }
  const stake_pool = getSimulatedStakePool(world, address);
  if (stake_pool) return stake_pool;
  const facts = typeof address === "string" ? findTokenFacts(world, "solana", address) : undefined;
  if (facts) return encodeTokenMint(facts);
  const token = typeof address === "string" ? findSimulatedToken("solana", address) : undefined;
  if (token) return { data: encodeMint(token.decimals), owner: TOKEN_PROGRAM };
  const name = Object.entries(REDSTONE_FEEDS).find(([, account]) => account === address)?.[0];
  return name === undefined ? null : getRedStoneAccount(world, name);
}

const renderAccount = (account: { data: Uint8Array; owner: string } | null, length = Number.POSITIVE_INFINITY) =>
  account && {
    data: [Buffer.from(account.data.subarray(0, length)).toString("base64"), "base64"],
    executable: false,
    lamports: 1_825_020,
    owner: account.owner,
    space: account.data.length,
  };

/** Micro-lamports per compute unit of the newest slots, oldest first: mostly little, sometimes much. */
function getPrioritizationFees(world: SimulatedWorld) {
  const newest = getSimulatedSlot(world.now());
  return Array.from({ length: FEE_SLOTS }, (_, index) => {
    const slot = newest - FEE_SLOTS + 1 + index;
    const draw = world.noise(`solana fee ${slot}`);
    return { slot, prioritizationFee: draw < 0.3 ? 0 : Math.round(20_000 * draw ** 6) };
  });
}

export const simulator = defineSimulator({
  provider: "solana_rpc",
  respond({ body }, world) {
    return readCall(body, ({ method, params, answer, fail }) => {
      const slot = getSimulatedSlot(world.now());
      if (method === "getSlot") return answer(slot);
      if (method === "getBlockTime") return answer(getSlotTime(Number(params[0])));
      if (method === "getRecentPrioritizationFees") return answer(getPrioritizationFees(world));
      const pool = answerPool(world, { method, params });
      if (pool !== undefined) return answer(pool);
      const wallet = answerWallet(world, { method, params });
      if (wallet !== undefined) return answer(wallet);
      if (method !== "getMultipleAccounts") return fail(-32601, "Method not found");
      const [addresses, options] = params;
      const { dataSlice } = (options ?? {}) as { dataSlice?: { length?: number } };
      if (!Array.isArray(addresses) || addresses.length > ACCOUNTS_MAX) return fail(-32602, "Invalid params");
      const value = addresses.map((address) => renderAccount(getAccount(world, address), dataSlice?.length));
      return answer({ context: { apiVersion: "3.0.0", slot }, value });
    });
  },
});
