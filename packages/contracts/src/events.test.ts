import { describe, expect, test } from "vitest";
import { events, findEvent, isEventName } from "./events.js";
import { createEvent, routingHeaders } from "./outgoing-event.js";
import { liveSubjectOf, parseSubject, type SubjectScope, subjects } from "./subjects.js";

describe("subjects", () => {
  const scopes: SubjectScope[] = [
    { kind: "server", serverId: "s", channelId: "c" },
    { kind: "server", serverId: "s", channelId: null },
    { kind: "user", userId: "u" },
    { kind: "comembers", userId: "u" },
  ];

  test.each(scopes)("a subject says again where it belongs: %j", (scope) => {
    for (const address of [subjects.stored, subjects.live]) {
      expect(parseSubject(address(scope, "messages", "MESSAGE_CREATE"))).toEqual({
        scope,
        resource: "messages",
        event: "MESSAGE_CREATE",
      });
    }
  });

  test("a stored subject has the live form under which gateways subscribe", () => {
    const scope: SubjectScope = { kind: "server", serverId: "s", channelId: "c" };
    expect(liveSubjectOf(subjects.stored(scope, "pins", "MESSAGE_PIN"))).toBe(
      subjects.live(scope, "pins", "MESSAGE_PIN"),
    );
    expect(subjects.live(scope, "pins", "MESSAGE_PIN").startsWith(subjects.liveServer("s").replace(">", ""))).toBe(
      true,
    );
  });

  test.each(["live", "live.server.s.c.messages", "live.user.u.messages", "live.other.u.a.B"])(
    "the subject %j is not recognised",
    (subject) => {
      expect(parseSubject(subject)).toBeNull();
    },
  );
});

describe("events", () => {
  test("the body of a client's event is the finished frame", () => {
    const payload = { server_id: "s", role_id: "r" };
    const event = createEvent("ROLE_DELETE", { server_id: "s" }, payload);
    expect(JSON.parse(event.body)).toEqual({ op: "DISPATCH", t: "ROLE_DELETE", d: payload });
    expect(event.subject).toBe("events.server.s._.roles.ROLE_DELETE");
  });

  test("the body of an internal event is its bare payload", () => {
    const payload = { server_id: "s", user_id: "u" };
    const event = createEvent("SERVER_JOINED", { user_id: "u" }, payload);
    expect(JSON.parse(event.body)).toEqual(payload);
    expect(event.subject).toBe("events.user.u.servers.SERVER_JOINED");
  });

  test("ephemeral events go straight to the gateways, presence with the servers concerned", () => {
    const payload = { user_id: "u", status: "online", custom_status: null, activity: null } as const;
    const event = createEvent("PRESENCE_UPDATE", { user_id: "u", server_ids: ["a", "b"] }, payload);
    expect(event.subject).toBe("live.comembers.u.presence.PRESENCE_UPDATE");
    expect(event.headers[routingHeaders.servers]).toBe("a,b");
  });

  test("routing headers carry the facts that the subject lacks", () => {
    const event = createEvent(
      "MESSAGE_DELETE",
      { server_id: "s", channel_id: "c" },
      { id: "m", channel_id: "c" },
      {
        poll_id: "p",
        except_viewers_of: "d",
      },
    );
    expect(event.headers).toEqual({ [routingHeaders.poll]: "p", [routingHeaders.exceptViewersOf]: "d" });
  });

  test("an event is found by its name, and nothing that is on a prototype", () => {
    expect(isEventName("TYPING_STOP")).toBe(false);
    expect(isEventName("toString")).toBe(false);
    expect(findEvent("constructor")).toBeNull();
    expect(findEvent("MESSAGE_CREATE")).toBe(events.MESSAGE_CREATE);
  });
});
