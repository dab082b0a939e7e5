import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { localStackSettings } from "@parley/local-stack";
import { describeSettings } from "@parley/service-runtime";
import { expect, test } from "vitest";
import { configSchema as api } from "../../../../services/api/src/config.js";
import { configSchema as automod } from "../../../../services/automod/src/config.js";
import { configSchema as discord } from "../../../../services/discord/src/config.js";
import { configSchema as gateway } from "../../../../services/gateway/src/config.js";
import { edgeStatusConfigSchema as edgeStatus } from "../../../../services/monitors/src/edge-status/config.js";
import { probeConfigSchema as probe } from "../../../../services/monitors/src/probe/config.js";
import { configSchema as dispatcher } from "../../../../services/webhook-dispatcher/src/config.js";

const file = join(import.meta.dirname, "..", "..", "..", "..", "docs", "settings.md");

test("the document of the settings has those that the schemas describe", async () => {
  const written = await readFile(file, "utf8");
  const expected = written.replace(
    /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/,
    (_, start: string, end: string) => `${start}${settingsTable()}\n${end}`,
  );
  if (process.env.UPDATE_SETTINGS === "1") await writeFile(file, expected);
  else expect(written).toBe(expected);
});

function settingsTable(): string {
  const schemas = {
    api,
    gateway,
    automod,
    "webhook-dispatcher": dispatcher,
    discord,
    probe,
    "edge-status": edgeStatus,
    "npm start": localStackSettings,
  };
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
