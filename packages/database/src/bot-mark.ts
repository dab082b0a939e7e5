/**
 * SQL for the text of a user's JSON object that says `"is_bot":true` at its end for a bot, and nothing for others. The
 * look-up is scalar, so that no plan joins all bots.
 *
 * @param object SQL of the object, which is not empty
 * @param userId SQL of the user's id
 */
export function withBotMark(object: string, userId: string): string {
  return `concat(left((${object})::text, -1),
    (SELECT ',"is_bot":true' FROM bots b WHERE b.user_id = ${userId}), '}')`;
}
