import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { ensureProgram } from "./debian-package.ts";

/** A PostgreSQL server of the tests, on a temporary folder and a free port of loopback. */
export interface PostgresServer {
  readonly port: number;
  readonly folder: string;
  /** "postgres://intel@127.0.0.1:port/postgres" */
  readonly url: string;
  /** The postmaster's process. */
  pid(): number;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const BINARIES = ["/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/16/bin", "/usr/lib/postgresql/17/bin"];
const FOLDERS = ["/dev/shm", tmpdir()];

/** Why no server can be started here, or null. Debian's package is installed when this process may. */
export function whyNoPostgres(): string | null {
  if (process.platform !== "linux") return "the tests start PostgreSQL on Linux only";
  if (findBinaries() === null) ensureProgram("pg_ctl-15", "postgresql-15");
  if (findBinaries() === null)
    return "PostgreSQL 15 is missing, and Debian package postgresql-15 could not be installed";
  return process.getuid?.() === 0 && !hasUser("postgres")
    ? "PostgreSQL refuses root, and there is no user postgres"
    : null;
}

const findBinaries = (): string | null => BINARIES.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
const listChildren = (pid: number): readonly number[] => {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number) : [];
};
const hasUser = (name: string): boolean =>
  Bun.spawnSync(["id", "-u", name], { stdout: "ignore", stderr: "ignore" }).exitCode === 0;

/** PostgreSQL refuses to run as root. */
const asUser = (command: readonly string[]): string[] =>
  process.getuid?.() === 0
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...command]
    : [...command];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}

async function run(command: readonly string[]): Promise<string> {
  const child = Bun.spawn(asUser(command), { cwd: "/", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command[0]}: ${err.slice(0, 500)}`);
  return out;
}

/** Makes a new cluster and starts it. `settings`: lines of its configuration. */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  place = FOLDERS.find((path) => existsSync(path)) ?? tmpdir(),
): Promise<PostgresServer> {
  const initdb = ["-U", "intel", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"];
  return launchServer({ settings, place, make: (data) => ["initdb", "-D", data, ...initdb] });
}

/** A copy of a running server that follows it; from then on a commit of that one waits for this one's disk. */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  const from = ["-h", "127.0.0.1", "-p", `${primary.port}`, "-U", "intel"];
  const standby = await launchServer({
    settings: { primary_conninfo: `host=127.0.0.1 port=${primary.port} user=intel application_name=standby` },
    place: FOLDERS.find((path) => existsSync(path)) ?? tmpdir(),
    make: (data) => ["pg_basebackup", ...from, "-D", data, "-R", "-X", "stream", "-c", "fast"],
  });
  const admin = new SQL(primary.url, { max: 1 });
  await admin.unsafe("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await admin.unsafe("SELECT pg_reload_conf()");
  const sql =
    "SELECT count(*)::int AS n FROM pg_stat_replication WHERE application_name = 'standby' AND sync_state = 'sync'";
  while ((await admin.unsafe(sql))[0].n === 0) await Bun.sleep(50);
  await admin.close();
  return standby;
}

interface Launch {
  readonly settings: Readonly<Record<string, string>>;
  readonly place: string;
  /** The program of PostgreSQL that fills the data folder, with its arguments. */
  readonly make: (data: string) => readonly string[];
}

async function launchServer({ settings, place, make }: Launch): Promise<PostgresServer> {
  const binaries = findBinaries();
  if (binaries === null) throw new Error("whyNoPostgres() is to be asked first");
  // Memory-backed where there is such a folder: the same syncs, and none of them waits.
  const folder = mkdtempSync(join(place, "ledger-postgres-"));
  const data = join(folder, "data");
  if (process.getuid?.() === 0) Bun.spawnSync(["chown", "postgres", folder]);
  const port = await freePort();
  const [program = "", ...args] = make(data);
  await run([join(binaries, program), ...args]);
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    port: `${port}`,
    max_connections: "100",
    shared_buffers: "64MB",
    // Nothing of the server's own runs beside the tests.
    autovacuum: "off",
    ...settings,
  };
  let child: Bun.Subprocess | null = null;
  const log = join(folder, "log");
  function launch(): Bun.Subprocess {
    const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    // Not pg_ctl: the process is a child of the test, and ends with it.
    return Bun.spawn(asUser([join(binaries ?? "", "postgres"), "-D", data, ...options]), {
      cwd: "/",
      stdout: "ignore",
      stderr: Bun.file(log),
    });
  }
  async function start(): Promise<void> {
    child = launch();
    for (;;) {
      if (child.exitCode !== null) {
        const said = await Bun.file(log).text();
        // After a crash the server's orphans take a moment to end.
        if (!/still in use|lock file/.test(said)) throw new Error(`postgres ended: ${said.slice(-2_000)}`);
        await Bun.sleep(50);
        child = launch();
      }
      const asked = Bun.spawn([join(binaries ?? "", "pg_isready"), "-q", "-h", "127.0.0.1", "-p", `${port}`]);
      if ((await asked.exited) === 0) return;
      await Bun.sleep(30);
    }
  }
  await start();
  return {
    port,
    folder,
    url: `postgres://intel@127.0.0.1:${port}/postgres`,
    pid: () => child?.pid ?? 0,
    async kill() {
      // Its backends outlive it until they next look, and may answer meanwhile: a crash leaves none.
      const pid = child?.pid ?? 0;
      const backends = listChildren(pid);
      child?.kill("SIGKILL");
      // Some have ended by themselves.
      Bun.spawnSync(["kill", "-KILL", ...backends.map(String)], { stderr: "ignore" });
      await child?.exited;
      while (backends.some((backend) => existsSync(`/proc/${backend}`))) await Bun.sleep(5);
    },
    start,
    async stop() {
      child?.kill("SIGINT");
      await child?.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
