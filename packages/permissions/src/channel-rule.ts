import { permissionBits } from "@parley/contracts";

const view = permissionBits.VIEW_CHANNEL;

/**
 * SQL for the view rule of a channel, as text, which costs a fraction of arrays and JSON to write and to read. Parts
 * are separated by blanks: R or r for a role that an override allows or denies VIEW_CHANNEL, U or u for a user, then
 * the id; E or e for the everyone role; b where the everyone role of the server lacks the bit, so that other roles
 * decide. Null where the everyone role has it and no override takes it away, so that every member may view the channel.
 *
 * @param sql expressions of the channel's id and of `everyone_permissions` of its server
 */
export const channelRuleOf = ({ channel, everyone }: { channel: string; everyone: string }) => `(
    SELECT concat_ws(' ', CASE WHEN ${everyone} & ${view} = 0 THEN 'b' END, string_agg(concat_ws(' ',
      CASE WHEN o.allow & ${view} <> 0 THEN coalesce('R' || o.role_id, 'U' || o.user_id, 'E') END,
      CASE WHEN o.deny & ${view} <> 0 THEN coalesce('r' || o.role_id, 'u' || o.user_id, 'e') END), ' '))
    FROM channel_overrides o
    WHERE o.channel_id = ${channel} AND (o.allow | o.deny) & ${view} <> 0
    HAVING bool_or(o.deny & ${view} <> 0) OR ${everyone} & ${view} = 0)`;
