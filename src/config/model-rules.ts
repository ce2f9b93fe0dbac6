import type { Static } from "@sinclair/typebox";
import { isOwnHost } from "../core/own-host.ts";
import type { ModelEntry } from "./schema-models.ts";

export type ModelTable = Static<typeof ModelEntry>;

/** Whether a model runs on this machine or the operator's own network: no host's terms stand between. */
export const isLocalModel = ({ base_url }: Pick<ModelTable, "base_url">): boolean =>
  URL.canParse(base_url) && isOwnHost(new URL(base_url).hostname);

/** What a model is used for where its entry does not say. */
export const usesOf = (entry: Pick<ModelTable, "base_url" | "use">): readonly ("compose" | "door")[] =>
  entry.use ?? (isLocalModel(entry) ? ["compose", "door"] : ["compose"]);

/** What is wrong with [[models]], by index and key. */
export function checkModels(
  models: readonly ModelTable[],
): readonly { readonly index: number; readonly key: string | null; readonly message: string }[] {
  const seen = new Set<string>();
  return models.flatMap((entry, index) => {
    const { id, base_url, terms_ack, door_ack } = entry;
    const tell = (key: string | null, message: string) => ({ index, key, message });
    const twice = seen.has(id);
    seen.add(id);
    const hosted = !isLocalModel(entry);
    return [
      ...(twice ? [tell("id", `another model is called "${id}"`)] : []),
      ...(URL.canParse(base_url) ? [] : [tell("base_url", "this is no address")]),
      ...(hosted && !terms_ack
        ? [tell("base_url", "somebody else's host: read its terms of reuse, then set terms_ack = true")]
        : []),
      ...(hosted && usesOf(entry).includes("door") && !door_ack
        ? [
            tell(
              "use",
              "bare completions of somebody else's host: read its terms on reselling, then set door_ack = true",
            ),
          ]
        : []),
    ];
  });
}
