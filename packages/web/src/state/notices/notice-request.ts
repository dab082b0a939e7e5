/** What the service worker asks of a page: after something was chosen in a notification, or when its endpoint changed. */
export type NoticeRequest =
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "read"; readonly channelId: string; readonly messageId: string; readonly isDirect: boolean }
  | { readonly kind: "renew" };
