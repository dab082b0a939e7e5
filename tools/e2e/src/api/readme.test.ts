import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort, localStackSettings } from "@parley/local-stack";
import { describeSettings } from "@parley/service-runtime";
import { startStack } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configSchema as api } from "../../../../services/api/src/config.js";
import { configSchema as automod } from "../../../../services/automod/src/config.js";
import { configSchema as gateway } from "../../../../services/gateway/src/config.js";
import { configSchema as dispatcher } from "../../../../services/webhook-dispatcher/src/config.js";
import { tourOf } from "./readme-tour.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const file = join(root, "README.md");

describe("the tour of README.md", () => {
  let folder: string;
  let readme: string;
  const paste = (url: string) =>
    promisify(execFile)("sh", ["-c", tourOf(readme, url)], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      timeout: 25_000,
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-tour-"));
    readme = await readFile(file, "utf8");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("works when pasted as it is", async () => {
    const stack = await startStack({ apis: 2, gateways: 2 });
    try {
      const { stdout } = await paste(stack.edgeUrl);
      expect(stdout).toContain("Bob is connected and a member of [ 'Chess club' ]");
      expect(stdout).toMatch(/Bob receives: \{[\s\S]*content: 'hello, Bob'/);
    } finally {
      await stack.stop();
    }
  }, 60_000);

  test("ends by itself, not with 0, when nothing listens or an answer is not as promised", async () => {
    await expect(paste(`http://127.0.0.1:${await findFreePort()}`)).rejects.toMatchObject({ code: 1 });
    const broken = createServer((_, response) => response.writeHead(502).end("Bad gateway")).listen(0, "127.0.0.1");
    await once(broken, "listening");
    const address = broken.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const failure = paste(`http://127.0.0.1:${port}`);
    await expect(failure).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("502 Bad Gateway") });
    broken.close();
  }, 60_000);
});

test("the settings table is the one that the schemas describe", async () => {
  const readme = await readFile(file, "utf8");
  const expected = readme.replace(
    /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/,
    (_, start: string, end: string) => `${start}${settingsTable()}\n${end}`,
  );
  if (process.env.UPDATE_README === "1") await writeFile(file, expected);
  else expect(readme).toBe(expected);
});

function settingsTable(): string {
  const schemas = { api, gateway, automod, "webhook-dispatcher": dispatcher, "npm start": localStackSettings };
  const rows = new Map<string, { default: string; purpose: string; readers: string[] }>();
  for (const [reader, schema] of Object.entries(schemas)) {
    for (const setting of describeSettings(schema)) {
      const shown = setting.required ? "required" : (setting.default ?? "–");
      const key = `${setting.name}|${setting.purpose}`;
      const row = rows.get(key) ?? { default: shown, purpose: setting.purpose, readers: [] };
      // The services differ in their default port only.
      if (row.default !== shown) row.default = `${row.default}, ${shown}`;
      row.readers.push(reader);
      rows.set(key, row);
    }
  }
  const lines = [...rows].map(([key, row]) => {
    const readers = row.readers.length === Object.keys(schemas).length ? "all" : row.readers.join(", ");
    return `| \`${key.split("|")[0]}\` | ${row.default} | ${row.purpose} | ${readers} |`;
  });
  return ["| Setting | Default | Purpose | Read by |", "|---|---|---|---|", ...lines].join("\n");
}
