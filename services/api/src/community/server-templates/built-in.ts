import type { ServerTemplate } from "@parley/contracts";

type TemplateChannel = ServerTemplate["channels"][number];
type Group = readonly [category: string | null, ...names: readonly string[]];

/** Channels in display order: text channels, then voice channels, each group under its category. */
function channelsOf({ text, voice }: { text: readonly Group[]; voice: readonly Group[] }): TemplateChannel[] {
  const ofType = (type: TemplateChannel["type"], groups: readonly Group[]) =>
    groups.flatMap(([category, ...names]) => names.map((name) => ({ name, type, category })));
  return [...ofType("text", text), ...ofType("voice", voice)].map((channel, position) => ({ ...channel, position }));
}

const builtIn = (template: Omit<ServerTemplate, "is_builtin" | "created_at">): ServerTemplate => ({
  ...template,
  is_builtin: true,
  created_at: "2026-01-24T00:00:00.000Z",
});

/** The templates of every instance (docs/protocol/communities.md#18.3). Their ids never change: clients may remember them. */
export const builtInTemplates: readonly ServerTemplate[] = [
  builtIn({
    id: "019bed49-f800-7000-8000-000000000001",
    name: "Gaming",
    description: "For players who meet in voice channels: looking for a group, clips, and rooms for parties.",
    category: "gaming",
    channels: channelsOf({
      text: [
        ["Information", "welcome", "rules", "announcements"],
        ["Lounge", "general", "looking-for-group", "clips-and-highlights", "off-topic"],
      ],
      voice: [["Voice", "Lobby", "Party 1", "Party 2", "Away"]],
    }),
  }),
  builtIn({
    id: "019bed49-f800-7000-8000-000000000002",
    name: "Esports team",
    description: "For a team that trains and competes: schedule, tactics, reviews, and a room for match days.",
    category: "gaming",
    channels: channelsOf({
      text: [
        ["Team", "announcements", "schedule", "general"],
        ["Practice", "tactics", "match-reviews", "scrims"],
        ["Fans", "match-day", "fan-chat"],
      ],
      voice: [["Voice", "Team", "Coaching", "Match day"]],
    }),
  }),
  builtIn({
    id: "019bed49-f800-7000-8000-000000000003",
    name: "Community",
    description: "For a large public community: welcome, rules and news first, then room for every kind of talk.",
    category: "community",
    channels: channelsOf({
      text: [
        ["Start here", "welcome", "rules", "announcements", "introductions"],
        ["Talk", "general", "questions", "show-and-tell", "off-topic"],
        ["About this server", "feedback", "events"],
      ],
      voice: [["Voice", "Lounge", "Stage"]],
    }),
  }),
  builtIn({
    id: "019bed49-f800-7000-8000-000000000004",
    name: "Open source project",
    description: "For the people around a project: releases, help, development, and a room for meetings.",
    category: "community",
    channels: channelsOf({
      text: [
        ["Project", "announcements", "releases", "roadmap"],
        ["Users", "general", "help", "showcase"],
        ["Contributors", "development", "reviews", "documentation"],
      ],
      voice: [["Voice", "Meeting", "Pair programming"]],
    }),
  }),
  builtIn({
    id: "019bed49-f800-7000-8000-000000000005",
    name: "Study group",
    description: "For a class or a course: homework, notes and exams, and quiet rooms to study together.",
    category: "study",
    channels: channelsOf({
      text: [
        ["Information", "announcements", "timetable", "resources"],
        ["Study", "general", "homework-help", "notes", "exam-preparation"],
        ["Break", "off-topic"],
      ],
      voice: [["Voice", "Study room 1", "Study room 2", "Silent room", "Break"]],
    }),
  }),
  builtIn({
    id: "019bed49-f800-7000-8000-000000000006",
    name: "Friends",
    description: "For a few people who know each other: one channel to talk, one for pictures, one to call.",
    category: "custom",
    channels: channelsOf({
      text: [[null, "general", "plans", "pictures"]],
      voice: [[null, "Hangout"]],
    }),
  }),
];
