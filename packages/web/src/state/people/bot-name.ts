/** The end of the names of bots' accounts, and of no others: names of people have no hyphens (docs/protocol/apps.md#12). */
const suffix = /-bot-[0-9a-f]{8}$/;

/** Whether an account is that of a bot. */
export const isBotName = (username: string): boolean => suffix.test(username);

/** A person as lists name them. */
export interface Named {
  username: string;
  display_name?: string | undefined;
}

/** The name of an account outside of servers: the one that the user chose, otherwise {@link shownName}. */
export const personName = ({ username, display_name }: Named): string => display_name ?? shownName(username);

/** The username of an account as it is shown: for a bot without the end that makes it unique. */
export const shownName = (username: string): string => username.replace(suffix, "");
