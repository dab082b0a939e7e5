import type { Texts } from "../catalogue.js";
import { isolated } from "./isolated.js";

/** Texts of voice channels. */
export const voice: Texts["voice"] = {
  join: "انضمام",
  joining: "جارٍ الانضمام",
  leave: "مغادرة المكالمة",
  mute: "كتم الميكروفون",
  unmute: "تشغيل الميكروفون",
  deafen: "إيقاف الصوت",
  undeafen: "تشغيل الصوت",
  camera: "تشغيل الكاميرا",
  cameraOff: "إيقاف الكاميرا",
  screen: "مشاركة الشاشة",
  screenOff: "إيقاف المشاركة",
  goLive: "بدء البث",
  live: "مباشر",
  liveBy: (name) => `${isolated(name)} في بث مباشر`,
  connected: (channel) => `في ${isolated(channel)}`,
  panel: "المكالمة",
  participants: "المشاركون",
  nobody: "لا أحد هنا بعد. انضم وسيراك الآخرون في قائمة القنوات.",
  noMicrophone: "لا أحد يسمعك: لا يملك Parley إذن الوصول إلى ميكروفون.",
  muted: "الميكروفون مكتوم",
  deafened: "الصوت متوقف",
  screenOf: (name) => `شاشة ${isolated(name)}`,
  cameraOf: (name) => `كاميرا ${isolated(name)}`,
  ended: "انتهت المكالمة.",
};
