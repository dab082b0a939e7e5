import type { NoticeRequest } from "../state/notices/notice-request.js";

declare const self: ServiceWorkerGlobalScope;

/** The open pages of the application, the one that was used last first. */
export async function appWindows(): Promise<readonly WindowClient[]> {
  const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter(({ url }) => url.startsWith(self.registration.scope));
}

/** Asks the page that was used last. @returns whether there is one */
export async function ask(request: NoticeRequest): Promise<boolean> {
  const [page] = await appWindows();
  page?.postMessage(request);
  return page !== undefined;
}

/** Opens an address of the application: in the page that was used last, which comes to the front, or in a new one. */
export async function open(address: string): Promise<void> {
  const { scope } = self.registration;
  // Below the own address, wherever the installation has its root.
  const { pathname } = new URL(address, scope);
  const base = new URL(scope).pathname;
  const path = pathname.startsWith(base) ? `/${pathname.slice(base.length)}` : "/";
  const [page] = await appWindows();
  if (page === undefined) {
    await self.clients.openWindow(scope + path.slice(1));
    return;
  }
  page.postMessage({ kind: "open", path } satisfies NoticeRequest);
  // A browser may leave it to the person.
  await page.focus().catch(() => undefined);
}
