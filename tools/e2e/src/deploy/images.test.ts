import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { instructionsOf } from "./dockerfile.js";
import { expectService, root, stages, useImages } from "./images-stage.js";

useImages();

describe("the Dockerfile", () => {
  test("the Dockerfile runs as a user without rights, stops on SIGTERM and names its base so that a digest can be added", () => {
    const keywords = instructionsOf(stages, "service");
    expect(keywords).toContainEqual({ keyword: "USER", text: "node" });
    expect(keywords).toContainEqual({ keyword: "STOPSIGNAL", text: "SIGTERM" });
    expect(instructionsOf(stages, "")[0]?.text).toMatch(/^NODE_IMAGE=node:\d+\.\d+\.\d+-\w+-slim$/);
    expect(stages.at(-1)?.name).toBe("service");
  });

  test("the Dockerfile asks no registry for a frontend, and leaves the program to root", async () => {
    expect(await readFile(join(root, "deploy", "Dockerfile"), "utf8")).not.toMatch(/^# *syntax=/m);
    const keywords = instructionsOf(stages, "service").map(({ keyword }) => keyword);
    expect(keywords.indexOf("WORKDIR")).toBeLessThan(keywords.indexOf("USER"));
  });
});

test(
  "the image of the api holds production code and what it serves only, and becomes ready",
  () => expectService("api"),
  60_000,
);
