import type { Membership } from "@parley/moderation";

/** SQL of {@link keyOfMember} for the rows of a table with `server_id` and `user_id`. */
export const memberKey = (alias: string) => `${alias}.server_id::text || ' ' || ${alias}.user_id::text`;

/** Names a row of a user in a server. */
export const keyOfMember = ({ serverId, userId }: Membership) => `${serverId} ${userId}`;
