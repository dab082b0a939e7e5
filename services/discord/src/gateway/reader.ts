import type { GuildReader } from "./guilds.js";
import type { Remembered } from "./remembered.js";
import type { Shard } from "./shard.js";
import type { Sight } from "./sight.js";

/** For whom events are translated. */
export interface Reader extends GuildReader {
  readonly shard: Shard;
  readonly sight: Sight;
  readonly remembered: Remembered;
  /** Address of the installation for the reader, without a slash at its end. */
  readonly origin: string;
}
