import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { findOrMakeBundle } from "./bundled-service.js";

test("a bundle does what was built last, and its modules find the files beside them", async () => {
  const root = await mkdtemp(join(tmpdir(), "parley-bundle-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  };
  const run = (bundle: string) =>
    execFileSync(process.execPath, [join(bundle, "main.mjs")])
      .toString()
      .trim();
  await write("node_modules/.modules.yaml", "");
  await write("packages/removed/node_modules/left", "");
  await write("packages/texts/dist/index.js", `export const text = "one " + import.meta.url;`);
  await write(
    "services/api/dist/run.js",
    `import { text } from "../../../packages/texts/dist/index.js"; export const run = () => console.log(text);`,
  );
  await write("services/api/dist/main.js", `const { run } = await import("./run.js"); run();`);
  const address = pathToFileURL(join(root, "packages/texts/dist/index.js")).href;

  const first = await findOrMakeBundle(root, "api");
  expect(run(first)).toBe(`one ${address}`);
  expect(await findOrMakeBundle(root, "api")).toBe(first);

  await write("packages/texts/dist/index.js", `export const text = "three " + import.meta.url;`);
  expect(run(await findOrMakeBundle(root, "api"))).toBe(`three ${address}`);
});
