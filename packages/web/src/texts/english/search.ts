import { counted } from "./counted.js";

/** Texts of the search and the quick switcher. */
export const search = {
  title: "Search",
  query: "Search for",
  channel: "Channel",
  everywhere: "All channels",
  found: (total: number) => counted(total, "message"),
  none: "No messages match. Try fewer or other words.",
  hint: "At least two characters. Finds messages that contain all of the words.",
  more: "More results",
  author: "Deleted account",
  in: (channel: string, time: string) => `#${channel} · ${time}`,
  switcher: "Go to",
  switcherHint: "Find a channel, server or person",
  switcherNone: "Nothing with that name.",
  notification: (author: string, channel: string) => `${author} in #${channel}`,
} as const;
