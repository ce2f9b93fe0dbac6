import type { PackagedApp } from "./app.ts";
import type { PackageFile } from "./package-file.ts";
import { renderTOML } from "./toml.ts";

/** Placeholders: the publisher sets the digests, from SHA256SUMS of a release, with the addresses of the archives. */
const NO_SHA256 = "0".repeat(64);
/** Archives of a release, by Debian's names of architectures. */
const ARCHIVES: Readonly<Record<string, string>> = { amd64: "linux-x64", arm64: "linux-arm64" };
const PERMISSIONS = 'chown -R "$app:$app" "$data_dir"\nchmod 700 "$data_dir"';
const SERVICE_ADD =
  'yunohost service add "$app" --description="Shop for software agents" --log="/var/log/$app/$app.log"';

/** Packaging format 2. The app needs a whole domain, because agents look for documents at its root. */
const renderManifest = (app: PackagedApp): string =>
  renderTOML({
    packaging_format: 2,
    id: app.id,
    name: app.title,
    version: `${app.version}~ynh1`,
    maintainers: [],
    description: { en: `${app.tagline}, paid in USDC`, pt: "Venda dados de mercado a agentes de software, em USDC" },
    upstream: { license: app.license, website: app.home, code: `${app.home}/code` },
    integration: {
      yunohost: ">= 12.0.9",
      helpers_version: "2.1",
      architectures: app.architectures,
      multi_instance: true,
      ldap: false,
      sso: false,
      disk: "200M",
      ram: { build: "50M", runtime: `${app.memory_mb}M` },
    },
    install: { domain: { type: "domain" }, init_main_permission: { type: "group", default: "visitors" } },
    resources: {
      sources: {
        main: Object.fromEntries(
          app.architectures.map((name) => [
            name,
            { url: `${app.home}/${app.version}/intel-node-${ARCHIVES[name]}.tar.gz`, sha256: NO_SHA256 },
          ]),
        ),
      },
      system_user: {},
      install_dir: {},
      data_dir: {},
      permissions: { main: { url: "/", auth_header: false } },
      ports: { main: { default: app.port } },
    },
  });

/** A stop waits until settlements in progress end. A faulty configuration does not mend by itself: no restart. */
const renderUnit = ({ title, command }: PackagedApp, header: string): string => `${header}[Unit]
Description=${title}: a shop for software agents
After=network-online.target
Wants=network-online.target

[Service]
Type=simple
User=__APP__
Group=__APP__
WorkingDirectory=__DATA_DIR__/
Environment=INTEL_NODE_SERVER_HOST=127.0.0.1
Environment=INTEL_NODE_SERVER_PORT=__PORT__
Environment=INTEL_NODE_SERVER_TRUSTED_PROXIES=127.0.0.1,::1
Environment=INTEL_NODE_DATA_DIR=__DATA_DIR__/data
ExecStart=__INSTALL_DIR__/intel-node ${command[0]} --config __DATA_DIR__/node.toml --setup https://__DOMAIN__
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2
TimeoutStopSec=60
StandardOutput=append:/var/log/__APP__/__APP__.log
StandardError=inherit
UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=full
ProtectControlGroups=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictRealtime=yes
LockPersonality=yes
CapabilityBoundingSet=

[Install]
WantedBy=multi-user.target
`;

const renderNginx = (header: string): string => `${header}location / {
  proxy_pass http://127.0.0.1:__PORT__;
  proxy_http_version 1.1;
  # Events and answers as they come.
  proxy_buffering off;
  proxy_read_timeout 300s;
  client_max_body_size 1m;
  include proxy_params_no_auth;
}
`;

const script = (header: string, lines: string, common = "_common.sh"): string =>
  `#!/bin/bash\n${header}\nsource ${common}\nsource /usr/share/yunohost/helpers\n\n${lines.trim()}\n`;

const CONFIGURE = `
ynh_config_add_nginx
ynh_config_add_systemd
${SERVICE_ADD}
ynh_config_add_logrotate
`;

const INSTALL = `
ynh_script_progression "Unpacking the program..."
ynh_setup_source --dest_dir="$install_dir"
chmod +x "$install_dir/intel-node"
${PERMISSIONS}

ynh_script_progression "Adding the configuration of nginx and systemd..."
${CONFIGURE.trim()}

ynh_script_progression "Starting..."
ynh_systemctl --service="$app" --action="start"
ynh_script_progression "Installed: its log has the address under which a browser sets it up"
`;

const UPGRADE = `
ynh_script_progression "Stopping: what is being settled is finished first..."
ynh_systemctl --service="$app" --action="stop"

ynh_script_progression "Unpacking the new program..."
ynh_setup_source --dest_dir="$install_dir" --full_replace
chmod +x "$install_dir/intel-node"
${PERMISSIONS}

ynh_script_progression "Renewing the configuration of nginx and systemd..."
${CONFIGURE.trim()}

ynh_script_progression "Starting..."
ynh_systemctl --service="$app" --action="start"
ynh_script_progression "Upgraded"
`;

const REMOVE = `
if ynh_hide_warnings yunohost service status "$app" >/dev/null; then
  yunohost service remove "$app"
fi
ynh_config_remove_logrotate
ynh_config_remove_systemd
ynh_config_remove_nginx
ynh_script_progression "Removed; the data folder stays unless its removal was asked for"
`;

/** The service is stopped during the backup, because a copy of a file being written is not a backup. */
const BACKUP = `
ynh_systemctl --service="$app" --action="stop"
ynh_backup "$install_dir"
ynh_backup "$data_dir"
ynh_backup "/etc/nginx/conf.d/$domain.d/$app.conf"
ynh_backup "/etc/systemd/system/$app.service"
ynh_backup "/etc/logrotate.d/$app"
ynh_systemctl --service="$app" --action="start"
`;

const RESTORE = `
ynh_restore "$install_dir"
ynh_restore "$data_dir"
${PERMISSIONS}
ynh_restore "/etc/nginx/conf.d/$domain.d/$app.conf"
ynh_restore "/etc/systemd/system/$app.service"
ynh_restore "/etc/logrotate.d/$app"
systemctl enable "$app.service" --quiet
${SERVICE_ADD}
ynh_systemctl --service="$app" --action="start"
ynh_systemctl --service=nginx --action=reload
ynh_script_progression "Restored: run intel-node books compare, for sales since the backup"
`;

const CHANGE_URL = `
ynh_systemctl --service="$app" --action="stop"
ynh_config_change_url_nginx
ynh_config_add_systemd
ynh_systemctl --service="$app" --action="start"
ynh_script_progression "Changed: set [node] public_url in $data_dir/node.toml as well, it is what buyers are told"
`;

const SETTINGS_COMMON = "../settings/scripts/_common.sh";

const POST_INSTALL = `Its log (\`/var/log/__APP__/__APP__.log\`) has the address, with a code, under which a
browser sets the shop up: once, within an hour. After a restart of the service it prints another one.
`;
const ADMIN = `Configuration, books and keys are in \`__DATA_DIR__\`. As the user \`__APP__\`:

- \`__INSTALL_DIR__/intel-node check --config __DATA_DIR__/node.toml\` says what is wrong with the configuration;
- \`__INSTALL_DIR__/intel-node sales --config __DATA_DIR__/node.toml --month 2026-11\` what was sold;
- \`__INSTALL_DIR__/intel-node books compare --config __DATA_DIR__/node.toml\` whether wallets and books agree,
  after each restore.

Port, address and proxy are set by the service; what \`node.toml\` says of them is not used.
`;

/** A package for YunoHost, whose repository is this folder. */
export function renderYunoHost(app: PackagedApp, header: string): readonly PackageFile[] {
  const file = (path: string, content: string): PackageFile => ({ path: `yunohost/${path}`, content });
  return [
    file("manifest.toml", `${header}${renderManifest(app)}`),
    file("tests.toml", `${header}${renderTOML({ test_format: 1, default: {} })}`),
    file("conf/systemd.service", renderUnit(app, header)),
    file("conf/nginx.conf", renderNginx(header)),
    file("scripts/_common.sh", `#!/bin/bash\n${header}`),
    file("scripts/install", script(header, INSTALL)),
    file("scripts/upgrade", script(header, UPGRADE)),
    file("scripts/remove", script(header, REMOVE)),
    file("scripts/change_url", script(header, CHANGE_URL)),
    file("scripts/backup", script(header, BACKUP, SETTINGS_COMMON)),
    file("scripts/restore", script(header, RESTORE, SETTINGS_COMMON)),
    file("LICENSE", app.license_text),
    file(
      "README.md",
      `# ${app.title} for YunoHost\n\n${app.description}\n\nThe repository of the package is this folder.\n`,
    ),
    file("doc/DESCRIPTION.md", `${app.description}\n`),
    file("doc/DESCRIPTION_pt.md", `${app.description_pt}\n`),
    file("doc/POST_INSTALL.md", POST_INSTALL),
    file("doc/ADMIN.md", ADMIN),
  ];
}
