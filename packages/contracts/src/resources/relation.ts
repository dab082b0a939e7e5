import { z } from "zod";
import { PublicProfile } from "./user.js";

/** Whom the caller has blocked (docs/protocol/conversations.md#28.3), by name. */
export const BlockList = z.object({ blocks: z.array(PublicProfile) }).meta({ id: "BlockList" });
export type BlockList = z.infer<typeof BlockList>;

/** The caller's friends and the requests for friendship that wait (docs/protocol/conversations.md#28.3), each by name. */
export const FriendList = z
  .object({
    friends: z.array(PublicProfile),
    incoming: z.array(PublicProfile).meta({ description: "Who asks the caller" }),
    outgoing: z.array(PublicProfile).meta({ description: "Whom the caller has asked" }),
  })
  .meta({ id: "FriendList" });
export type FriendList = z.infer<typeof FriendList>;

/** The state of two accounts' friendship, from the view of one. */
export const FriendState = z.enum(["incoming", "outgoing", "friends", "none"]).meta({ id: "FriendState" });
export type FriendState = z.infer<typeof FriendState>;

/** Payload of FRIEND_UPDATE: the new state of the account's friendship with `user`. */
export const FriendChange = z.object({ user: PublicProfile, state: FriendState });
/** Payload of BLOCK_UPDATE: whether the account has blocked `user` now. */
export const BlockChange = z.object({ user: PublicProfile, blocked: z.boolean() });
