import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { serviceNames } from "@parley/local-stack";
import { expect, test } from "vitest";
import { instructionsOf } from "./dockerfile.js";
import {
  database,
  expectService,
  expectSmall,
  root,
  runStage,
  source,
  stages,
  startImage,
  useImages,
} from "./images-stage.js";

// The image of the migration migrates it.
useImages({ migrated: false });

test("the image of the edge has the web application where nginx looks for it, with its compressed forms", async () => {
  const copied = instructionsOf(stages, "edge").find(({ keyword }) => keyword === "COPY")?.text;
  const [from, built = "", target] = copied?.split(" ") ?? [];
  const files = await readFile(join(root, "deploy", "nginx", "application-files.conf"), "utf8");
  expect([from, target]).toEqual(["--from=build", `${/^root (\S+);$/m.exec(files)?.[1]}/app`]);
  const folder = join(source(), built.replace(/^\/src\//, ""));
  const names = await readdir(folder, { recursive: true });
  expect(names).toContain("index.html");
  const scripts = names.filter((name) => /^assets\/.*\.js$/.test(name));
  expect(scripts).not.toEqual([]);
  // Smaller ones fit into one packet as they are.
  const sizes = await Promise.all(scripts.map(async (name) => ({ name, size: (await stat(join(folder, name))).size })));
  const large = sizes.filter(({ size }) => size >= 1024).map(({ name }) => name);
  expect(large.filter((name) => !names.includes(`${name}.gz`))).toEqual([]);
  expect(instructionsOf(stages, "edge")).toContainEqual({ keyword: "USER", text: "nginx" });
  // SIGTERM would cut requests.
  expect(instructionsOf(stages, "edge")).toContainEqual({ keyword: "STOPSIGNAL", text: "SIGQUIT" });
  expect(instructionsOf(stages, "")[1]?.text).toMatch(/^NGINX_IMAGE=nginx:\d+\.\d+-alpine$/);
});

test("the migration image brings an empty database to the newest schema, and the job may run again", async () => {
  await runStage("assemble-migrate", {}, "migrate");
  await expectSmall("migrate");
  for (const msg of ["migrated", "nothing to migrate"]) {
    const job = await startImage("migrate", "migrate", { DATABASE_URL: database.url });
    expect(await job.exited).toEqual({ code: 0, signal: null });
    expect(job.lastLines().map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ msg })]);
  }
});

test.each(serviceNames)(
  "the image of %s holds production code and what it serves only, and becomes ready",
  expectService,
);
