import type { Texts } from "../catalogue.js";

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
  liveBy: (name) => `${name} في بث مباشر`,
  connected: (channel) => `في ${channel}`,
  panel: "المكالمة",
  participants: "المشاركون",
  nobody: "لا أحد هنا بعد. انضم وسيراك الآخرون في قائمة القنوات.",
  noMicrophone: "لا أحد يسمعك: لا يملك Parley إذن الوصول إلى ميكروفون.",
  muted: "الميكروفون مكتوم",
  deafened: "الصوت متوقف",
  screenOf: (name) => `شاشة ${name}`,
  cameraOf: (name) => `كاميرا ${name}`,
  ended: "انتهت المكالمة.",
};
