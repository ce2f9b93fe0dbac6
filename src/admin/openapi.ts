import type { TSchema } from "@sinclair/typebox";
import { formOf, OPERATION_NAMES, type OperationForm, operationPath } from "./operations.ts";

/** The operator's API as OpenAPI 3.1. */
export function renderAdminOpenAPI({ url, version }: { readonly url: string; readonly version: string }): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "intel-node: the operator's API",
      version,
      description: "For who has the operator's token, `operator.token` in the data folder. Everybody else gets 404.",
    },
    servers: [{ url }],
    security: [{ operator_token: [] }],
    paths: Object.fromEntries(
      OPERATION_NAMES.map((name) => {
        const form = formOf(name);
        return [operationPath(name), { [form.method.toLowerCase()]: renderOperation(name, form) }];
      }),
    ),
    components: { securitySchemes: { operator_token: { type: "http", scheme: "bearer" } } },
  };
}

function renderOperation(name: string, { method, summary, input }: OperationForm): object {
  const properties = Object.entries(input.properties as Readonly<Record<string, TSchema>>);
  const required: readonly string[] = input.required ?? [];
  const answer = { description: "Done", content: { "application/json": { schema: { type: "object" } } } };
  const common = {
    operationId: name,
    summary,
    responses: {
      200: answer,
      404: { description: "No token, or no such thing", content: PROBLEM },
      422: { description: "A parameter is wrong", content: PROBLEM },
    },
  };
  if (method === "POST") {
    return { ...common, requestBody: { content: { "application/json": { schema: input } } } };
  }
  return {
    ...common,
    parameters: properties.map(([param, { description = "", ...schema }]) => ({
      name: param,
      in: "query",
      required: required.includes(param),
      description,
      schema,
    })),
  };
}

const PROBLEM = { "application/problem+json": { schema: { type: "object" } } };
