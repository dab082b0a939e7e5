import { defineScript, readLua } from "@parley/redis";

const folder = new URL("../lua/", import.meta.url);

const define = (name: string) =>
  defineScript({ name: `presence-${name}`, keyCount: 0, lua: readLua(folder, "prelude", name), reply: (raw) => raw });

/** The scripts of the folder `lua`; `prelude.lua` says what they keep in Redis. */
export const scripts = {
  renew: define("renew"),
  close: define("close"),
  register: define("register"),
  unregister: define("unregister"),
  reap: define("reap"),
  lapse: define("lapse"),
  endKept: define("end-kept"),
  audit: define("audit"),
  claimOverdue: define("claim-overdue"),
  transitions: define("transitions"),
  markSaved: define("mark-saved"),
  inspect: define("inspect"),
  count: define("count"),
} as const;
