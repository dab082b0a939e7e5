import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "@parley/local-stack";
import { startStack } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tourOf } from "./readme-tour.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");

describe("the tour of README.md", () => {
  let folder: string;
  let readme: string;
  const paste = (url: string) =>
    promisify(execFile)("sh", ["-c", tourOf(readme, url)], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      timeout: 170_000,
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-tour-"));
    readme = await readFile(join(root, "README.md"), "utf8");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("the tour of README.md works when pasted as it is", async () => {
    // Its own: the tour registers fixed names.
    const stack = await startStack({ apis: 2, gateways: 2 });
    try {
      const { stdout } = await paste(stack.edgeUrl);
      expect(stdout).toContain("Bob is connected and a member of [ 'Chess club' ]");
      expect(stdout).toMatch(/Bob receives: \{[\s\S]*content: 'hello, Bob'/);
    } finally {
      await stack.stop();
    }
  });

  test("the tour of README.md ends by itself, not with 0, when nothing listens or an answer is not as promised", async () => {
    await expect(paste(`http://127.0.0.1:${await findFreePort()}`)).rejects.toMatchObject({ code: 1 });
    const broken = createServer((_, response) => response.writeHead(502).end("Bad gateway")).listen(0, "127.0.0.1");
    await once(broken, "listening");
    const address = broken.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const failure = paste(`http://127.0.0.1:${port}`);
    await expect(failure).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("502 Bad Gateway") });
    broken.close();
  });
});
