import { spawn } from "node:child_process";
import { join } from "node:path";
import { serviceNames } from "@parley/local-stack";
import { runContext } from "@parley/testing";
import { expect, test } from "vitest";

/** Sends SIGTERM to the process when its main.js asks for anything but the handler of early signals. */
const hooks = `export async function resolve(specifier, context, next) {
  const isService = context.parentURL?.endsWith("/dist/main.js") && !specifier.endsWith("/early-stop");
  if (isService) process.kill(process.pid, "SIGTERM");
  return next(specifier, context);
}`;
const data = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
const preload = data(`import { register } from "node:module"; register(${JSON.stringify(data(hooks))});`);

test.each(serviceNames)("SIGTERM ends %s with 0 before any of its modules is loaded", async (name) => {
  const main = join(runContext().root, "services", name, "dist", "main.js");
  const child = spawn(process.execPath, ["--import", preload, main], { stdio: "ignore" });
  const ended = await new Promise((resolve) => child.on("exit", (code, signal) => resolve({ code, signal })));
  expect(ended).toEqual({ code: 0, signal: null });
});
