import { counted } from "./counted.js";

/** Texts of the search and the quick switcher. */
export const search = {
  title: "Search",
  query: "Words",
  channel: "Channel",
  everywhere: "All channels",
  found: (total: string) => counted(total, "message"),
  none: "No message has all of these words.",
  hint: "At least two characters. All words must be in the message.",
  more: "More results",
  author: "A deleted account",
  in: (channel: string, time: string) => `#${channel} · ${time}`,
  switcher: "Go to",
  switcherHint: "Channel, server or person",
  switcherNone: "Nothing has that name.",
  notification: (author: string, channel: string) => `${author} in #${channel}`,
} as const;
