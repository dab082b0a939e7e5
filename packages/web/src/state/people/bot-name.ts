/** The end of the names of bots' accounts, and of no others: names of people have no hyphens (docs/protocol/apps.md#12). */
const suffix = /-bot-[0-9a-f]{8}$/;

/** Whether an account is that of a bot. */
export const isBotName = (username: string): boolean => suffix.test(username);

/** The shown name of an account: for a bot without the end that makes it unique. */
export const shownName = (username: string): string => username.replace(suffix, "");
