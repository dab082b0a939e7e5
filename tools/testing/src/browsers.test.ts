import { createServer, type Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChromium } from "./chromium.js";
import { startFirefox } from "./firefox.js";

let chromium: Browser;
let firefox: Browser;
let site: Server;
let address: string;

beforeAll(async () => {
  // A page from 127.0.0.1 may use camera and microphone; about:blank may not.
  site = createServer((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html>"));
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const bound = site.address();
  if (bound === null || typeof bound === "string") throw new Error("The site has no port");
  address = `http://127.0.0.1:${bound.port}`;
  [chromium, firefox] = await Promise.all([startChromium({ fakeMedia: true }), startFirefox()]);
});
afterAll(async () => {
  await chromium?.close();
  await firefox?.close();
  site?.close();
});

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(`
    globalThis.peer = new RTCPeerConnection();
    globalThis.describe = async () => {
      const complete = new Promise((resolve) => {
        peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && resolve();
      });
      await peer.setLocalDescription();
      await complete;
      return JSON.stringify(peer.localDescription);
    };
  `);
  return page;
}

test("Chromium calls Firefox with the synthetic camera and microphone, and shows a screen", async () => {
  const caller = await openPage(chromium);
  const listener = await openPage(firefox);
  const offer = await caller.evaluate(`(async () => {
    const camera = await navigator.mediaDevices.getUserMedia({ audio: true, video: true });
    const screen = await navigator.mediaDevices.getDisplayMedia({ video: true, preferCurrentTab: true });
    for (const track of [...camera.getTracks(), ...screen.getTracks()]) peer.addTrack(track, camera);
    return await describe();
  })()`);
  const answer = await listener.evaluate(`(async () => {
    globalThis.received = new Set();
    peer.ontrack = ({ track }) => track.onunmute = () => received.add(track.id);
    await peer.setRemoteDescription(${offer});
    return await describe();
  })()`);
  await caller.evaluate(`peer.setRemoteDescription(${answer})`);
  await listener.waitForFunction("received.size === 3");
  expect(await listener.evaluate("peer.connectionState")).toBe("connected");
});
