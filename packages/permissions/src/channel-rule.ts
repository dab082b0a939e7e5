import { permissionBits } from "@parley/contracts";

const view = permissionBits.VIEW_CHANNEL;

/**
 * SQL for who may view a channel, as text, which costs a fraction of what arrays and JSON cost to write and to read: its
 * overrides that concern VIEW_CHANNEL, separated by blanks, each R or r for a role that is allowed or denied, U or u for
 * a user, then the id. Null where no override takes VIEW_CHANNEL away, so that every member may view it.
 *
 * @param channel expression of the channel's id
 */
export const channelRuleOf = (channel: string) => `(
    SELECT string_agg(concat_ws(' ',
      CASE WHEN o.allow & ${view} <> 0 THEN coalesce('R' || o.role_id, 'U' || o.user_id) END,
      CASE WHEN o.deny & ${view} <> 0 THEN coalesce('r' || o.role_id, 'u' || o.user_id) END), ' ')
    FROM channel_overrides o
    WHERE o.channel_id = ${channel} AND (o.allow | o.deny) & ${view} <> 0
    HAVING bool_or(o.deny & ${view} <> 0))`;
