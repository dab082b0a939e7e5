import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { localStackSettings } from "@parley/local-stack";
import { describeSettings } from "@parley/service-runtime";
import { startStack } from "@parley/testing";
import { expect, test } from "vitest";
import { configSchema as api } from "../../../../services/api/src/config.js";
import { configSchema as automod } from "../../../../services/automod/src/config.js";
import { configSchema as gateway } from "../../../../services/gateway/src/config.js";
import { configSchema as dispatcher } from "../../../../services/webhook-dispatcher/src/config.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const file = join(root, "README.md");

test("the tour works when pasted as it is", async () => {
  const stack = await startStack({ apis: 2, gateways: 2 });
  try {
    const readme = await readFile(file, "utf8");
    const [, tour = ""] = /<!-- tour -->\n```bash\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(tour).toContain("BASE=http://localhost:8080\n");
    const script = tour.replace("http://localhost:8080", stack.edgeUrl);
    const { stdout } = await promisify(execFile)("bash", ["-eu", "-c", script], { cwd: root, timeout: 20_000 });
    expect(stdout).toContain("Joined server");
    expect(stdout).toContain("READY [ 'Chess club' ]");
    expect(stdout).toMatch(/MESSAGE_CREATE \{[\s\S]*content: 'hello, Bob'/);
  } finally {
    await stack.stop();
  }
}, 60_000);

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
