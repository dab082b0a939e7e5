const prefix = "parley.last.";

/** The channel that was open last in a server, over visits. */
export const lastChannel = (serverId: string): string | null => localStorage.getItem(prefix + serverId);

/** Remembers the channel that is open in a server. */
export const keepLastChannel = (serverId: string, channelId: string): void =>
  localStorage.setItem(prefix + serverId, channelId);

/** The path that was open last. */
export const lastPath = (): string | null => localStorage.getItem(`${prefix}path`);

/** Remembers the path that is open. */
export const keepLastPath = (path: string): void => localStorage.setItem(`${prefix}path`, path);
