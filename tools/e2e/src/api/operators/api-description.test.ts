import { randomUUID } from "node:crypto";
import { errorBody as error } from "@parley/contracts";
import {
  createClient,
  type DescribedOperation,
  loadAnswerCheck,
  type RestClient,
  type SharedStack,
  sharedStack,
} from "@parley/testing";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { beforeAll, expect, test } from "vitest";
import { isForAdmins, registerAdmin } from "../stages/admin-stage.js";
import { walk } from "../stages/endpoint-walk.js";

let stack: SharedStack;
let client: RestClient;
let operations: readonly DescribedOperation[];

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  ({ operations } = await loadAnswerCheck(stack.edgeUrl));
});

/** The endpoint's path with something in place of each parameter. */
function fill({ path }: DescribedOperation, value = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60"): string {
  return path.replace(/\{\w+\}/g, value);
}

test("the document has no error in the eyes of a linter", async () => {
  const { body } = await client.get("/docs/openapi.yaml");
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: String(body), absoluteRef: "/openapi.yaml", config });
  const errors = problems.filter(({ severity }) => severity === "error");
  expect(errors.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }))).toEqual([]);
  expect(problems.filter(({ ruleId }) => ruleId.startsWith("tag-"))).toEqual([]);
});

test("every endpoint of the document refuses malformed identifiers, before a malformed body is looked at or after", async () => {
  const ann = await client.register();
  const admin = await registerAdmin(client, stack.databaseUrl);
  const identified = operations.filter(({ parameters: [first], path }) => {
    const isId = first?.in === "path" && /(^|_)id$/.test(first.name);
    return isId && !/^\/(files|hooks)\//.test(path);
  });
  // One schema refuses texts that are no identifiers, and the router refuses bytes that are no text: so one of each at
  // every endpoint, and more at some.
  for (const value of ["1", "%ff", "%00", "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f6g"]) {
    const here = /^(1|%ff)$/.test(value) ? identified : identified.slice(0, 20);
    const visited = await walk(here, (operation) => {
      const user = isForAdmins(operation.path) ? admin : ann;
      return (operation.security.length > 0 ? user : client).send(operation.method, fill(operation, value));
    });
    for (const { operation, answer } of visited) {
      const found = [operation.operationId, value, answer.status, answer.body];
      expect(found).toEqual([operation.operationId, value, 400, error("Invalid identifier")]);
    }
  }
});
test("a server that does not exist is 404 to everybody, whatever is wanted of it", async () => {
  const ann = await client.register();
  const body = {
    name: "name",
    word: "word",
    url: "https://example.com",
    event_types: ["message.created"],
    allow: 0,
    deny: 0,
    retention_days: 1,
    minutes: 1,
    user_id: randomUUID(),
    password: "password",
    trigger: { type: "invites" },
    actions: [{ type: "block" }],
    content: "text",
    text: "text",
    reason: "spam",
    status: "closed",
    user_ids: [randomUUID()],
    bot_id: randomUUID(),
    permissions: 0,
    channel_id: randomUUID(),
    code: "name",
    enabled: false,
    welcome: null,
    channels: [],
    questions: [],
    answers: {},
    server_mute: true,
  };
  for (const operation of operations.filter(({ path }) => path.startsWith("/servers/{"))) {
    const query = operation.path.endsWith("/search") ? "?q=word" : "";
    const form = operation.requestBody?.content["multipart/form-data"] === undefined ? undefined : new FormData();
    const options = operation.method === "GET" ? {} : { body: form ?? body };
    const answer = await ann.send(operation.method, `${fill(operation)}${query}`, options);
    const thing = operation.path.includes("/channels/{") ? "Channel" : "Server";
    const found = [operation.operationId, answer.status, answer.body];
    expect(found).toEqual([operation.operationId, 404, error(`${thing} not found`)]);
  }
});
