import { counted } from "./counted.js";

/** The figures of a server. */
export const figures = {
  title: "Figures",
  explanation: "What happened here by days. They are up to an hour old, and none of them names a member.",
  span: "Days",
  plots: { members: "Members", coming: "Coming and going", activity: "Activity", messages: "Messages" },
  measures: {
    members: "Members",
    joins: "Joined",
    leaves: "Left",
    active_members: "Active",
    writers: "Wrote",
    messages: "Messages",
  },
  /** People of a day, on the busiest of them. */
  atMost: (count: string) => `up to ${count} a day`,
  table: "All figures as a table",
  day: "Day",
  channels: "Channels",
  noChannels: "Nothing was written in these days.",
  unknownChannel: "deleted channel",
  messagesOf: (count: number) => counted(count, "message"),
  writersOf: (count: number) => `${counted(count, "person", "people")} wrote`,
  invites: "Invites",
  noInvites: "Nobody joined by an invite in these days.",
  joinsOf: (count: number) => `${counted(count, "person", "people")} joined`,
  stillOf: (count: number) => `${counted(count, "person", "people")} stayed`,
  file: "For a spreadsheet",
  fileHint: "The figures of these days as CSV.",
  download: "Save as CSV",
  timeZone: "Time zone",
  timeZoneHint: "Days begin at midnight of this zone. Days that are over keep theirs.",
};
