import { counted } from "./counted.js";

/** Threads, and the list of them. */
export const threads = {
  title: "Threads",
  titleUnread: (count: number) => `Threads, ${counted(count, "unread one")}`,
  show: "Which threads",
  shows: { active: "Active", closed: "Closed", followed: "Followed" },
  serverWide: "In the whole server",
  none: {
    active: "No threads yet. Reply in a thread to start one.",
    closed: "No closed threads.",
    followed: "You don’t follow any threads here.",
  },
  more: "Older threads",
  actions: "Thread actions",
  rename: "Change the title",
  titleLabel: "Title",
  titleHint: "Everyone who sees the channel sees it. Leave it empty for none.",
  close: "Close the thread",
  reopen: "Open the thread again",
  isClosed: "closed",
  closed: "This thread is closed. You can read it, but not reply.",
  closedForYou: "This thread is closed. Moderators can still reply.",
} as const;
