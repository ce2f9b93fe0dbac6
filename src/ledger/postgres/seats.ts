import type { SQL } from "bun";
import { systemTimers } from "../../core/clock.ts";
import type { Books } from "../books.ts";
import { type Cluster, type ClusterNodeFacts, compareFacts, type Recovered, renderDifferences } from "../cluster.ts";
import { LedgerOpenError } from "../sqlite/migrate.ts";
import type { CommandLane } from "./command-lane.ts";
import { renderArguments } from "./json.ts";
import { createReader, type Reader } from "./reader.ts";

/** How long a silent node keeps its seat, unless configured. */
export const SEAT_MS = 20_000;

export interface SeatOptions {
  readonly owner: string;
  readonly where: string;
  /** What receipts call it, when several nodes sell at once; null keeps every other node out. */
  readonly name: string | null;
  readonly seat_ms: number;
}

/**
 * @returns the lane in which its calls are booked: its own, while there are enough.
 * @throws LedgerOpenError while another node is in the way.
 */
export async function takeSeat({ get }: Reader, { owner, where, name, seat_ms }: SeatOptions): Promise<number | null> {
  const row = await get<{ other: string | null }>(
    "SELECT take_seat($1::text, $2::text, $3::boolean, $4::float8) AS other",
    [owner, name ?? owner, name === null, seat_ms / 1000],
  );
  if (row === null || row.other === null) {
    const seat = await get<{ lane: number | null }>("SELECT lane FROM seats WHERE owner = $1::text", [owner]);
    return seat?.lane ?? null;
  }
  const advice =
    name === null
      ? "One node at a time, unless [node] cluster lets several sell: stop that one"
      : `A node outside the cluster, or another one called "${name}", has it: stop that one`;
  const wait_s = Math.ceil(seat_ms / 1000);
  const after = `${wait_s} s after one that ended on its own another may start`;
  throw new LedgerOpenError(`${where} is another node's (${row.other}). ${advice}; ${after}.`);
}

/** Gives the seat back: others need not wait. */
export const leaveSeat = async ({ get }: Reader, owner: string): Promise<void> =>
  void (await get("UPDATE seats SET ended = true, until = clock_timestamp() WHERE owner = $1::text", [owner]));

export interface SeatParts extends SeatOptions {
  readonly lane: CommandLane;
  readonly pool: SQL;
  /** Told what was ended that another node left. */
  readonly onRecovered?: ((recovered: Recovered) => void) | undefined;
}

interface KeptSeat {
  readonly leads: boolean;
  /** What other nodes had left in flight, and is ended now. */
  readonly ended: Recovered;
}

/**
 * The books of a node that has a seat, and says so again and again. A node that finds that another left something in
 * flight ends it, as that node's own start would; its own work goes on.
 */
export async function keepSeat(books: Books, parts: SeatParts): Promise<Books> {
  const { lane, pool, owner, name, seat_ms, onRecovered } = parts;
  // What a node believes of its own seat ends before the database's record does: counted from before the request.
  let leads_until_ms = 0;
  const say = async (): Promise<void> => {
    const asked_ms = systemTimers.elapsed_ms();
    const kept = (await lane.call("seats.keep", renderArguments([seat_ms / 1000]))) as KeptSeat;
    leads_until_ms = kept.leads ? asked_ms + seat_ms : 0;
    const { abandoned, unknown, holds, coupons } = kept.ended;
    if (abandoned + unknown + holds + coupons > 0) onRecovered?.(kept.ended);
  };
  const again = (): void => {
    // While the database is away no other node can take the seat either; when it is back, the next batch finds out.
    say()
      .catch(() => undefined)
      .finally(() => {
        if (!closed) stop = systemTimers.after(seat_ms / 4, again);
      });
  };
  let closed = false;
  let stop = systemTimers.after(seat_ms / 4, again);
  if (name !== null) await say();
  const cluster: Cluster | null =
    name === null
      ? null
      : createCluster({ ...parts, books, name, leads: () => systemTimers.elapsed_ms() < leads_until_ms });
  return Object.create(books, {
    cluster: { value: cluster },
    close: {
      async value() {
        closed = true;
        stop();
        await books.flush().catch(() => undefined);
        await leaveSeat(createReader(pool, []), owner).catch(() => undefined);
        await books.close();
      },
    },
  });
}

interface ClusterParts extends SeatParts {
  readonly books: Books;
  readonly name: string;
  readonly leads: () => boolean;
}

function createCluster({ books, lane, pool, owner, name, where, leads }: ClusterParts): Cluster {
  const reader = createReader(pool);
  const lost = Promise.withResolvers<void>();
  books.onHalt(async () => {
    // A broken invariant halts the books too: no start anew would help then.
    const sql = "SELECT ended FROM seats WHERE owner = $1::text";
    const seat = await reader.get<{ ended: boolean }>(sql, [owner]).catch(() => null);
    if (seat?.ended) lost.resolve();
  });
  return {
    name,
    leads,
    lost: lost.promise,
    async state(facts, must_agree) {
      // Written first: of two nodes that start at once, at least one sees the other.
      await reader.get("UPDATE seats SET facts = $2::text WHERE owner = $1::text", [owner, JSON.stringify(facts)]);
      const others = await reader.all<{ name: string; facts: string }>(
        "SELECT name, facts FROM seats WHERE NOT ended AND owner <> $1::text AND facts <> '{}' ORDER BY name",
        [owner],
      );
      const found = others.flatMap((other) => {
        const names = compareFacts(facts, JSON.parse(other.facts) as ClusterNodeFacts);
        return names.length === 0 ? [] : [renderDifferences(other.name, names)];
      });
      if (must_agree && found.length > 0) {
        throw new LedgerOpenError(
          `${where}: nodes behind one address sell the same, and this one differs from ${found.join("; ")}. Start it ` +
            "with the program, the configuration, the plugins and the node-key.pem of the others.",
        );
      }
      return found;
    },
    spend: async (parts) =>
      (await lane.call("budgets.spend", renderArguments([parts]))) as Awaited<ReturnType<Cluster["spend"]>>,
    pruneBudgets: async () => void (await lane.call("budgets.prune", "[]")),
  };
}
