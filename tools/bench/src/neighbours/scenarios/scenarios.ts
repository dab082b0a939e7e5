import type { Scenario } from "../scenario.js";
import { automod } from "./automod.js";
import { bots } from "./bots.js";
import { channelDeletion } from "./channel-deletion.js";
import { directChannelLists } from "./direct-channel-lists.js";
import { edge } from "./edge.js";
import { frames } from "./frames.js";
import { invalidTokens } from "./invalid-tokens.js";
import { memberLists } from "./member-lists.js";
import { presence } from "./presence.js";
import { presenceSubscribes } from "./presence-subscribes.js";
import { ready } from "./ready.js";
import { replays } from "./replays.js";
import { roleChanges } from "./role-changes.js";
import { search } from "./search.js";
import { typing } from "./typing.js";
import { webhooks } from "./webhooks.js";

/** Every resource that tenants share; a new one is a file here and a line below. */
export const scenarios: readonly Scenario[] = [
  roleChanges,
  frames,
  typing,
  presence,
  presenceSubscribes,
  ready,
  replays,
  directChannelLists,
  memberLists,
  search,
  channelDeletion,
  bots,
  invalidTokens,
  edge,
  automod,
  webhooks,
];
