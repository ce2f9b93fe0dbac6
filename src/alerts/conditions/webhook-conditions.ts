import type { WebhookTroubles } from "../../watches/types.ts";
import type { AlertCondition } from "../types.ts";

/** Fewer receivers are their owners' trouble. */
const HOSTS_MIN = 3;

const hostOf = (url: string): string => URL.parse(url)?.host ?? "";

/** Most webhooks take no events, of several hosts: then it is hardly the receivers. Names no buyer's address. */
export function findDeadWebhooks({ used, failing }: WebhookTroubles): readonly AlertCondition[] {
  const hosts = new Set(failing.map(({ url }) => hostOf(url)));
  if (hosts.size < HOSTS_MIN || failing.length * 2 < used) return [];
  const [newest] = failing;
  const why = newest?.last_error ? ` The newest reason: ${newest.last_error}.` : "";
  return [
    {
      id: "webhooks",
      severity: "warning",
      title: `${failing.length} of ${used} webhooks of watches take no events`,
      text: `Of ${hosts.size} hosts: perhaps this machine reaches nobody.${why} Each is tried again for a day.`,
      // Between two tries in vain lie some minutes.
      for_ms: 0,
    },
  ];
}
