import type { Yaml } from "./yaml.ts";

/** The facts about the program that every package states. Version and licence come from the project. */
export interface PackagedApp {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly license: string;
  readonly license_text: string;
  /** At most 50 characters. */
  readonly tagline: string;
  readonly description: string;
  readonly description_pt: string;
  /** The publisher of a package sets these two, because the project has no registry and no website. */
  readonly image: string;
  readonly home: string;
  readonly port: number;
  /** The container's folder for everything that must last. */
  readonly data_dir: string;
  readonly memory_mb: number;
  readonly architectures: readonly string[];
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const DATA_DIR = "/data";

type Project = Pick<PackagedApp, "version" | "license" | "license_text">;

export const createApp = ({ version, license, license_text }: Project): PackagedApp => ({
  id: "intel-node",
  title: "intel-node",
  version,
  license,
  license_text,
  tagline: "Sell market data to software agents",
  description:
    "A shop for software agents: they call a path, pay in USDC and get data that names its sources. After the " +
    "installation look into the app's log: it prints an address under which a browser sets the shop up, once, within " +
    "an hour.",
  description_pt:
    "Uma loja para agentes de software: eles chamam um caminho, pagam em USDC e recebem dados que citam as fontes. " +
    "Depois da instalação veja o registro do aplicativo: ele mostra um endereço pelo qual o navegador configura a " +
    "loja, uma vez, dentro de uma hora.",
  image: `registry.invalid/intel-node:${version}`,
  home: "https://intel-node.invalid",
  port: 8402,
  data_dir: DATA_DIR,
  memory_mb: 512,
  architectures: ["amd64", "arm64"],
  command: ["run", "--config", `${DATA_DIR}/node.toml`, "--setup", "lan"],
  environment: { INTEL_NODE_SERVER_HOST: "0.0.0.0" },
});

/** The service for Docker Compose: not root, with a read-only file system except for the data folder. */
export const composeService = (app: PackagedApp, volume: string): Readonly<Record<string, Yaml>> => ({
  image: app.image,
  command: [...app.command],
  environment: { ...app.environment },
  volumes: [`${volume}:${app.data_dir}`],
  restart: "unless-stopped",
  stop_grace_period: "60s",
  read_only: true,
  tmpfs: ["/tmp"],
});
