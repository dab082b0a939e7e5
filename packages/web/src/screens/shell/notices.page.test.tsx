import { expect, onTestFinished, test } from "vitest";
import { composer } from "../../page-stage/conversation.js";
import { channelPath, community, directChannel, message, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

/** Puts the page in the background, on a device that shows notices. @returns the texts of those that are shown */
function inBackground(): string[] {
  const told: string[] = [];
  const { Notification: real } = window;
  class Shown {
    static permission = "granted";
    constructor(_title: string, { body = "" }: NotificationOptions) {
      told.push(body);
    }
  }
  Object.defineProperty(window, "Notification", { value: Shown, configurable: true, writable: true });
  Object.defineProperty(document, "visibilityState", { get: () => "hidden", configurable: true });
  localStorage.setItem("parley.notifications", "on");
  onTestFinished(() => {
    Object.defineProperty(window, "Notification", { value: real, configurable: true, writable: true });
    Reflect.deleteProperty(document, "visibilityState");
  });
  return told;
}

test("a user who is not to be disturbed gets no notice, and notices have no text where contents are kept out", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const direct = directChannel(ada);
  const there = world(ben, [club]);
  there.directChannels = [direct];
  const stage = await visit(there, { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
  const told = inBackground();
  const say = (content: string) => stage.arrives(message(general, ada, content, { mention_user_ids: [ben.id] }));
  const status = (status: "dnd" | "online") => {
    const event = { user_id: ben.id, status, custom_status: null, activity: null };
    stage.socket.event("PRESENCE_UPDATE", event);
  };
  status("dnd");
  say("Not now");
  status("online");
  say("Now");
  await expect.poll(() => told).toEqual(["Now"]);
  const push = { enabled: true, content: false };
  stage.socket.event("NOTIFICATIONS_UPDATE", { ...there.notifications, push });
  say("Secret");
  await expect.poll(() => told).toEqual(["Now", ""]);
});
