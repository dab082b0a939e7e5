const prefix = "parley.last.";

/** The channel that was open last in a server, stored on this device. */
export const lastChannel = (serverId: string): string | null => localStorage.getItem(prefix + serverId);

/** Stores the open channel of a server. */
export const keepLastChannel = (serverId: string, channelId: string): void =>
  localStorage.setItem(prefix + serverId, channelId);

/** The path that was open last, stored on this device. */
export const lastPath = (): string | null => localStorage.getItem(`${prefix}path`);

/** Stores the open path. */
export const keepLastPath = (path: string): void => localStorage.setItem(`${prefix}path`, path);
