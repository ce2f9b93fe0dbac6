import { existsSync, readdirSync, statSync } from "node:fs";
import { arch, availableParallelism, freemem, platform, release, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { strToU8, zipSync } from "fflate";
import { explainConfig } from "../config/explain.ts";
import { systemClock } from "../core/clock.ts";
import { findOperatorToken } from "../files/identity-file.ts";
import { SecretFileError, writeSecretFile } from "../files/secret-file.ts";
import { readFolderSwitches } from "../files/switch-file.ts";
import { composeCatalog, composeUpstream } from "../node/compose-catalog.ts";
import { COMMIT, VERSION } from "../releases/version.ts";
import { createLog } from "../telemetry/log.ts";
import { EXIT } from "./exit-codes.ts";
import { type LoadedFile, loadConfigFile } from "./load-config-file.ts";
import { listSecrets } from "./node-secrets.ts";
import { checkOnline } from "./online/check-online.ts";
import { type CheckFinding, renderFinding } from "./online/finding.ts";
import { localOrigin } from "./online/look-at-machine.ts";
import { print, printError, terminalProgress } from "./print.ts";
import { createRedactor, cutAddresses } from "./redact.ts";

const TIMEOUT_MS = 5_000;
const README = `What "intel-node doctor --bundle" gathered for whoever helps you. Read it before you send it.

In it: versions, the configuration without its secrets (addresses are cut to their hosts, how you are told of trouble
is left out), what the online check found, the state of the running node, names and sizes of files in its data folder.
Not in it: keys, tokens, the ledger, who paid, what anybody asked for, log lines.
`;

/** Parts of /admin/status without facts about buyers. */
const STATUS_PARTS = [
  ...["facilitators", "jobs", "upstreams", "withheld", "withheld_values", "faults"],
  ...["untrusted_proxies", "unnamed_origin"],
] as const;

/** The names of the folder's files, without their content. */
const listFolder = (folder: string): readonly unknown[] =>
  existsSync(folder)
    ? readdirSync(folder).map((name) => {
        const { size, mode, mtime } = statSync(join(folder, name));
        return { name, bytes: size, mode: (mode & 0o777).toString(8), changed_at: mtime.toISOString() };
      })
    : [];

async function askNode(url: string, headers: Record<string, string> = {}): Promise<Record<string, unknown> | null> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return (await response.json()) as Record<string, unknown>;
  } catch {
    // The node does not run, which the line on the port in the check says.
    return null;
  }
}

/** The operator's token; null if it is missing or damaged, which the check reports. */
function readToken(folder: string): string | null {
  try {
    return findOperatorToken(folder);
  } catch (error) {
    if (error instanceof SecretFileError) return null;
    throw error;
  }
}

/** Everything that goes into the bundle, before it is redacted. */
async function gather(
  { config, read }: LoadedFile,
  findings: readonly CheckFinding[],
): Promise<Record<string, unknown>> {
  const { dir } = config.data;
  const token = readToken(dir);
  const origin = localOrigin(config.server);
  const status = token === null ? null : await askNode(`${origin}/admin/status`, { authorization: `Bearer ${token}` });
  return {
    version: {
      version: VERSION,
      commit: COMMIT,
      bun: Bun.version,
      platform: platform(),
      release: release(),
      arch: arch(),
      processors: availableParallelism(),
      memory_bytes: totalmem(),
      free_bytes: freemem(),
      at: new Date().toISOString(),
    },
    // The receivers of alerts are addresses of people.
    config: explainConfig(read).filter(({ key }) => !/^alerts\b.*\.(url|user|from|to|host)$/.test(key)),
    check: findings,
    live: await askNode(`${origin}/live`),
    status: status && Object.fromEntries(STATUS_PARTS.map((part) => [part, status[part] ?? null])),
    folder: listFolder(dir),
  };
}

export interface DoctorOptions {
  readonly config: string;
  readonly json: boolean;
  /** Path of the bundle; true chooses a name in this folder. */
  readonly bundle?: string | true;
}

/** Runs the online check; `bundle` also writes a zip for a helper, without any secret. */
export async function doctorCommand({ config: file, json, bundle }: DoctorOptions): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const { config, plugins } = loaded;
  const redact = createRedactor(listSecrets(loaded));
  const log = createLog({ level: "silent", format: "json", secrets: [] });
  const switches = readFolderSwitches(config, systemClock.now);
  const parts = { config, plugins: plugins.plugins, clock: systemClock, log, version: VERSION, sandbox: null };
  const upstream = composeUpstream({ ...parts, switches: () => switches });
  const catalog = composeCatalog(config, plugins, { upstream, switches });
  const findings = await checkOnline({ config, plugins, catalog, upstream, log, onProgress: terminalProgress() });
  if (json) print(redact(JSON.stringify(findings, null, 2)));
  else for (const finding of findings) print(redact(renderFinding(finding)));
  if (bundle !== undefined) {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
    const to = resolve(bundle === true ? `intel-node-doctor-${stamp}.zip` : bundle);
    const gathered = await gather(loaded, findings);
    const files = Object.entries(gathered).map(([name, value]) => {
      return [`${name}.json`, strToU8(cutAddresses(redact(JSON.stringify(value, null, 2))))] as const;
    });
    writeSecretFile(to, zipSync({ "README.txt": strToU8(README), ...Object.fromEntries(files) }));
    printError(`${to} is written, without secrets. Look into it before you send it.`);
  }
  return findings.some(({ level }) => level === "fail") ? EXIT.failed : EXIT.ok;
}
