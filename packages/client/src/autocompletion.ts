import type { ParleyClient } from "./client.js";
import type { Member, NewInteraction, PublicProfile } from "./generated/index.js";

/** What somebody asks of a bot, and who asks. Its functions can be taken out of it: `({ reply }) => reply("Hello")`. */
export interface Interaction {
  /** For requests in the name of the bot. */
  readonly client: ParleyClient;
  /** As the server sent it. */
  readonly raw: NewInteraction;
  /** The server where it was asked. */
  readonly serverId: string;
  /** The channel where it was asked. */
  readonly channelId: string;
  /** Who asks. */
  readonly user: PublicProfile;
  /** Their membership in the server. */
  readonly member: Member;
  /** Bits of `Permission` that they have in the channel. */
  readonly permissions: number;
  /** The language that they read, such as `de`; null when it is not known. */
  readonly locale: string | null;
}

/** A command whose option is being typed. */
export interface Autocompletion extends Interaction {
  /** Name of the command. */
  readonly name: string;
  /** The values so far, none of which is checked. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
}
