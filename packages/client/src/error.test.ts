import { expect, test } from "vitest";
import { ParleyError, readError, unreachable } from "./error.js";

const request = { method: "GET", url: "https://chat.example/api/users/@me?token=secret" };
const answer = (status: number, body: string, headers = {}) => new Response(body, { status, headers });
const refusal = JSON.stringify({ error: "Not allowed", code: "not_allowed" });

test("an error has the server's code and text, and names the request without its query", async () => {
  const error = await readError(answer(403, refusal, { "x-request-id": "r1" }), request);
  expect(error).toMatchObject({ status: 403, code: "not_allowed", text: "Not allowed", requestId: "r1" });
  expect(error).toMatchObject({ method: "GET", path: "/api/users/@me", final: true });
  expect(error.message).toBe("403 Not allowed (GET https://chat.example/api/users/@me)");
});

test("an error has what the server says beside its text", async () => {
  const body = { error: "Nothing is called annn", message: "Nothing is called annn", code: "nothing_called" };
  const details = { filter: "from", value: "annn", suggestions: ["ann"] };
  expect((await readError(answer(400, JSON.stringify({ ...body, ...details })), request)).details).toEqual(details);
  expect((await readError(answer(403, refusal), request)).details).toEqual({});
});

test.each([
  [400, true],
  [404, true],
  [408, false],
  [425, false],
  [429, false],
  [500, false],
  [503, false],
])("an answer with %i is final: %j", async (status, isFinal) => {
  expect((await readError(answer(status, refusal), request)).final).toBe(isFinal);
});

test("an answer of something else than a Parley server says so, unless it may be a proxy's during an outage", async () => {
  const foreign = await readError(answer(404, "<html>", { "content-type": "text/html; charset=utf-8" }), request);
  expect(foreign).toMatchObject({ code: "no_parley_server", final: true });
  expect(foreign.text).toBe("There is no Parley server at https://chat.example (it answered with text/html)");
  expect(await readError(answer(502, "<html>"), request)).toMatchObject({ code: "unknown", final: false });
});

test("without an answer the error contains the system's, and may pass", () => {
  const cause = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  const error = unreachable(new TypeError("fetch failed", { cause }), request);
  expect(error).toMatchObject({ status: 0, code: "unreachable", final: false, cause });
  expect(error.message).toContain("The server could not be reached: ECONNREFUSED");
});

test("a long wait for a limit is named, a short one is not", () => {
  const after = (waitedMs: number) =>
    new ParleyError({ status: 500, code: "unknown", text: "Failed", request: { ...request, waitedMs } }).message;
  expect(after(2_500)).toContain("after 2.5 s of waiting for the rate limit");
  expect(after(50)).not.toContain("waiting");
});
