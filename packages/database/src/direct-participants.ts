/**
 * SQL: the ids of the participants of a channel of direct messages, as an array: a pair, or a group's members in the
 * order in which they came (docs/protocol/conversations.md#28.2).
 *
 * @param channel alias of a row of dm_channels; not `person`
 */
export const directParticipants = (channel: string) =>
  `CASE WHEN ${channel}.user_low IS NULL THEN ARRAY(
      SELECT person.user_id FROM dm_group_members person WHERE person.channel_id = ${channel}.id ORDER BY person.position)
    ELSE ARRAY[${channel}.user_low, ${channel}.user_high] END`;

/**
 * SQL: whether a user is in a channel of direct messages.
 *
 * @param channel as of {@link directParticipants}
 * @param user expression of the user's id
 */
export const isDirectParticipant = (channel: string, user: string) =>
  `(${user} IN (${channel}.user_low, ${channel}.user_high) OR EXISTS (
    SELECT FROM dm_group_members person WHERE person.channel_id = ${channel}.id AND person.user_id = ${user}))`;
