import { counted } from "./counted.js";

/** Conversations of several. */
export const groups = {
  create: "New group",
  name: "Name of the group",
  nameHint: "You can leave this empty: the group is then called after its people.",
  find: "Find people",
  findHint: "Your friends, people you talk to, and people in your servers.",
  people: "People to choose",
  chosen: (count: number, max: number) => `${counted(count, "person", "people")} chosen, ${max} at most.`,
  nobody: "Nobody was found.",
  start: "Start the group",
  count: (count: number) => counted(count, "person", "people"),
  open: "People and settings of the group",
  title: "Group",
  members: "In this group",
  owner: "Owner",
  you: (name: string) => `${name} (you)`,
  add: "Add people",
  full: "Ten people are in the group, which is as many as fit.",
  remove: (name: string) => `Remove ${name} from the group`,
  removeShort: "Remove",
  saved: "The name has been changed.",
  leave: "Leave the group",
  leaveTitle: (name: string) => `Leave ${name}?`,
  leaveExplanation:
    "You can no longer read it. Whoever is in it can add you again. The last one who leaves deletes it.",
  alone: "Only you",
} as const;
