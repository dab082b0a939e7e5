import { request } from "node:http";
import { errorBody as error } from "@parley/contracts";
import {
  createClient,
  type DescribedOperation,
  loadAnswerCheck,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { isForAdmins, registerAdmin } from "../stages/admin-stage.js";
import { walk } from "../stages/endpoint-walk.js";

let stack: SharedStack;
let anyone: RestClient;
let ann: UserClient;
let admin: UserClient;
let bot: RestClient;
let botAuthorization: string;
/** Operations with a JSON body, and those that change something without any body. */
let withJson: readonly DescribedOperation[];
let withoutBody: readonly DescribedOperation[];

beforeAll(async () => {
  stack = await sharedStack();
  anyone = createClient(stack.edgeUrl);
  ann = await anyone.register();
  admin = await registerAdmin(anyone, stack.databaseUrl);
  const { token } = (await ann.post("/bots", { name: "Courier" })).expect(201, z.object({ token: z.string() }));
  botAuthorization = `Bot ${token}`;
  bot = anyone.withAuthorization(botAuthorization);
  const { operations } = await loadAnswerCheck(stack.edgeUrl);
  // Bodies for incoming webhooks come as their senders write them (docs/protocol/webhooks.md#25.5).
  const isHook = ({ path }: DescribedOperation) => path.startsWith("/hooks/");
  withJson = operations.filter(
    (operation) => operation.requestBody?.content["application/json"] !== undefined && !isHook(operation),
  );
  withoutBody = operations.filter(({ requestBody, method }) => requestBody === undefined && method !== "GET");
});

const refused = error("Content-Type must be application/json");

function fill({ path }: DescribedOperation): string {
  return path.replace(/\{\w+\}/g, "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60");
}

/** Somebody whom the operation lets in. */
function callerOf({ path, security }: DescribedOperation): RestClient {
  if (security.length === 0) return anyone;
  if (isForAdmins(path)) return admin;
  if (/^\/bots\/@me(?:\/|$)/.test(path)) return bot;
  return security.some((scheme) => scheme.user !== undefined) ? ann : bot;
}

/** Sends a body of no bytes that says nothing of its length. */
function sendEmptyChunks(operation: DescribedOperation, headers: Record<string, string>) {
  const caller = callerOf(operation);
  const user = [ann, admin].find((each) => each === caller);
  const ofUser = user === undefined ? {} : { authorization: `Bearer ${user.accessToken}` };
  const authorization = caller === bot ? { authorization: botAuthorization } : ofUser;
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const options = {
      method: operation.method,
      headers: { ...authorization, "transfer-encoding": "chunked", ...headers },
    };
    const sent = request(`${stack.edgeUrl}${fill(operation)}`, options, (answer) => {
      answer
        .setEncoding("utf8")
        .toArray()
        .then((parts) => resolve({ status: answer.statusCode, text: parts.join("") }), reject);
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** The first endpoint of each method: checks before the endpoint need not be tried at all of them. */
const oneOfEachMethod = (all: readonly DescribedOperation[]) =>
  all.filter(({ method }, at) => all.findIndex((other) => other.method === method) === at);
const takesForms = ({ requestBody }: DescribedOperation) => requestBody?.content["multipart/form-data"] !== undefined;

describe("every endpoint with a JSON body", () => {
  const common = ["application/x-www-form-urlencoded", null];
  test.each([
    ...common,
    "text/plain",
    "text/json",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/merge-patch+json",
    "application/vnd.api+json",
    "application/jsonx",
    "application/octet-stream",
    "json",
  ])("every endpoint with a JSON body refuses a body of %s", async (type) => {
    expect(withJson.length).toBeGreaterThan(30);
    // One function reads JSON (services/api/src/platform/http/json-body.ts); endpoints that take forms as well check
    // the type first.
    const here = common.includes(type) ? withJson : [...oneOfEachMethod(withJson), ...withJson.filter(takesForms)];
    const refusing = here.filter((operation) => !(type?.startsWith("multipart") && takesForms(operation)));
    // Bytes get no content type of their own from the client.
    const body = Buffer.from('{"max_uses":1,"expires_in_hours":1,"name":"name","enabled":false}');
    const headers: Record<string, string> = type === null ? {} : { "content-type": type };
    const visited = await walk(refusing, (operation) =>
      callerOf(operation).send(operation.method, fill(operation), { body, headers }),
    );
    for (const { operation, answer } of visited)
      expect([operation.operationId, answer.status, answer.body]).toEqual([operation.operationId, 400, refused]);
  });

  const send = async (operation: DescribedOperation, body?: Uint8Array, type?: string) => {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const { status, body: answer } = await callerOf(operation).send(operation.method, fill(operation), {
      body,
      headers,
    });
    return { status, body: answer };
  };

  test("every endpoint with a JSON body takes no body for {}", async () => {
    const visited = await walk(withJson, async (operation) => ({
      expected: await send(operation, Buffer.from("{}"), "application/json"),
      answers: [await send(operation), await send(operation, undefined, "application/json")],
    }));
    for (const { operation, answer } of visited)
      expect([operation.operationId, ...answer.answers]).toEqual([
        operation.operationId,
        answer.expected,
        answer.expected,
      ]);
  });

  test("an endpoint with a JSON body takes an empty body, and empty chunks of any type, for {}", async () => {
    const empty = Buffer.alloc(0);
    for (const operation of [...oneOfEachMethod(withJson), ...withJson.filter(takesForms)]) {
      const expected = await send(operation, Buffer.from("{}"), "application/json");
      expect(await send(operation, empty, "application/json; charset=utf-8")).toEqual(expected);
      expect(await send(operation, empty, "text/plain")).toEqual(expected);
      for (const type of ["application/json", "text/plain"]) {
        const { status, text } = await sendEmptyChunks(operation, { "content-type": type });
        expect({ status, body: JSON.parse(text) }).toEqual(expected);
      }
    }
  });

  test("every endpoint with a JSON body for humans refuses bots before it looks at the type", async () => {
    const sent = { body: "name=x", headers: { "content-type": "application/x-www-form-urlencoded" } };
    const forHumans = withJson.filter(({ security }) => security.length === 1);
    expect(forHumans.length).toBeGreaterThan(0);
    const visited = await walk(forHumans, (operation) => bot.send(operation.method, fill(operation), sent));
    for (const { operation, answer } of visited)
      expect([operation.operationId, answer.status]).toEqual([operation.operationId, 403]);
  });
});

test("an endpoint without a body ignores whatever is sent", async () => {
  // A caller who logs out has no session for the second request.
  const lasting = withoutBody.filter(({ path }) => !path.endsWith("/auth/logout"));
  const sendText = (operation: DescribedOperation, type: string) =>
    callerOf(operation).send(operation.method, fill(operation), { body: "{", headers: { "content-type": type } });
  const visited = await walk(lasting, async (operation) => [
    await callerOf(operation).send(operation.method, fill(operation)),
    await sendText(operation, "application/json"),
    ...(oneOfEachMethod(lasting).includes(operation) ? [await sendText(operation, "text/plain")] : []),
  ]);
  for (const { operation, answer: answers } of visited) {
    const shapes = answers.map(({ status, body }) => `${status} ${Object.keys(Object(body))}`);
    expect([operation.operationId, ...new Set(shapes)]).toEqual([operation.operationId, shapes[0]]);
  }
});
