import type { Checkpoints } from "../trust/checkpoints.ts";
import { HEAD_CHAINS } from "../trust/history-heads.ts";
import type { FreeRoute } from "./free-route.ts";
import { invalid, readQuery } from "./query.ts";
import type { Responder } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

export interface CheckpointRouteOptions {
  readonly responder: Responder;
  readonly checkpoints: Checkpoints;
}

/** A history's newest head as a signed note (C2SP tlog-checkpoint), and the key that verifies it. */
export const createCheckpointRoutes = ({ responder, checkpoints }: CheckpointRouteOptions): readonly FreeRoute[] => [
  {
    path: "/track-record/checkpoint",
    methods: ["GET"],
    async handler({ request, request_id, search }) {
      const query = readQuery(search, ["chain", "form"] as const);
      const chain = query.text("chain") ?? "signals";
      if (!HEAD_CHAINS.includes(chain)) throw invalid("chain", HEAD_CHAINS.join(" or "));
      const form = query.text("form") ?? "note";
      if (form !== "note" && form !== "key") throw invalid("form", "note or key");
      const body = form === "key" ? `${checkpoints.verifierKeyOf(chain)}\n` : await checkpoints.read(chain);
      const headers = { "Cache-Control": "no-cache" };
      return send(keep({ content_type: "text/plain; charset=utf-8", body, headers }, responder), request, request_id);
    },
  },
];
