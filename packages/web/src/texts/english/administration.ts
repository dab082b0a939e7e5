import { counted } from "./counted.js";

/** Texts of the administration of the instance. */
export const administration = {
  title: "Administration",
  statistics: {
    title: "Statistics",
    total_users: "Users",
    total_servers: "Servers",
    total_channels: "Channels",
    total_messages: "Messages",
    active_ws_connections: "Open connections",
    storage: "Files",
    latency: "Database latency",
    milliseconds: (value: string) => `${value} ms`,
    uptime: "Running for",
    hours: (value: string) => `${value} h`,
    minutes: (value: string) => `${value} min`,
  },
  users: {
    title: "Users",
    search: "Search by name",
    sort: "Sort by",
    byCreation: "Newest first",
    byName: "Name",
    byMessages: "Most messages",
    found: (total: string) => counted(total, "user"),
    detail: (servers: string, messages: string, since: string) =>
      `${counted(servers, "server")}, ${counted(messages, "message")}, registered ${since}`,
    administrator: "Administrator",
    disabled: "Disabled",
    promote: "Make administrator",
    promoteTitle: (name: string) => `Make ${name} an administrator?`,
    promoteExplanation:
      "Administrators see all accounts and servers of this installation, disable and delete them, and decide who may register.",
    demote: "Remove as administrator",
    demoteTitle: (name: string) => `Remove ${name} as administrator?`,
    demoteExplanation: "The account stays as it is, but can no longer open the administration of this installation.",
    disable: "Disable",
    disableTitle: (name: string) => `Disable ${name}?`,
    disableExplanation: "All sessions end at once, and nobody can log in with this account until it is enabled again.",
    enable: "Enable",
    delete: "Delete",
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteExplanation:
      "The messages stay without a name. Servers that the account owns must be deleted or handed over before. This cannot be undone.",
    reset: "Create a reset token",
    resetToken: "Reset token",
    resetTitle: (name: string) => `A new password for ${name}`,
    resetHint:
      "Whoever has it sets a new password for this account, on the page “I forgot my password”. It works once, for an hour.",
  },
  servers: {
    title: "Servers",
    search: "Search by name",
    found: (total: string) => counted(total, "server"),
    detail: (owner: string, members: string, messages: string) =>
      `Owner ${owner}, ${counted(members, "member")}, ${counted(messages, "message")}`,
    public: "Public",
    delete: "Delete",
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteExplanation: "All its channels, messages and files go. This cannot be undone.",
  },
  registration: {
    title: "Registration",
    mode: "Who may register",
    open: "Everybody",
    invite_only: "Only people with an invite code",
    closed: "Nobody",
    saved: "Saved.",
  },
  log: "Log",
  pages: {
    previous: "Previous page",
    next: "Next page",
    position: (page: number, of: number) => `Page ${page} of ${of}`,
  },
  nothing: "Nothing matches.",
} as const;
