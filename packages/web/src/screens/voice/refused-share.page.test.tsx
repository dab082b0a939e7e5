import type { VoiceState } from "@parley/client";
import { errorTexts } from "@parley/contracts";
import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { refuse } from "../../page-stage/fake-server.js";
import { channel, channelPath, community, madeAt, type Person, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const inVoice = (place: { id: string }, person: Person): VoiceState => ({
  user_id: person.id,
  username: person.username,
  channel_id: place.id,
  joined_at: madeAt,
  self_mute: true,
  self_deaf: false,
  self_video: false,
  self_screen: false,
  server_mute: false,
  server_deaf: false,
});

/** A computer without a microphone whose person always picks the same screen. */
function offersScreen(): MediaStreamTrack[] {
  const picked: MediaStreamTrack[] = [];
  const { mediaDevices } = navigator;
  vi.spyOn(mediaDevices, "getUserMedia").mockRejectedValue(new DOMException("", "NotFoundError"));
  vi.spyOn(mediaDevices, "getDisplayMedia").mockImplementation(async () => {
    const canvas = document.createElement("canvas");
    canvas.getContext("2d");
    const stream = canvas.captureStream();
    picked.push(...stream.getTracks());
    return stream;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return picked;
}

test("a user who may not go live shares nothing, and the refusal goes with the broadcast that was its reason", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const lounge = channel(club.server, "lounge", { type: "voice" });
  club.channels.push(lounge);
  const live = { channel_id: lounge.id, broadcaster_id: ben.id, quality: "720p" as const, started_at: madeAt };
  const picked = offersScreen();
  const stage = await visit(world(ada, [club]), {
    path: channelPath(lounge),
    prepare: (server) => {
      server.on("GET /ice-servers", () => ({ iceServers: [], ttl: 60 }));
      server.on("GET /channels/:id/voice", () => [inVoice(lounge, ben)]);
      server.on("GET /channels/:id/go-live", () => live);
      server.on("POST /channels/:id/voice", () => {
        server.on("GET /channels/:id/voice", () => [inVoice(lounge, ben), inVoice(lounge, ada)]);
        return inVoice(lounge, ada);
      });
      server.on<Partial<VoiceState>>("PATCH /channels/:id/voice", ({ body }) => ({ ...inVoice(lounge, ada), ...body }));
      server.on("DELETE /channels/:id/voice", () => undefined);
      server.on("POST /channels/:id/go-live", () => refuse(400, errorTexts.go_live_taken));
    },
  });
  const main = page.getByRole("main");
  const goLive = main.getByRole("button", { name: "Go live" });
  const refusal = page.getByRole("alert").filter({ hasText: "already broadcasting" });
  await page.getByRole("button", { name: /^Join/ }).first().click();
  await goLive.click();
  await shown(refusal.first());
  expect(picked.map(({ readyState }) => readyState)).toEqual(["ended"]);
  expect(stage.server.requests<object>("PATCH /channels/:id/voice").map(({ body }) => body)).toEqual([
    { self_mute: true },
  ]);
  stage.socket.event("GO_LIVE_STOP", { channel_id: lounge.id, broadcaster_id: ben.id });
  await gone(refusal);
  await goLive.click();
  await shown(refusal.first());
  await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: general.name }).click();
  await gone(refusal);
});
