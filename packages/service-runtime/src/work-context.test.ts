import { expect, test } from "vitest";
import { createLogger } from "./logger.js";
import { continued, runRequest, stampHeaders, traced } from "./work-context.js";

function openLog() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, logger: createLogger({ service: "test", level: "info", nodeId: "node", destination }) };
}

test("the lines of a request name it, here and in the process that gets a message of it, and those of others do not", async () => {
  const { lines, logger } = openLog();
  const headers: Record<string, string> = {};
  await runRequest({ requestId: "one", name: "POST /things" }, async () => {
    await Promise.resolve();
    logger.info({}, "in the request");
    stampHeaders(headers);
  });
  logger.info({}, "outside");
  const consume = async () => {
    await Promise.resolve();
    logger.info({}, "elsewhere");
  };
  await continued((name) => headers[name], "consumer", consume);
  await continued(() => null, "consumer", consume);
  expect(lines.map(({ msg, request_id }) => [msg, request_id])).toEqual([
    ["in the request", "one"],
    ["outside", undefined],
    ["elsewhere", "one"],
    ["elsewhere", undefined],
  ]);
});

test("a message keeps the request that it was first sent for", async () => {
  const headers: Record<string, string> = {};
  await runRequest({ requestId: "first", name: "POST /things" }, async () => stampHeaders(headers));
  const before = { ...headers };
  await runRequest({ requestId: "second", name: "POST /things" }, async () => stampHeaders(headers));
  expect(headers).toEqual(before);
});

test("without a collector work runs as it is", async () => {
  const failure = new Error("as it is");
  await expect(traced("span", {}, () => Promise.reject(failure))).rejects.toBe(failure);
});
