import { errorBody } from "@parley/contracts";
import { describe, expect, test } from "vitest";
import { createAnswerCheck, type Description } from "./api-description.js";

const thing = { type: "object", properties: { id: { type: "string", format: "uuid" } }, required: ["id"] };
const content = (schema: Record<string, unknown>) => ({ "application/json": { schema } });
const operation = (responses: Description["paths"][string][string]["responses"]) => ({
  operationId: "get-things-by-id",
  "x-client-method": "things.get",
  security: [],
  parameters: [],
  responses,
});

const { check } = createAnswerCheck({
  paths: {
    "/things/{id}": {
      get: operation({
        200: { headers: { "X-Request-Id": {} }, content: content({ $ref: "#/components/schemas/Thing" }) },
        204: { headers: {} },
        404: { $ref: "#/components/responses/Missing" },
        default: { $ref: "#/components/responses/Missing" },
      }),
    },
    "/things/mine": { get: operation({ 204: { headers: {} } }) },
  },
  components: {
    schemas: {
      Thing: thing,
      Error: {
        type: "object",
        properties: { error: { type: "string" }, message: { type: "string" }, code: { type: "string" } },
      },
    },
    responses: { Missing: { headers: {}, content: content({ $ref: "#/components/schemas/Error" }) } },
  },
});

const id = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60";
const headers = new Headers({ "content-type": "application/json; charset=utf-8", "x-request-id": "1" });
const answer = (status: number, body?: unknown, path = "/things/1") => ({ method: "GET", path, status, headers, body });

describe("an answer", () => {
  test.each([
    ["that is described", answer(200, { id })],
    ["under the prefix, with a query and an encoded path", answer(200, { id }, "/api/%74hings/1/?x=1")],
    ["with an error in two equal texts", answer(404, errorBody("Not found"))],
    ["of a dependency that is away", answer(503, errorBody("Service unavailable"))],
    ["without a body where none is described", answer(204)],
    ["of an address that nobody describes, if it is not found", answer(404, {}, "/nothing")],
    ["of a literal path before one with a parameter", answer(204, undefined, "/things/mine")],
  ])("an answer passes: %s", (_, described) => {
    expect(() => check(described)).not.toThrow();
  });

  test.each([
    ["with another status", answer(201, { id }), /does not say/],
    ["that failed inside", answer(500, errorBody("Internal server error")), /does not say/],
    ["without a field", answer(200, {}), /required/],
    ["with one field more", answer(200, { id, more: 1 }), /additionalProperties/],
    ["in another format", answer(200, { id: "1" }), /format/],
    ["with two texts", answer(404, { ...errorBody("Not found"), message: "Away" }), /two texts/],
    ["with another's code", answer(404, { ...errorBody("Not found"), code: "internal" }), /code of another/],
    ["with a body where none is described", answer(204, { id }), /not described/],
    ["of an endpoint that is not described", answer(200, {}, "/nothing"), /no such endpoint/],
    ["without a header", { ...answer(200, { id }), headers: new Headers() }, /without X-Request-Id/],
  ])("an answer that differs from the description fails: %s", (_, wrong, message) => {
    expect(() => check(wrong)).toThrow(message);
  });
});
