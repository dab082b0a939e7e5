import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const files = execFileSync("git", ["ls-files", "services/gateway/src"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => /(?<!\.test|-fixture)\.ts$/.test(file) && existsSync(join(root, file)));
const sources = files.map((file) => readFileSync(join(root, file), "utf8"));

/** Where "go to definition" ends at a type, although a function is called, and why. */
const reasons = {
  Activity: "a server's entry is below what sums up what is left out of it",
  Flushable: "schedulers are below the connections that they write",
  Follower: "positions are below the hub's users, whose subscriptions they read",
  GatewayMetrics: "plain numbers, with two functions",
  MemberServer: "a user's entry and a server's refer to each other",
  OpHandler: "each op has one",
  PendingListener: "a subscription's pending events and the positions refer to each other",
  QueueTask: "whatever is queued",
  StreamEnd: "positions are below the watch of the stream",
  StreamListener: "the watch of the stream is below the fan-out and the hub",
  Subscription: "made in one place, as a value",
};

test("calls in the gateway lead to functions, not to types with one implementation", () => {
  const found = sources.flatMap((source) => [
    ...[...source.matchAll(/^export type (\w+)(?:<[^=]*>)? =\s+(?:<[^(]*>)?\([^;]*=>/gm)].map(([, name = ""]) => name),
    ...[...source.matchAll(/^export interface (\w+)[^{]*\{\n(.*?)^\}/gms)].flatMap(([, name = "", members = ""]) =>
      /^ {2}(?:readonly )?\w+\??(?:<[^>]*>)?(?:\(|: \()/m.test(members) ? [name] : [],
    ),
  ]);
  expect(found.sort()).toEqual(Object.keys(reasons));
});
