import type { SimulatedAnswer } from "../catalog/simulator.ts";
import { compileEndpoint, type ReadCall } from "../upstream/endpoint.ts";
import { fillIn, type Template } from "../upstream/recorded-template.ts";
import recorded from "./recorded.gen.json" with { type: "text" };

interface RecordedEndpoint {
  readonly isCalled: (call: ReadCall) => boolean;
  readonly template: Template;
}

let known: ReadonlyMap<string, readonly RecordedEndpoint[]> | undefined;

/** Loaded at first use, so that a node outside the sandbox never loads it. */
function readRecorded(): ReadonlyMap<string, readonly RecordedEndpoint[]> {
  const read = JSON.parse(recorded as unknown as string) as Record<string, Record<string, Template>>;
  return new Map(
    Object.entries(read).map(([provider, endpoints]) => [
      provider,
      Object.entries(endpoints).map(([endpoint, template]) => ({ isCalled: compileEndpoint(endpoint), template })),
    ]),
  );
}

/** The recorded JSON of the called endpoint; undefined if there is no record, or the record is not JSON. */
export function findTemplate(provider: string, call: ReadCall): Template | undefined {
  known ??= readRecorded();
  return known.get(provider)?.find(({ isCalled }) => isCalled(call))?.template;
}

/** Completes a good JSON answer: members that its simulator leaves out are filled in from the publisher's record. */
export function fillAnswer(answer: SimulatedAnswer, provider: string, call: ReadCall): SimulatedAnswer {
  if (!("json" in answer) || (answer.status ?? 200) >= 300) return answer;
  const template = findTemplate(provider, call);
  return template ? { ...answer, json: fillIn(template, answer.json) } : answer;
}
