/**
 * SQL for the text of a user's JSON object with `display_name` at its end, where it is set. The look-up is scalar, so that no plan
 * joins all users.
 *
 * @param object SQL of the object, which is not empty
 * @param userId SQL of the user's id
 */
export const withDisplayName = (object: string, userId: string): string => withEnd(object, displayName(userId));

/** The same, behind which `"is_bot":true` stands for a bot. */
export function withUserMarks(object: string, userId: string): string {
  return withEnd(
    object,
    displayName(userId),
    `(SELECT ',"is_bot":true' FROM bots marked WHERE marked.user_id = ${userId})`,
  );
}

const displayName = (userId: string) =>
  `(SELECT ',"display_name":' || to_json(marked.display_name)::text FROM users marked WHERE marked.id = ${userId})`;

const withEnd = (object: string, ...ends: string[]) => `concat(left((${object})::text, -1), ${ends.join(", ")}, '}')`;
