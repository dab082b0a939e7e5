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
import { isForAdmins, registerAdmin } from "./admin-stage.js";

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
  // What is posted to incoming webhooks comes as their senders send it (docs/interface.md#25.5).
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
  if (path.startsWith("/bots/@me/")) return bot;
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

describe("every endpoint with a JSON body", () => {
  test.each([
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/merge-patch+json",
    "application/vnd.api+json",
    "application/jsonx",
    "application/octet-stream",
    "json",
    null,
  ])("every endpoint with a JSON body refuses a body of %s", async (type) => {
    expect(withJson.length).toBeGreaterThan(30);
    // Bytes get no content type of their own from the client.
    const body = Buffer.from('{"max_uses":1,"expires_in_hours":1,"name":"name","enabled":false}');
    for (const operation of withJson) {
      if (type?.startsWith("multipart") && operation.requestBody?.content["multipart/form-data"] !== undefined)
        continue;
      const headers: Record<string, string> = type === null ? {} : { "content-type": type };
      const answer = await callerOf(operation).send(operation.method, fill(operation), { body, headers });
      expect([operation.operationId, answer.status, answer.body]).toEqual([operation.operationId, 400, refused]);
    }
  });

  test("every endpoint with a JSON body takes no body, an empty one, and empty chunks of any type for {}", async () => {
    const empty = Buffer.alloc(0);
    for (const operation of withJson) {
      const { method, operationId } = operation;
      const send = async (body?: Uint8Array, type?: string) => {
        const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
        const answer = await callerOf(operation).send(method, fill(operation), { body, headers });
        return [operationId, answer.status, answer.body];
      };
      const expected = await send(Buffer.from("{}"), "application/json");
      expect(await send()).toEqual(expected);
      expect(await send(undefined, "application/json")).toEqual(expected);
      expect(await send(empty, "application/json; charset=utf-8")).toEqual(expected);
      expect(await send(empty, "text/plain")).toEqual(expected);
      for (const type of ["application/json", "text/plain"]) {
        const { status, text } = await sendEmptyChunks(operation, { "content-type": type });
        expect([operationId, status, JSON.parse(text)]).toEqual(expected);
      }
    }
  });

  test("every endpoint with a JSON body looks at credentials before it looks at the type", async () => {
    const sent = { body: "name=x", headers: { "content-type": "application/x-www-form-urlencoded" } };
    for (const operation of withJson.filter(({ security }) => security.length > 0)) {
      const nobody = await anyone.send(operation.method, fill(operation), sent);
      expect([operation.operationId, nobody.status]).toEqual([operation.operationId, 401]);
    }
    const forHumans = withJson.filter(({ security }) => security.length === 1);
    expect(forHumans.length).toBeGreaterThan(0);
    for (const operation of forHumans) {
      const answer = await bot.send(operation.method, fill(operation), sent);
      expect([operation.operationId, answer.status]).toEqual([operation.operationId, 403]);
    }
  });
});

test("an endpoint without a body ignores whatever is sent", async () => {
  // Whoever logs out has no session for the second request.
  for (const operation of withoutBody.filter(({ path }) => !path.endsWith("/auth/logout"))) {
    const caller = callerOf(operation);
    const { status, body } = await caller.send(operation.method, fill(operation));
    for (const type of ["application/json", "text/plain"]) {
      const answer = await caller.send(operation.method, fill(operation), {
        body: "{",
        headers: { "content-type": type },
      });
      const found = [operation.operationId, answer.status, Object.keys(Object(answer.body))];
      expect(found).toEqual([operation.operationId, status, Object.keys(Object(body))]);
    }
  }
});
