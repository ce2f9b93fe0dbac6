/**
 * Parses one dataset in its own thread, then ends. It must be named as an entry point when the binary is compiled:
 * a worker that is not in it would never answer.
 */
import type { AnyDataset } from "../catalog/dataset.ts";
import { messageOf } from "../core/errors.ts";
import { loadPluginFile } from "../plugin-host/load-plugins.ts";
import { datasets } from "../plugins/datasets.gen.ts";
import { buildDataset } from "../stores/dataset-build.ts";
import type { WorkerAnswer, WorkerOrder } from "./build-in-worker.ts";

declare const self: Worker;

async function findDataset({ plugin_file, name }: WorkerOrder): Promise<AnyDataset> {
  const declared = plugin_file === null ? datasets : ((await loadPluginFile(plugin_file)).datasets ?? []);
  const found = declared.find((one) => one.name === name);
  if (!found) throw new Error(`the worker finds no dataset "${name}"`);
  return found;
}

self.onmessage = async ({ data }: MessageEvent<WorkerOrder>) => {
  let answer: WorkerAnswer;
  try {
    answer = { ok: true, rows: await buildDataset(await findDataset(data), data.order) };
  } catch (error) {
    answer = { ok: false, message: messageOf(error) };
  }
  self.postMessage(answer);
};
self.postMessage("ready");
