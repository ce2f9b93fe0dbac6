import { SQL } from "bun";
import type { PostgresAddress } from "./address.ts";

const CONNECT_S_MAX = 5;

/**
 * Connections, opened when they are needed.
 * @param settings of the server, for these connections.
 */
export const connect = (
  address: PostgresAddress,
  connections: number,
  settings: Readonly<Record<string, string>> = {},
): SQL =>
  new SQL({
    adapter: "postgres",
    hostname: address.hostname,
    port: address.port,
    database: address.database,
    username: address.username,
    password: address.password ?? "",
    tls: address.tls === null ? false : { rejectUnauthorized: true, ca: address.tls.ca, serverName: address.hostname },
    max: connections,
    bigint: true,
    connectionTimeout: CONNECT_S_MAX,
    connection: {
      application_name: "intel-node",
      search_path: address.schema,
      default_transaction_isolation: "read committed",
      ...settings,
    },
  });
