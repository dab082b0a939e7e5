import type { Logger } from "@parley/service-runtime";

/**
 * Runs a deletion, and ends the voice states of its channels twice: before it, so that the leave events come first, and
 * after the commit, for users who joined in between. Without Redis the deletion is still made; remaining states end
 * with the user's next join or last connection.
 *
 * @param clear ends the voice states
 * @param remove the transaction that deletes
 */
export async function withVoiceCleanup<T>(
  logger: Logger,
  clear: () => Promise<void>,
  remove: () => Promise<T>,
): Promise<T> {
  const attempt = () =>
    clear().catch((error: unknown) => logger.warn({ err: error }, "voice states of a deleted channel were not ended"));
  await attempt();
  const result = await remove();
  await attempt();
  return result;
}
