import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A Lua script with a name for errors, its number of keys, and how its reply is read. */
export interface Script<T> {
  readonly name: string;
  /** Null for a script that takes any number of keys. */
  readonly keyCount: number | null;
  readonly lua: string;
  readonly sha: string;
  readonly reply: (raw: unknown) => T;
}

/**
 * Declares a Lua script; run it with `RedisConnection.run`.
 * @param definition.reply turns Redis' reply (numbers, strings, null, arrays of them) into the result; throws when the
 * reply breaks the script's promise
 */
export function defineScript<T>(definition: {
  name: string;
  keyCount: number | null;
  lua: string;
  reply: (raw: unknown) => T;
}): Script<T> {
  return { ...definition, sha: createHash("sha1").update(definition.lua).digest("hex") };
}

/**
 * Reads the text of a script, once, when its module is loaded.
 *
 * @param folder the folder `lua` of a package, which lies beside `src` and `dist`, so nothing is copied by the build
 * @param names of its files, without `.lua`, in the order in which they follow each other
 */
export function readLua(folder: URL, ...names: readonly string[]): string {
  return names.map((name) => readFileSync(new URL(`${name}.lua`, folder), "utf8")).join("\n");
}
