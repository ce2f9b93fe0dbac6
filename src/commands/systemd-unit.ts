import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { loadConfig } from "../config/load.ts";
import { EXIT } from "./exit-codes.ts";

const HOME = "/var/lib/intel-node";

/** Paths on the unit's machine. */
export interface UnitPlaces {
  readonly config: string;
  readonly data: string;
  /** Folder of scheduled backups, or null. */
  readonly backup: string | null;
  /** Folder of the continuous copy, or null. */
  readonly copy: string | null;
}

/**
 * A unit that gives the node access only to the network, its data folder and its backups. Memory that is both writable
 * and executable stays allowed, because JavaScript is compiled while it runs.
 */
export function renderUnit({ config, data, backup, copy }: UnitPlaces): string {
  const folders = new Set([data, backup, copy].filter((path) => path !== null));
  const writable = [...folders].filter((path) => path !== HOME);
  const outside = writable.filter((path) => !path.startsWith(`${HOME}/`));
  return `# Printed by "intel-node init --systemd". systemctl edit intel-node changes it without losing it.
[Unit]
Description=intel-node
After=network-online.target
Wants=network-online.target

[Service]
User=intel-node
Group=intel-node
ExecStart=/usr/local/bin/intel-node run --config ${config}
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=2
# A faulty configuration does not heal by itself.
RestartPreventExitStatus=2
# It finishes and settles what is in flight: give it the time.
TimeoutStopSec=30
LimitNOFILE=65536

# The only folders it can write to.
StateDirectory=intel-node
StateDirectoryMode=0700
WorkingDirectory=${HOME}
UMask=0077
ProtectSystem=strict
${outside.length > 0 ? `ReadWritePaths=${outside.join(" ")}` : "#ReadWritePaths=/mnt/backups/intel-node"}

NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
DevicePolicy=closed
PrivateUsers=yes
PrivateIPC=yes
PrivateMounts=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

/** Prints the unit for a configuration; without one, for the documented paths. */
export function unitCommand({ out }: { readonly out: string }): number {
  const here = existsSync(out);
  const loaded = here ? loadConfig({ text: readFileSync(out, "utf8"), file: out, env: {} }) : null;
  const config = here ? resolve(out) : `${HOME}/node.toml`;
  const from = (path: string) => resolve(dirname(config), path);
  const { data, backup, copy } = loaded?.ok ? loaded.config : { data: { dir: "./data" }, backup: {}, copy: {} };
  const backup_dir = "dir" in backup && typeof backup.dir === "string" ? from(backup.dir) : null;
  const to = "to" in copy && typeof copy.to === "string" && !copy.to.startsWith("s3:") ? from(copy.to) : null;
  process.stdout.write(renderUnit({ config, data: from(data.dir), backup: backup_dir, copy: to }));
  return EXIT.ok;
}
