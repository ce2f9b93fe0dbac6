export const SEVERITIES = ["info", "warning", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One kind of alert: when it is reported, how urgent it is, and the facts its message holds. */
export interface AlertEvent {
  readonly severity: Severity | "warning or critical";
  readonly told_when: string;
  readonly holds: string;
}

/** Every alert there is, by the word that `[[alerts]] events` knows it under. The operator's table is made of it. */
export const ALERT_EVENTS: Readonly<Record<string, AlertEvent>> = {
  "first-sale": {
    severity: "info",
    told_when: "the first payment by somebody else was booked",
    holds: "product, amount, network and time of that payment",
  },
  daily: {
    severity: "info",
    told_when: "a day (UTC) is over",
    holds: "number and sum of the payments of that day, without your own tests",
  },
  ledger: {
    severity: "critical",
    told_when: "the ledger takes no writes, or cannot be read for ten seconds",
    holds: "the reason",
  },
  offline: {
    severity: "critical",
    told_when: "this machine reaches nobody: no facilitator and no source answers; what follows is not told one by one",
    holds: "how many facilitators and sources are silent",
  },
  facilitator: {
    severity: "critical",
    told_when: "one was asked twice on the minute, or left a payment without an answer, and does not answer now",
    holds: "its id, the networks that cannot be paid meanwhile",
  },
  network: {
    severity: "critical",
    told_when: "nothing can be paid on a network, and no silent facilitator is why",
    holds: "the network, the reason",
  },
  gas: {
    severity: "warning",
    told_when: "a facilitator warns: an embedded one's account runs low, or calls on a network get no answer",
    holds: "its id, the network, its words",
  },
  doubted: {
    severity: "critical",
    told_when: "the chain does not know payments a facilitator called settled, though it should by now",
    holds: "the facilitator, the network, how many are in doubt, how many were not believed",
  },
  "never-landed": {
    severity: "critical",
    told_when: "it is decided that payments a facilitator called settled never landed, however long that took",
    holds: "the facilitator, the network, how many in seven days",
  },
  income: {
    severity: "warning",
    told_when: "USDC came to a wallet and stands in no book: compared at the start and every day",
    holds: "the network, how many transfers, their sum",
  },
  "settlement-unknown": {
    severity: "warning",
    told_when: "nobody knows the outcome of a payment for half an hour",
    holds: "how many",
  },
  "key-suspended": {
    severity: "warning",
    told_when: "keys cannot be used because a payment for them is not on the chain",
    holds: "public ids of five keys",
  },
  channels: {
    severity: "warning or critical",
    told_when: "claims of payment channels failed twice in a row; a payer withdraws before a claim",
    holds: "the reason, the unclaimed sum",
  },
  "peer-channel": {
    severity: "warning",
    told_when: "a payment channel with a peer is paid from no more, and money of yours may lie in it",
    holds: "the channel, its network, the reason, the sum",
  },
  source: {
    severity: "warning or critical",
    told_when:
      "nothing that products cannot do without answers: five calls in a row failed, and a quarter of a minute has " +
      "passed since. The first you hear of an outage. Critical from half of the products on",
    holds: "names of the sources, how many products of how many, eight paths",
  },
  provider: {
    severity: "warning",
    told_when: "products are off sale although not all of their sources are silent",
    holds: "how many products of how many, eight paths with reasons",
  },
  product: {
    severity: "warning",
    told_when: "every run of a product has failed for ten minutes, and its sources answer",
    holds: "eight products by id",
  },
  dataset: {
    severity: "warning",
    told_when: "the newest version of a bulk file was cut off, shrunk or could not be had",
    holds: "its name, the reason",
  },
  "source-changed": {
    severity: "warning",
    told_when: "a source's JSON answers are still read, and are no longer what they always were",
    holds: "the source and its endpoint, since when, which members are gone, have another kind or came; never a value",
  },
  quota: {
    severity: "warning",
    told_when: "four fifths of a provider's quota are spent",
    holds: "the provider, the period, how much of how much",
  },
  models: {
    severity: "critical",
    told_when: "no language model has answered since each of them failed, for two minutes",
    holds: "ids of the models",
  },
  "model-budget": {
    severity: "warning",
    told_when: "four fifths of what the models, one of them or one product's may cost today are spent",
    holds: "what it is for, how much of how much",
  },
  "model-spent": {
    severity: "warning or critical",
    told_when: "a call was refused because the rest of today's budget was too little",
    holds: "what it is for, how much of how much",
  },
  certificate: {
    severity: "warning or critical",
    told_when: "the public address's certificate has less than 14 days left; critical from 3 days on",
    holds: "the days, the time it ends",
  },
  clock: {
    severity: "critical",
    told_when:
      "the clock is 5 s off: by the dates of two servers that answer anyway (facilitators, sources), " +
      "by those of one while payments are refused for their time, or by the hourly look at three",
    holds: "by how much, by how many servers, whether payments are refused for it",
  },
  webhooks: {
    severity: "warning",
    told_when: "half of the webhooks of watches or more, of three hosts at least, were tried twice in vain",
    holds: "how many of how many, of how many hosts, the newest reason; no address",
  },
  anchors: {
    severity: "warning",
    told_when:
      "for six hours no calendar takes a public timestamp, or one has been in no block of Bitcoin for 72 hours",
    holds: "since when, the newest reason a calendar gave",
  },
  version: {
    severity: "info",
    told_when: "`[upgrade] url` offers a newer version",
    holds: "both versions",
  },
  table: {
    severity: "warning",
    told_when: "a table of dates that ships with the program ends within 120 days",
    holds: "which one, its last day, how to extend it",
  },
  disk: {
    severity: "critical",
    told_when: "less than 1 GB and 5 % are free for a minute",
    holds: "how much is free",
  },
  backup: {
    severity: "critical",
    told_when:
      "the newest backup is twice as old as it should be; the continuous copy lacks more than five minutes, or has " +
      "no image of the last two days",
    holds: "when it was made; since when the copy lacks something, the reason",
  },
  look: {
    severity: "warning",
    told_when: "something of this table cannot be judged for ten seconds; the rest is",
    holds: "what cannot be judged, the reason",
  },
};

/** Words `[[alerts]] events` takes; `summary` holds several and goes to every channel that gets any of them. */
export const ALERT_EVENT_NAMES: readonly string[] = Object.keys(ALERT_EVENTS);
