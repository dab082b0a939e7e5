import { defineScript, readLua } from "@parley/redis";
import { unsaidMax } from "./limits.js";

const folder = new URL("../lua/", import.meta.url);

const define = (name: string) =>
  defineScript({
    name: `voice-${name}`,
    keyCount: 0,
    lua: `local unsaidMax = ${unsaidMax}\n${readLua(folder, "prelude", name)}`,
    reply: (raw) => raw,
  });

/**
 * The scripts of the folder `lua`; `prelude.lua` describes the keys that they use in Redis. Those that change something
 * return the changes as JSON texts; none when there was nothing to change.
 */
export const scripts = {
  join: define("join"),
  update: define("update"),
  leave: define("leave"),
  clearChannel: define("clear-channel"),
  clearServer: define("clear-server"),
  list: define("list"),
  listServer: define("list-server"),
  dueChecks: define("due-checks"),
  read: define("read"),
  share: define("share"),
  startGoLive: define("start-go-live"),
  readGoLive: define("read-go-live"),
  stopGoLive: define("stop-go-live"),
  settle: define("settle"),
  unsaid: define("unsaid"),
  lost: define("lost"),
} as const;

/** Key of what a change is about, for the script `settle`. */
export const subjectKey = {
  voice: (userId: string) => `voice:user:${userId}`,
  go_live: (channelId: string) => `go-live:${channelId}`,
} as const;
