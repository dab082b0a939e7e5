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
    uptime: "Running for",
  },
  users: {
    title: "Users",
    search: "Search by name",
    sort: "Sort by",
    byCreation: "Newest first",
    byName: "Name",
    byMessages: "Most messages",
    found: (total: number) => counted(total, "user"),
    detail: (servers: number, messages: number, since: string) =>
      `${counted(servers, "server")}, ${counted(messages, "message")}, registered ${since}`,
    own: "You",
    administrator: "Administrator",
    disabled: "Disabled",
    promote: "Make administrator",
    promoteTitle: (name: string) => `Make ${name} an administrator?`,
    promoteExplanation:
      "Administrators can see, disable and delete all accounts and servers here, and decide who can register.",
    demote: "Remove as administrator",
    demoteTitle: (name: string) => `Remove ${name} as administrator?`,
    demoteExplanation: "The account stays as it is, but loses access to the administration.",
    disable: "Disable",
    disableTitle: (name: string) => `Disable ${name}?`,
    disableExplanation: "All its sessions end right away, and nobody can log in with it until you enable it again.",
    enable: "Enable",
    delete: "Delete",
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteExplanation:
      "Its messages stay, without a name. Servers it owns must be deleted or handed over first. This can’t be undone.",
    reset: "Create a reset code",
    resetToken: "Reset code",
    resetTitle: (name: string) => `A new password for ${name}`,
    resetHint:
      "Whoever has this code can set a new password for the account, under “Forgot your password?”. It works once, within an hour.",
  },
  servers: {
    title: "Servers",
    search: "Search by name",
    found: (total: number) => counted(total, "server"),
    detail: (owner: string, members: number, messages: number) =>
      `Owned by ${owner}, ${counted(members, "member")}, ${counted(messages, "message")}`,
    public: "Public",
    delete: "Delete",
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteExplanation: "All its channels, messages and files are deleted. This can’t be undone.",
  },
  registration: {
    title: "Registration",
    mode: "Who can register",
    open: "Everyone",
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
