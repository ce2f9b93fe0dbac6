import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { createProgram } from "../../commands/program.ts";
import { envName } from "../../config/env.ts";
import { createApp } from "./app.ts";
import { renderPackages } from "./render.ts";
import { renderYAML } from "./yaml.ts";

const project = JSON.parse(readFileSync(join(import.meta.dir, "../../../package.json"), "utf8"));
const license_text = readFileSync(join(import.meta.dir, "../../../LICENSE"), "utf8");
const app = createApp({ version: project.version, license: project.license, license_text });
const files = new Map(renderPackages(app).map(({ path, content }) => [path, content]));

const text = (pattern?: string) => Type.String({ minLength: 1, ...(pattern === undefined ? {} : { pattern }) });
const closed = { additionalProperties: false };
const url = text("^https://\\S+$");
const version = text("^\\d+\\.\\d+\\.\\d+$");
const languages = Type.Record(text("^[a-z]{2}_[A-Z]{2}$"), text());
/** The used part of the Compose specification's schema for services. */
const service = Type.Object(
  {
    image: text("^\\S+:\\S+$"),
    command: Type.Array(text()),
    environment: Type.Record(text("^[A-Z][A-Z0-9_]*$"), text()),
    volumes: Type.Array(text("^\\S+:/data$"), { minItems: 1 }),
    restart: Type.Literal("unless-stopped"),
    stop_grace_period: text("^\\d+s$"),
    read_only: Type.Boolean(),
    tmpfs: Type.Array(text("^/")),
    user: Type.Optional(text("^\\d+:\\d+$")),
    ports: Type.Optional(
      Type.Array(
        Type.Union([
          text("^127\\.0\\.0\\.1:\\d+:\\d+$"),
          Type.Object({ target: Type.Integer(), published: text(), protocol: Type.Literal("tcp") }, closed),
        ]),
      ),
    ),
    "x-casaos": Type.Optional(
      Type.Object({
        ports: Type.Array(Type.Object({ container: text("^\\d+$"), description: languages }, closed)),
        volumes: Type.Array(Type.Object({ container: text("^/"), description: languages }, closed)),
      }),
    ),
  },
  closed,
);
const compose = (more: Record<string, TSchema> = {}) =>
  Type.Object({ name: Type.Optional(text()), services: Type.Record(text(), service), ...more }, closed);
const volumes = Type.Object({ data: Type.Object({}) }, closed);

/** The schema of each store, from its own documents: names, kinds and required members. */
const SCHEMAS: Readonly<Record<string, TSchema>> = {
  "compose/compose.yaml": compose({ volumes }),
  "coolify/intel-node.yaml": compose({ volumes }),
  "casaos/docker-compose.yml": compose({
    "x-casaos": Type.Object(
      {
        architectures: Type.Array(Type.Union([Type.Literal("amd64"), Type.Literal("arm64"), Type.Literal("arm")])),
        main: Type.Literal(app.id),
        author: text(),
        developer: text(),
        category: text(),
        icon: url,
        title: languages,
        tagline: languages,
        description: languages,
        index: text("^/"),
        port_map: text("^\\d+$"),
      },
      closed,
    ),
  }),
  "umbrel/umbrel-app.yml": Type.Object(
    {
      manifestVersion: Type.Literal(1),
      id: text("^[a-z-]+$"),
      category: text(),
      name: text(),
      version,
      tagline: Type.String({ minLength: 1, maxLength: 50 }),
      description: text(),
      releaseNotes: Type.String(),
      developer: text(),
      website: url,
      dependencies: Type.Array(text()),
      repo: url,
      support: url,
      port: Type.Integer({ minimum: 1, maximum: 65_535 }),
      gallery: Type.Array(text()),
      path: Type.String(),
      defaultUsername: Type.String(),
      defaultPassword: Type.String(),
      submitter: text(),
      submission: url,
    },
    closed,
  ),
  "umbrel/docker-compose.yml": Type.Object(
    {
      version: Type.Literal("3.7"),
      services: Type.Object({
        app_proxy: Type.Object({
          environment: Type.Object({
            APP_HOST: Type.Literal("intel-node_server_1"),
            APP_PORT: Type.Integer(),
            PROXY_AUTH_ADD: Type.Literal("false"),
          }),
        }),
        server: service,
      }),
    },
    closed,
  ),
  "start9/manifest.yaml": Type.Object(
    {
      id: text("^[a-z-]+$"),
      title: text(),
      version,
      "release-notes": text(),
      license: text(),
      build: Type.Array(text()),
      "wrapper-repo": url,
      "upstream-repo": url,
      "support-site": url,
      "marketing-site": url,
      "min-os-version": version,
      description: Type.Object({ short: text(), long: text() }, closed),
      assets: Type.Record(text(), text()),
      main: Type.Object({
        type: Type.Literal("docker"),
        image: Type.Literal("main"),
        entrypoint: text(),
        args: Type.Array(text()),
        mounts: Type.Object({ main: text("^/") }),
      }),
      "health-checks": Type.Object({}),
      dependencies: Type.Object({}),
      volumes: Type.Object({ main: Type.Object({ type: Type.Literal("data") }) }),
      interfaces: Type.Object({
        main: Type.Object({
          name: text(),
          description: text(),
          ui: Type.Literal(true),
          protocols: Type.Array(text()),
          "tor-config": Type.Object({ "port-mapping": Type.Record(text("^\\d+$"), text("^\\d+$")) }),
          "lan-config": Type.Record(text("^\\d+$"), Type.Object({ ssl: Type.Boolean(), internal: Type.Integer() })),
        }),
      }),
      backup: Type.Object({ create: Type.Object({}), restore: Type.Object({}) }),
      actions: Type.Object({}),
    },
    closed,
  ),
  "home-assistant/config.yaml": Type.Object(
    {
      name: text(),
      version,
      slug: text("^[a-z0-9_]+$"),
      description: text(),
      url,
      init: Type.Boolean(),
      arch: Type.Array(Type.Union([Type.Literal("amd64"), Type.Literal("aarch64"), Type.Literal("armv7")])),
      startup: Type.Literal("application"),
      boot: Type.Literal("auto"),
      options: Type.Object({}),
      ports: Type.Record(text("^\\d+/tcp$"), Type.Integer()),
      ports_description: Type.Record(text(), text()),
      webui: text("^http://\\[HOST\\]:\\[PORT:\\d+\\]/$"),
      schema: Type.Object({}),
    },
    closed,
  ),
  "helm/Chart.yaml": Type.Object(
    {
      apiVersion: Type.Literal("v2"),
      name: text("^[a-z-]+$"),
      description: text(),
      version,
      appVersion: version,
      type: Type.Literal("application"),
    },
    closed,
  ),
  "helm/values.yaml": Type.Object({ image: text(), setup: url, storage: text("^\\d+Gi$") }, closed),
  "helm/templates/stateful-set.yaml": Type.Object({
    apiVersion: Type.Literal("apps/v1"),
    kind: Type.Literal("StatefulSet"),
    spec: Type.Object({
      replicas: Type.Literal(1),
      serviceName: text(),
      volumeClaimTemplates: Type.Array(Type.Object({})),
    }),
  }),
  "helm/templates/service.yaml": Type.Object({ apiVersion: Type.Literal("v1"), kind: Type.Literal("Service") }),
};

const translated = Type.Object({ en: text(), pt: text() }, closed);
const bytes = text("^[0-9]+[MG]$");
const yunohost_source = Type.Object({ url, sha256: text("^[0-9a-f]{64}$") }, closed);
const nothing = Type.Object({}, closed);
/** The used part of packaging format 2: names, kinds and patterns of `manifest.v2.schema.json`. */
const YUNOHOST = Type.Object(
  {
    packaging_format: Type.Literal(2),
    id: text("^[a-z0-9]((_|-)?[a-z0-9])+$"),
    name: Type.String({ maxLength: 22 }),
    version: text("^[0-9a-z]*([.-][0-9a-z]*)*~ynh[0-9]+$"),
    maintainers: Type.Array(text()),
    description: translated,
    upstream: Type.Object({ license: text(), website: url, code: url }, closed),
    integration: Type.Object(
      {
        yunohost: text("^>= ?[0-9]{1,2}(\\.[0-9]{1,2}){0,3}$"),
        helpers_version: Type.Literal("2.1"),
        architectures: Type.Array(Type.Union([Type.Literal("amd64"), Type.Literal("arm64")])),
        multi_instance: Type.Boolean(),
        ldap: Type.Boolean(),
        sso: Type.Boolean(),
        disk: bytes,
        ram: Type.Object({ build: bytes, runtime: bytes }, closed),
      },
      closed,
    ),
    install: Type.Object(
      {
        domain: Type.Object({ type: Type.Literal("domain") }, closed),
        init_main_permission: Type.Object({ type: Type.Literal("group"), default: Type.Literal("visitors") }, closed),
      },
      closed,
    ),
    resources: Type.Object(
      {
        sources: Type.Object({ main: Type.Object({ amd64: yunohost_source, arm64: yunohost_source }, closed) }, closed),
        system_user: nothing,
        install_dir: nothing,
        data_dir: nothing,
        permissions: Type.Object(
          { main: Type.Object({ url: Type.Literal("/"), auth_header: Type.Literal(false) }, closed) },
          closed,
        ),
        ports: Type.Object({ main: Type.Object({ default: Type.Literal(8402) }, closed) }, closed),
      },
      closed,
    ),
  },
  closed,
);
const YUNOHOST_FILES = [
  ...["LICENSE", "README.md", "manifest.toml", "tests.toml", "conf/nginx.conf", "conf/systemd.service"],
  ...["doc/ADMIN.md", "doc/DESCRIPTION.md", "doc/DESCRIPTION_pt.md", "doc/POST_INSTALL.md"],
  ...["_common.sh", "backup", "change_url", "install", "remove", "restore", "upgrade"].map((name) => `scripts/${name}`),
].map((name) => `yunohost/${name}`);

describe("the package for YunoHost", () => {
  const read = (name: string): string => files.get(`yunohost/${name}`) ?? "";

  test("has a manifest of format 2, and every file that its linter requires", () => {
    const manifest: unknown = Bun.TOML.parse(read("manifest.toml"));
    expect([...Value.Errors(YUNOHOST, manifest)].map((fault) => `${fault.path} ${fault.message}`)).toEqual([]);
    expect(Bun.TOML.parse(read("tests.toml"))).toEqual({ test_format: 1, default: {} });
    expect([...files.keys()].filter((path) => path.startsWith("yunohost/")).toSorted()).toEqual(
      YUNOHOST_FILES.toSorted(),
    );
    expect(YUNOHOST_FILES.filter((path) => (files.get(path) ?? "").trim() === "")).toEqual([]);
  });

  test("starts the program with its real options, behind the proxy's own parameters, and never as root", () => {
    const unit = read("conf/systemd.service");
    const variables = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name);
    expect(variables).toEqual([
      envName(["server", "host"]),
      envName(["server", "port"]),
      envName(["server", "trusted_proxies"]),
      envName(["data", "dir"]),
    ]);
    expect(unit).toContain("ExecStart=__INSTALL_DIR__/intel-node run --config __DATA_DIR__/node.toml --setup https://");
    expect(unit).toContain("User=__APP__\n");
    expect(read("conf/nginx.conf")).toContain("include proxy_params_no_auth;");
    expect(read("conf/nginx.conf")).not.toContain("proxy_set_header");
  });

  test("has valid shell scripts, and whatever one of them adds another removes or keeps", () => {
    for (const name of ["install", "upgrade", "remove", "change_url", "backup", "restore"]) {
      const script = read(`scripts/${name}`);
      const { exitCode, stderr } = Bun.spawnSync(["bash", "-n"], { stdin: Buffer.from(script), stderr: "pipe" });
      expect([name, exitCode, stderr.toString()]).toEqual([name, 0, ""]);
      expect(script).toContain("source /usr/share/yunohost/helpers");
      // From its linter: the core ends a script at its first failure, and no script ends another.
      expect(script).not.toMatch(/set -eu|ynh_abort_if_errors|rm -rf|\bexit\b|sudo|chmod 777|systemctl start/);
    }
    for (const kind of ["nginx", "systemd", "logrotate"]) {
      expect(read("scripts/install")).toContain(`ynh_config_add_${kind}`);
      expect(read("scripts/upgrade")).toContain(`ynh_config_add_${kind}`);
      expect(read("scripts/remove")).toContain(`ynh_config_remove_${kind}`);
    }
    for (const kept of ["$install_dir", "$data_dir", "/etc/systemd/system/$app.service", "/etc/logrotate.d/$app"]) {
      expect(read("scripts/backup")).toContain(`ynh_backup "${kept}"`);
      expect(read("scripts/restore")).toContain(`ynh_restore "${kept}"`);
    }
  });
});

describe("packages for app stores", () => {
  test.each(Object.entries(SCHEMAS))("%s is what the store takes", (path, schema) => {
    const parsed: unknown = Bun.YAML.parse(files.get(path) ?? "");
    expect([...Value.Errors(schema, parsed)].map((fault) => `${fault.path} ${fault.message}`)).toEqual([]);
  });

  test("each YAML file has a schema", () => {
    const known = Object.keys(SCHEMAS);
    expect([...files.keys()].filter((path) => !known.includes(path))).toEqual([
      "home-assistant/Dockerfile",
      ...[...files.keys()].filter((path) => path.startsWith("yunohost/")),
    ]);
  });

  test("start the program with options and variables that exist", () => {
    const run = createProgram(() => undefined).commands.find((one) => one.name() === "run");
    const options = run?.options.map(({ long }) => long) ?? [];
    expect(app.command.filter((word) => word.startsWith("--") && !options.includes(word))).toEqual([]);
    expect(Object.keys(app.environment)).toEqual([envName(["server", "host"])]);
  });
});

describe("YAML", () => {
  test.each([
    [
      "words that are no text",
      ["true", "no", "null", "3.7", "8402", "", " x", "x ", "-", "a: b", "#x", "*", "&a", "x:"],
    ],
    ["lists in lists, and tables in lists", [["a", ["b"]], { a: 1, b: [{ c: true }], d: {} }, []]],
    ["names that are no words", { "443": 1, "8402/tcp": 2, "x-casaos": { "": "y" }, yes: false }],
    ["several lines and quotes", ['a "b"\nc', "it's", "{{ .Values.image }}", "$APP_DATA_DIR/data", "Café"]],
  ] as const)("%s come back as they were", (_, value) => {
    expect(Bun.YAML.parse(renderYAML(value))).toEqual(value as never);
  });
});
