/**
 * A request of the service worker to a page: after the user chose an action in a notification, or when its endpoint
 * changed.
 */
export type NoticeRequest =
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "read"; readonly channelId: string; readonly messageId: string; readonly isDirect: boolean }
  | { readonly kind: "renew" };
