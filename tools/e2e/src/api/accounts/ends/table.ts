/** Events that end an account's stay, or part of it. */
export const ends = [
  "new password",
  "reset by token",
  "second factor on",
  "second factor off",
  "disabled",
  "account deleted",
  "kicked",
  "banned",
  "left",
  "channel deleted",
  "server deleted",
] as const;
export type End = (typeof ends)[number];

/** Why something stays. */
export const reasons = {
  shown: "who asked for it has just shown the password, and keeps the sessions that are there",
  chosen: "its owner has set it, and a changed password says nothing against it; the page lists it",
  place: "it is the account's, and not the server's",
  server: "it belongs to the server and not to its maker; those who manage the server remove it",
  bot: "a bot is an account of its own, which an administrator disables by itself",
  member: "the account is still a member, and may be answered",
  mailed: "it went to the owner's address, or through an administrator, and is the way back in",
  address: "it says whose address it is, or ends mails to it, and opens nothing",
  file: "the address is good for a day, for everyone who has seen the file",
} as const;
export type Reason = keyof typeof reasons;

/** `ends`; `rests`, so it is refused until the account is enabled again; or why it stays. */
export type Cell = "ends" | "rests" | Reason;

/** Cells in the order of {@link ends}. */
type Row = readonly [Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell];

const ofServer: readonly [Cell, Cell, Cell, Cell, Cell] = ["place", "place", "place", "place", "place"];

/** Credentials that let somebody in, or speak for somebody, beside the password. */
export const table = {
  "gateway connection": ["ends", "ends", "shown", "shown", "ends", "ends", ...ofServer],
  "access token": ["ends", "ends", "shown", "shown", "ends", "ends", ...ofServer],
  "refresh token": ["ends", "ends", "shown", "shown", "ends", "ends", ...ofServer],
  passkey: ["chosen", "ends", "chosen", "chosen", "rests", "ends", ...ofServer],
  "connection with the sign-in provider": ["chosen", "ends", "chosen", "chosen", "rests", "ends", ...ofServer],
  "device that gets pushes": ["ends", "ends", "shown", "shown", "ends", "ends", ...ofServer],
  "token that sets the password": ["ends", "ends", "mailed", "mailed", "ends", "ends", ...ofServer],
  "token that verifies the address": ["address", "address", "address", "address", "address", "ends", ...ofServer],
  "link that ends mails": ["address", "address", "address", "address", "address", "ends", ...ofServer],
  "token of a bot": ["bot", "ends", "bot", "bot", "bot", "ends", ...ofServer],
  "token of an interaction": [
    "member",
    "member",
    "member",
    "member",
    "member",
    "ends",
    "ends",
    "ends",
    "ends",
    "ends",
    "ends",
  ],
  "incoming webhook": [
    "server",
    "server",
    "server",
    "server",
    "server",
    "server",
    "server",
    "server",
    "server",
    "ends",
    "ends",
  ],
  "outgoing webhook": [
    "server",
    "server",
    "server",
    "server",
    "server",
    "server",
    "server",
    "server",
    "server",
    "server",
    "ends",
  ],
  "signed address of a file": ["file", "file", "file", "file", "file", "ends", "file", "file", "file", "ends", "ends"],
} as const satisfies Record<string, Row>;
export type Credential = keyof typeof table;
export const credentials = Object.keys(table).filter((name): name is Credential => name in table);

/** The same as Markdown. */
export function tableText(): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rows = credentials.map((credential) => line([credential, ...table[credential]]));
  const head = ["", ...ends];
  const why = Object.entries(reasons).map(([name, reason]) => line([name, reason]));
  return [line(head), line(head.map(() => "---")), ...rows, "", "| Stays | Because |", "|---|---|", ...why].join("\n");
}
