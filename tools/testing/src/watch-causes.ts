import { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { causesFile, runFolderSetting, undeclaredFile } from "./causes-files.js";

// Loaded into every service of a test stack: notes which operation caused which event, events that none declares, and
// events whose facts (packages/contracts/src/event-facts.ts) are not in their headers as the payload has them. The
// channels are those of packages/messaging/src/causes.ts.
const folder = process.env[runFolderSetting] ?? "";
/** The events that clients see for events between the services; null for none. */
const seenAs: Readonly<Record<string, string | null>> = {
  SERVER_JOINED: "SERVER_JOIN",
  SERVER_LEFT: "SERVER_LEAVE",
  SERVER_DELETED: "SERVER_LEAVE",
  SERVER_OWNER_CHANGED: null,
  SESSION_CLOSE: null,
  INTERACTION_PENDING: "INTERACTION_CREATE",
};

const underWay = new AsyncLocalStorage<{ name: string; causes: readonly string[] }>();
channel("parley:operations").bindStore(underWay);

const noted = new Set<string>();
channel("parley:events-published").subscribe((published) => {
  const operation = underWay.getStore();
  const event = seenAs[String(published)] === undefined ? String(published) : seenAs[String(published)];
  // An event without a declaration of its cause, such as the end of a connection, has no operation.
  if (operation === undefined || event === null) return;
  const line = `${operation.name} ${event}`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(join(folder, operation.causes.includes(String(event)) ? causesFile : undeclaredFile), `${line}\n`);
});

channel("parley:facts-received").subscribe((received) => {
  const { event, headers, payload } = { event: "", headers: null, payload: null, ...Object(received) };
  // Facts that the payload lacks are undefined in it.
  if (isDeepStrictEqual(headers, JSON.parse(JSON.stringify(payload)))) return;
  const difference = `in headers ${JSON.stringify(headers)}, in the payload ${JSON.stringify(payload)}`;
  appendFileSync(join(folder, undeclaredFile), `facts of ${event}: ${difference}\n`);
});
