import type { Texts } from "../catalogue.js";

/** Texts of voice channels. */
export const voice: Texts["voice"] = {
  join: "Beitreten",
  joining: "Verbinden",
  leave: "Auflegen",
  mute: "Mikrofon aus",
  unmute: "Mikrofon an",
  deafen: "Ton aus",
  undeafen: "Ton an",
  camera: "Kamera an",
  cameraOff: "Kamera aus",
  screen: "Bildschirm teilen",
  screenOff: "Nicht mehr teilen",
  goLive: "Live gehen",
  live: "Live",
  liveBy: (name) => `${name} ist live`,
  connected: (channel) => `In ${channel}`,
  panel: "Anruf",
  participants: "Teilnehmende",
  nobody: "Noch niemand hier. Tritt bei, dann sehen dich die anderen in der Kanalliste.",
  noMicrophone: "Niemand kann dich hören: Parley hat keinen Zugriff auf ein Mikrofon.",
  muted: "Mikrofon aus",
  deafened: "Ton aus",
  screenOf: (name) => `Bildschirm von ${name}`,
  cameraOf: (name) => `Kamera von ${name}`,
  ended: "Der Anruf ist beendet.",
};
