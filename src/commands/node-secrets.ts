import { join } from "node:path";
import { readSecretFile } from "../files/secret-file.ts";
import { type LoadedFile, secretsOf } from "./load-config-file.ts";
import { listURLSecrets } from "./redact.ts";

/** Every secret this machine knows of this node. */
export const listSecrets = (loaded: LoadedFile): readonly string[] => {
  const { dir } = loaded.config.data;
  const files = ["operator.token", "node-key.pem", "node-key.next.pem"].map(
    (name) => readSecretFile(join(dir, name)) ?? "",
  );
  // Each line of a key file counts as a secret too.
  const lines = files.flatMap((text) => [text, ...text.split("\n")]).filter((line) => !line.startsWith("-----"));
  return [...secretsOf(loaded), ...listURLSecrets(loaded.config), ...lines];
};
