import { comparable } from "@parley/testing/archives";
import { describe, expect, test } from "vitest";
import { readSample } from "../read-sample-fixture.js";

const { golden, summary } = await readSample("parley");
const { messageWith, records } = summary;
const person = (username: string) =>
  records.find((record) => record.kind === "person" && record.username === username) as { id: string } | undefined;

describe("the sample of section 18", () => {
  test("the sample of Parley becomes what its golden file says", () => {
    // The archive has no name of this person.
    const people = golden.people.map((each) => ({ ...each, name: each.name ?? "user" }));
    expect(comparable(summary.figures)).toEqual(comparable({ ...golden, people }));
  });

  test("a member is a person of the account name, with the nickname as display name", () => {
    expect(person("Celia_Nunes")).toMatchObject({ name: "Cé", isBot: false, deleted: false });
    expect(person("gate-keeper-1a2b")).toMatchObject({ isBot: true });
  });

  test("roles keep their permissions, and people their roles", () => {
    const roles = records.filter((record) => record.kind === "role");
    expect(roles.map(({ name, permissions }) => [name, permissions])).toEqual([
      ["Guests", "0"],
      ["Keyholders", "132"],
      ["Coordinators", "8192"],
    ]);
    expect(person("Ada_Lind")).toMatchObject({ roles: [roles[2]?.id] });
  });

  test("an author of nobody's becomes a person named user, and no author stays none", () => {
    const stranger = records.filter((record) => record.kind === "person" && record.deleted);
    expect(stranger).toMatchObject([{ username: "user", name: "user" }]);
    expect([...summary.messages.values()].filter(({ author }) => author === null)).toHaveLength(1);
  });

  test("a poll keeps its options, and votes without people are counted", () => {
    expect(messageWith("Poll: Tea?").poll).toEqual({
      question: "Tea?",
      options: [
        { text: "yes", voters: [] },
        { text: "no", voters: [] },
      ],
      multiple: false,
      closesAt: null,
      namelessVotes: 3,
    });
  });

  test("a scheduled event, an embed, a pin and @everyone come along", () => {
    expect(messageWith("Seed swap").event).toEqual({
      name: "Seed swap",
      description: null,
      startsAt: Date.parse("2024-01-19T20:48:13.549Z"),
      endsAt: null,
      location: null,
      createdAt: expect.any(Number),
    });
    expect(messageWith("Gate opened").embeds).toMatchObject([{ title: "Gate", description: "Opened", fields: [] }]);
    const pinned = { at: Date.parse("2024-01-09T10:49:28.549Z"), by: person("Ada_Lind")?.id };
    expect(messageWith("pinned by hand").pinned).toEqual(pinned);
    expect(messageWith("@everyone come").text).toEqual([{ everyone: "everyone" }, " come"]);
  });

  test("a mention is the person of its id", () => {
    const { text } = messageWith("has to wait until the frost is over. Let me know before noon. (0)");
    expect(text[0]).toEqual({ person: person("Dev_Rasmusen")?.id });
  });
});
