import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { NodeIdentity } from "../../src/core/identity.ts";
import type { HTTPCall } from "../../src/http/http-call.ts";
import { createLogRoutes } from "../../src/http/log-routes.ts";
import { createResponder } from "../../src/http/respond.ts";
import type { Records } from "../../src/records/record-chain.ts";
import { createHistoryLogs } from "../../src/trust/history-logs.ts";

/** Answers as the node does, by its own routes; what is none of them is no test's business. */
export type AskLog = (path: string, init?: RequestInit) => Promise<Response>;

export interface ServedLogOptions {
  readonly records: Records;
  readonly identity: Pick<NodeIdentity, "node_id" | "public_key" | "sign">;
  readonly now_ms?: () => number;
}

/** A node's histories as logs, behind the routes of a node. */
export function serveLogs({ records, identity, now_ms = () => 0 }: ServedLogOptions): AskLog {
  const logs = createHistoryLogs({ records, identity, now_ms });
  const routes = createLogRoutes({ responder: createResponder({ public_url: "https://node.example.com" }), logs });
  return async (path, init = {}) => {
    const url = new URL(path, "https://node.example.com");
    const route = routes.find((one) => url.pathname.startsWith(one.path.replace(/(\*|:seq)$/, "")));
    if (!route) throw new Error(`${path} is no route`);
    return route.handler({
      request: new Request(url.href, init),
      request_id: "req_1",
      search: url.search.slice(1),
    } as HTTPCall);
  };
}

const WIDTH = 256;

function renderIndex(index: number): string {
  const groups = [String(index % 1_000).padStart(3, "0")];
  for (let left = Math.floor(index / 1_000); left > 0; left = Math.floor(left / 1_000)) {
    groups.unshift(`x${String(left % 1_000).padStart(3, "0")}`);
  }
  return groups.join("/");
}

/** All tiles and bundles of entries of a log of that size, by the words of C2SP tlog-tiles. */
export function listTiles(size: number): readonly string[] {
  const ofLevel = (name: string, count: number) => {
    const full = Array.from({ length: Math.floor(count / WIDTH) }, (_, index) => `tile/${name}/${renderIndex(index)}`);
    const rest = count % WIDTH;
    return rest === 0 ? full : [...full, `tile/${name}/${renderIndex(full.length)}.p/${rest}`];
  };
  const levels: string[] = [];
  for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / WIDTH)) {
    levels.push(...ofLevel(String(level), count));
  }
  return [...levels, ...ofLevel("entries", size)];
}

/** Copies a log of that size into a folder, as anybody would. @returns the names of its files */
export async function copyLog(ask: AskLog, { prefix, size }: { prefix: string; size: number }, folder: string) {
  const names = ["checkpoint", ...listTiles(size)];
  for (const name of names) {
    const answer = await ask(`${prefix}/${name}`);
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status}`);
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), await answer.bytes());
  }
  return names;
}
