import { notificationsWanted } from "../../device/device-storage.js";

/** Whether this device shows notifications: wanted here, and allowed by the browser. */
export function areNotificationsOn(): boolean {
  return "Notification" in window && Notification.permission === "granted" && notificationsWanted.read();
}

/** Turns notifications on or off; the browser may ask the person. @returns whether they are on now */
export async function setNotifications(wanted: boolean): Promise<boolean> {
  notificationsWanted.write(wanted);
  if (wanted && "Notification" in window && Notification.permission === "default") {
    await Notification.requestPermission();
  }
  return areNotificationsOn();
}

/** Shows one while the page is in the background; a press on it brings the page to the front and calls `onPress`. */
export function notify({ title, body, tag }: { title: string; body: string; tag: string }, onPress: () => void): void {
  if (!areNotificationsOn() || document.visibilityState === "visible") return;
  const notification = new Notification(title, { body, tag, icon: "/app/icon.svg" });
  notification.onclick = () => {
    window.focus();
    notification.close();
    onPress();
  };
}
